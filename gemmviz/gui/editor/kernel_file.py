"""A kernel file that is edited: read and written with its own line ends and byte order mark. No Qt."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO

from gemmviz.catalogue.loader import MOST_BYTES
from gemmviz.domain.files.atomic import WriteError, write_atomically
from gemmviz.domain.files.bounded_read import Cause, ReadError, read_bytes

_MARK = b"\xef\xbb\xbf"
_LF = "\n"
_END = re.compile("(\r\n|\n|\r)")


class FileError(ValueError):
    """A kernel file that cannot be edited or saved: one sentence with the file, the fault and the remedy."""


class ChangedOutsideError(FileError):
    """The file has other contents than when it was read or saved here."""


@dataclass(frozen=True, slots=True)
class KernelFile:
    """A file as it is on the disk: `data` its bytes, `text` with \\n at the end of each line, `ends` what stands there
    in the file, "" behind a last line without one.
    """

    path: Path
    data: bytes
    text: str
    ends: tuple[str, ...]

    @property
    def has_mark(self) -> bool:
        """Whether the file begins with a byte order mark."""
        return self.data.startswith(_MARK)


def read_kernel_file(path: Path) -> KernelFile:
    """Read a file to edit it.

    Raises:
        FileError: it cannot be read, or is no UTF-8 text.
    """
    try:
        data = read_bytes(path, MOST_BYTES)
    except ReadError as error:
        raise FileError(str(error)) from error
    return _parsed(path, data)


def encoded(file: KernelFile, text: str) -> bytes:
    """The bytes of a file with another text: lines that stay keep their ends, new ones get the file's usual end.

    Raises:
        FileError: the text holds what UTF-8 cannot say.
    """
    before, after = file.text.split("\n"), text.split("\n")
    head = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    most = min(len(before), len(after)) - head
    pairs = zip(reversed(before), reversed(after), strict=False)
    tail = min(sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs)), most)
    usual = Counter(end for end in file.ends if end).most_common(1)
    new = usual[0][0] if usual else _LF
    ends = [new] * (len(after) - 1) + [""]
    kept = file.ends
    ends[:head] = [end or new for end in kept[:head]]
    if tail:
        ends[len(after) - tail :] = kept[len(before) - tail :]
    ends[-1] = ""
    try:
        body = "".join(line + end for line, end in zip(after, ends, strict=True)).encode()
    except UnicodeEncodeError as error:
        line = text[: error.start].count("\n") + 1
        raise FileError(f"{file.path}: line {line} holds half a character. Remove it") from error
    return (_MARK if file.has_mark else b"") + body


def save_kernel_file(file: KernelFile, text: str, *, anyway: bool = False) -> KernelFile:
    """Put a text into the place of the file, completely or not at all; the file as it is then.

    Raises:
        ChangedOutsideError: somebody else has changed or removed it meanwhile; not `anyway`.
        FileError: it cannot be written; it stays as it was.
    """
    if not anyway and has_changed_outside(file):
        raise ChangedOutsideError(f"{file.path.name} was changed by another program since it was opened here")
    return _written(file.path, encoded(file, text), may_replace=True)


def save_kernel_file_as(file: KernelFile, text: str, path: Path, *, may_replace: bool = False) -> KernelFile:
    """Write a text with the line ends of `file` to another path.

    Raises:
        FileError: it cannot be written, or is there and must not be replaced.
    """
    return _written(path, encoded(file, text), may_replace=may_replace)


def has_changed_outside(file: KernelFile) -> bool:
    """Whether the file on the disk holds other bytes, or cannot be read any more; one that is gone has not changed."""
    try:
        return read_bytes(file.path, MOST_BYTES) != file.data
    except ReadError as error:
        return error.cause is not Cause.MISSING


def _written(path: Path, data: bytes, *, may_replace: bool) -> KernelFile:
    if len(data) > MOST_BYTES:
        raise FileError(f"{path}: {len(data)} bytes are more than the {MOST_BYTES} that a kernel file may have")

    def write(file: BinaryIO) -> None:
        file.write(data)

    try:
        write_atomically(path, write, may_replace=may_replace)
    except WriteError as error:
        raise FileError(str(error)) from error
    return _parsed(path, data)


def _parsed(path: Path, data: bytes) -> KernelFile:
    try:
        whole = data.removeprefix(_MARK).decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FileError(f"{path}: line {line} is not UTF-8. Save the file as UTF-8") from error
    parts = _END.split(whole)
    return KernelFile(path, data, "\n".join(parts[::2]), (*parts[1::2], ""))
