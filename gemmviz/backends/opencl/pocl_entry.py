"""One entry of PoCL's cache: the files of a program, and the checksums that were noted for them."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gemmviz.domain.files.atomic import write_atomically
from gemmviz.domain.files.bounded_read import read_bytes, read_text
from gemmviz.domain.files.last_look import changed_ns

SUMS = "gemmviz-checksums.json"
USED = "last_accessed"
"""PoCL's own file in an entry, touched whenever the program is built or taken from the cache."""
_MOST_BYTES = 2**28
_BEGINNINGS = {".so": b"\x7fELF", ".bc": b"BC"}


def is_unchanged(entry: Path, since_ns: int) -> bool:
    """Whether every file of an entry has a checksum, and none was changed, removed or added since."""
    names = set()
    try:
        if not since_ns or changed_ns(entry.stat()) >= since_ns:
            return False
        for name, found in _walk(entry):
            if name != USED and changed_ns(found.stat()) >= since_ns:
                return False
            if name.endswith(tuple(_BEGINNINGS)):
                names.add(name)
    except OSError:
        return False
    known = sums_of(entry)
    return known is not None and known.keys() == names


def is_whole(entry: Path, *, is_in_use: bool) -> bool:
    """Whether the files of an entry have the checksums noted for them; others are as long as they say themselves,
    unless they may just be written (`is_in_use`).
    """
    known = sums_of(entry)
    if known is None:
        if (entry / SUMS).exists():
            return False
        known = {}
    files = files_of(entry)
    for name, path in files.items():
        if name in known and _sum_of(path) != known[name]:
            return False
        if name not in known and not is_in_use and not _looks_whole(path):
            return False
    return known.keys() <= files.keys()


def is_sealed(entry: Path) -> bool:
    """Whether every file of an entry has a checksum."""
    known = sums_of(entry)
    return known is not None and known.keys() == files_of(entry).keys()


def age_s(path: Path) -> float:
    """How long ago a file was changed."""
    with suppress(OSError):
        return time.time() - path.stat().st_mtime
    return 0.0


def used_s(entry: Path) -> float:
    """When PoCL used an entry last, as time.time(); 0 where that is not known."""
    try:
        return (entry / USED).stat().st_mtime
    except OSError:
        return 0.0


def files_of(entry: Path) -> dict[str, Path]:
    """The files that PoCL reads, by their place in the entry."""
    with suppress(OSError):
        found = ((name, Path(file.path)) for name, file in _walk(entry) if name.endswith(tuple(_BEGINNINGS)))
        return {name: path for name, path in found if path.is_file()}
    return {}


def sums_of(entry: Path) -> dict[str, str] | None:
    """The checksums noted in an entry; None where there are none, or none that can be read."""
    try:
        found = json.loads(read_text(entry / SUMS, _MOST_BYTES))
    except (OSError, ValueError):
        return None
    is_table = isinstance(found, dict) and all(isinstance(one, str) for pair in found.items() for one in pair)
    return found if is_table else None


def write_sums(entry: Path, known: dict[str, str], files: dict[str, Path]) -> None:
    """Note the checksums of files, of which some may be known already."""
    sums = json.dumps({name: known.get(name) or _sum_of(path) for name, path in files.items()}).encode()
    with suppress(OSError):
        write_atomically(entry / SUMS, lambda file: file.write(sums), sync=False)


def _walk(folder: Path, before: str = "") -> Iterator[tuple[str, os.DirEntry[str]]]:
    """All files and folders in a folder, by their place in it."""
    with os.scandir(folder) as found:
        for one in found:
            yield before + one.name, one
            if one.is_dir(follow_symlinks=False):
                yield from _walk(Path(one.path), f"{before}{one.name}/")


def _looks_whole(path: Path) -> bool:
    try:
        data = read_bytes(path, _MOST_BYTES)
    except OSError:
        return False
    if not data or (sys.platform == "linux" and not data.startswith(_BEGINNINGS[path.suffix])):
        return False
    if (
        data.startswith(_BEGINNINGS[".so"]) and len(data) > 64 and data[4] == 2
    ):  # 64 bits: the table of sections ends the file
        sections_at, size, count = (int.from_bytes(data[a:b], "little") for a, b in ((40, 48), (58, 60), (60, 62)))
        return sections_at + size * count <= len(data)
    return True


def _sum_of(path: Path) -> str:
    try:
        return hashlib.blake2b(read_bytes(path, _MOST_BYTES), digest_size=16).hexdigest()
    except OSError:
        return ""
