"""Three matrices as a CPU's cache sees them: each row a cache line, the access of this step, the lines met so far."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.looks.theme import Theme, blend
from gemmviz.trace.host_loops import ARRAYS, COPY, LoopWalk

GAP, LABEL, TO_NAME = 20.0, 26.0, 8.0
"""Pixels between two matrices beside each other, height of a line of words, and from a name to its matrix."""
BETWEEN = 8.0
"""Pixels between a matrix and the one below it."""
LEAST_CELL, GOOD_CELL, LARGE_CELL = 3.0, 5.0, 11.0
"""Pixels of an element at least, where all accesses can well be told apart, and where they are seen from afar on the
whole screen of a usual height.
"""
SWATCH, TO_WORD, APART = 12.0, 6.0, 14.0
"""In the legend: the height of a swatch, the way to its words, and to the next one, in pixels."""
SWATCH_WIDTHS = 1.75
"""The width of a swatch, in heights."""
LEGEND = "this access", "before", "last cache line"
SWATCH_OF = "A", "B", "C"
"""The matrices whose colours a swatch has, since all three have the same shades."""
PALE = 0.22
"""How much of a matrix's colour its last cache line has."""
TRAIL = 16
"""Accesses of an array that stay visible behind the newest one."""


class LoopsView(QWidget):
    """Paints one walk up to an access; B above, A and C below, as on paper; a copy of B beside it. The legend stands
    in the room that is kept `above` them, else beside the matrices where these are larger so, else below them.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._walk, self._until = theme, None, 0
        self._magnification, self._above = 1.0, 0.0
        self._other: LoopsView | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(QSize(280, 64))  # too low for GOOD_CELL: lines of code give way first

    _walk: LoopWalk | None

    def show_walk(self, walk: LoopWalk | None, until: int) -> None:
        """Show the first `until` accesses of a walk."""
        self._walk, self._until = walk, until
        self.update()

    def cell_in(self, walk: LoopWalk, height: float) -> float:
        """Pixels of an element of a walk in so many pixels of height, as wide as the picture is."""
        return max(self._cell(walk, height, is_beside=each) for each in (True, False))

    def keep_above(self, height: float) -> None:
        """Keep so many pixels above the matrices for lines of code, at the right of which the legend stands; 0 for
        none.
        """
        self._above = height
        self.update()

    def cell_below(self, walk: LoopWalk, above: float, height: float) -> float:
        """Pixels of an element of a walk in so many pixels of height, of which so many are kept above the matrices."""
        before, self._above = self._above, above
        try:
            return self.cell_in(walk, height)
        finally:
            self._above = before

    @property
    def legend_size(self) -> tuple[float, float]:
        """Width and height of the legend with its lines below each other, in pixels."""
        return self._legend_width, len(LEGEND) * self._label

    def compare_with(self, other: LoopsView) -> None:
        """Have elements as large as those of another picture, and it as large as these, while both are shown."""
        self._other, other._other = other, self

    def set_magnification(self, factor: float) -> None:
        """Write the names so many times as large; the cells are as large as they have room."""
        self._magnification = factor
        self.update()

    @property
    def _label(self) -> float:
        """Height of a line of words, in pixels."""
        return LABEL * self._magnification

    @property
    def _foot(self) -> float:
        """Height of the legend below the matrices, in pixels."""
        return QFontMetricsF(self._legend_font).height()

    @property
    def _name_font(self) -> QFont:
        return words(11 * self._magnification, QFont.Weight.DemiBold)

    @property
    def _name_height(self) -> float:
        return QFontMetricsF(self._name_font).height()

    def _font_of(self, name: str) -> QFont:
        """A letter for a matrix; an array of the kernel has its name there, as in the code."""
        return figures(SMALL * self._magnification, QFont.Weight.DemiBold) if name == COPY else self._name_font

    def _beside(self, *names: str) -> float:
        """Pixels that names at the left of the matrices take, which stand below each other."""
        return max(QFontMetricsF(self._font_of(name)).horizontalAdvance(name) for name in names) + TO_NAME

    def _sides(self, walk: LoopWalk) -> tuple[float, float]:
        """Pixels of the names at the left of A and what stands above it, and at the left of B and C."""
        return self._beside("A", *([COPY] if walk.has_copy else [])), self._beside("B", "C")

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
        self._legend(painter, walk)

    def _legend(self, painter: QPainter, walk: LoopWalk) -> None:
        """What frame, shades and pale rows stand for: below each other at the right, or side by side at the foot."""
        theme = self._theme
        painter.setFont(self._legend_font)
        for place, (swatch, beside) in enumerate(self.legend_places(walk)):
            for part, of in enumerate(SWATCH_OF):
                wide = swatch.width() / len(SWATCH_OF)
                third = QRectF(swatch.left() + part * wide, swatch.top(), wide, swatch.height())
                painter.fillRect(third, QColor(blend(theme.panel, _colour(theme, of), (1.0, 0.4, PALE)[place])))
            if place == 0:
                painter.setPen(QPen(QColor(theme.text), 2))
                painter.drawRect(swatch)
            painter.setPen(QColor(theme.muted))
            painter.drawText(beside, _BESIDE, LEGEND[place])

    def legend_places(self, walk: LoopWalk) -> list[tuple[QRectF, QRectF]]:
        """Where the swatch and the words of each line of the legend lie."""
        edge, is_beside = SWATCH * self._magnification, self.is_legend_beside(walk)
        is_stacked = is_beside or self._above > 0.0
        line = self._label if is_stacked else self._foot
        x = self.width() - self._legend_width if is_stacked else 0.0
        y = 0.0 if self._above else self.height() - line * (len(LEGEND) if is_beside else 1)
        places = []
        for width in self._said_widths:
            swatch = QRectF(x + 1, y + (line - edge) / 2, edge * SWATCH_WIDTHS, edge)
            beside = QRectF(swatch.right() + TO_WORD * self._magnification, y, width, line)
            places.append((swatch, beside))
            x, y = (x, y + line) if is_stacked else (beside.right() + APART * self._magnification, y)
        return places

    @property
    def _legend_font(self) -> QFont:
        return words(SMALL * self._magnification)

    @property
    def _said_widths(self) -> list[float]:
        """Pixels of the words of each line of the legend."""
        metrics = QFontMetricsF(self._legend_font)
        return [metrics.horizontalAdvance(said) + 1.0 for said in LEGEND]

    @property
    def _legend_width(self) -> float:
        """Pixels of the legend's widest line, where its lines stand below each other."""
        return max(self._said_widths) + (SWATCH * SWATCH_WIDTHS + TO_WORD) * self._magnification + 1.0

    def is_legend_beside(self, walk: LoopWalk, height: float | None = None) -> bool:
        """Whether the legend stands at the right of the matrices, in this height or another one: where they are as
        large so as above it; never where room is kept above them.
        """
        if self._above:
            return False
        height = self.height() if height is None else height
        return self._cell(walk, height, is_beside=True) >= self._cell(walk, height, is_beside=False)

    def _cell(self, walk: LoopWalk, height: float, *, is_beside: bool) -> float:
        """Pixels of an element with the legend beside the matrices, or below; 0 where it has no room beside."""
        if is_beside and (self._above or height < len(LEGEND) * self._label):
            return 0.0
        (a_rows, a_columns), (b_rows, b_columns) = walk.size_of("A"), walk.size_of("B")
        wide = self.width() - sum(self._sides(walk)) - GAP - (self._legend_width + GAP if is_beside else 0.0)
        high = height - BETWEEN - (self._above or (0.0 if is_beside else self._foot + BETWEEN))
        least = (high - self._name_height) / b_rows  # the names of A and C may be higher than their rows
        cell = min(wide / (a_columns + b_columns), high / (a_rows + b_rows), least)
        return max(float(int(cell)), LEAST_CELL)

    def _boxes(self, walk: LoopWalk) -> dict[str, QRectF]:
        return self.boxes_in(walk, self.height())

    def boxes_in(self, walk: LoopWalk, height: float) -> dict[str, QRectF]:
        """Where each matrix of a walk lies in so many pixels of height, as wide as the picture is: B above C, A to the
        left of C.
        """
        (a_rows, a_columns), (b_rows, b_columns) = walk.size_of("A"), walk.size_of("B")
        cell, other = self.cell_in(walk, height), self._other
        if other is not None and other._walk is not None and not other.isHidden():
            cell = min(cell, other.cell_in(other._walk, other.height()))
        is_beside = self.is_legend_beside(walk, height)
        room = self.width() - (self._legend_width + GAP if is_beside else 0.0)
        of_a, of_b = self._sides(walk)
        left = (room - of_a - of_b - GAP - cell * (a_columns + b_columns)) / 2 + of_a
        low = max(cell * a_rows, self._name_height)
        foot = 0.0 if is_beside or self._above else self._foot + BETWEEN
        top = self._above + (height - self._above - foot - BETWEEN - low - cell * b_rows) / 2
        right, below = left + a_columns * cell + GAP + of_b, top + b_rows * cell + BETWEEN
        below += (low - cell * a_rows) / 2
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
        colour = _colour(theme, name)
        painter.setFont(self._font_of(name))
        painter.setPen(QColor(colour))
        high = self._name_height
        middle = box.top() + high / 2 if box.height() > high else box.center().y()
        wide = self._beside(name)
        beside = QRectF(box.left() - wide, middle - high / 2, wide - TO_NAME, high)
        painter.drawText(beside, _AT_RIGHT, name)
        places, lines = walk.lines_of(name)
        count = int((places < self._until).sum())
        line = int(lines[count - 1]) if count else -1
        for row in range(rows):
            whole = QRectF(box.left(), box.top() + row * cell, box.width(), cell - 1)
            painter.fillRect(whole, QColor(blend(theme.panel, colour, PALE) if row == line else theme.field))
        trail = places[max(count - TRAIL, 0) : count].tolist()
        for age, place in zip(range(len(trail) - 1, -1, -1), trail, strict=True):  # the newest covers what it repeats
            row, column = divmod(int(walk.element[place]), columns)
            strength = 1.0 if age == 0 else 0.55 * (1.0 - age / TRAIL)
            under = blend(theme.panel, colour, PALE) if row == line else theme.field
            spot = QRectF(box.left() + column * cell, box.top() + row * cell, cell - 1, cell - 1)
            painter.fillRect(spot, QColor(blend(under, colour, strength)))
        if count and ARRAYS[int(walk.array[self._until - 1])] == name:
            row, column = divmod(int(walk.element[places[count - 1]]), columns)
            painter.setPen(QPen(QColor(theme.text), 2))
            painter.drawRect(QRectF(box.left() + column * cell, box.top() + row * cell, cell - 1, cell - 1))


def _colour(theme: Theme, name: str) -> str:
    """The colour of a matrix; a copy of B has that of B."""
    return {"A": theme.a, "C": theme.c}.get(name, theme.b)


_BESIDE = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_AT_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
