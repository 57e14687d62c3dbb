"""Keeps one window's unsaved session on the disk: each result is written once, what is gone from the session goes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from gemmviz.domain.clock import timestamp
from gemmviz.domain.files.atomic import WriteError, describe_write_fault, write_atomically
from gemmviz.domain.recovery.folders import DAMAGED, claimed, folders_in, new_folder, remove_folder, size_of
from gemmviz.domain.recovery.lock import FileLock
from gemmviz.domain.recovery.manifest import (
    HEAD,
    NAME,
    Place,
    RecoveryError,
    RecoveryManifest,
    file_name,
    with_results,
    write_manifest,
)
from gemmviz.domain.runs.result import RESULT_FIELDS, Session
from gemmviz.domain.session.session import SessionError, save_session
from gemmviz.domain.session.shown import Shown

MOST_BYTES = 2**30
"""Of the recovery data of all windows together."""

MOST_FILES = 200
"""Files of small results before they are put together, and as many more as a quarter of the results."""

MOST_IN_FILE = 1000
"""Results of a kind in one file: what a session file holds is limited, and one damaged file shall not cost all."""

_LARGE = "traces"
"""A result of this kind has a file of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A session as it is at a moment, what is shown of it, its name, what was set up to run, as a table, and what its
    file has of it.
    """

    session: Session
    shown: Shown | None = None
    name: str = ""
    experiment: Mapping[str, Any] = field(default_factory=dict)
    saved: Session | None = None


class RecoveryWriter:
    """Writes to a folder of its own below `root`, made when there is something to keep. For one thread at a time."""

    def __init__(self, root: Path, now: Callable[[], datetime], most_bytes: int = MOST_BYTES) -> None:
        self._root, self._now, self._most_bytes = root, now, most_bytes
        self._folder: Path | None = None
        self._lock: FileLock | None = None
        self._places: dict[int, tuple[object, Place]] = {}  # by id; the result is held, so that its id stays its own
        self._left_out: dict[int, object] = {}
        self._sizes: dict[int, int] = {}
        self._last = 0
        self._unsynced: list[Path] = []

    @property
    def folder(self) -> Path | None:
        """Where this window's data lie, None while there are none."""
        return self._folder

    @property
    def is_complete(self) -> bool:
        """Whether nothing had to be left out of what was kept last."""
        return not self._left_out

    def keep(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Write what is new in a session; sentences on what had to be left out, if anything had.

        Raises:
            RecoveryError: it cannot be written; what was written before stays.
        """
        try:
            folder = self._ready_folder()
            told = [*self._write_new(folder, snapshot), *self._make_room(snapshot.session)]
            head = replace(with_results(snapshot.session, {}), shown=snapshot.shown)
            save_session(head, folder / HEAD, quickly=True)
            self._write_manifest(folder, snapshot)
            self._remove_unused(folder, snapshot.session)
        except (SessionError, WriteError) as error:
            raise RecoveryError(str(error)) from error
        except OSError as error:
            raise RecoveryError(describe_write_fault(self._folder or self._root / NAME, error)) from error
        return tuple(told)

    def sync(self) -> None:
        """Bring to the disk what was written since the last time, so that it outlives a loss of power."""
        paths, self._unsynced = self._unsynced, []
        for path in paths:
            with suppress(OSError):  # it may have gone since
                descriptor = os.open(path, os.O_RDWR)
                try:
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)

    def clear(self) -> None:
        """Everything is saved or given up: remove the data."""
        folder, lock = self._folder, self._lock
        self._folder = self._lock = None
        self._places, self._left_out, self._sizes, self._last, self._unsynced = {}, {}, {}, 0, []
        if folder is not None and lock is not None:
            remove_folder(folder)
            lock.release(remove=True)

    def release(self) -> None:
        """Leave the data for the next window; this one writes no more."""
        if self._lock is not None:
            self._lock.release()

    def _ready_folder(self) -> Path:
        if self._folder is None or not self._folder.is_dir():  # somebody may have emptied the state folder
            self.clear()
            self._folder, self._lock = new_folder(self._root, self._now())
        return self._folder

    def _write_new(self, folder: Path, snapshot: Snapshot) -> list[str]:
        """Write what no file has yet, and first what the session's own file does not have either."""
        session = snapshot.session
        new = {kind: self._unwritten(getattr(session, kind)) for kind in RESULT_FIELDS}
        small = [kind for kind in RESULT_FIELDS if kind != _LARGE]
        if (
            len(self._sizes) - len(session.traces)
            > MOST_FILES + sum(len(getattr(session, kind)) for kind in small) // 4
        ):
            new.update((kind, getattr(session, kind)) for kind in small)  # all together
        saved = {id(one) for kind in RESULT_FIELDS for one in getattr(snapshot.saved, kind, ())}
        told = []
        for is_saved in (False, True):
            group = {kind: [one for one in new[kind] if (id(one) in saved) is is_saved] for kind in RESULT_FIELDS}
            recordings = group.pop(_LARGE)
            for begin in range(0, max(map(len, group.values())), MOST_IN_FILE):
                part = {kind: results[begin : begin + MOST_IN_FILE] for kind, results in group.items()}
                self._write(folder, session, part)
            for recording in recordings:
                told += self._write_recording(folder, session, recording)
        return told

    def _write_recording(self, folder: Path, session: Session, recording: object) -> list[str]:
        try:
            self._write(folder, session, {_LARGE: (recording,)})
        except SessionError as error:
            if isinstance(error.__cause__, OSError):
                raise
            self._left_out[id(recording)] = recording
            return [f"A recording is not in the recovery data: {error}"]
        return []

    def _unwritten(self, results: Sequence[object]) -> tuple[object, ...]:
        return tuple(one for one in results if id(one) not in self._places and id(one) not in self._left_out)

    def _write(self, folder: Path, session: Session, results: Mapping[str, Sequence[object]]) -> None:
        number = self._last + 1
        path = folder / file_name(number)
        parts = {kind: tuple(results.get(kind, ())) for kind in RESULT_FIELDS}
        save_session(replace(with_results(session, parts), shown=None), path, quickly=True)
        self._last = number
        self._sizes[number] = size_of(path)
        self._unsynced.append(path)
        for results_of_kind in parts.values():
            for place, one in enumerate(results_of_kind):
                self._places[id(one)] = one, (number, place)

    def _make_room(self, session: Session) -> list[str]:
        """Remove what cannot be read, then the oldest lost data, then leave out this window's oldest recordings, until
        there is room.
        """
        if self._has_room():
            return []
        shutil.rmtree(self._root / DAMAGED, ignore_errors=True)
        gone = left_out = 0
        for folder in folders_in(self._root):
            if self._has_room():
                break
            with claimed(folder) as is_ours:
                if is_ours:
                    remove_folder(folder)
                    gone += 1
        for recording in session.traces:
            if self._has_room():
                break
            _, place = self._places.pop(id(recording), (None, None))
            if place is not None:
                self._left_out[id(recording)] = recording
                self._sizes[place[0]] = 0
                left_out += 1
        full = f"The recovery data reached {self._most_bytes >> 20} MiB"
        told = []
        if gone:
            told.append(f"{full}: what {gone} earlier windows left unsaved was removed")
        if left_out:
            told.append(f"{full}: the {left_out} oldest recordings are left out. Save the session")
        return told

    def _has_room(self) -> bool:
        """Whether all windows together keep no more than they may."""
        mine = self._folder.name if self._folder is not None else ""
        others = 0
        with suppress(OSError):
            others = sum(size_of(path) for path in self._root.iterdir() if path.name != mine)
        return sum(self._sizes.values()) + others <= self._most_bytes

    def _write_manifest(self, folder: Path, snapshot: Snapshot) -> None:
        places = {
            kind: tuple(self._places[id(one)][1] for one in getattr(snapshot.session, kind) if id(one) in self._places)
            for kind in RESULT_FIELDS
        }
        saved = {id(one) for kind in RESULT_FIELDS for one in getattr(snapshot.saved, kind, ())}
        unsaved = {kind: sum(id(one) not in saved for one in getattr(snapshot.session, kind)) for kind in RESULT_FIELDS}
        changed = timestamp(self._now())
        data = write_manifest(RecoveryManifest(changed, snapshot.name, snapshot.experiment, places, unsaved))

        def write(file: BinaryIO) -> None:
            file.write(data)

        write_atomically(folder / NAME, write, sync=False)
        self._unsynced.append(folder / NAME)

    def _remove_unused(self, folder: Path, session: Session) -> None:
        """Forget the results that the session has no more, and remove the files that hold no others."""
        there = {id(one) for kind in RESULT_FIELDS for one in getattr(session, kind)}
        self._places = {key: kept for key, kept in self._places.items() if key in there}
        self._left_out = {key: kept for key, kept in self._left_out.items() if key in there}
        used = {number for _, (number, _) in self._places.values()}
        for number in [number for number in self._sizes if number not in used]:
            with suppress(OSError):
                (folder / file_name(number)).unlink(missing_ok=True)
            del self._sizes[number]
