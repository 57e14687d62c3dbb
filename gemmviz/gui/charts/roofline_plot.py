"""The roofline, painted: two logarithmic axes, roofs as lines with their words, marks, an arrow and a name for runs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gemmviz.gui.charts.figure import Axis, Form, Look
from gemmviz.gui.charts.legend import paint_mark
from gemmviz.gui.charts.looks import STYLES
from gemmviz.gui.charts.plot_fonts import plot_fonts
from gemmviz.gui.charts.roofline_figure import Point, RoofLine, Roofline
from gemmviz.gui.charts.roofline_labels import Box
from gemmviz.gui.charts.roofline_names import lines_to
from gemmviz.gui.charts.roofline_writing import MARK, Written, write
from gemmviz.gui.charts.ticks import ticks_of
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.plain_text import plain_text

LEFT, RIGHT, TOP, BOTTOM = 72.0, 24.0, 26.0, 44.0
TOP_LOW, BOTTOM_LOW, _LOW = 18.0, 38.0, 150.0
"""Above and below the plane of a plot that is lower than `_LOW`."""
_NEAR = 12.0
"""Pixels from a mark at which its tooltip comes."""
_ARROW, _OFF_MARK = 7.0, 8.0
"""How long an arrow's head is, and how far the arrow keeps off the marks at its ends."""
_FLAGS = int(Qt.TextFlag.TextDontClip)


class RooflinePlot(QWidget):
    """Shows a Roofline."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._fonts = theme, plot_fonts()
        self._shown: Roofline | None = None
        self._written: tuple[QSize, Written] | None = None
        self.setObjectName("rooflinePlot")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_roofline(self, roofline: Roofline) -> None:
        """Show this one in place of the last."""
        self._shown, self._written = roofline, None
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(560, 420)

    def minimumSizeHint(self) -> QSize:
        return QSize(280, 70)

    @property
    def area(self) -> QRectF:
        """The plane between the axes, in pixels."""
        top, bottom = (TOP, BOTTOM) if self.height() >= _LOW else (TOP_LOW, BOTTOM_LOW)
        return QRectF(LEFT, top, max(self.width() - LEFT - RIGHT, 40.0), max(self.height() - top - bottom, 14.0))

    def place_of(self, intensity: float, gflops: float) -> QPointF:
        """The pixel of a point of the plane."""
        assert self._shown is not None
        area = self.area
        x, y = _part(self._shown.x, intensity), _part(self._shown.y, gflops)
        return QPointF(area.left() + x * area.width(), area.bottom() - y * area.height())

    def point_at(self, place: QPointF) -> Point | None:
        """The run whose mark is nearest to a pixel; None if none is near."""
        points = self._shown.points if self._shown is not None else ()
        near = [
            (math.dist(at.toTuple(), place.toTuple()), point)
            for point in points
            for at in (self._at(point), self._ideal(point))
        ]
        distance, point = min(near, key=lambda pair: pair[0], default=(math.inf, None))
        return point if distance <= _NEAR else None

    def tooltip_at(self, place: QPointF) -> str:
        """What is said of the mark nearest to a pixel, with the names of those that it covers; of the words below the
        plane, all of them; "" where there is nothing to say.
        """
        if self._shown is not None and self.written.left_out and self._below.contains(place):
            return self.words_below
        point = self.point_at(place)
        if point is None or self._shown is None:
            return ""
        at = self._at(point).toTuple()
        others = [one.name for one in self._shown.points
                  if one is not point and math.dist(self._at(one).toTuple(), at) <= MARK]  # fmt: skip
        return point.tooltip + (f"\nalso here: {', '.join(others)}" if others else "")

    @property
    def _left_out(self) -> list[str]:
        """The names that found no room in the plane, each behind the number of its mark."""
        return [f"{self.written.keys.get(name, '')} {name}".strip() for name in self.written.left_out]

    @property
    def words_below(self) -> str:
        """The name of the axis; where marks found no room for theirs, in short, and behind it their names."""
        words = self._shown.x.words if self._shown is not None else ""
        left_out = self._left_out if self._shown is not None else []
        return _with_names(words, left_out, len(left_out)) if left_out else words

    def _words_that_fit(self) -> str:
        """The words below the plane with as many names as the line holds, and how many more there are."""
        left_out = self._left_out
        if not left_out or self._shown is None:
            return self.words_below
        metrics, width = QFontMetricsF(self._fonts.note), self._below.width()
        said = (_with_names(self._shown.x.words, left_out, count) for count in range(len(left_out), 0, -1))
        return next((words for words in said if metrics.horizontalAdvance(words) <= width), self._shown.x.words)

    @property
    def written(self) -> Written:
        """The words in the plane and where they stand."""
        if self._written is None or self._written[0] != self.size():
            self._written = self.size(), self._write()
        return self._written[1]

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            words = self.tooltip_at(QPointF(event.pos()))
            if words:
                QToolTip.showText(event.globalPos(), plain_text(words), self)
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
            for line in self._shown.lines:
                self._paint_line(painter, line)
            for point in self._shown.points:
                if point.fetched:
                    self._paint_arrow(painter, point)
            written = self.written
            self._paint_roof_words(painter, written)
            self._paint_names(painter, written)
            for point in self._shown.points:
                self._paint_marks(painter, point)
        painter.end()

    @property
    def _below(self) -> QRectF:
        """Where the words below the plane stand."""
        area = self.area
        return QRectF(area.left() - LEFT / 2, area.bottom() + 20, area.width() + LEFT / 2 + RIGHT, 18)

    def _at(self, point: Point) -> QPointF:
        """Where a run's main mark stands: at the bytes that it fetches, where a recording tells them."""
        return self.place_of(point.stand, point.gflops)

    def _ideal(self, point: Point) -> QPointF:
        return self.place_of(point.intensity, point.gflops)

    def _paint_marks(self, painter: QPainter, point: Point) -> None:
        size = STYLES[point.look].size
        if point.fetched:
            ideal = min(size, STYLES[Look.AT_IDEAL].size)
            paint_mark(painter, point.look, Form.DOTS, self._ideal(point), self._theme, ideal, Look.AT_IDEAL)
        paint_mark(painter, point.look, Form.DOTS, self._at(point), self._theme, size, point.inside)

    def _paint_arrow(self, painter: QPainter, point: Point) -> None:
        """From the ideal bytes to those that are fetched, dashed where these are an estimate."""
        start, end = self._ideal(point), self._at(point)
        length = end.x() - start.x()
        if abs(length) < 2 * _OFF_MARK + _ARROW:
            return
        way = 1.0 if length > 0 else -1.0
        tip = QPointF(end.x() - way * _OFF_MARK, end.y())
        colour = QColor(STYLES[point.look].colour(self._theme))
        painter.setPen(QPen(colour, 1.2, Qt.PenStyle.DashLine if point.is_estimate else Qt.PenStyle.SolidLine))
        painter.drawLine(QPointF(start.x() + way * _OFF_MARK, start.y()), tip)
        painter.setPen(QPen(colour, 1.4))
        for up in (-_ARROW / 2, _ARROW / 2):
            painter.drawLine(tip, QPointF(tip.x() - way * _ARROW, tip.y() + up))

    def _write(self) -> Written:
        assert self._shown is not None
        area = self.area
        box: Box = area.left(), area.top(), area.right(), area.bottom()
        name, note = QFontMetricsF(self._fonts.name), QFontMetricsF(self._fonts.note)
        return write(
            self._shown,
            box,
            lambda intensity, gflops: self.place_of(intensity, gflops).toTuple(),
            lambda words: name.horizontalAdvance(words) + 2,
            lambda words: note.horizontalAdvance(words) + 2,
        )

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
        painter.drawText(self._below, int(Qt.AlignmentFlag.AlignCenter) | _FLAGS, self._words_that_fit())
        painter.drawText(QRectF(0, -2, 200, TOP - 8), int(Qt.AlignmentFlag.AlignLeft) | _FLAGS, shown.y.words)

    def _paint_line(self, painter: QPainter, line: RoofLine) -> None:
        assert self._shown is not None
        painter.save()
        painter.setClipRect(self.area)
        path = QPainterPath(self.place_of(self._shown.x.low, line.gb_per_s * self._shown.x.low or line.gflops))
        path.lineTo(self.place_of(max(line.ridge, self._shown.x.low), line.gflops))
        path.lineTo(self.place_of(self._shown.x.high, line.gflops))
        painter.setPen(QPen(QColor(self._theme.text), 1.6))
        painter.drawPath(path)
        painter.restore()

    def _paint_roof_words(self, painter: QPainter, written: Written) -> None:
        painter.setFont(self._fonts.note)
        for label, (left, top, right, bottom) in written.roofs:
            place = QRectF(left, top, right - left, bottom - top)
            self._clear(painter, place)
            painter.setPen(QColor(self._theme.text))
            align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(place, int(align) | _FLAGS, label.words)
        for slope in written.slopes:
            painter.save()
            painter.translate(*slope.start)
            painter.rotate(slope.degrees)
            painter.setPen(QColor(self._theme.text))
            painter.drawText(QPointF(0.0, -6.0), slope.words)
            painter.restore()

    def _paint_names(self, painter: QPainter, written: Written) -> None:
        painter.setPen(QPen(QColor(self._theme.muted), 1.0))
        for label, at in written.names:
            for start, end in lines_to(label, at):
                painter.drawLine(QPointF(*start), QPointF(*end))
        painter.setFont(self._fonts.name)
        for label, (x, y) in written.names:
            self._clear(painter, QRectF(x - 2, y - 8, label.width + 4, 16))
            painter.setPen(QColor(self._theme.text))
            place = QRectF(x, y - 9, label.width, 18)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter) | _FLAGS, label.words)

    def _clear(self, painter: QPainter, place: QRectF) -> None:
        """A ground for words, through which what lies below is seen a little."""
        ground = QColor(self._theme.canvas)
        ground.setAlphaF(0.8)
        painter.fillRect(place, ground)


def _part(axis: Axis, value: float) -> float:
    """Where a value lies on a logarithmic axis, from 0 to 1."""
    return math.log(value / axis.low) / math.log(axis.high / axis.low)


def _with_names(words: str, names: Sequence[str], count: int) -> str:
    """The name of the axis in short, and `count` of the names without room in the plane."""
    more = f" and {len(names) - count} more" if count < len(names) else ""
    also = "" if names[0].startswith("(") else "also: "
    return f"{words.split(',')[0]}  ·  {also}{', '.join(names[:count])}{more}"
