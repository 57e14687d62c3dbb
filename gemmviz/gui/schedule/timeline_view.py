"""The timeline of a launch: a row for each SM, bars for its blocks; scrolls, zooms into time, lights blocks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from gemmviz.explain.runs.block_schedule import NO_BLOCK, ColourBy, ScheduleFigure
from gemmviz.gui.looks.fonts import NORMAL, words
from gemmviz.gui.looks.scroll_style import scroll_bar_style
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.schedule.painting import is_vector
from gemmviz.gui.schedule.timeline_geometry import BOTTOM, LEFT, TOP, TimelineGeometry, least_row
from gemmviz.gui.schedule.timeline_paint import PaintedTimeline

_STEP = 1.25
_MOST_STRETCH = 16.0
_FRAMED_STRETCH = 4.0
_NEAR = 4
"""If no more rows follow than a fourth of those in sight, the last row is in sight too."""
_MARGIN = 0.01
"""Of the whole time, behind the last end."""


class TimelineView(QAbstractScrollArea):
    """Shows the timeline.

    Signals:
        pointed(int): the block under the mouse or chosen by keys, -1 for none.
    """

    pointed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scheduleTimeline")
        self.setAccessibleName("Timeline")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.viewport().setObjectName("scheduleTimelineRows")
        self.setMinimumSize(220, 120)
        self._theme = theme
        self._figure: ScheduleFigure | None = None
        self._by = ColourBy.WAVE
        self._lit = NO_BLOCK
        self._low, self._high, self._stretch, self._fits = 0.0, 1.0, 1.0, False
        self._framed: tuple[int, ...] = ()
        self._dragged: tuple[float, float] | None = None
        self._painted: tuple[object, QImage] | None = None
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    @property
    def range_ns(self) -> tuple[float, float]:
        """The time in sight."""
        return self._low, self._high

    @property
    def geometry_now(self) -> TimelineGeometry | None:
        """Where everything lies; None while there is nothing."""
        if self._figure is None:
            return None
        view = self.viewport()
        return TimelineGeometry(
            view.width(),
            view.height(),
            self._figure.schedule.units,
            self._figure.slots,
            self._low,
            self._high,
            self._stretch,
            float(self.verticalScrollBar().value()),
            self._fits,
        )

    def show_figure(self, figure: ScheduleFigure | None, by: ColourBy) -> None:
        """Show a schedule; all of it from its first row, no row framed, unless it is the one that is shown already."""
        is_other = figure is not self._figure
        self._figure, self._by = figure, by
        if is_other:
            self._lit, self._framed = NO_BLOCK, ()
            self.show_all()
            self.verticalScrollBar().setValue(0)
        said = "Timeline" if figure is None else f"Timeline of {figure.schedule.units} SMs"
        self.setAccessibleName(said)
        self.viewport().update()

    @Slot()
    def show_all(self) -> None:
        """The whole time, rows as low as they may be."""
        span = self._figure.schedule.makespan_ns if self._figure is not None else 1
        self._low, self._high, self._stretch = 0.0, max(span * (1 + _MARGIN), 1.0), 1.0
        self._fit_scroll_bar()
        self.viewport().update()

    def show_every_row(self, wanted: bool) -> None:
        """Make rows as low as they must be for all to be seen at once."""
        self._fits = wanted
        self.show_all()

    def set_lit(self, block: int) -> None:
        """Put a frame around a block; -1: around none."""
        if block != self._lit:
            self._lit = block
            known = self._figure if block != NO_BLOCK else None
            self.setAccessibleDescription(known.words_at(block) if known is not None else "")
            self.viewport().update()

    def frame_units(self, units: Sequence[int]) -> None:
        """Frame the rows of these SMs, high enough to be told apart, and keep them in sight; none takes that back."""
        self._framed = tuple(units)
        self._stretch = _FRAMED_STRETCH if units else 1.0
        self._fit_scroll_bar()
        self.viewport().update()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        self._theme = theme
        self.verticalScrollBar().setStyleSheet(scroll_bar_style(theme))
        self.viewport().update()

    def zoom(self, factor: float, at: float | None = None) -> None:
        """Stretch the time by a factor around a moment in ns, the middle without one."""
        if self._figure is None:
            return
        whole = max(self._figure.schedule.makespan_ns * (1 + _MARGIN), 1.0)
        at = (self._low + self._high) / 2 if at is None else at
        length = min(max((self._high - self._low) / factor, min(64.0, whole)), whole)
        share = (at - self._low) / max(self._high - self._low, 1e-9)
        self._move(at - share * length, length)

    def natural_height(self) -> int:
        """The height at which every row has its least."""
        units, slots = (self._figure.schedule.units, self._figure.slots) if self._figure is not None else (1, 1)
        return round(units * max(least_row(slots), min(220.0 / units, 26.0)) + TOP + BOTTOM)

    def block_at(self, position: QPointF) -> int:
        """The block whose bar is at a pixel, -1 for none."""
        geometry = self.geometry_now
        lane = geometry.lane_at(position.y()) if geometry is not None else None
        if geometry is None or lane is None or not LEFT <= position.x() <= LEFT + geometry.plot_width:
            return NO_BLOCK
        return self._running(lane[0] * geometry.slots + lane[1], geometry.time_at(position.x()), geometry)

    def _running(self, lane: int, time_ns: float, geometry: TimelineGeometry) -> int:
        assert self._figure is not None
        found = self._figure.lanes.at(np.array([lane]), np.array([time_ns]), geometry.ns_of_pixels(1.0))
        return int(found[0, 0])

    def _move(self, low: float, length: float) -> None:
        assert self._figure is not None
        whole = max(self._figure.schedule.makespan_ns * (1 + _MARGIN), 1.0)
        low = min(max(low, 0.0), whole - length)
        self._low, self._high = low, low + length
        self.viewport().update()

    def _stretch_rows(self, factor: float) -> None:
        self._stretch = min(max(self._stretch * factor, 1.0), _MOST_STRETCH)
        self._fit_scroll_bar()
        self.viewport().update()

    def _fit_scroll_bar(self) -> None:
        self._fit_framed()
        geometry, bar = self.geometry_now, self.verticalScrollBar()
        most = round(geometry.most_scroll) if geometry is not None else 0
        bar.setRange(0, most)
        bar.setPageStep(max(self.viewport().height() - 60, 1))
        bar.setSingleStep(round(geometry.row * 3) if geometry is not None else 1)
        if geometry is not None and self._framed:
            count, last = round(geometry.plot_height / geometry.row), geometry.units
            first = (min(self._framed) + max(self._framed) + 1 - count) // 2
            if last - (first + count) <= count // _NEAR and min(self._framed) >= last - count:
                first = last - count
            bar.setValue(round(first * geometry.row))

    def _fit_framed(self) -> None:
        """Where rows are framed, stretch all by so little that no row is cut off."""
        geometry = self.geometry_now
        if geometry is not None and self._framed:
            count = max(int(geometry.plot_height / geometry.row + 1e-6), 1)
            self._stretch *= geometry.plot_height / count / geometry.row

    @Slot(int)
    def _on_scrolled(self, value: int) -> None:
        del value
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), QColor(self._theme.canvas))
        geometry = self.geometry_now
        if self._figure is not None and geometry is not None:
            density = float(painter.device().devicePixelRatio())
            bars = None if is_vector(painter) else self._bars(self._figure, geometry, density)
            PaintedTimeline(self._figure, geometry, self._theme, self._by, self._lit, bars).paint(painter, density)
            self._paint_framed(painter, geometry)
            if self.hasFocus():
                painter.setPen(QPen(QColor(self._theme.accent), 1.0))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _paint_framed(self, painter: QPainter, geometry: TimelineGeometry) -> None:
        """The frames of rows, and in each that no block runs there."""
        painter.setClipRect(QRectF(LEFT, TOP, geometry.plot_width, geometry.plot_height))
        painter.setPen(QPen(QColor(self._theme.accent), 2.0))
        painter.setFont(words(NORMAL))
        for unit in self._framed:
            row = QRectF(LEFT + 1, geometry.y_of(unit), geometry.plot_width - 2, geometry.bar)
            painter.drawRect(row)
            painter.drawText(row.adjusted(8, 0, 0, 0), int(Qt.AlignmentFlag.AlignVCenter), f"SM {unit}: no block")
        painter.setClipping(False)

    def _bars(self, figure: ScheduleFigure, geometry: TimelineGeometry, density: float) -> QImage:
        """The bars as they were painted last, if they are the same: a block is lit at every move of the mouse."""
        key = (figure, geometry, self._theme, self._by, density)
        if self._painted is None or self._painted[0] != key:
            self._painted = (key, PaintedTimeline(figure, geometry, self._theme, self._by).image(density))
        return self._painted[1]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_scroll_bar()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged is not None:
            x, low = self._dragged
            geometry = self.geometry_now
            if geometry is not None:
                self._move(low - geometry.ns_of_pixels(event.position().x() - x), self._high - self._low)
            return
        self.pointed.emit(self.block_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._figure is not None:
            self._dragged = (event.position().x(), self._low)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged = None
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.show_all()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.pointed.emit(NO_BLOCK)
        return super().viewportEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y() or event.angleDelta().x()
        geometry = self.geometry_now
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and geometry is not None:
            self.zoom(_STEP if turned > 0 else 1 / _STEP, geometry.time_at(event.position().x()))
            event.accept()
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._stretch_rows(_STEP if turned > 0 else 1 / _STEP)
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self._figure is None:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.zoom(1 / _STEP if key == Qt.Key.Key_Minus else _STEP)
        elif key == Qt.Key.Key_0:
            self.show_all()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step(self._figure, key)
        else:
            super().keyPressEvent(event)

    def _step(self, figure: ScheduleFigure, key: Qt.Key) -> None:
        """From the lit block to the one before or behind it in its slot, or to the same time on the next lane."""
        lanes, geometry = figure.lanes, self.geometry_now
        if geometry is None:
            return
        if self._lit == NO_BLOCK:
            self.pointed.emit(int(lanes.order[0]))
            return
        place = int(np.flatnonzero(lanes.order == self._lit)[0])
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            other = place + (1 if key == Qt.Key.Key_Right else -1)
            if 0 <= other < lanes.order.size and lanes.lane[other] == lanes.lane[place]:
                self._point(int(lanes.order[other]), geometry)
            return
        middle = (int(lanes.start[place]) + int(lanes.end[place])) / 2
        step = 1 if key == Qt.Key.Key_Down else -1
        lane = int(lanes.lane[place]) + step
        while 0 <= lane < geometry.units * geometry.slots:
            found = self._running(lane, middle, geometry)
            if found != NO_BLOCK:
                self._point(found, geometry)
                return
            lane += step

    def _point(self, block: int, geometry: TimelineGeometry) -> None:
        """Light a block, and bring its row into sight."""
        assert self._figure is not None
        row, bar = float(self._figure.schedule.unit[block]) * geometry.row, self.verticalScrollBar()
        if row < bar.value():
            bar.setValue(int(row))
        elif row + geometry.row > bar.value() + geometry.plot_height:
            bar.setValue(round(row + geometry.row - geometry.plot_height))
        self.pointed.emit(block)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()
