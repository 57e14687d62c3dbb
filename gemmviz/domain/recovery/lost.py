"""Finds what windows left unsaved that did not end well, and reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gemmviz.domain.files.bounded_read import Cause, ReadError, read_bytes
from gemmviz.domain.recovery.folders import DAMAGED, DISCARDED, claimed, folders_in, remove_folder, sweep
from gemmviz.domain.recovery.manifest import (
    HEAD,
    MOST_BYTES,
    NAME,
    RecoveryError,
    RecoveryManifest,
    file_name,
    read_manifest,
    with_results,
)
from gemmviz.domain.runs.result import RESULT_FIELDS, Session
from gemmviz.domain.session.session import SessionError, load_session

_NUMBERED = re.compile(r"[0-9]{6}\.gemmviz")

Load = Callable[[Path], Session]


@dataclass(frozen=True, slots=True)
class Lost:
    """What a window left: when its session changed last (ISO 8601 in UTC), its name, and how many of its results were
    not saved.

    `is_damaged` where its table of contents cannot be read, so that nothing is counted.
    """

    folder: Path
    changed: str
    name: str = ""
    runs: int = 0
    recordings: int = 0
    others: int = 0
    is_damaged: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Recovered:
    """The session of a lost window, and one sentence for each file that could not be read and was set aside."""

    session: Session
    name: str = ""
    experiment: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[str, ...] = ()


def find_lost(root: Path) -> tuple[Lost, ...]:
    """What windows that have ended left unsaved, the newest first; empty folders are removed."""
    sweep(root)
    found = []
    for folder in folders_in(root):
        with claimed(folder) as is_lost:
            if not is_lost:
                continue
            lost = _look(folder)
            if lost is None:
                remove_folder(folder)
            else:
                found.append(lost)
    return tuple(sorted(found, key=lambda lost: lost.changed, reverse=True))


def recover(folder: Path, load: Load = load_session) -> Recovered:
    """Read what a window left; the caller has claimed the folder. What is sound stays until `discard`.

    Raises:
        RecoveryError: nothing in it can be read; it was set aside.
    """
    faults: list[str] = []
    manifest = _manifest_of(folder, faults)
    there = _numbers_in(folder)
    wanted = sorted(there if manifest is None else manifest.files | {one for one in there if one > _last(manifest)})
    parts = {number: part for number in wanted if (part := _read(folder, file_name(number), load, faults)) is not None}
    head = _read(folder, HEAD, load, faults) or next(reversed(parts.values()), None)
    if head is None:
        where = _set_aside(folder)
        raise RecoveryError(f"nothing of {folder.name} can be read: it was moved to {where}")
    results = {kind: _results(kind, manifest, parts) for kind in RESULT_FIELDS}
    session = with_results(head, results)
    if manifest is None:
        return Recovered(session, faults=tuple(faults))
    return Recovered(session, manifest.name, manifest.experiment, tuple(faults))


def discard(root: Path, folder: Path) -> bool:
    """Give up what a window left, so that it is offered no more; False where another window has it or had it."""
    with claimed(folder) as is_ours:
        if is_ours:
            gone = root / DISCARDED / folder.name
            with suppress(OSError):
                gone.parent.mkdir(exist_ok=True)
                folder.replace(gone)
                return True
        return False


def take_back(root: Path, folder: Path) -> bool:
    """Undo `discard`; False where it is gone for good."""
    try:
        (root / DISCARDED / folder.name).replace(folder)
    except OSError:
        return False
    return True


def _look(folder: Path) -> Lost | None:
    """What a folder holds, None for nothing; the caller has claimed it."""
    try:
        manifest = read_manifest(_read_bounded(folder / NAME))
    except (OSError, RecoveryError) as error:
        is_damaged = not isinstance(error, FileNotFoundError)  # there is none before the first results are written
        return Lost(folder, _time_of(folder), is_damaged=is_damaged) if _numbers_in(folder) else None
    if not any(map(manifest.count, RESULT_FIELDS)) and not _numbers_in(folder):
        return None
    counts = {kind: manifest.count_unsaved(kind) for kind in RESULT_FIELDS}
    others = sum(counts.values()) - counts["runs"] - counts["traces"]
    return Lost(folder, manifest.changed, manifest.name, counts["runs"], counts["traces"], others)


def _manifest_of(folder: Path, faults: list[str]) -> RecoveryManifest | None:
    try:
        return read_manifest(_read_bounded(folder / NAME))
    except FileNotFoundError:
        return None
    except (OSError, RecoveryError) as error:
        faults.append(f"{error}: moved to {_set_aside(folder / NAME)}; every result in the folder was recovered")
        return None


def _read(folder: Path, name: str, load: Load, faults: list[str]) -> Session | None:
    path = folder / name
    try:
        return load(path)
    except SessionError as error:
        reason = str(error).removeprefix(f"cannot open {path}: ").partition(". ")[0]
        kept = f"moved to {_set_aside(path)}" if path.exists() else "its results are lost"
        faults.append(f"{name} could not be read ({reason}): {kept}")
        return None


def _results(kind: str, manifest: RecoveryManifest | None, parts: Mapping[int, Session]) -> tuple[object, ...]:
    """The results of a kind in their order: as the manifest says, then those written after it."""
    listed: list[object] = []
    if manifest is not None:
        for number, place in manifest.places.get(kind, ()):
            results = getattr(parts[number], kind) if number in parts else ()
            listed += results[place : place + 1]
    last = _last(manifest) if manifest is not None else 0
    return (*listed, *(one for number, part in parts.items() if number > last for one in getattr(part, kind)))


def _last(manifest: RecoveryManifest) -> int:
    return max(manifest.files, default=0)


def _numbers_in(folder: Path) -> list[int]:
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError:
        return []
    return sorted(int(name[:6]) for name in names if _NUMBERED.fullmatch(name))


def _set_aside(path: Path) -> Path:
    """Move a file or folder of recovery data to the folder `damaged`; where it is now."""
    root = path.parent if path.is_dir() else path.parent.parent
    name = path.name if path.is_dir() else f"{path.parent.name}-{path.name}"
    aside = root / DAMAGED / name
    try:
        aside.parent.mkdir(exist_ok=True)
        path.replace(aside)
    except OSError:
        return path
    return aside


def _read_bounded(path: Path) -> bytes:
    """The content of an ordinary file that is not too long.

    Raises:
        OSError: it cannot be read now.
        RecoveryError: it is no such file.
    """
    try:
        return read_bytes(path, MOST_BYTES)
    except ReadError as error:
        if error.cause is Cause.UNFIT:
            raise RecoveryError(f"{path.name}: {error.fault}") from error
        raise


def _time_of(folder: Path) -> str:
    """When a window began, from its folder's name."""
    words = folder.name
    return f"{words[:4]}-{words[4:6]}-{words[6:8]}T{words[9:11]}:{words[11:13]}:{words[13:15]}+00:00"
