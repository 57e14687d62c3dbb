"""What the pictures of both stages share: a caption, a running count, and how far the request has come."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QHelpEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gemmviz.domain.visible_text import visible
from gemmviz.gui.inspector.request_choice import LaneRequest
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.looks.theme import Theme, blend
from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.plain_text import plain_text
from gemmviz.gui.stages.lane_row import Point, control_points
from gemmviz.gui.stages.stage_words import caption_of

HEAD, FOOT, MARGIN = 50.0, 22.0, 16.0
SMALL_HEIGHT = 96
"""Pixels of a small picture: no lanes, no words, always finished."""
_COUNT_POINTS = 17.0
_SMALLEST, _LARGEST, _DIGIT = 5.0, 10.0, 0.8
"""Points of the numbers in boxes, and the pixels that a digit takes for each point."""


class StageCanvas(QWidget):
    """Paints one request as far as it has come. The small form, for narrow columns, has neither lanes nor words."""

    def __init__(self, theme: Theme, is_small: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._is_small, self._magnification = theme, is_small, 1.0
        self._request: LaneRequest | None = None
        self._progress = 0.0
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
    def progress(self) -> float:
        """How many steps are over, the part of the present one included."""
        return self._progress

    @property
    def area(self) -> Box:
        """Where the request is painted, before all is magnified."""
        width, height = self.width() / self._magnification, self.height() / self._magnification
        if self._is_small:
            return Box(0.0, 0.0, width, height)
        return Box(MARGIN, HEAD, max(width - 2 * MARGIN, 64.0), max(height - HEAD - FOOT - 8.0, 64.0))

    @Slot(float)
    def set_progress(self, steps: float) -> None:
        """Show the request after so many of its steps."""
        self._progress = min(max(steps, 0.0), float(self.steps))
        self.update()

    def set_magnification(self, factor: float) -> None:
        """Paint everything, letters too, so many times as large."""
        self._magnification = factor
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
            at = self.stage_point(QPointF(event.pos()))
            tip = self.tip_at(at.x() - self.area.x, at.y() - self.area.y)
            QToolTip.showText(event.globalPos(), plain_text(tip), self)
            return True
        return super().event(event)

    def stage_point(self, pixel: QPointF) -> QPointF:
        """What lies at a pixel of the widget, before all is magnified."""
        return pixel / self._magnification

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._request is None:
            return
        painter.scale(self._magnification, self._magnification)
        if not self._is_small:
            self._head(painter, self._request)
        painter.translate(self.area.x, self.area.y)
        self.paint_request(painter)

    def _head(self, painter: QPainter, request: LaneRequest) -> None:
        """The caption at the left, the running count at the right."""
        theme, room = self._theme, self.width() / self._magnification - 2 * MARGIN
        count, below, is_wrong = self.count_words
        painter.setFont(words(_COUNT_POINTS, QFont.Weight.DemiBold))
        painter.setPen(QColor(theme.hazard if is_wrong else theme.text))
        taken = QFontMetricsF(painter.font()).horizontalAdvance(count)
        painter.drawText(QRectF(MARGIN, 3, room, 26), _RIGHT, count)
        painter.setFont(words(SMALL))
        painter.setPen(QColor(theme.muted))
        metrics = QFontMetricsF(painter.font())
        taken = max(taken, metrics.horizontalAdvance(below))
        if below:
            painter.drawText(QRectF(MARGIN, 29, room, 14), _RIGHT, below)
        caption = metrics.elidedText(visible(caption_of(request)), Qt.TextElideMode.ElideRight, room - taken - 16)
        painter.drawText(QRectF(MARGIN, 3, room, 26), _LEFT, caption)

    def lane_box(self, painter: QPainter, lane: int, box: Box, colour: str, text: str) -> None:
        """Paint a lane."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(rectangle(box), 2, 2)
        self.number(painter, box, str(lane), text)

    def number(self, painter: QPainter, box: Box, text: str, colour: str) -> None:
        """Write a few digits into a box, as large as it allows; nothing where they would not fit."""
        points = min(_LARGEST, box.height * 0.6, (box.width - 2) / (max(len(text), 2) * _DIGIT))
        if points < _SMALLEST:
            return
        painter.setFont(figures(points))
        painter.setPen(QColor(colour))
        painter.drawText(rectangle(box), int(Qt.AlignmentFlag.AlignCenter), text)

    def way(self, painter: QPainter, start: Point, end: Point, colour: str, strength: float) -> None:
        """Draw the way from a lane to its memory; `strength` from 0 (unseen) to 1."""
        one, two = control_points(start, end)
        path = QPainterPath(QPointF(*start))
        path.cubicTo(QPointF(*one), QPointF(*two), QPointF(*end))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(blend(self._theme.panel, colour, strength)), 1.2))
        painter.drawPath(path)

    def legend(self, painter: QPainter, items: list[tuple[str, str, Qt.BrushStyle]]) -> None:
        """What the colours mean, below the picture: colour, words and pattern of each; a line for none."""
        painter.setFont(words(SMALL))
        metrics, x, y = QFontMetricsF(painter.font()), 0.0, self.area.height + 10.0
        for colour, says, pattern in items:
            if pattern is Qt.BrushStyle.NoBrush:
                painter.setPen(QPen(QColor(colour), 1.5))
                painter.drawLine(QPointF(x - 2, y + 8), QPointF(x + 11, y + 8))
            else:
                painter.setPen(QPen(QColor(self._theme.faint), 1.0))
                painter.setBrush(QColor(self._theme.field))
                painter.drawRect(QRectF(x, y + 2, 10, 10))
                painter.setBrush(QBrush(QColor(colour), pattern))
                painter.drawRect(QRectF(x, y + 2, 10, 10))
            painter.setPen(QColor(self._theme.muted))
            wide = metrics.horizontalAdvance(says)
            painter.drawText(QRectF(x + 16, y - 1, wide + 2, 16), _LEFT, says)
            x += wide + 34


def rectangle(box: Box) -> QRectF:
    """The same box for a painter."""
    return QRectF(box.x, box.y, box.width, box.height)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
