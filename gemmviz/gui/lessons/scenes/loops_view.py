"""Three matrices as a CPU's cache sees them: each row a cache line, the access of this step, the lines met so far."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.theme import Theme, blend
from gemmviz.trace.host_loops import ARRAYS, COPY, LoopWalk

GAP, LABEL = 28.0, 26.0
ABOVE_LABEL = 8.0
"""Pixels between a matrix and the name of the one below it."""
LEAST_CELL, GOOD_CELL = 3.0, 5.0
"""Pixels of an element at least, and where all accesses can well be told apart."""
SWATCH, TO_WORD, APART = 12.0, 6.0, 18.0
"""In the legend: the edge of a swatch, the way to its words, and to the next one, in pixels."""
LEGEND = "this access", "before", "last cache line"
PALE = 0.22
"""How much of a matrix's colour its last cache line has."""
TRAIL = 16
"""Accesses of an array that stay visible behind the newest one."""


class LoopsView(QWidget):
    """Paints one walk up to an access; B above, A and C below, as on paper; a copy of B beside it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._walk, self._until = theme, None, 0
        self._magnification = 1.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(QSize(280, 130))

    _walk: LoopWalk | None

    def show_walk(self, walk: LoopWalk | None, until: int) -> None:
        """Show the first `until` accesses of a walk."""
        self._walk, self._until = walk, until
        self.update()

    def good_height(self, walk: LoopWalk) -> float:
        """Pixels in which the picture of a walk is not crowded."""
        rows = walk.size_of("A")[0] + walk.size_of("B")[0]
        return ABOVE_LABEL + 3 * self._label + GOOD_CELL * rows

    def set_magnification(self, factor: float) -> None:
        """Write the names so many times as large; the cells are as large as they have room."""
        self._magnification = factor
        self.update()

    @property
    def _label(self) -> float:
        """Height of a name, in pixels."""
        return LABEL * self._magnification

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        walk = self._walk
        if walk is None:
            return
        painter = QPainter(self)
        for name, box in self._boxes(walk).items():
            self._matrix(painter, walk, name, box)
        self._legend(painter)

    def _legend(self, painter: QPainter) -> None:
        """What frame, shades and pale rows stand for, along the lower edge."""
        theme, scale = self._theme, self._magnification
        painter.setFont(words(SMALL * scale))
        edge, x = SWATCH * scale, 0.0
        top = self.height() - (self._label + edge) / 2
        for place, said in enumerate(LEGEND):
            swatch = QRectF(x + 1, top, edge, edge)
            painter.fillRect(swatch, QColor(blend(theme.panel, theme.b, (1.0, 0.4, PALE)[place])))
            if place == 0:
                painter.setPen(QPen(QColor(theme.text), 2))
                painter.drawRect(swatch)
            x = swatch.right() + TO_WORD * scale
            width = painter.fontMetrics().horizontalAdvance(said) + 1.0
            painter.setPen(QColor(theme.muted))
            painter.drawText(QRectF(x, self.height() - self._label, width, self._label), _BESIDE, said)
            x += width + APART * scale

    def _boxes(self, walk: LoopWalk) -> dict[str, QRectF]:
        """Where each matrix lies: B above C, A to the left of C."""
        (a_rows, a_columns), (b_rows, b_columns) = walk.size_of("A"), walk.size_of("B")
        cell = min(
            (self.width() - GAP) / (a_columns + b_columns),
            (self.height() - ABOVE_LABEL - 3 * self._label) / (a_rows + b_rows),
        )
        cell = max(float(int(cell)), LEAST_CELL)
        left = (self.width() - GAP - cell * (a_columns + b_columns)) / 2
        # Name, B, name, A and C, and below them the legend.
        top = (self.height() - ABOVE_LABEL - 3 * self._label - cell * (a_rows + b_rows)) / 2 + self._label
        right, below = left + a_columns * cell + GAP, top + b_rows * cell + ABOVE_LABEL + self._label
        copy = {COPY: QRectF(left, top, a_columns * cell, b_rows * cell)} if walk.has_copy else {}
        return copy | {
            "A": QRectF(left, below, a_columns * cell, a_rows * cell),
            "B": QRectF(right, top, b_columns * cell, b_rows * cell),
            "C": QRectF(right, below, b_columns * cell, a_rows * cell),
        }

    def _matrix(self, painter: QPainter, walk: LoopWalk, name: str, box: QRectF) -> None:
        theme = self._theme
        rows, columns = walk.size_of(name)
        cell = box.width() / columns
        colour = {"A": theme.a, "C": theme.c}.get(name, theme.b)
        painter.setFont(words(11 * self._magnification, QFont.Weight.DemiBold))
        painter.setPen(QColor(colour))
        painter.drawText(QRectF(box.left(), box.top() - self._label, box.width(), self._label - 4), _ABOVE, name)
        places, lines = walk.lines_of(name)
        count = int((places < self._until).sum())
        line = int(lines[count - 1]) if count else -1
        for row in range(rows):
            whole = QRectF(box.left(), box.top() + row * cell, box.width(), cell - 1)
            painter.fillRect(whole, QColor(blend(theme.panel, colour, PALE) if row == line else theme.field))
        for age, place in enumerate(places[max(count - TRAIL, 0) : count][::-1].tolist()):
            row, column = divmod(int(walk.element[place]), columns)
            strength = 1.0 if age == 0 else 0.55 * (1.0 - age / TRAIL)
            under = blend(theme.panel, colour, PALE) if row == line else theme.field
            spot = QRectF(box.left() + column * cell, box.top() + row * cell, cell - 1, cell - 1)
            painter.fillRect(spot, QColor(blend(under, colour, strength)))
        if count and ARRAYS[int(walk.array[self._until - 1])] == name:
            row, column = divmod(int(walk.element[places[count - 1]]), columns)
            painter.setPen(QPen(QColor(theme.text), 2))
            painter.drawRect(QRectF(box.left() + column * cell, box.top() + row * cell, cell - 1, cell - 1))


_BESIDE = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_ABOVE = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
