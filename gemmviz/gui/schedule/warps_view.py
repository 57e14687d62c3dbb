"""The warps of one SM as rows, under each other with few and with many: who waits and who computes, cycle by cycle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.domain import figures
from gemmviz.domain.runs.warp_timeline import WarpTimeline
from gemmviz.explain.figures.figure import Axis, Quantity
from gemmviz.explain.figures.ticks import ticks_of
from gemmviz.explain.runs.warp_timeline import Phase, Span, WarpsFigure, bars_of, computing, share_words, warps_words
from gemmviz.gui.looks.fonts import NORMAL, words
from gemmviz.gui.looks.theme import Theme, ink_on, strengthened

AXIS = "clock cycles of the SM"
LEFT, RIGHT, GAP = 40.0, 14.0, 8.0
"""Pixels beside the bars, and between two panels."""
LINE, STRIP = 20.0, 10.0
"""Height of a line of words, and of the strip that says when any warp computes."""
LEAST_ROW = 1.5
BETWEEN_BLOCKS = 3.0
"""Pixels between the warps of two blocks."""
SEAM_FROM = 3.0
"""Rows of so many pixels have a line of the ground between them."""
SWATCH, NOW = 12.0, "now"
LEAST_CONTRAST = 3.0
"""What a bar has at least on the empty row, by WCAG 2."""
THIN = 1 / 3
"""The part of a row's height that a warp has which waits for others: two greys on a grey row could not all be told
apart by their shade."""
TICK_ROOM = 110.0


def colour_of(theme: Theme, phase: Phase) -> str:
    """Of a warp's bar, as #rrggbb."""
    return theme.c if phase is Phase.COMPUTES else strengthened(theme, theme.reference, LEAST_CONTRAST, theme.field)


def bar_in(row: QRectF, phase: Phase, pixel: float = 1.0) -> QRectF:
    """The part of a row that a phase fills: all of its height, or a line of at least a `pixel` in its middle."""
    if phase is not Phase.WAITS:
        return row
    height = max(row.height() * THIN, min(row.height(), pixel))
    return QRectF(row.left(), row.center().y() - height / 2, row.width(), height)


@dataclass(frozen=True, slots=True)
class WarpsPanel:
    """One timeline in the picture; `rows` of its warps, 0 for all. `whole_heading` stands above all of them."""

    timeline: WarpTimeline
    rows: int = 0
    whole_heading: str = ""

    @property
    def row_count(self) -> int:
        return self.rows or self.timeline.rows

    @property
    def has_strip(self) -> bool:
        """Whether it says when the SM computes: only all warps of it tell that."""
        return self.row_count == self.timeline.rows

    @property
    def heading(self) -> str:
        if self.has_strip:
            return self.whole_heading or warps_words(self.timeline)
        return f"{figures.counted(self.row_count, 'warp')} of {self.timeline.rows} on the SM"


def panels_of(figure: WarpsFigure, rows: int = 0) -> list[WarpsPanel]:
    """A panel for each timeline, of `rows` warps, 0 for all."""
    return [WarpsPanel(one, rows, figure.heading_of(one)) for one in figure.timelines]


class WarpsView(QWidget):
    """Paints panels up to a moment; all have one axis of time and one height of rows."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._panels, self._magnification = theme, (), 1.0
        self._span, self._until, self._row_height = (0, 0), 0, LEAST_ROW
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(QSize(280, 130))

    _panels: tuple[WarpsPanel, ...]
    _span: Span

    def show_panels(self, panels: Sequence[WarpsPanel], span: Span = (0, 0)) -> None:
        """Show panels from the first cycle to the last, or a `span` of them."""
        self._panels = tuple(panels)
        whole = 0, min((one.timeline.window_cycles for one in panels), default=0)
        self._span = span if span[1] > span[0] else whole
        self.show_until(self._span[1])

    @property
    def span(self) -> Span:
        """Which cycles the axis has."""
        return self._span

    @property
    def until(self) -> int:
        """The cycle up to which they are shown."""
        return self._until

    def show_until(self, cycle: int) -> None:
        """Show what happened before a cycle."""
        first, last = self._span
        self._until = min(max(cycle, first), last)
        self.setAccessibleDescription(". ".join(f"{one.heading}: {self.words_of(one)}" for one in self._panels))
        self.update()

    def words_of(self, panel: WarpsPanel, *, is_short: bool = False) -> str:
        """What is said at the right of a panel: how much of the time is computed in, of all of it or so far; "" before
        there is any. `is_short` where headings leave little room.
        """
        first, last = self._span
        if self._until <= first:
            return ""
        is_so_far = self._until < last
        return share_words(panel.timeline, (first, self._until), panel.rows, is_so_far=is_so_far, is_short=is_short)

    def headings(self) -> tuple[tuple[str, str], ...]:
        """What is written above each panel in sight, at its left and at its right: no two meet. The right one is short
        where a long one has no room in some panel, and the left one is cut where that does not help.
        """
        left, right = self._ends
        metrics = QFontMetricsF(self._heading_font)
        room, panels = right - left - metrics.horizontalAdvance("  "), self.panels_in_sight

        def is_fitting(panel: WarpsPanel) -> bool:
            return metrics.horizontalAdvance(panel.heading) + metrics.horizontalAdvance(self.words_of(panel)) <= room

        is_short = not all(map(is_fitting, panels))
        found = []
        for panel in panels:
            share = self.words_of(panel, is_short=is_short)
            width = room - metrics.horizontalAdvance(share)
            found.append((metrics.elidedText(panel.heading, Qt.TextElideMode.ElideRight, width), share))
        return tuple(found)

    def set_magnification(self, factor: float) -> None:
        """Write words so many times as large; rows are as high as they have room."""
        self._magnification = factor
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def good_height(self) -> int:
        """Pixels in which every row can be told from the next."""
        return round(self._words_height_of(self._panels) + (SEAM_FROM + 1.0) * _rows_of(self._panels))

    @property
    def least_height(self) -> int:
        """Pixels in which all panels are seen, in rows as low as they can be."""
        return math.ceil(self._words_height_of(self._panels) + LEAST_ROW * _rows_of(self._panels))

    @property
    def panels_in_sight(self) -> tuple[WarpsPanel, ...]:
        """All panels, or the first and the last where there is no room for more."""
        fits = self.height() >= self.least_height
        return self._panels if fits else tuple(dict.fromkeys((self._panels[0], self._panels[-1])))

    @property
    def row_height(self) -> float:
        panels = self.panels_in_sight
        room = (self.height() - self._words_height_of(panels)) / _rows_of(panels)
        return max(room, LEAST_ROW)

    @property
    def _heading_font(self) -> QFont:
        return words(NORMAL * self._magnification, QFont.Weight.DemiBold)

    @property
    def _line(self) -> float:
        return LINE * self._magnification

    def _words_height_of(self, panels: Sequence[WarpsPanel]) -> float:
        """All that is no row: the legend, the headings, the ground between blocks, the strips, the axis."""
        strips = sum(self._strip + 2.0 for one in panels if one.has_strip)
        between = sum(self._between(one, one.row_count - 1) for one in panels)
        return (3.3 + len(panels)) * self._line + strips + between + GAP * len(panels)

    def _between(self, panel: WarpsPanel, row: int) -> float:
        """The ground between blocks above a row."""
        return BETWEEN_BLOCKS * self._magnification * (row // panel.timeline.warps_per_block)

    @property
    def _strip(self) -> float:
        return STRIP * self._magnification

    @property
    def _left(self) -> float:
        return LEFT * self._magnification

    def x_of(self, cycle: float) -> float:
        """Where a cycle is, in pixels from the left."""
        width = self.width() - self._left - RIGHT * self._magnification
        first, last = self._span
        return self._left + (cycle - first) / max(last - first, 1) * width

    @property
    def _ends(self) -> tuple[float, float]:
        """The left and the right end of all bars."""
        first, last = self._span
        return self.x_of(first), self.x_of(last)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if not self._panels:
            return
        painter = QPainter(self)
        painter.setFont(words(NORMAL * self._magnification))
        panels, self._row_height = self.panels_in_sight, self.row_height
        y = self._paint_legend(painter)
        for panel, headings in zip(panels, self.headings(), strict=True):
            y = self._paint_panel(painter, panel, headings, y) + GAP
        self._paint_axis(painter, y - GAP)
        painter.end()

    def _paint_legend(self, painter: QPainter) -> float:
        """What the colours stand for; the height below it."""
        x, metrics, scale = self._left, QFontMetricsF(painter.font()), self._magnification
        for phase in (Phase.COMPUTES, Phase.LOADS, Phase.WAITS):
            swatch = QRectF(x, (self._line - SWATCH * scale) / 2, SWATCH * scale, SWATCH * scale)
            painter.fillRect(swatch, QColor(self._theme.field))
            painter.fillRect(bar_in(swatch, phase), QColor(colour_of(self._theme, phase)))
            x += (SWATCH + 6.0) * scale
            painter.setPen(QColor(self._theme.muted))
            width = metrics.horizontalAdvance(phase.words) + 2.0
            painter.drawText(QRectF(x, 0, width, self._line), _LEFT, phase.words)
            x += width + 18.0 * scale
        if self._has_now:
            painter.setPen(QPen(QColor(self._theme.text), 1.5 * scale))
            painter.drawLine(
                QPointF(x, (self._line - SWATCH * scale) / 2), QPointF(x, (self._line + SWATCH * scale) / 2)
            )
            painter.setPen(QColor(self._theme.muted))
            x += 6.0 * scale
            painter.drawText(QRectF(x, 0, metrics.horizontalAdvance(NOW) + 2.0, self._line), _LEFT, NOW)
        return self._line * 1.3

    @property
    def _has_now(self) -> bool:
        """Whether a line stands where the time has come to."""
        return self._span[0] < self._until < self._span[1]

    def _paint_panel(self, painter: QPainter, panel: WarpsPanel, headings: tuple[str, str], y: float) -> float:
        """Headings, rows and strip; the height below them."""
        left, right = self._ends
        head = QRectF(left, y, right - left, self._line)
        painter.setPen(QColor(self._theme.text))
        painter.setFont(self._heading_font)
        for words_of_side, side in zip(headings, (_LEFT, _RIGHT), strict=True):
            painter.drawText(head, side, words_of_side)
        painter.setFont(words(NORMAL * self._magnification))
        top = y + self._line
        self._paint_rows(painter, panel, top)
        y = top + self._y_of(panel, panel.row_count - 1) + self._row_height
        bottom = self._paint_strip(painter, panel, y + 2.0) if panel.has_strip else y
        self._paint_now(painter, top, bottom)
        return bottom

    def _y_of(self, panel: WarpsPanel, row: int) -> float:
        """The top of a row below that of the first."""
        return row * self._row_height + self._between(panel, row)

    def _paint_rows(self, painter: QPainter, panel: WarpsPanel, top: float) -> None:
        bars, (first, last) = bars_of(panel.timeline), self._ends
        pixel = 1.0 / max(painter.deviceTransform().m11(), 1.0)  # of a slide, which is painted larger
        bar = self._row_height - (1.0 if self._row_height >= SEAM_FROM else 0.0)
        tops = [top + self._y_of(panel, row) for row in range(panel.row_count)]
        for y in tops:
            painter.fillRect(QRectF(first, y, last - first, bar), QColor(self._theme.field))
        seen = (bars.row < panel.row_count) & (bars.begin < self._until) & (bars.end > self._span[0])
        found = zip(*(each[seen].tolist() for each in (bars.row, bars.begin, bars.end, bars.phase)), strict=True)
        for row, begin, end, number in found:
            phase, left, right = Phase(number), self.x_of(max(begin, self._span[0])), self.x_of(min(end, self._until))
            area = bar_in(QRectF(left, tops[row], right - left, bar), phase, pixel)
            painter.fillRect(area, QColor(colour_of(self._theme, phase)))
            self._paint_words(painter, area, phase)

    def _paint_words(self, painter: QPainter, area: QRectF, phase: Phase) -> None:
        """What a warp does, in a bar that has room for it."""
        metrics = QFontMetricsF(painter.font())
        if area.height() < metrics.height() or area.width() < metrics.horizontalAdvance(phase.short) + 8.0:
            return
        painter.setPen(QColor(ink_on(self._theme, colour_of(self._theme, phase))))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), phase.short)

    def _paint_strip(self, painter: QPainter, panel: WarpsPanel, top: float) -> float:
        """When at least one warp computes; the height below it."""
        left, right = self._ends
        painter.fillRect(QRectF(left, top, right - left, self._strip), QColor(self._theme.field))
        for begin, end in zip(*(each.tolist() for each in computing(panel.timeline, panel.row_count)), strict=True):
            x, to = self.x_of(max(begin, self._span[0])), self.x_of(min(end, self._until))
            if to > x:
                painter.fillRect(QRectF(x, top, to - x, self._strip), QColor(self._theme.c))
        painter.setPen(QColor(self._theme.muted))
        middle = top + self._strip / 2
        label = QRectF(0, middle - self._line / 2, self._left - 6.0 * self._magnification, self._line)
        painter.drawText(label, _RIGHT, "SM")
        return top + self._strip

    def _paint_now(self, painter: QPainter, top: float, bottom: float) -> None:
        """A line over the rows of a panel where the time has come to, and none over its words."""
        if self._has_now:
            painter.setPen(QPen(QColor(self._theme.text), 1.5 * self._magnification))
            x = self.x_of(self._until)
            painter.drawLine(QPointF(x, top), QPointF(x, bottom))

    def _paint_axis(self, painter: QPainter, bottom: float) -> None:
        metrics, (low, high) = QFontMetricsF(painter.font()), map(float, self._span)
        axis = Axis(AXIS, Quantity.PLAIN, 0.0, high - low)
        room = TICK_ROOM * self._magnification
        for tick in ticks_of(axis, 0.0, high - low, max(int((self.width() - self._left) / room), 2)):
            x = self.x_of(low + tick.value)
            painter.setPen(QPen(QColor(self._theme.line), 1.0))
            painter.drawLine(QPointF(x, bottom), QPointF(x, bottom + 4.0))
            width = metrics.horizontalAdvance(tick.words)
            painter.setPen(QColor(self._theme.muted))
            place = min(max(x - width / 2, 0.0), self.width() - width - 2.0)
            painter.drawText(QRectF(place, bottom + 4.0, width + 2.0, self._line), _LEFT, tick.words)
        below = QRectF(self._left, bottom + self._line, self.width() - self._left, self._line)
        painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), AXIS)


def _rows_of(panels: Sequence[WarpsPanel]) -> int:
    return sum(one.row_count for one in panels)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
