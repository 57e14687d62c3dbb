"""The roofline, painted: two logarithmic axes, roofs as lines with their words, marks, an arrow and a name for runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gemmviz.explain.figures.roofline.roofline import RoofLine, Roofline, RooflinePoint
from gemmviz.gui.charts.plot.fonts import plot_fonts
from gemmviz.gui.charts.roofline.axes import LEFT, TOP, paint_axes, part_of
from gemmviz.gui.charts.roofline.key import (
    last_to_begin_with,
    line_count,
    lines_in_sight,
    lines_of,
    listed_lines,
    run_on_lines,
)
from gemmviz.gui.charts.roofline.labels import Box
from gemmviz.gui.charts.roofline.marks import paint_arrow, paint_main, part_of_size
from gemmviz.gui.charts.roofline.names import lines_to
from gemmviz.gui.charts.roofline.number_badge import is_number, paint_listed, paint_number
from gemmviz.gui.charts.roofline.painted_words import paint_lit_names, paint_roof_words
from gemmviz.gui.charts.roofline.plane_text import BETWEEN, MARK, Written, key_words, write
from gemmviz.gui.charts.roofline.pointing import ListedLine, names_at
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.plain_text import plain_text

RIGHT, BOTTOM = 24.0, 44.0
TOP_LOW, BOTTOM_LOW, _LOW = 18.0, 38.0, 260.0
"""Above and below the plane of a plot that is lower than `_LOW`."""
_LINE, _MOST_LINES, _GOOD_PLANE = 15.0, 5, 120.0
"""Each further line below the plane, as many as there may be, and what they leave of the plane."""
_LOW_PLANE, _WIDE, _LIST, _OFF_PLANE = 220.0, 560.0, 206.0, 10.0
"""Where lines below would leave a plane lower than this, in a plot as wide as this, their names stand in a list beside
the plane instead: as wide as this, and so far off the plane.
"""
_LEAST_HEIGHT = 190
"""Pixels: the plane is then 134 high."""
_NEAR = 12.0
"""Pixels from a mark at which its tooltip comes."""
_STEPPED_BACK, _FAINT = 0.25, 0.45
"""How much of a run's marks is seen while the mouse is at those of another one, and how much of its arrow where there
are more than `_FEW_ARROWS`.
"""
_FEW_ARROWS = 3
_FLAGS = int(Qt.TextFlag.TextDontClip)


class RooflinePlot(QWidget):
    """Shows a Roofline."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._fonts = theme, plot_fonts()
        self._shown: Roofline | None = None
        self._written: tuple[QSize, Written] | None = None
        self._lines, self._list_width = 1, 0.0
        self._first_listed = 0
        self._lit: tuple[RooflinePoint, ...] = ()
        self.setMouseTracking(True)
        self.setObjectName("rooflinePlot")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_roofline(self, roofline: Roofline) -> None:
        """Show this one in place of the last."""
        self._shown, self._written, self._first_listed, self._lit = roofline, None, 0, ()
        self.update()

    def set_large(self, wanted: bool) -> None:
        """Have larger small words, as for the whole screen."""
        self._fonts = plot_fonts(large=wanted)
        self._written = None
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(560, 420)

    def minimumSizeHint(self) -> QSize:
        return QSize(280, _LEAST_HEIGHT)

    @property
    def area(self) -> QRectF:
        """The plane between the axes, in pixels."""
        top, bottom = (TOP, BOTTOM) if self.height() >= _LOW else (TOP_LOW, BOTTOM_LOW)
        bottom += _LINE * (self._lines - 1)
        right = self._list_width or RIGHT
        return QRectF(LEFT, top, max(self.width() - LEFT - right, 40.0), max(self.height() - top - bottom, 14.0))

    def place_of(self, intensity: float, gflops: float) -> QPointF:
        """The pixel of a point of the plane."""
        assert self._shown is not None
        area = self.area
        x, y = part_of(self._shown.x, intensity), part_of(self._shown.y, gflops)
        return QPointF(area.left() + x * area.width(), area.bottom() - y * area.height())

    def point_at(self, place: QPointF) -> RooflinePoint | None:
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
        """What is said of the mark nearest to a pixel, with the names of those that it covers; of the words below or
        beside the plane, all of them; "" where there is nothing to say.
        """
        is_key = self._below.contains(place) or self._beside.contains(place)
        if self._shown is not None and self.written.left_out and is_key:
            return self.words_below
        point = self.point_at(place)
        if point is None or self._shown is None:
            return ""
        at = self._at(point).toTuple()
        others = [
            one.name
            for one in self._shown.points
            if one is not point and math.dist(self._at(one).toTuple(), at) <= MARK
        ]
        return point.tooltip + (f"\nalso here: {', '.join(others)}" if others else "")

    @property
    def words_below(self) -> str:
        """The name of the axis; where marks found no room for theirs, in short, and behind it their names."""
        return BETWEEN.join(self._parts_below(self.written)) if self._shown is not None else ""

    @property
    def lines_below(self) -> tuple[str, ...]:
        """The words below the plane in as many lines as it leaves them, and how many names have no room."""
        parts = self._parts_below(self.written)
        return lines_of(parts[:1] if self._list_width else parts, self._fits, self._lines)

    @property
    def lines_beside(self) -> tuple[str, ...]:
        """The list of names beside a low plane; () where they stand below it. Each number begins a line where that has
        room; else they follow one another.

        The wheel scrolls a list that is too long, number by number; its last line then says so.
        """
        return lines_in_sight(self._all_listed, self._first_listed, self._most_listed)

    @property
    def _all_listed(self) -> tuple[tuple[str, ...], ...]:
        parts = key_words(self.written)
        if not self._list_width or not parts:
            return ()
        listed = listed_lines(parts, self._fits_list)
        if sum(map(len, listed)) <= self._most_listed:
            return listed
        run_on = run_on_lines(parts, self._fits_list)
        return (run_on,) if len(run_on) <= self._most_listed else listed

    def _parts_below(self, written: Written) -> list[str]:
        """The name of the axis, then for each number its names; those without a number come last."""
        assert self._shown is not None
        words = self._shown.x.words
        return [words.split(",")[0], *key_words(written)] if written.left_out else [words]

    def _fits(self, words: str) -> bool:
        return QFontMetricsF(self._fonts.note).horizontalAdvance(words) <= self._below.width()

    def _fits_list(self, words: str) -> bool:
        return QFontMetricsF(self._fonts.note).horizontalAdvance(words) <= self._beside.width()

    @property
    def _most_listed(self) -> int:
        """How many lines have room beside the plane."""
        return max(1, int(self._beside.height() / self._list_line))

    @property
    def _list_line(self) -> int:
        """The height of a line of the list, in whole pixels: so are letters placed."""
        return math.ceil(QFontMetricsF(self._fonts.note).lineSpacing())

    @property
    def written(self) -> Written:
        """The words in the plane and where they stand. The plane leaves room for the names that are listed below or
        beside it.
        """
        if self._written is None or self._written[0] != self.size():
            most = min(1 + int((self.height() - TOP - BOTTOM - _GOOD_PLANE) / _LINE), _MOST_LINES)
            self._lines, self._list_width, needed = 0, 0.0, 1
            while self._lines < min(needed, max(most, 1)):
                self._lines = min(needed, max(most, 1))
                found = self._write()
                needed = line_count(self._parts_below(found), self._fits, _MOST_LINES)
            has_no_room = needed > min(self._lines, 2)  # a line of names below the axis leaves a low plane its height
            if has_no_room and self.area.height() < _LOW_PLANE and self.width() >= _WIDE:
                self._lines, self._list_width = 1, _OFF_PLANE + _LIST
                found = self._write(with_names=False)  # which would lie among lines and arrows
                if len(found.keys) < len(set(found.left_out)):
                    found = self._write()
            self._written, self._first_listed = (self.size(), found), 0
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

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._light(self.points_meant(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._light(())

    def points_meant(self, place: QPointF) -> tuple[RooflinePoint, ...]:
        """The runs that a pixel is about: the one whose mark is near, else those whose name or number is there."""
        if self._shown is None:
            return ()
        point = self.point_at(place)
        if point is not None:
            return (point,)
        width = QFontMetricsF(self._fonts.note).horizontalAdvance
        names = names_at(place.toTuple(), self.written, self._listed, self._list_line, width)
        return tuple(one for one in self._shown.points if one.name in names and not one.is_quiet)

    def light_run(self, place: int) -> None:
        """Let the marks of the run at a place stand out; of no run for -1."""
        points = self._shown.points if self._shown is not None else ()
        self._light(tuple(point for point in points if point.place == place))

    def _light(self, points: tuple[RooflinePoint, ...]) -> None:
        """Let the marks of these runs stand out with their arrows and names, and the others step back."""
        if list(map(id, points)) != list(map(id, self._lit)):
            self._lit = points
            self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        parts, most = self._all_listed, self._most_listed
        is_whole = sum(map(len, parts)) <= most
        if is_whole or not self._beside.contains(event.position()):
            event.ignore()
            return
        steps = -round(event.angleDelta().y() / 120.0 * 3)
        self._first_listed = min(max(self._first_listed + steps, 0), last_to_begin_with(parts, most))
        event.accept()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.canvas))
        if self._shown is not None:
            written = self.written
            paint_axes(painter, self._shown, self.area, self._fonts, self._theme)
            self._paint_keys(painter)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for _, (left, top, right, bottom) in written.roofs:  # below the lines: no roof seems to begin behind words
                self._clear(painter, QRectF(left, top, right - left, bottom - top))
            for line in self._shown.lines:
                self._paint_line(painter, line)
            self._paint_arrows(painter, self._shown.points)
            paint_roof_words(painter, written, self._fonts, self._theme)
            self._paint_names(painter, written)
            part = part_of_size([self._at(point).toTuple() for point in self._shown.points])
            for point in sorted(self._shown.points, key=lambda one: (self._is_lit(one), not one.is_quiet)):
                painter.setOpacity(self._opacity_of(point))
                shown = replace(point, is_quiet=False) if self._is_lit(point) else point
                paint_main(painter, shown, self._at(point), part, self._theme)
            lit = [(point, self._at(point)) for point in self._lit]
            room = self.area.adjusted(0.0, 0.0, RIGHT, 0.0)
            paint_lit_names(painter, lit, written, room, self._fonts, self._theme)
        painter.end()

    def _opacity_of(self, point: RooflinePoint) -> float:
        return 1.0 if not self._lit or self._is_lit(point) else _STEPPED_BACK

    def _is_lit(self, point: RooflinePoint) -> bool:
        return any(point is one for one in self._lit)

    @property
    def _below(self) -> QRectF:
        """Where the words below the plane stand."""
        area = self.area
        return QRectF(
            area.left() - LEFT / 2, area.bottom() + 20, area.width() + LEFT / 2 + RIGHT, 18 + _LINE * (self._lines - 1)
        )

    @property
    def _beside(self) -> QRectF:
        """Where the list of names stands, empty where there is none."""
        if not self._list_width:
            return QRectF()
        return QRectF(self.area.right() + _OFF_PLANE, 0.0, _LIST, float(self.height()))

    def _at(self, point: RooflinePoint) -> QPointF:
        """Where a run's main mark stands: at the bytes that it moves, where a recording tells them."""
        return self.place_of(point.stand, point.gflops)

    def _ideal(self, point: RooflinePoint) -> QPointF:
        return self.place_of(point.intensity, point.gflops)

    def _write(self, *, with_names: bool = True) -> Written:
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
            with_names=with_names,
        )

    def _paint_keys(self, painter: QPainter) -> None:
        """The name of the axis below the plane, and the names of numbers there or beside the plane."""
        for line in self._listed:
            paint_listed(painter, line.left, line.middle, line.words, self._theme)

    @property
    def _listed(self) -> list[ListedLine]:
        """The lines below the plane and those beside it."""
        below, beside, high = self._below, self._beside, self._list_line
        width, lines = QFontMetricsF(self._fonts.note).horizontalAdvance, self.lines_below
        top, centre = below.center().y() - len(lines) * high / 2, below.center().x()
        return [
            *(
                ListedLine(words, round(centre - width(words) / 2), top + (row + 0.5) * high)
                for row, words in enumerate(lines)
            ),
            *(ListedLine(words, beside.left(), (row + 0.5) * high) for row, words in enumerate(self.lines_beside)),
        ]

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

    def _paint_names(self, painter: QPainter, written: Written) -> None:
        painter.setPen(QPen(QColor(self._theme.muted), 1.0))
        for label, at in written.names:
            for start, end in lines_to(label, at):
                painter.drawLine(QPointF(*start), QPointF(*end))
        painter.setFont(self._fonts.name)
        for label, (x, y) in written.names:
            if is_number(label):
                paint_number(painter, label, (x, y), self._theme)
                continue
            self._clear(painter, QRectF(x - 2, y - 8, label.width + 4, 16))
            painter.setPen(QColor(self._theme.text))
            place = QRectF(x, y - 9, label.width, 18)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter) | _FLAGS, label.words)

    def _paint_arrows(self, painter: QPainter, points: Sequence[RooflinePoint]) -> None:
        """The arrows of marks that do not stand back, and of those that stand out; many are faint."""
        wanted = [one for one in points if one.moved and (self._is_lit(one) or not one.is_quiet)]
        strength = _FAINT if len(wanted) > _FEW_ARROWS else 1.0
        for point in wanted:
            painter.setOpacity(1.0 if self._is_lit(point) else min(strength, self._opacity_of(point)))
            paint_arrow(painter, point, self._ideal(point), self._at(point), self._theme)
        painter.setOpacity(1.0)

    def _clear(self, painter: QPainter, place: QRectF) -> None:
        """A ground for words, through which what lies below is seen a little."""
        ground = QColor(self._theme.canvas)
        ground.setAlphaF(0.8)
        painter.fillRect(place, ground)
