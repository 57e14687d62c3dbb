"""Session files that were damaged, or made by somebody with bad intentions."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fault_record.case import Case, LostError
from fault_record.scratch import Scratch, check_inert, check_refused, check_works

NASTY = "[/red]<img src=x>\x1b]0;title\x07=1+1&\u202enoitcaf\n\u2028\ud7ff ?" + "w" * 200
_NUMBERS: tuple[Any, ...] = (-1, 1e308, 10**400, "x")
_RAW = ("NaN", "Infinity", "-Infinity", "1e999", "[]", "{}", "null", "true")
"""Put in the place of a number as they are: some are no JSON."""

Entries = dict[str, bytes]


def cases(sound: Path) -> Iterator[Case]:
    """Damage of the file `sound`, a session of runs and a recording as this version saves it."""
    data = sound.read_bytes()
    for share in range(0, 100, 5):
        yield _case(f"cut off after {share} %", _bytes(data[: len(data) * share // 100]))
    for number in range(60):
        place = (number * 7919 * 31) % len(data)
        flipped = bytearray(data)
        flipped[place] ^= 1 << number % 8
        yield _case(f"bit {number % 8} of byte {place} flipped", _bytes(bytes(flipped)))
    yield _case("twice in a row", _bytes(data + data))
    yield _case("bytes in front", _bytes(b"x" * 100 + data))
    yield _case("bytes behind", _bytes(data + b"x" * 100))
    yield _case("zeros", _bytes(bytes(len(data))))
    yield _case("a picture", _bytes(b"\x89PNG\r\n\x1a\n" + bytes(100)))
    for what, make in {
        "a pipe": os.mkfifo,
        "a link to /dev/zero": lambda path: path.symlink_to("/dev/zero"),
        "a folder": Path.mkdir,
        "a link to itself": lambda path: path.symlink_to(path),
        "not there": lambda _: None,
        "of 8 GiB": _sparse,
    }.items():
        yield _case(what, make)
    entries = _entries(data)
    for name in sorted(entries)[:12]:
        yield _case(f"without {name}", _archive({key: one for key, one in entries.items() if key != name}))
        yield _case(f"{name} emptied", _archive(entries | {name: b""}))
        yield _case(f"{name} of zeros", _archive(entries | {name: bytes(len(entries[name]))}))
    yield _case("a bomb of 4 GB", _bomb(entries))
    yield _case("100 000 entries", _archive(entries | {f"arrays/{number}.npy": b"" for number in range(100_000)}))
    for name in ("../up.npy", "/root.npy", "C:\\x.npy", "a\x1b[31m.npy", "x" * 5000):
        yield _case(f"an entry named {name!r:.40}", _archive(entries | {name: b"x"}))
    documents = [name for name in entries if name.endswith(".json")]
    for name in documents[:1]:
        for what, text in {
            "deep": b"[" * 200_000 + b"]" * 200_000,
            "no JSON": b"{",
            "a list": b"[]",
            "UTF-16": entries[name].decode().encode("utf-16"),
            "version 99": entries[name].replace(b'"version":', b'"version": 99, "was":', 1),
            "another format": entries[name].replace(b"gemmviz-session", b"other-session"),
        }.items():
            yield _case(f"{name}: {what}", _archive(entries | {name: text}))
    yield from _changed_values(entries, documents)


def _changed_values(entries: Entries, documents: list[str]) -> Iterator[Case]:
    """Each key of the documents once with each value that cannot be."""
    seen: set[str] = set()
    for name in documents:
        document = json.loads(entries[name])
        for path, value in _leaves(document):
            key = ".".join("#" if isinstance(step, int) else step for step in path)
            if key in seen or "arrays" in key:
                continue
            seen.add(key)
            if isinstance(value, bool):
                changes: tuple[Any, ...] = (7,)
            elif isinstance(value, int | float):
                changes = (*_NUMBERS[len(seen) % 2 :: 2], _Raw(_RAW[len(seen) % len(_RAW)]))
            elif isinstance(value, str):
                changes = (NASTY, 7)
            else:
                changes = (7,)
            for change in changes:
                shown = change.text if isinstance(change, _Raw) else f"{change!r:.20}"
                yield _case(f"{key} = {shown}", _changed(entries, name, path, change))


class _Raw:
    """JSON text that json.dumps would not write."""

    def __init__(self, text: str) -> None:
        self.text = text


def _leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(value, dict) and value:
        for key, one in value.items():
            yield from _leaves(one, (*path, key))
    elif isinstance(value, list) and value:
        for number, one in enumerate(value[:3]):
            yield from _leaves(one, (*path, number))
    else:
        yield path, value


def _changed(entries: Entries, name: str, path: tuple[str | int, ...], change: Any) -> Callable[[Path], None]:
    def make(target: Path) -> None:
        document = json.loads(entries[name])
        place = document
        for step in path[:-1]:
            place = place[step]
        mark = "\x00here\x00"
        place[path[-1]] = mark if isinstance(change, _Raw) else change
        text = json.dumps(document)
        if isinstance(change, _Raw):
            text = text.replace(json.dumps(mark), change.text)
        _archive(entries | {name: text.encode()})(target)

    return make


def _case(name: str, make: Callable[[Path], None]) -> Case:
    """A report and an export of the file work or are refused in words."""

    def attempt(scratch: Scratch) -> None:
        path = scratch.work / "damaged.gemmviz"
        make(path)
        if not _works(scratch, "report", path.name):
            return
        _works(scratch, "export", path.name, "--out", "exported", "--format", "csv,svg")

    return Case("damaged sessions", name, attempt)


def _works(scratch: Scratch, *words: str) -> bool:
    """Whether a command worked; it was refused in words otherwise."""
    ended = scratch.run(*words, limit_s=60.0)
    scratch.check_nothing_left()
    if ended.code == 0:
        check_works(ended)
        return True
    check_refused(ended, (1, 2), ".")
    check_inert(ended)
    if "kernel file" in ended.err:
        raise LostError(f"accuses a kernel file: {ended.err.strip()[:200]}")
    return False


def _bytes(data: bytes) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(data) and None


def _entries(data: bytes) -> Entries:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def _archive(entries: Entries) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in entries.items():
                archive.writestr(zipfile.ZipInfo(name), data)

    return make


def _bomb(entries: Entries) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in entries.items():
                if name.endswith(".json"):
                    archive.writestr(name, data)
            with archive.open("arrays/bomb.npy", "w") as bomb:
                for _ in range(64):
                    bomb.write(bytes(1 << 24))

    return make


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(8 << 30)
