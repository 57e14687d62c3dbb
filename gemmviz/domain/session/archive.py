"""Named entries in a zip file, the same bytes for the same entries; and reading one that may be hostile.

Nothing is unpacked to the disk. Every size is checked before a byte is read and again while reading.
"""

from __future__ import annotations

import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from gemmviz.domain.files.bounded_read import open_bounded

MAX_ENTRIES = 20_000
MAX_TOTAL_BYTES = 2**30
"""Most bytes of all entries together, packed as well as unpacked."""
MAX_RATIO = 100
"""An entry of more than FREE_BYTES unpacks to at most so many times its packed size."""
FREE_BYTES = 2**20

_DAMAGED = "Copy it again, or repeat the runs"
_FOREIGN = "Choose a file that gemmviz saved"
_ZIP_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""What zipfile raises for a damaged file, depending on the place of the damage and on Python's version."""

_EARLIEST = (1980, 1, 1, 0, 0, 0)
_UNSAFE_NAME = re.compile(r"^/|^[A-Za-z]:|\\|(^|/)\.\.?(/|$)|[\x00-\x1f\x7f]")


class ArchiveError(ValueError):
    """A file that is no sound archive of ours; the message says what is wrong and what to do."""


def write_archive(file: BinaryIO, entries: Mapping[str, bytes], *, packed: bool = True) -> None:
    """Write the entries in their order, compressed if `packed`, with no trace of when, where or by whom.

    Raises:
        ArchiveError: there is more than `read_archive` takes.
    """
    if len(entries) > MAX_ENTRIES or sum(map(len, entries.values())) > MAX_TOTAL_BYTES:
        raise ArchiveError(f"more than {MAX_ENTRIES} entries or {MAX_TOTAL_BYTES} bytes. Save fewer runs in one file")
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in entries.items():
            info = zipfile.ZipInfo(name, _EARLIEST)
            info.create_system = 3
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            is_stored = not packed or _looks_like_a_bomb(data)
            info.compress_type = zipfile.ZIP_STORED if is_stored else zipfile.ZIP_DEFLATED
            archive.writestr(info, data)


class ArchiveReader:
    """The entries of an archive whose table of contents has been found sound."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._infos = _checked(archive.infolist())

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._infos)

    def read(self, name: str, most_bytes: int = MAX_TOTAL_BYTES) -> bytes:
        """The content of an entry.

        Raises:
            ArchiveError: there is no such entry, it is longer than `most_bytes`, or it is damaged.
        """
        info = self._infos.get(name)
        if info is None:
            raise ArchiveError(f"it has no {name}. {_FOREIGN}")
        if info.file_size > most_bytes:
            raise ArchiveError(f"its {name!r} has {info.file_size} bytes, at most {most_bytes} are read. {_FOREIGN}")
        try:
            with self._archive.open(info) as entry:
                # The size in the table may lie; no more than it says is unpacked, and one byte to find out.
                data = entry.read(info.file_size + 1)
        except _ZIP_FAULTS as error:
            raise ArchiveError(f"its {name!r} is damaged. {_DAMAGED}") from error
        if len(data) != info.file_size:
            raise ArchiveError(f"its {name!r} has another size than the file says. {_DAMAGED}")
        return data


@contextmanager
def open_archive(path: Path) -> Iterator[ArchiveReader]:
    """Open an archive for reading, its table of contents checked.

    Raises:
        ArchiveError: it is no zip file, cut off, or its names, kinds or sizes cannot be trusted.
        ReadError: it is no ordinary file, too large, or cannot be opened.
        OSError: it cannot be read.
    """
    with open_bounded(path, MAX_TOTAL_BYTES) as file:
        start = file.read(4)
        file.seek(0)
        try:
            archive = zipfile.ZipFile(file)
        except _ZIP_FAULTS as error:
            if start == b"PK\x03\x04":
                raise ArchiveError(f"it is cut off or damaged. {_DAMAGED}") from error
            raise ArchiveError(f"it is not a session file. {_FOREIGN}") from error
        with archive:
            yield ArchiveReader(archive)


def _checked(infos: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    if len(infos) > MAX_ENTRIES:
        raise ArchiveError(f"it has {len(infos)} entries, at most {MAX_ENTRIES} are read. {_FOREIGN}")
    total = sum(info.file_size for info in infos)
    if total > MAX_TOTAL_BYTES:
        raise ArchiveError(f"it would unpack to {total} bytes, at most {MAX_TOTAL_BYTES} are read. {_FOREIGN}")
    checked: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        fault = "it occurs twice" if info.filename in checked else _fault(info)
        if fault:
            raise ArchiveError(f"its entry {info.orig_filename!r} is refused, {fault}. {_FOREIGN}")
        checked[info.filename] = info
    return checked


def _fault(info: zipfile.ZipInfo) -> str:
    # zipfile shortens some names on the way in; the name as it stands in the file is the one to judge.
    if _UNSAFE_NAME.search(info.orig_filename):
        return "its name leads out of the file"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "it is a link"
    if info.flag_bits & 0x1:
        return "it is encrypted"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "it is compressed by a method that gemmviz does not read"
    if info.file_size > max(FREE_BYTES, MAX_RATIO * info.compress_size):
        return f"it would unpack to {info.file_size} bytes from {info.compress_size}"
    return ""


def _looks_like_a_bomb(data: bytes) -> bool:
    """Whether `data` may shrink so well that a reader would refuse it; by a wide margin."""
    return len(data) > FREE_BYTES and len(data) > MAX_RATIO // 2 * len(zlib.compress(data))
