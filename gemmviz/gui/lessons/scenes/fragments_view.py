"""The matrices of one mma instruction, each element with the thread that holds it, in frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.domain.elements import element_name
from gemmviz.gui.looks.fonts import NORMAL, figures, words
from gemmviz.gui.looks.theme import WORDS_CONTRAST, Theme, blend, ink_on, strengthened
from gemmviz.trace.model.fragments import SHAPES, K, M, N, held_by, holders, needed_for

GAP, LABEL = 22.0, 24.0
"""Pixels between two matrices, and of a name or a sentence."""
SENTENCE = 1.15 * NORMAL
CELL_WIDTH = 1.6
"""How many times as wide as high an element is."""
NUMBER = 0.78
"""The height of a number over that of its element, which is wide."""
PALE = 0.16
"""How much of its matrix's colour an element has that the frame is not about."""
THREAD = 5
"""Whose elements are shown."""
Cells = Mapping[str, frozenset[tuple[int, int]]]
"""By matrix, elements."""


@dataclass(frozen=True, slots=True)
class FragmentsFrame:
    """`says` what is lit; `framed` elements have a line around them."""

    says: str
    lit: Cells
    framed: Cells


def _all(*arrays: str) -> Cells:
    return {name: frozenset((r, c) for r in range(SHAPES[name][0]) for c in range(SHAPES[name][1])) for name in arrays}


def _counted(arrays: str) -> str:
    return ", ".join(f"{len(held_by(THREAD, name))} of {name}" for name in arrays)


def frames() -> tuple[FragmentsFrame, ...]:
    """One after the other: the operands, what one thread holds, what one of its sums needs, and the instruction."""
    own: Cells = {name: frozenset(held_by(THREAD, name)) for name in SHAPES}
    row, column = held_by(THREAD, "C")[0]
    terms: Cells = {
        "A": frozenset((row, k) for k in range(K)),
        "B": frozenset((k, column) for k in range(K)),
        "C": frozenset({(row, column)}),
    }
    others = ", ".join(str(each) for each in needed_for(row, column) if each != THREAD)
    none: Cells = {}
    return (
        FragmentsFrame(f"A: {M}×{K}, in the registers of 32 threads. Each number names the thread.", _all("A"), none),
        FragmentsFrame(f"B: {K}×{N}, in the same 32 threads.", _all("A", "B"), none),
        FragmentsFrame(f"C: {M}×{N}, the sums, in the same 32 threads.", _all("A", "B", "C"), none),
        FragmentsFrame(f"Thread {THREAD} holds {_counted('ABC')}.", own, own),
        FragmentsFrame(
            f"{element_name('C', row, column)} needs a row of A and a column of B, which threads {others} hold, too.",
            terms,
            {"C": terms["C"]},
        ),
        FragmentsFrame(
            f"mma: one instruction of all 32 threads, {M}·{N}·{K} = {M * N * K} multiply-adds.",
            _all("A", "B", "C"),
            none,
        ),
    )


class FragmentsView(QWidget):
    """Paints a frame: B above, A and C below, as on paper, and what the frame says above A."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._magnification, self._frames, self._index = theme, 1.0, frames(), 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(QSize(280, 200))
        self.show_frame(0)

    @property
    def count(self) -> int:
        """How many frames there are."""
        return len(self._frames)

    @property
    def index(self) -> int:
        """The frame that shows, from 0."""
        return self._index

    @property
    def frame(self) -> FragmentsFrame:
        return self._frames[self._index]

    def show_frame(self, index: int) -> None:
        """Show a frame; the nearest there is."""
        self._index = min(max(index, 0), self.count - 1)
        self.setAccessibleDescription(self.frame.says)
        self.update()

    def set_magnification(self, factor: float) -> None:
        """Write names and sentences so many times as large; the cells are as large as they have room."""
        self._magnification = factor
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    @property
    def _label(self) -> float:
        return LABEL * self._magnification

    @property
    def cell(self) -> float:
        """The edge of an element in pixels."""
        high = self.height() - GAP - 8.0
        wide = self.width() - 3 * GAP - 3 * self._label
        return max(min(high / (K + M), wide / (K + N) / CELL_WIDTH), 4.0)

    def areas(self) -> dict[str, QRectF]:
        """Where each matrix is."""
        high, wide = self.cell, self.cell * CELL_WIDTH
        left = (self.width() - wide * (K + N) - GAP) / 2
        top = 4.0 + K * high + GAP
        return {
            "A": QRectF(left, top, K * wide, M * high),
            "B": QRectF(left + K * wide + GAP, top - GAP - K * high, N * wide, K * high),
            "C": QRectF(left + K * wide + GAP, top, N * wide, M * high),
        }

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        areas = self.areas()
        for name, area in areas.items():
            self._paint_matrix(painter, name, area)
            self._paint_name(painter, name, area)
        painter.setFont(words(SENTENCE * self._magnification, QFont.Weight.DemiBold))
        painter.setPen(QColor(self._theme.text))
        free = QRectF(0, areas["B"].top(), areas["B"].left() - GAP, areas["B"].height())
        painter.drawText(free, _BESIDE, self.frame.says)
        painter.end()

    def _paint_matrix(self, painter: QPainter, name: str, area: QRectF) -> None:
        theme, threads = self._theme, holders(name)
        rows, columns = threads.shape
        size = QRectF(0, 0, area.width() / columns, area.height() / rows)
        font = figures()
        font.setPixelSize(max(int(size.height() * NUMBER), 5))
        painter.setFont(font)
        colour = {"A": theme.a, "B": theme.b, "C": theme.c}[name]
        lit, framed = self.frame.lit.get(name, frozenset()), self.frame.framed.get(name, frozenset())
        for row in range(rows):
            for column in range(columns):
                place = size.translated(area.left() + column * size.width(), area.top() + row * size.height())
                inner = place.adjusted(0.5, 0.5, -0.5, -0.5)
                is_lit = (row, column) in lit
                ground = colour if is_lit else blend(theme.field, colour, PALE)
                painter.fillRect(inner, QColor(ground))
                painter.setPen(QColor(ink_on(theme, ground) if is_lit else dimmed_ink(theme, ground)))
                painter.drawText(inner, _MIDDLE, str(threads[row, column]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(theme.text), 2.0 * self._magnification))
        for row, column in framed:
            painter.drawRect(size.translated(area.left() + column * size.width(), area.top() + row * size.height()))

    def _paint_name(self, painter: QPainter, name: str, area: QRectF) -> None:
        """The name and the size of a matrix at its outer side."""
        rows, columns = SHAPES[name]
        painter.setFont(words(NORMAL * self._magnification, QFont.Weight.DemiBold))
        painter.setPen(QColor({"A": self._theme.a, "B": self._theme.b, "C": self._theme.c}[name]))
        text = f"{name}  {rows}×{columns}"
        width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 4.0
        beside = QRectF(area.right() + 10.0, area.top(), width, self._label)
        if name == "A":
            beside.moveRight(area.left() - 10.0)
        painter.drawText(beside, _MIDDLE, text)


def dimmed_ink(theme: Theme, ground: str) -> str:
    """The colour of a number that is not spoken of, which stays readable on its pale ground."""
    return strengthened(theme, theme.muted, WORDS_CONTRAST, ground)


_BESIDE = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap)
_MIDDLE = int(Qt.AlignmentFlag.AlignCenter)
