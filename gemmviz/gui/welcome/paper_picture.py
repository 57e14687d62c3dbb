"""The picture of the idea: A, B and C as on paper, a row of A and a column of B that meet in C."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.theme import Theme, blend

CELLS = 5
"""Tiles along an edge."""
ROW, COLUMN, STEP = 1, 3, 2
"""The tile of C that is made, and the step along K that is shown."""
GAP, LABEL = 20.0, 22.0


@dataclass(frozen=True, slots=True)
class Paper:
    """Where the three squares lie, in the widget's coordinates."""

    a: QRectF
    b: QRectF
    c: QRectF

    @staticmethod
    def fitted(width: float, height: float) -> Paper:
        """The largest such picture in a rectangle, with room for the letters above and below."""
        edge = max(min((width - GAP) / 2, (height - GAP - 2 * LABEL) / 2), 20.0)
        edge = float(int(edge / CELLS) * CELLS)
        left, top = round((width - 2 * edge - GAP) / 2), round((height - 2 * edge - GAP) / 2)
        right, bottom = left + edge + GAP, top + edge + GAP
        return Paper(
            QRectF(left, bottom, edge, edge), QRectF(right, top, edge, edge), QRectF(right, bottom, edge, edge)
        )


def tile(square: QRectF, row: int, column: int) -> QRectF:
    """A tile of one of the squares."""
    edge = square.width() / CELLS
    return QRectF(square.left() + column * edge, square.top() + row * edge, edge, edge)


class PaperPicture(QWidget):
    """Painted, still, in the theme's colours; past tiles pale, the current one solid, those to come dashed."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("paperPicture")
        self.setAccessibleName("A row of tiles of A and a column of tiles of B meet in one tile of C")
        self.setMinimumSize(QSize(220, 260))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(320, 364)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, paper = self._theme, Paper.fitted(self.width(), self.height())
        for square in (paper.a, paper.b, paper.c):
            self._grid(painter, square)
        for step in range(CELLS):
            self._tile(painter, tile(paper.a, ROW, step), theme.a, step)
            self._tile(painter, tile(paper.b, step, COLUMN), theme.b, step)
        self._paths(painter, paper)
        goal = tile(paper.c, ROW, COLUMN)
        painter.fillRect(goal, QColor(blend(theme.canvas, theme.c, 0.62)))
        painter.setPen(QPen(QColor(theme.c), 1.5))
        painter.drawRect(goal)
        self._letters(painter, paper)

    def _grid(self, painter: QPainter, square: QRectF) -> None:
        painter.fillRect(square, QColor(self._theme.field))
        painter.setPen(QPen(QColor(self._theme.line), 1))
        for number in range(CELLS + 1):
            at = number * square.width() / CELLS
            painter.drawLine(QLineF(square.left() + at, square.top(), square.left() + at, square.bottom()))
            painter.drawLine(QLineF(square.left(), square.top() + at, square.right(), square.top() + at))

    def _tile(self, painter: QPainter, area: QRectF, colour: str, step: int) -> None:
        if step < STEP:
            painter.fillRect(area, QColor(blend(self._theme.canvas, colour, 0.36)))
        elif step == STEP:
            painter.fillRect(area, QColor(colour))
        else:
            painter.setPen(QPen(QColor(colour), 1.2, Qt.PenStyle.DashLine))
            painter.drawRect(area.adjusted(2, 2, -2, -2))

    def _paths(self, painter: QPainter, paper: Paper) -> None:
        """The two lines from the current tiles to the tile of C they add to."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._theme.faint), 1))
        goal = tile(paper.c, ROW, COLUMN)
        from_a, from_b = tile(paper.a, ROW, STEP), tile(paper.b, STEP, COLUMN)
        painter.drawLine(QPointF(from_a.right(), from_a.center().y()), QPointF(goal.left(), goal.center().y()))
        painter.drawLine(QPointF(from_b.center().x(), from_b.bottom()), QPointF(goal.center().x(), goal.top()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _letters(self, painter: QPainter, paper: Paper) -> None:
        theme = self._theme
        below, above = LABEL, -LABEL
        for square, letter, size, colour, shift in (
            (paper.a, "A", "M × K", theme.a, below),
            (paper.b, "B", "K × N", theme.b, above),
            (paper.c, "C", "M × N", theme.c, below),
        ):
            top = square.bottom() if shift > 0 else square.top() + shift
            middle = square.center().x()
            painter.setFont(words(11, QFont.Weight.Bold))
            painter.setPen(QColor(colour))
            painter.drawText(QRectF(middle - 44, top, 36, LABEL), _RIGHT, letter)
            painter.setFont(words(SMALL))
            painter.setPen(QColor(theme.muted))
            painter.drawText(QRectF(middle - 2, top, 80, LABEL), _LEFT, size)


_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
