"""Paints a timeline of SMs: bars of blocks, hatching where SMs have no work, numbers of SMs, the axis of time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from gemmviz.explain.figures.figure import Axis, Quantity
from gemmviz.explain.figures.ticks import ticks_of
from gemmviz.explain.runs.block_schedule import NO_BLOCK, ColourBy, Indices, ScheduleFigure, tail_words
from gemmviz.gui.looks.fonts import NORMAL, figures, words
from gemmviz.gui.looks.theme import Theme, blend
from gemmviz.gui.schedule.colours import colour_table
from gemmviz.gui.schedule.painting import is_vector, runs
from gemmviz.gui.schedule.timeline_geometry import BOTTOM, LEFT, TOP, TimelineGeometry

AXIS = "time from the first start"
_LEAST_BAR = 1.0
_SEAM_FROM = 5.0
_TICK_ROOM = 84.0


@dataclass(frozen=True, slots=True)
class PaintedTimeline:
    """All that is painted; `lit` is the block with a frame, -1 for none. `bars` is what `image` gave, to be used again
    while nothing of it has changed.
    """

    figure: ScheduleFigure
    geometry: TimelineGeometry
    theme: Theme
    by: ColourBy
    lit: int = NO_BLOCK
    bars: QImage | None = None

    def paint(self, painter: QPainter, density: float) -> None:
        """Everything; an image of the bars has `density` pixels to one of the widget."""
        geometry, theme = self.geometry, self.theme
        plot = QRectF(LEFT, TOP, geometry.plot_width, geometry.plot_height)
        painter.fillRect(plot, QColor(blend(theme.canvas, theme.text, 0.035)))
        self._paint_axis(painter, plot)
        hatch = QColor(theme.muted)
        hatch.setAlphaF(0.45)
        for area in self.hatched():
            painter.fillRect(area, QBrush(hatch, Qt.BrushStyle.BDiagPattern))
        self._paint_tail(painter, plot)
        painter.save()
        painter.setClipRect(plot)
        if is_vector(painter):
            self._paint_shapes(painter)
        else:
            painter.drawImage(plot, self.bars if self.bars is not None else self.image(density))
        self._paint_lit(painter)
        painter.restore()
        self._paint_units(painter)

    def image(self, density: float) -> QImage:
        """The bars as an image, clear where nothing runs."""
        geometry, figure = self.geometry, self.figure
        lines, moments = geometry.lines(density), geometry.moments(density)
        lanes, place = np.unique(np.maximum(lines, 0), return_inverse=True)
        blocks = figure.lanes.at(lanes, moments, geometry.ns_of_pixels(_LEAST_BAR))
        table = self._table()
        groups = figure.groups(self.by)[np.maximum(blocks, 0)]
        colours = table[np.where(blocks == NO_BLOCK, table.size - 1, groups)]
        colours[self._seams(blocks, density)] = 0
        pixels = np.ascontiguousarray(np.where((lines < 0)[:, np.newaxis], 0, colours[place.reshape(-1)]), np.uint32)
        height, width = pixels.shape
        return QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32).copy()

    def _seams(self, blocks: Indices, density: float) -> NDArray[np.bool_]:
        """The first pixel of each bar that meets the one before it, where bars are long enough to spare it."""
        schedule = self.figure.schedule
        some = np.maximum(blocks, 0)
        pixels = (schedule.end_ns[some] - schedule.start_ns[some]) / self.geometry.ns_of_pixels(1.0 / density)
        seams = np.zeros(blocks.shape, np.bool_)
        seams[:, 1:] = (blocks[:, 1:] != blocks[:, :-1]) & (blocks[:, :-1] != NO_BLOCK) & (pixels[:, 1:] >= _SEAM_FROM)
        seams &= blocks != NO_BLOCK
        return seams

    def area_of(self, block: int) -> QRectF:
        """Where a block's bar lies."""
        schedule, waves, geometry = self.figure.schedule, self.figure.found.waves, self.geometry
        left, right = (geometry.x_of(float(column[block])) for column in (schedule.start_ns, schedule.end_ns))
        top = geometry.y_of(int(schedule.unit[block]), int(waves.slot[block]))
        return QRectF(left, top, max(right - left, _LEAST_BAR), geometry.bar / geometry.slots)

    def hatched(self) -> list[QRectF]:
        """Where SMs have no work, as far as it is seen: the tail across all rows, and before it the rows of those that
        never had a block.
        """
        tail, geometry, figure = self.figure.found.tail, self.geometry, self.figure
        plot = QRectF(LEFT, TOP, geometry.plot_width, geometry.plot_height)
        first, last = geometry.x_of(0.0), geometry.x_of(float(figure.schedule.makespan_ns))
        begin = geometry.x_of(float(tail.begin_ns)) if tail.ns else last
        idle = [unit for unit in geometry.visible if not figure.found.blocks_per_unit[unit]]
        areas = [QRectF(first, geometry.y_of(unit), begin - first, geometry.bar) for unit in idle]
        areas += [QRectF(begin, plot.top(), last - begin, plot.height())] if tail.ns else []
        return [seen for area in areas if not (seen := area.intersected(plot)).isEmpty()]

    def _table(self) -> np.ndarray:
        return colour_table(self.theme, self.by, self.figure.group_count(self.by))

    def _paint_shapes(self, painter: QPainter) -> None:
        """The bars as rectangles, as far as two of them can be told apart."""
        geometry, figure, table = self.geometry, self.figure, self._table()
        moments, groups = geometry.moments(2.0), figure.groups(self.by)
        across = geometry.plot_width / moments.size
        for unit in geometry.visible:
            lanes = np.arange(unit * geometry.slots, (unit + 1) * geometry.slots)
            found = figure.lanes.at(lanes, moments, geometry.ns_of_pixels(_LEAST_BAR))
            for slot, line in enumerate(found):
                top, height = geometry.y_of(unit, slot), geometry.bar / geometry.slots
                for first, behind in runs(line):
                    block = int(line[first])
                    if block != NO_BLOCK:
                        bar = QRectF(LEFT + first * across, top, (behind - first) * across, height)
                        painter.fillRect(bar, QColor.fromRgba(int(table[groups[block]])))

    def _paint_tail(self, painter: QPainter, plot: QRectF) -> None:
        tail, geometry = self.figure.found.tail, self.geometry
        if not tail.ns:
            return
        left = max(geometry.x_of(tail.begin_ns), plot.left())
        right = min(geometry.x_of(tail.begin_ns + tail.ns), plot.right())
        if right <= left:
            return
        painter.setPen(QPen(QColor(self.theme.muted), 1.0))
        painter.drawLine(QPointF(left, TOP - 4), QPointF(left, plot.bottom()))
        painter.setFont(words(NORMAL))
        text = tail_words(self.figure)
        width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 2
        place = min(max(left, plot.left()), plot.right() - width)
        painter.drawText(QRectF(place, 0, width, TOP - 4), int(Qt.AlignmentFlag.AlignBottom), text)

    def _paint_lit(self, painter: QPainter) -> None:
        if self.lit == NO_BLOCK:
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self.theme.text), 2.0))
        area = self.area_of(self.lit).adjusted(-1, -1, 1, 1)
        if area.width() < 4:
            area = area.adjusted(-1.5, 0, 1.5, 0)
        painter.drawRect(area)

    def _paint_units(self, painter: QPainter) -> None:
        geometry = self.geometry
        lit_unit = int(self.figure.schedule.unit[self.lit]) if self.lit != NO_BLOCK else -1
        painter.setPen(QColor(self.theme.muted))
        painter.setFont(words(NORMAL))
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        corner = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
        painter.drawText(QRectF(0, 0, LEFT - 6, TOP - 4), corner, "SM")
        painter.setFont(figures(NORMAL))
        taken = QRectF()
        if lit_unit in geometry.visible:
            taken = self._unit_area(lit_unit)
            painter.setPen(QColor(self.theme.text))
            painter.setFont(figures(NORMAL, QFont.Weight.DemiBold))
            painter.drawText(taken, right, str(lit_unit))
            painter.setFont(figures(NORMAL))
            painter.setPen(QColor(self.theme.muted))
        for unit in geometry.labelled():
            area = self._unit_area(unit)
            is_inside = area.center().y() > TOP and area.bottom() < TOP + geometry.plot_height + 6
            if is_inside and not area.intersects(taken):
                painter.drawText(area, right, str(unit))

    def _unit_area(self, unit: int) -> QRectF:
        return QRectF(0, self.geometry.y_of(unit) + self.geometry.bar / 2 - 8, LEFT - 6, 16)

    def _paint_axis(self, painter: QPainter, plot: QRectF) -> None:
        geometry = self.geometry
        low, high = geometry.low / 1e6, geometry.high / 1e6
        axis = Axis(AXIS, Quantity.TIME, low, high)
        painter.setFont(figures(NORMAL))
        metrics = QFontMetricsF(painter.font())
        for tick in ticks_of(axis, low, high, max(int(plot.width() / _TICK_ROOM), 2)):
            x = geometry.x_of(tick.value * 1e6)
            painter.setPen(QPen(QColor(self.theme.line), 1.0))
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom() + 3))
            if tick.words:
                width = metrics.horizontalAdvance(tick.words)
                place = min(max(x - width / 2, LEFT - 8), geometry.width - width - 2)
                painter.setPen(QColor(self.theme.muted))
                painter.drawText(QPointF(place, plot.bottom() + 15), tick.words)
        painter.setFont(words(NORMAL))
        painter.setPen(QColor(self.theme.muted))
        below = QRectF(LEFT, plot.bottom() + BOTTOM - 18, plot.width(), 16)
        painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), AXIS)
