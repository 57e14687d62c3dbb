"""The one way in for files from outside: ordinary files only, so many bytes at most, one clear sentence otherwise.

A pipe, a terminal or /dev/zero named like a file would be waited for, or filled memory with, for ever. Links are
followed; what they lead to is judged. Reading may still wait for a disk or a network, so a window reads on a thread of
its own.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import BinaryIO

_OPTIONS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"))
"""What a system does not have is 0. Without O_NONBLOCK, opening a pipe would wait for somebody to write."""

_FAULTS = {
    errno.ENOENT: ("there is no such file", "Check the name"),
    errno.ENOTDIR: ("there is no such file", "Check the name"),
    errno.EACCES: ("you may not read it", "Change its permissions"),
    errno.EPERM: ("you may not read it", "Change its permissions"),
    errno.ELOOP: ("it is a link that leads back to itself", "Name the file itself"),
    errno.ENAMETOOLONG: ("its name is too long", "Check the name"),
    errno.EMFILE: ("too many files are open", "Close some of them"),
}
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}
_PIECE = 2**20
"""Bytes read at a time, so that a short file takes little memory whatever its limit is."""


class Cause(Enum):
    """Why a file was not read."""

    MISSING = "there is no file of that name"
    REFUSED = "the system refused to read it"
    UNFIT = "it exists but cannot be a file of that kind"


class ReadError(OSError):
    """A file that was not read: `path`, what is wrong with it, the remedy, and the line, 0 for the file as a whole."""

    def __init__(self, path: Path, fault: str, remedy: str, line: int = 0, cause: Cause = Cause.UNFIT) -> None:
        super().__init__(f"cannot read {path}: {fault}. {remedy}")
        self.path, self.fault, self.remedy, self.line, self.cause = path, fault, remedy, line, cause

    @property
    def reason(self) -> str:
        """The message without the path: "it is a pipe. Give an ordinary file"."""
        return f"{self.fault}. {self.remedy}"


@contextmanager
def open_bounded(path: Path, most_bytes: int) -> Iterator[BinaryIO]:
    """Open a file to read its bytes, one that may be sought in.

    Raises:
        ReadError: it is not there, no ordinary file, of more than `most_bytes` bytes, or cannot be opened.
    """
    with _opened(path, most_bytes) as file:
        _check(path, os.fstat(file.fileno()), most_bytes)  # another file may have the name by now
        yield file


def read_bytes(path: Path, most_bytes: int) -> bytes:
    """The content of an ordinary file of at most `most_bytes` bytes.

    Raises:
        ReadError: as `open_bounded`, or it cannot be read to its end.
    """
    with open_bounded(path, most_bytes) as file:
        content = bytearray()
        try:
            while (piece := file.read(min(_PIECE, most_bytes + 1 - len(content)))) != b"":
                if piece is None:  # the file of a driver that has nothing to tell just now
                    raise ReadError(path, "it cannot be read without waiting", "Give an ordinary file")
                content += piece
        except ReadError:
            raise
        except (OSError, ValueError) as error:
            raise _read_error(path, error) from error
    if len(content) > most_bytes:  # it grew, or its size was not told
        raise _too_long(path, most_bytes)
    return bytes(content)


def read_text(path: Path, most_bytes: int, encoding: str = "utf-8") -> str:
    """The content of an ordinary text file of at most `most_bytes` bytes; its line ends become \\n.

    Raises:
        ReadError: as `read_bytes`, or it is not text in that encoding.
    """
    data = read_bytes(path, most_bytes)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        fault = f"the byte 0x{error.object[error.start]:02X} is not UTF-8"
        raise ReadError(path, fault, "Save the file as UTF-8", line) from error
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise ReadError(path, "it holds a NUL byte, which no text has", "Remove it", line)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _opened(path: Path, most_bytes: int) -> BinaryIO:
    try:
        _check(path, path.stat(), most_bytes)
        return open(path, "rb", opener=_open)
    except ReadError:
        raise
    except (OSError, ValueError) as error:
        raise _read_error(path, error) from error


def _open(path: str, _flags: int) -> int:
    return os.open(path, _OPTIONS)


def _check(path: Path, found: os.stat_result, most_bytes: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = _KINDS.get(stat.S_IFMT(found.st_mode), "not an ordinary file")
        raise ReadError(path, f"it is {kind}", "Give an ordinary file")
    if found.st_size > most_bytes:
        raise _too_long(path, most_bytes)


def _too_long(path: Path, most_bytes: int) -> ReadError:
    return ReadError(path, f"it has more than {most_bytes} bytes", "Give another file")


def _read_error(path: Path, error: OSError | ValueError) -> ReadError:
    if isinstance(error, ValueError):  # a zero byte in the name
        return ReadError(path, "this is not a file name", "Check the name")
    plain = (error.strerror or type(error).__name__, "Check the name and the disk")
    fault, remedy = _FAULTS.get(error.errno or 0, plain)
    is_missing = error.errno in (errno.ENOENT, errno.ENOTDIR)
    if is_missing and path.is_symlink():
        fault, remedy = "it is a link to a file that is not there", "Correct the link, or remove it"
    return ReadError(path, fault, remedy, cause=Cause.MISSING if is_missing else Cause.REFUSED)
