"""What is said of the selection, at the foot of the picture, which stays as large as it was."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.player.caption_label import CaptionLabel
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.on_screen import only_on_screen

LEFT, RIGHT = 16, 10
"""Pixels between the words and the left edge of the picture, and between the button and the right one."""
APART = 6
BELOW = 4
"""Pixels below more than one line."""


class SelectionLine(QFrame):
    """Stands at the foot of a room that its parent gives it, over its whole width, in as many lines as it needs and has
    room for; the tool tip has the rest. It gets no lower while the same is selected. Hidden while nothing is selected.
    """

    clear_asked = Signal()
    """Nothing shall be selected any more."""
    height_changed = Signal()
    """It takes more or less of the foot: `taken`."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._room, self._most, self._kept = QRect(), 0, 1
        self._title, self.taken = "", 0
        self._text = named(CaptionLabel(), f"{name}Chosen")
        self._clear = named(QToolButton(), f"{name}Clear", "Clear the selection (Esc)", "Clear the selection")
        side = self._text.line_height
        self._clear.setFixedSize(side, side)
        self._clear.setStyleSheet("padding: 0px;")
        self._clear.setIconSize(QSize(side - 4, side - 4))
        only_on_screen(self._clear)
        self._clear.clicked.connect(self.clear_asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(LEFT, 0, RIGHT, 0)
        row.setSpacing(APART)
        row.addWidget(self._text, 1, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._clear, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def show_selection(self, title: str, sentence: str) -> None:
        """Say what is selected and what there is to say of it; a title of "" hides it."""
        if title != self._title:
            self._title, self._kept = title, 1
        self._text.show_caption(title, sentence)
        self.setVisible(bool(title))
        self._place()

    def give_room(self, room: QRect, most: int) -> None:
        """Stand at the foot of this part of the parent, at most so many pixels high."""
        if (room.width(), most) != (self._room.width(), self._most):
            self._kept = 1
        self._room, self._most = room, most
        self._place()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._text.set_theme(theme)
        self._clear.setIcon(icon("close", theme, theme.muted))

    def _place(self) -> None:
        taken = 0
        if not self.isHidden() and not self._room.isEmpty():
            high = self._text.line_height
            needed = self._text.lines_at(self._room.width() - LEFT - RIGHT - APART - self._clear.width())
            self._kept = max(self._kept, min(needed, (self._most - BELOW) // high), 1)
            self._text.set_lines(self._kept)
            self._text.setFixedHeight(self._kept * high)
            taken = self._kept * high + (BELOW if self._kept > 1 else 0)
            self.setGeometry(self._room.left(), self._room.bottom() + 1 - taken, self._room.width(), taken)
            self.raise_()
        if taken != self.taken:
            self.taken = taken
            self.height_changed.emit()
