"""The small drawing on a lesson's card: a matrix of cells, some of them coloured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gemmviz.gui.looks.theme import Theme

CELLS = 6
SIDE = 76
"""Pixels of the drawing."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The colour's role in the theme, and which cells (row, column) have it."""

    colour: str
    holds: Callable[[int, int], bool]


_TREE = {(1, 2), (2, 1), (2, 3), (3, 0), (3, 2), (3, 4)}
_RACE = {(0, 0), (1, 2), (2, 4), (3, 0), (4, 2), (5, 4)}
DRAWINGS: Mapping[str, Drawing] = {
    "tile": Drawing("a", lambda row, column: row < 3 and column < 3),
    "row": Drawing("a", lambda row, _: row == 2),
    "column": Drawing("hazard", lambda _, column: column == 0),
    "race": Drawing("hazard", lambda row, column: (row, column) in _RACE),
    "registers": Drawing("c", lambda row, column: 2 <= row < 4 and 2 <= column < 5),
    "tree": Drawing("c", lambda row, column: (row, column) in _TREE),
    "waves": Drawing("b", lambda row, column: column <= row),
    "loops": Drawing("host", lambda row, column: row == column),
}
"""By the name a lesson's file uses; what is not here is drawn without colour."""


class LessonPicture(QWidget):
    """Paints a drawing."""

    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._theme = name, theme
        self.setFixedSize(QSize(SIDE, SIDE))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        drawing = DRAWINGS.get(self._name)
        cell = SIDE / CELLS
        for row in range(CELLS):
            for column in range(CELLS):
                is_lit = drawing is not None and drawing.holds(row, column)
                colour = getattr(theme, drawing.colour) if drawing is not None and is_lit else theme.line
                painter.fillRect(QRectF(column * cell, row * cell, cell - 2, cell - 2), QColor(colour))
