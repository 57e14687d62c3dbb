"""The roofline, painted: two logarithmic axes, roofs as lines with their words, a mark and a name for each run."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gemmviz.gui.charts.figure import Axis, Form
from gemmviz.gui.charts.legend import paint_mark
from gemmviz.gui.charts.looks import STYLES
from gemmviz.gui.charts.plot_painter import plot_fonts
from gemmviz.gui.charts.roofline_figure import Point, RoofLine, Roofline
from gemmviz.gui.charts.roofline_labels import Label, labels_beside
from gemmviz.gui.charts.ticks import ticks_of
from gemmviz.gui.looks.theme import Theme

LEFT, RIGHT, TOP, BOTTOM = 72.0, 24.0, 26.0, 44.0
_NEAR = 12.0
"""Pixels from a mark at which its tooltip comes."""
_MARK = 6.0
"""Half of what a mark covers."""
_FLAGS = int(Qt.TextFlag.TextDontClip)


class RooflinePlot(QWidget):
    """Shows a Roofline."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._fonts = theme, plot_fonts()
        self._shown: Roofline | None = None
        self.setObjectName("rooflinePlot")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_roofline(self, roofline: Roofline) -> None:
        """Show this one in place of the last."""
        self._shown = roofline
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(560, 420)

    def minimumSizeHint(self) -> QSize:
        return QSize(280, 180)

    @property
    def area(self) -> QRectF:
        """The plane between the axes, in pixels."""
        return QRectF(LEFT, TOP, max(self.width() - LEFT - RIGHT, 40.0), max(self.height() - TOP - BOTTOM, 40.0))

    def place_of(self, intensity: float, gflops: float) -> QPointF:
        """The pixel of a point of the plane."""
        assert self._shown is not None
        area = self.area
        x, y = _part(self._shown.x, intensity), _part(self._shown.y, gflops)
        return QPointF(area.left() + x * area.width(), area.bottom() - y * area.height())

    def point_at(self, place: QPointF) -> Point | None:
        """The run whose mark is nearest to a pixel; None if none is near."""
        points = self._shown.points if self._shown is not None else ()
        near = [(math.dist(self._at(point).toTuple(), place.toTuple()), point) for point in points]
        distance, point = min(near, key=lambda pair: pair[0], default=(math.inf, None))
        return point if distance <= _NEAR else None

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            point = self.point_at(QPointF(event.pos()))
            if point is not None:
                QToolTip.showText(event.globalPos(), point.tooltip, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.canvas))
        if self._shown is not None:
            self._paint_axes(painter, self._shown)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            taken = [self._paint_line(painter, line) for line in self._shown.lines]
            self._paint_slopes(painter, self._shown)
            self._paint_points(painter, self._shown, [area for area in taken if area is not None])
        painter.end()

    def _at(self, point: Point) -> QPointF:
        return self.place_of(point.intensity, point.gflops)

    def _paint_axes(self, painter: QPainter, shown: Roofline) -> None:
        area, theme = self.area, self._theme
        fine = QColor(theme.line)
        fine.setAlphaF(0.5)
        for axis, is_x in ((shown.x, True), (shown.y, False)):
            most = int((area.width() if is_x else area.height()) / (76 if is_x else 40))
            for tick in ticks_of(axis, axis.low, axis.high, most):
                painter.setPen(QPen(QColor(theme.line) if tick.words else fine, 1.0))
                part = _part(axis, tick.value)
                if is_x:
                    x = round(area.left() + part * area.width())
                    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
                    place = QRectF(x - 60, area.bottom() + 4, 120, 16)
                    align = Qt.AlignmentFlag.AlignCenter
                else:
                    y = round(area.bottom() - part * area.height())
                    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
                    place = QRectF(0, y - 9, LEFT - 10, 18)
                    align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                painter.setFont(self._fonts.tick)
                painter.setPen(QColor(theme.muted))
                painter.drawText(place, int(align) | _FLAGS, tick.words)
        painter.setFont(self._fonts.note)
        below = QRectF(area.left(), area.bottom() + 22, area.width(), 18)
        words = QFontMetricsF(self._fonts.note).elidedText(shown.x.words, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter) | _FLAGS, words)
        painter.drawText(QRectF(0, 0, 200, TOP - 8), int(Qt.AlignmentFlag.AlignLeft) | _FLAGS, shown.y.words)

    def _paint_line(self, painter: QPainter, line: RoofLine) -> QRectF | None:
        """A roof and, below the beginning of its flat part, its words; what they cover."""
        assert self._shown is not None
        painter.save()
        painter.setClipRect(self.area)
        start = max(line.ridge, self._shown.x.low)
        path = QPainterPath(self.place_of(self._shown.x.low, line.gb_per_s * self._shown.x.low or line.gflops))
        path.lineTo(self.place_of(start, line.gflops))
        path.lineTo(self.place_of(self._shown.x.high, line.gflops))
        painter.setPen(QPen(QColor(self._theme.text), 1.6))
        painter.drawPath(path)
        painter.restore()
        if start >= self._shown.x.high:
            return None
        painter.setFont(self._fonts.note)
        painter.setPen(QColor(self._theme.text))
        width = QFontMetricsF(self._fonts.note).horizontalAdvance(line.words) + 2
        ridge = self.place_of(start, line.gflops)
        place = QRectF(min(ridge.x() + 8, self.area.right() - width - 4), ridge.y() + 3, width, 17)
        painter.drawText(place, int(Qt.AlignmentFlag.AlignLeft) | _FLAGS, line.words)
        return place

    def _paint_slopes(self, painter: QPainter, shown: Roofline) -> None:
        """The words of each slope along it, once for each device."""
        for line in {line.slope_words: line for line in shown.lines if line.gb_per_s > 0}.values():
            low = max(shown.x.low, shown.y.low / line.gb_per_s)
            high = min(line.ridge, shown.x.high)
            start, end = self.place_of(low, line.gb_per_s * low), self.place_of(high, line.gb_per_s * high)
            length = math.dist(start.toTuple(), end.toTuple())
            width = QFontMetricsF(self._fonts.note).horizontalAdvance(line.slope_words)
            if width > length - 16:
                continue
            painter.save()
            painter.translate(start)
            painter.rotate(math.degrees(math.atan2(end.y() - start.y(), end.x() - start.x())))
            painter.setFont(self._fonts.note)
            painter.setPen(QColor(self._theme.text))
            painter.drawText(QPointF((length - width) / 2, -6.0), line.slope_words)
            painter.restore()

    def _paint_points(self, painter: QPainter, shown: Roofline, taken: list[QRectF]) -> None:
        metrics = QFontMetricsF(self._fonts.name)
        wanted = [
            Label(point.name, self._at(point).x(), self._at(point).y(), metrics.horizontalAdvance(point.name) + 2)
            for point in shown.points
        ]
        blocked = [(area.left(), area.top(), area.right(), area.bottom()) for area in taken]
        blocked += [(one.x - _MARK, one.y - _MARK, one.x + _MARK, one.y + _MARK) for one in wanted]
        area = self.area
        placed = labels_beside(wanted, (area.left(), area.top(), area.right(), area.bottom()), blocked)
        for label, (x, y) in placed:
            painter.setPen(QPen(QColor(self._theme.line), 1.0))
            edge = x - 3 if x > label.x else x + label.width + 3
            painter.drawLine(QPointF(label.x, label.y), QPointF(edge, y))
            ground = QColor(self._theme.canvas)
            ground.setAlphaF(0.8)
            painter.fillRect(QRectF(x - 2, y - 8, label.width + 4, 16), ground)
            painter.setFont(self._fonts.name)
            painter.setPen(QColor(self._theme.text))
            painter.drawText(
                QRectF(x, y - 9, label.width, 18), int(Qt.AlignmentFlag.AlignVCenter) | _FLAGS, label.words
            )
        for point in shown.points:
            painter.save()
            paint_mark(painter, point.look, Form.DOTS, self._at(point), self._theme, STYLES[point.look].size)
            painter.restore()


def _part(axis: Axis, value: float) -> float:
    """Where a value lies on a logarithmic axis, from 0 to 1."""
    return math.log(value / axis.low) / math.log(axis.high / axis.low)
