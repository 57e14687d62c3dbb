"""What is said of the selection, over the picture: choosing something leaves the picture as large as it was."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.player.caption_label import CaptionLabel
from gemmviz.gui.widgets.named import named

LEAST_WIDTH, MOST_WIDTH, MOST_LINES = 220, 360, 5
AWAY = 8
"""Pixels between the overlay and the edges of the room it is given."""
BUTTON = 22
"""Pixels of a side of the button that clears the selection."""
_MARGIN = 8


class SelectionOverlay(QFrame):
    """Stands at the lower left of a room that its parent gives it, where that is wide enough; else in one line over the
    lower edge of the room. It keeps below what is taken there, or above it: the sums of the thread it is about.
    Hidden while nothing is selected.
    """

    clear_asked = Signal()
    """Nothing shall be selected any more."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._room, self._widest, self._taken = QRect(), MOST_WIDTH, QRect()
        self._text = named(CaptionLabel(lines=MOST_LINES), f"{name}Chosen")
        self._clear = named(QToolButton(), f"{name}Clear", "Clear the selection (Esc)", "Clear the selection")
        self._clear.setFixedSize(BUTTON, BUTTON)
        self._clear.clicked.connect(self.clear_asked)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(_MARGIN, _MARGIN // 2, _MARGIN // 2, _MARGIN // 2)
        row.setSpacing(4)
        row.addWidget(self._text, 1)
        row.addWidget(self._clear, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def show_selection(self, title: str, sentence: str) -> None:
        """Say what is selected and what there is to say of it; a title of "" hides the overlay."""
        self._text.show_caption(title, sentence)
        self.setVisible(bool(title))
        self._place()

    def give_room(self, room: QRect, widest: int, taken: QRect) -> None:
        """Stand in this part of the parent; at its left `widest` pixels are free, but above what is `taken`."""
        self._room, self._widest, self._taken = room, widest, taken
        self._place()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._text.set_theme(theme)
        self._clear.setIcon(icon("close", theme, theme.muted))

    def _place(self) -> None:
        if self.isHidden() or self._room.isEmpty():
            return
        is_beside = self._widest >= LEAST_WIDTH
        width = min(self._widest, MOST_WIDTH) if is_beside else self._room.width() - 2 * AWAY
        inside = width - BUTTON - 2 * _MARGIN - 6
        lines = min(self._text.lines_at(inside), MOST_LINES) if is_beside else 1
        self._text.set_lines(lines)
        self._text.setFixedHeight(lines * self._text.line_height)
        edge = _MARGIN // 2 if is_beside else 0
        self._row.setContentsMargins(_MARGIN, edge, _MARGIN // 2, edge)
        height = max(self._text.height(), BUTTON) + 2 * edge
        bottom = self._room.bottom() - (AWAY if is_beside else 0)
        place = QRect(self._room.left() + AWAY, bottom - height, width, height)
        if place.intersects(self._taken):
            place.moveBottom(self._room.bottom())
        if place.intersects(self._taken):
            place.moveBottom(self._taken.top() - 2)
        self.setGeometry(place)
        self.raise_()
