"""Files that are dropped on the window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow, QWidget

from gemmviz.catalogue.loader import KERNEL_SUFFIXES
from gemmviz.domain.listing import either
from gemmviz.gui.files.session_control import SUFFIX
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

_MARGIN = 12
"""Pixels between the words and the edge of the window, at least."""


class DropWindow(QMainWindow):
    """A main window that takes local files, and says while they are over it which of them it opens."""

    dropped = Signal(object)
    """Their paths, a tuple; after the drop is over, as what follows may ask a question."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self._hint = named(PlainLabel(parent=self), "dropHint", role="hint")
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hint.setWordWrap(True)
        self._hint.hide()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        paths = _paths(event)
        if not paths:
            return
        if opened_among(paths):
            event.acceptProposedAction()
        else:  # it stays a drag of this window, which hears when it leaves
            event.setDropAction(Qt.DropAction.IgnoreAction)
            event.accept()
        self._hint.setText(drop_words(paths))
        width = self.width() - 2 * _MARGIN
        self._hint.setMaximumWidth(width)
        self._hint.resize(min(self._hint.sizeHint().width(), width), self._hint.sizeHint().height())
        self._hint.move(self.rect().center() - self._hint.rect().center())
        self._hint.raise_()
        self._hint.show()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._hint.hide()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self._hint.hide()
        paths = _paths(event)
        if paths:
            event.acceptProposedAction()
            QTimer.singleShot(0, self, lambda: self.dropped.emit(paths))


def opened_among(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Those files that a drop opens: all kernel files, and the first session."""
    sessions = [path for path in paths if path.suffix == SUFFIX]
    return (*(path for path in paths if path.suffix in KERNEL_SUFFIXES), *sessions[:1])


def drop_words(paths: Sequence[Path]) -> str:
    """What a drop of files does: "Opens mm.cu and 2 more", or why it does nothing."""
    names = [path.name for path in opened_among(paths)]
    if names:
        return f"Opens {names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}"
    return f"{paths[0].name} is no session ({SUFFIX}) and no kernel file ({either(KERNEL_SUFFIXES)})"


def _paths(event: QDropEvent) -> tuple[Path, ...]:
    return tuple(Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile())
