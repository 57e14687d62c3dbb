"""What the pictures of both stages share: caption, running count, titles of the rows, legend, progress."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QHelpEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gemmviz.domain.unbroken_text import words_of
from gemmviz.domain.visible_text import visible
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.gui.looks.fonts import NORMAL, SMALL, figures, words
from gemmviz.gui.looks.narrow_text import write_narrow
from gemmviz.gui.looks.projector import LEAST_LABEL, LEAST_WORDS, SCARCE, least_label, projector_scale
from gemmviz.gui.looks.theme import Theme, blend, strengthened
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.text.text_item import lines_that_fit
from gemmviz.gui.stages.lane_row import (
    EVERY_LANE_FROM,
    SMALLEST,
    Point,
    control_points,
    number_points,
    numbered_lanes,
    points_across,
)
from gemmviz.gui.stages.stage_words import captions_of
from gemmviz.gui.widgets.plain_text import plain_text

COUNT_HEIGHT, LINE, FOOT, MARGIN = 29.0, 16.0, 14.0, 16.0
"""Units of the running count, of a line of words at least, of the ground beside the legend, and around all."""
NARROW = 600.0
"""A narrower picture has short titles beside its rows, and a short legend."""
SMALL_HEIGHT = 96
"""Pixels of a small picture: no lanes, no words, always finished."""
_COUNT_POINTS = 17.0
_LEGEND_APART = 18.0
_NARROW_POINTS = 6.5
"""Points of the numbers of lanes of which only some have one."""
POINTS_OF_A_PIXEL = 0.75
LARGER_WORDS = LEAST_WORDS / LEAST_LABEL
"""How much larger words are than the smallest figures in a picture that is read from afar."""
SERVED_LANE = "served lane"
"""In the legend, a lane that has all that it asked for, while others wait."""
PAST_WAY, WAY_CONTRAST = 0.2, 3.0
"""The strength up to which a way is one of the past, and the least contrast of all others."""


class StageCanvas(QWidget):
    """Paints one request as far as it has come. The small form, for narrow columns, has neither lanes nor words.

    On the whole screen, and for `set_magnification`, everything is painted larger: sizes and places are in units.
    """

    gutters = 104.0, 56.0
    """Units for the titles of the rows, left of them, at least; usually and in a narrow picture."""
    longest_title, title_inset = "", 0.0
    """The longest title of a row in a picture that is not narrow, and where titles end, in units right of `area`'s left
    edge."""

    def __init__(self, theme: Theme, is_small: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._is_small = theme, is_small
        self._request: LaneRequest | None = None
        self._progress, self._instead = 0.0, ""
        self._magnification: float | None = None
        self._least_label: float | None = None
        policy = QSizePolicy.Policy
        self.setSizePolicy(policy.Expanding, policy.Fixed if is_small else policy.Expanding)

    @property
    @abstractmethod
    def steps(self) -> int:
        """How many steps the request takes."""

    @property
    @abstractmethod
    def count_words(self) -> tuple[str, str, bool]:
        """The running count, a line below it, and whether the count is more than it should be."""

    @property
    def code(self) -> str:
        """Which code the request that is drawn is of, where a GPU runs another; "" where that makes no difference."""
        return ""

    @abstractmethod
    def tip_at(self, x: float, y: float) -> str:
        """What there is to say of a point; "" for nothing."""

    @abstractmethod
    def paint_request(self, painter: QPainter) -> None:
        """Paint the request; the left upper corner of `area` is the origin."""

    @property
    def request(self) -> LaneRequest | None:
        """What is shown."""
        return self._request

    @property
    def instead(self) -> str:
        """What is written where no request is shown."""
        return self._instead

    def say_instead(self, words: str) -> None:
        """Write this as long as no request is shown."""
        self._instead = words
        self.update()

    @property
    def progress(self) -> float:
        """How many steps are over, the part of the present one included."""
        return self._progress

    @property
    def theme(self) -> Theme:
        """Whose colours it has."""
        return self._theme

    @property
    def scale(self) -> float:
        """Pixels of a unit."""
        return self._magnification or projector_scale(self)

    @property
    def least_label(self) -> float:
        """Pixels of the smallest labels where they are read from afar; 0 in a window."""
        return self._least_label if self._least_label is not None else least_label(self)

    def points(self, usual: float) -> float:
        """The size of small type: as usual in a window, and as large as it is read from afar on the whole screen."""
        return max(usual, ceil(self.least_label / self.scale - 1e-6) * POINTS_OF_A_PIXEL)

    @property
    def least_number(self) -> float:
        """Points in which the smallest numbers fit their boxes: on the whole screen those of labels SCARCE as wide."""
        return max(SMALLEST, self.points(SMALLEST) * SCARCE)

    def words_points(self, usual: float) -> float:
        """The size of words that have room to be larger than figures in boxes where they are read from afar."""
        return self.points(usual) * (LARGER_WORDS if self.least_label else 1.0)

    def set_magnification(self, factor: float | None, least_label: float | None = None) -> None:
        """Paint everything, letters too, `factor` times as large; None: as large as suits the window, and so with the
        pixels of the smallest labels.

        Raises:
            ValueError: the factor is not positive.
        """
        if factor is not None and not factor > 0.0:
            raise ValueError(f"magnification {factor:g}: choose a positive factor")
        self._magnification, self._least_label = factor, least_label
        self.update()

    @property
    def is_narrow(self) -> bool:
        """Whether there is little width."""
        return self.width() / self.scale < NARROW

    @property
    def gutter(self) -> float:
        """Units left of the request for the titles of its rows, each in one line unless the picture is narrow."""
        least = self.gutters[self.is_narrow] * (LARGER_WORDS if self.least_label else 1.0)
        if self.is_narrow:
            return least
        longest = QFontMetricsF(words(self.words_points(SMALL))).horizontalAdvance(self.longest_title)
        return max(least, longest + 1.0 - MARGIN / 2 - self.title_inset)

    @property
    def line(self) -> float:
        """Units of a line of words, higher where type is larger."""
        return max(LINE, QFontMetricsF(words(self.words_points(NORMAL))).height())

    @property
    def area(self) -> Box:
        """Where the request is painted, without the titles of its rows; in units."""
        width, height = self.width() / self.scale, self.height() / self.scale
        if self._is_small:
            return Box(0.0, 0.0, width, height)
        gutter = self.gutter
        head = COUNT_HEIGHT + self.line + 5.0
        across, down = width - 2 * MARGIN - gutter, height - head - self.line - FOOT
        return Box(MARGIN + gutter, head, max(across, 64.0), max(down, 64.0))

    def place_at(self, at: QPointF) -> tuple[float, float]:
        """Where a point of the widget is in `area`."""
        return at.x() / self.scale - self.area.x, at.y() / self.scale - self.area.y

    @Slot(float)
    def set_progress(self, steps: float) -> None:
        """Show the request after so many of its steps."""
        self._progress = min(max(steps, 0.0), float(self.steps))
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(288, SMALL_HEIGHT) if self._is_small else QSize(720, 380)

    def minimumSizeHint(self) -> QSize:
        return QSize(154, SMALL_HEIGHT) if self._is_small else QSize(300, 190)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tip = self.tip_at(*self.place_at(QPointF(event.pos())))
            QToolTip.showText(event.globalPos(), plain_text(tip), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self.scale, self.scale)
        if self._request is None:
            painter.setFont(words(self.words_points(NORMAL)))
            painter.setPen(QColor(self._theme.text if self.least_label else self._theme.muted))
            room = QRectF(0.0, 0.0, self.width() / self.scale, self.height() / self.scale).adjusted(48, 0, -48, 0)
            painter.drawText(room, _CENTRE, self._instead)
            return
        if not self._is_small:
            self._head(painter, self._request)
        painter.translate(self.area.x, self.area.y)
        self.paint_request(painter)

    def _head(self, painter: QPainter, request: LaneRequest) -> None:
        """The caption at the left, the running count at the right."""
        theme, room = self._theme, self.width() / self.scale - 2 * MARGIN
        count, below, is_wrong = self.count_words
        painter.setFont(words(_COUNT_POINTS, QFont.Weight.DemiBold))
        painter.setPen(QColor(theme.hazard if is_wrong else theme.text))
        taken = QFontMetricsF(painter.font()).horizontalAdvance(count)
        painter.drawText(QRectF(MARGIN, 3, room, 26), _RIGHT, count)
        painter.setFont(words(self.words_points(NORMAL)))
        painter.setPen(QColor(theme.muted))
        metrics = QFontMetricsF(painter.font())
        taken = max(taken, metrics.horizontalAdvance(below))
        if below:
            painter.drawText(QRectF(MARGIN, COUNT_HEIGHT, room, self.line), _RIGHT, below)
        apart = self.line + 1.0
        for number, line in enumerate(self.caption_lines(request, metrics, room - taken - 16, self.code)):
            painter.drawText(QRectF(MARGIN, 7 + number * apart, room, apart), _LEFT, line)

    @staticmethod
    def caption_lines(request: LaneRequest, metrics: QFontMetricsF, room: float, code: str = "") -> list[str]:
        """What the request is, in two lines at most: in fewer words where these have no room, else cut."""
        for caption in captions_of(request, code):
            lines = lines_that_fit(words_of(visible(caption)), metrics.horizontalAdvance, room, 2)
            if all(metrics.horizontalAdvance(line) <= room for line in lines):
                break
        return [metrics.elidedText(line, Qt.TextElideMode.ElideRight, room) for line in lines]

    def paint_lanes(self, painter: QPainter, boxes: Sequence[Box], colours: Sequence[tuple[str, str]]) -> None:
        """Paint the lanes, each in the colours of its box and its number; of narrow ones some have a number."""
        painter.setPen(Qt.PenStyle.NoPen)
        for box, (colour, _) in zip(boxes, colours, strict=True):
            painter.setBrush(QColor(colour))
            painter.drawRoundedRect(rectangle(box), 2, 2)
        for lane in numbered_lanes(boxes):
            box, (_, ink) = boxes[lane], colours[lane]
            if box.width >= EVERY_LANE_FROM:
                self.number(painter, box, str(lane), ink)
                continue
            painter.setFont(figures(self.points(_NARROW_POINTS)))
            metrics = QFontMetricsF(painter.font())
            wide, high = metrics.horizontalAdvance(str(lane)), metrics.capHeight() + 4.0
            ground = Box(box.middle_x - wide / 2, box.middle_y - high / 2, wide, high)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours[lane][0]))
            painter.drawRect(rectangle(ground))  # the number is read on its lane, not on the gaps beside
            painter.setPen(QColor(ink))
            painter.drawText(rectangle(ground), int(Qt.AlignmentFlag.AlignCenter), str(lane))

    def number(self, painter: QPainter, box: Box, text: str, colour: str) -> None:
        """Write a few digits into a box, as large as it allows; on the whole screen narrower sooner than smaller than
        labels. Nothing where they would not fit.
        """
        points = number_points(box, text, self.least_number)
        if not points:
            return
        least = self.points(SMALLEST)
        painter.setFont(figures(max(points, least)))
        painter.setPen(QColor(colour))
        write_narrow(painter, rectangle(box), text, min(points_across(box, text) / least, 1.0))

    def way(self, painter: QPainter, start: Point, end: Point, colour: str, strength: float) -> None:
        """Draw the way from a lane to its memory; `strength` from 0 (unseen) to 1."""
        one, two = control_points(start, end)
        path = QPainterPath(QPointF(*start))
        path.cubicTo(QPointF(*one), QPointF(*two), QPointF(*end))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(way_colour(self._theme, colour, strength)), 1.2))
        painter.drawPath(path)

    def title(self, painter: QPainter, says: str, right: float, middle_y: float) -> None:
        """Write what a row is, left of it; in two lines where it is longer than the gutter."""
        painter.setFont(words(self.words_points(SMALL)))
        painter.setPen(QColor(self._theme.muted))
        left = -self.gutter - MARGIN / 2
        high = 2 * QFontMetricsF(painter.font()).lineSpacing()
        room = QRectF(left, middle_y - high / 2, max(right - left, 8.0), high)
        painter.drawText(room, _RIGHT | int(Qt.TextFlag.TextWordWrap), says)

    def upright_title(self, painter: QPainter, says: str, x: float, top: float, bottom: float) -> None:
        """Write what rows count, upwards, half-way from `top` to `bottom`; nothing where it does not fit."""
        painter.setFont(words(self.words_points(SMALL)))
        if QFontMetricsF(painter.font()).horizontalAdvance(says) > bottom - top:
            return
        painter.save()
        painter.setPen(QColor(self._theme.muted))
        painter.translate(x, (top + bottom) / 2)
        painter.rotate(-90)
        painter.drawText(QRectF(-(bottom - top) / 2, -10, bottom - top, 20), int(Qt.AlignmentFlag.AlignCenter), says)
        painter.restore()

    @property
    @abstractmethod
    def legend_items(self) -> list[LegendItem]:
        """What the colours of the picture mean as it is painted now."""

    def legend(self, painter: QPainter) -> None:
        """Write that below the picture, in smaller letters and in the short form where it has no room."""
        left, y = MARGIN - self.area.x, self.area.height + 10.0
        items, room, small = self.legend_items, self.area.width - left, self.points(SMALL)
        for points, is_short in ((self.words_points(NORMAL), False), (small, False), (small, True)):
            painter.setFont(words(points))
            metrics, x = QFontMetricsF(painter.font()), left
            said = [item.short if is_short else item.words for item in items]
            kept = {*said, SERVED_LANE} if self.steps > 1 else said  # no letters change their size on the way
            if sum(metrics.horizontalAdvance(says) + 16 + _LEGEND_APART for says in kept) <= room + _LEGEND_APART:
                break
        for item, says in zip(items, said, strict=True):
            box = QRectF(x + 0.5, y + (self.line - 11.0) / 2, 10, 10)
            painter.setPen(QPen(QColor(item.edge or self._theme.faint), 1.0, item.line))
            painter.setBrush(QColor(self._theme.field))
            painter.drawRect(box)
            painter.setBrush(QBrush(QColor(item.colour), item.pattern))
            painter.drawRect(box)
            painter.setPen(QColor(self._theme.muted))
            across = metrics.horizontalAdvance(says)
            painter.drawText(QRectF(x + 16, y - 1, across + 2, self.line), _LEFT, says)
            x += 16 + across + _LEGEND_APART


@dataclass(frozen=True, slots=True)
class LegendItem:
    """A colour with its words, longer and shorter; its pattern, and the colour ("" for faint) and style of its edge."""

    colour: str
    words: str
    short: str
    pattern: Qt.BrushStyle = Qt.BrushStyle.SolidPattern
    edge: str = ""
    line: Qt.PenStyle = Qt.PenStyle.SolidLine


def served_lane(theme: Theme, colour: str) -> str:
    """The colour of a lane that has all that it asked for, of lanes of this colour."""
    return blend(theme.panel, colour, 0.35)


def rectangle(box: Box) -> QRectF:
    """The same box for a painter."""
    return QRectF(box.x, box.y, box.width, box.height)


_CENTRE = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@cache
def way_colour(theme: Theme, colour: str, strength: float) -> str:
    """The colour of a way; one that is not of the past (`PAST_WAY`) has a contrast of WAY_CONTRAST in either theme."""
    found = blend(theme.panel, colour, strength)
    return found if strength <= PAST_WAY else strengthened(theme, found, WAY_CONTRAST)
