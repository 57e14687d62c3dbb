"""Watches kernel files on disk, whichever way an editor writes them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

SETTLE_MS = 200
"""Editors write in steps (empty, fill, rename); a file is looked at once nothing happened for so long."""

State = tuple[int, int, int]
"""Modification time in ns, size in bytes, number of the file on its disk."""


class KernelWatch(QObject):
    """Says when a watched file has other contents or is gone.

    Folders are watched beside the files, because an editor that replaces a file leaves a watch on the old one.
    """

    changed = Signal(object)
    """The Path of a file that was written, replaced, or came back."""
    vanished = Signal(object)
    """The Path of a file that is not there any more; it stays watched."""

    def __init__(self, parent: QObject | None = None, settle_ms: int = SETTLE_MS) -> None:
        super().__init__(parent)
        self._states: dict[Path, State | None] = {}
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._on_stirred)
        self._watcher.directoryChanged.connect(self._on_stirred)
        self._timer = QTimer(self, singleShot=True, interval=settle_ms)
        self._timer.timeout.connect(self._on_settled)

    def watch(self, paths: Iterable[Path]) -> None:
        """Watch exactly these files from now; what is already watched keeps its state."""
        wanted = [path.absolute() for path in paths]
        self._states = {path: self._states.get(path, _state(path)) for path in wanted}
        self._arm()

    def watched(self) -> tuple[Path, ...]:
        """The files watched, there or not."""
        return tuple(self._states)

    def _arm(self) -> None:
        wanted = {str(path) for path in self._states if path.exists()}
        wanted |= {str(path.parent) for path in self._states if path.parent.is_dir()}
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
        news = [(path, old, _state(path)) for path, old in self._states.items()]
        self._states = {path: new for path, _, new in news}
        self._arm()
        for path, old, new in news:
            if new is None and old is not None:
                self.vanished.emit(path)
            elif new is not None and new != old:
                self.changed.emit(path)


def _state(path: Path) -> State | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
