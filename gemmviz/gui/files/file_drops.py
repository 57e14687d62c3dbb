"""Files that are dropped on the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow, QWidget


class DropWindow(QMainWindow):
    """A main window that takes local files."""

    dropped = Signal(object)
    """Their paths, a tuple; after the drop is over, as what follows may ask a question."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _paths(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = _paths(event)
        if paths:
            event.acceptProposedAction()
            QTimer.singleShot(0, self, lambda: self.dropped.emit(paths))


def _paths(event: QDropEvent) -> tuple[Path, ...]:
    return tuple(Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile())
