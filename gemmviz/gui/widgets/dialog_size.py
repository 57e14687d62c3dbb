"""Dialogs that fit the screen with their frame: their size, and contents that scroll where there is too little room."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QWidget

FRAME = QSize(24, 56)
"""Pixels that the title bar and the edges of a window take at most."""
_LEAST_HEIGHT = 120


def fit_screen(dialog: QDialog, wanted: QSize) -> None:
    """Make a dialog as large as wanted, or as there is room for on its screen beside its frame."""
    dialog.resize(wanted.boundedTo(room_on_screen(dialog)))


def room_on_screen(dialog: QDialog) -> QSize:
    """How large a dialog can be on its screen beside its frame."""
    return dialog.screen().availableSize() - FRAME


class ScrolledContents(QScrollArea):
    """Contents that scroll up and down where there is too little room; with enough, no bar is there."""

    def __init__(self, contents: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._contents = contents
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(contents)

    def sizeHint(self) -> QSize:
        return self._contents.sizeHint().expandedTo(self._contents.minimumSize())

    def minimumSizeHint(self) -> QSize:
        width = self._contents.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(width, min(_LEAST_HEIGHT, self.sizeHint().height()))
