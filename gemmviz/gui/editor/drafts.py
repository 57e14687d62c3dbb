"""Keeps text that is not saved yet on the disk, and finds what a window left that did not end well."""

from __future__ import annotations

import hashlib
import json
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gemmviz.catalogue.loader import MOST_BYTES
from gemmviz.domain.clock import timestamp
from gemmviz.domain.files.atomic import WriteError, write_atomically
from gemmviz.domain.files.bounded_read import ReadError, read_bytes
from gemmviz.domain.processes.process_stamp import is_of_a_dead_process, process_stamp

KEEP_MS = 400
"""After so long without a key the text is written."""
FOLDER = "drafts"
_FORMAT = "gemmviz-draft"
_MOST = 8 * MOST_BYTES
"""Bytes of a draft: JSON may take several for a character."""
MOST_DRAFTS = 50


@dataclass(frozen=True, slots=True)
class Draft:
    """Text of a kernel file that was not saved: `place` is where it is kept, `path` the kernel file, `changed` when, in
    ISO 8601, UTC.
    """

    place: Path
    path: Path
    text: str
    changed: str


def find_drafts(root: Path) -> tuple[Draft, ...]:
    """What windows left that have ended, the newest first. What is no draft is passed over."""
    found = []
    with suppress(OSError):
        for place in sorted((root / FOLDER).glob("*.json"))[:MOST_DRAFTS]:
            draft = _read(place) if is_of_a_dead_process(place.name) else None
            if draft is not None:
                found.append(draft)
    return tuple(sorted(found, key=lambda one: one.changed, reverse=True))


def discard_draft(draft: Draft) -> None:
    """Remove what was kept."""
    with suppress(OSError):
        draft.place.unlink(missing_ok=True)


class Drafts(QObject):
    """Writes the text of the file that is edited, on a thread, once nothing was typed for KEEP_MS."""

    failed = Signal(str)
    """Why it cannot be written; told once until it can again."""

    def __init__(self, root: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = root / FOLDER
        self._path: Path | None = None
        self._text = ""
        self._lock = threading.Lock()
        self._is_failing = False
        self._timer = QTimer(self, singleShot=True, interval=KEEP_MS)
        self._timer.timeout.connect(self._write_soon)

    @property
    def place(self) -> Path | None:
        """Where the text that is edited now is kept; None while nothing has been kept."""
        return self._place_of(self._path) if self._path is not None else None

    def keep(self, path: Path, text: str) -> None:
        """Write this text soon."""
        self._path, self._text = path, text
        self._timer.start()

    def settle(self) -> None:
        """Everything is saved or given up: remove what was kept."""
        self._timer.stop()
        path, self._path = self._path, None
        if path is not None:
            with self._lock, suppress(OSError):
                self._place_of(path).unlink(missing_ok=True)

    def flush(self) -> None:
        """Write now what is still to be written; for the end of the window."""
        if self._timer.isActive() and self._path is not None:
            self._timer.stop()
            self._write(self._path, self._text)

    @Slot()
    def _write_soon(self) -> None:
        if self._path is not None:
            threading.Thread(target=self._write, args=(self._path, self._text), name="draft", daemon=True).start()

    def _write(self, path: Path, text: str) -> None:
        changed = timestamp()
        document = {"format": _FORMAT, "path": str(path), "text": text, "changed": changed}
        data = json.dumps(document).encode("ascii")

        def write(file: BinaryIO) -> None:
            file.write(data)

        with self._lock:
            if self._path != path or self._text != text:
                return  # saved, or typed on, meanwhile
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                write_atomically(self._place_of(path), write, sync=False)
                self._is_failing = False
            except (OSError, WriteError) as error:
                if not self._is_failing:
                    self.failed.emit(f"The unsaved text of {path.name} cannot be kept for recovery: {error}")
                self._is_failing = True

    def _place_of(self, path: Path) -> Path:
        word = hashlib.sha256(str(path).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return self._folder / f"{word}-{process_stamp()}.json"


def _read(place: Path) -> Draft | None:
    try:
        found = json.loads(read_bytes(place, _MOST))
    except (ReadError, ValueError, RecursionError):
        return None
    match found:
        case {"format": format_, "path": str(path), "text": str(text), "changed": str(changed)} if format_ == _FORMAT:
            if path and "\0" not in path and len(text) <= MOST_BYTES:
                return Draft(place, Path(path), text, changed)
    return None
