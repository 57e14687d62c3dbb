"""Watches kernel files on disk, whichever way an editor writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

from gemmviz.catalogue.header import beside_file
from gemmviz.gui.tasks.file_questions import FileQuestions

SETTLE_MS = 200
"""Editors write in steps (empty, fill, rename); a file is looked at once nothing happened for so long."""

State = tuple[int, int, int]
"""Modification time in ns, size in bytes, number of the file on its disk."""


@dataclass(frozen=True, slots=True)
class FileLook:
    """What there was of a file: its state, None where it is not there, and whether its folder is; `beside` is the state
    of the file beside it that may describe it.
    """

    state: State | None
    has_folder: bool
    beside: State | None = None


def look_at(path: Path) -> FileLook:
    """Look at a file and its folder; may wait for a disk or a network."""
    state = _state_of(path)
    return FileLook(state, state is not None or path.parent.is_dir(), _state_of(beside_file(path)))


def _state_of(path: Path) -> State | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def looks_of(paths: Iterable[Path]) -> dict[Path, FileLook]:
    """Look at several files."""
    return {path: look_at(path) for path in paths}


class KernelWatch(QObject):
    """Says when a watched file has other contents or is gone. Files are looked at on threads of their own.

    Folders are watched beside the files, because an editor that replaces a file leaves a watch on the old one.
    """

    changed = Signal(object)
    """The Path of a file that was written, replaced, or came back, or whose description beside it was."""
    vanished = Signal(object)
    """The Path of a file that is not there any more; it stays watched."""

    def __init__(self, parent: QObject | None = None, settle_ms: int = SETTLE_MS) -> None:
        super().__init__(parent)
        self._looks: dict[Path, FileLook] = {}
        self._questions = FileQuestions(self)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._on_stirred)
        self._watcher.directoryChanged.connect(self._on_stirred)
        self._timer = QTimer(self, singleShot=True, interval=settle_ms)
        self._timer.timeout.connect(self._on_settled)

    def watch(self, looks: Mapping[Path, FileLook]) -> None:
        """Watch exactly these files from now, as they looked last; what is already watched keeps its look."""
        self._looks = {path: self._looks.get(path, look) for path, look in looks.items()}
        self._arm()

    def expect(self, path: Path, look: FileLook) -> None:
        """The file was read as it looks here: only what comes after that is a change."""
        if path in self._looks:
            self._looks[path] = look

    def watched(self) -> tuple[Path, ...]:
        """The files watched, there or not."""
        return tuple(self._looks)

    def _arm(self) -> None:
        wanted = {str(path) for path, look in self._looks.items() if look.state is not None}
        wanted |= {str(beside_file(path)) for path, look in self._looks.items() if look.beside is not None}
        wanted |= {str(path.parent) for path, look in self._looks.items() if look.has_folder}
        armed = {*self._watcher.files(), *self._watcher.directories()}
        if armed - wanted:
            self._watcher.removePaths(sorted(armed - wanted))
        if wanted - armed:
            self._watcher.addPaths(sorted(wanted - armed))

    @Slot(str)
    def _on_stirred(self, _path: str) -> None:
        self._timer.start()

    @Slot()
    def _on_settled(self) -> None:
        if self._questions.waiting:  # a disk that does not answer is asked once
            self._timer.start()
            return
        paths = tuple(self._looks)
        self._questions.ask(partial(looks_of, paths), self._on_looked)

    def _on_looked(self, found: Mapping[Path, FileLook]) -> None:
        news = [(path, self._looks[path], look) for path, look in found.items() if path in self._looks]
        self._looks |= {path: look for path, _, look in news}
        self._arm()
        for path, old, new in news:
            if new.state is None and old.state is not None:
                self.vanished.emit(path)
            elif new.state is not None and (new.state, new.beside) != (old.state, old.beside):
                self.changed.emit(path)
