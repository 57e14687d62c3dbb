"""The slider of the player: a click goes where it is made; barriers and hazards are marked on it."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QStyle, QStyleOptionSlider, QWidget

from gemmviz.explain.requests.frame_facts import NO_MARKS, FrameMarks
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.player.slider_marks import marks_words, signs, ticks
from gemmviz.gui.widgets.allowed import set_tip
from gemmviz.gui.widgets.fields import Slider

TIP = "Frame: drag it, click on it, or use the arrow keys"
_TICK_TOP, _TICK_LENGTH = 4.0, 4.0
_SIGN = 4.0


class FrameSlider(Slider):
    """Frames from left to right. Barriers are short lines below, hazards triangles above; another picture's hollow."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = LIGHT
        self._marks = NO_MARKS
        self.setRange(0, 0)
        self.set_marks(NO_MARKS)

    def set_count(self, count: int) -> None:
        """So many frames; the place stays if it is still there."""
        self.setRange(0, max(count - 1, 0))
        self.setPageStep(max(count // 10, 1))

    def set_marks(self, marks: FrameMarks) -> None:
        """Mark these frames, and say in the tooltip what the marks stand for."""
        self._marks = marks
        set_tip(self, "\n".join((TIP, *marks_words(marks))))
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def place(self, frame: int) -> float:
        """Where the middle of the handle stands for a frame, in pixels from the left."""
        left, span = self._span()
        return left + span * frame / max(self.maximum(), 1)

    def frame_at(self, x: float) -> int:
        """The frame whose place is nearest."""
        left, span = self._span()
        return min(max(round((x - left) / max(span, 1) * self.maximum()), 0), self.maximum())

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), 28)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 28)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self.setSliderDown(True)
        self.setSliderPosition(self.frame_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.setSliderPosition(self.frame_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(False)
        else:
            super().mouseReleaseEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self._part(QStyle.SubControl.SC_SliderHandle).center().y() + 0.5
        painter.setPen(QPen(QColor(self._theme.faint), 1.0))
        for x in ticks(self._marks.barriers, self.place):
            painter.drawLine(QLineF(x, middle + _TICK_TOP, x, middle + _TICK_TOP + _TICK_LENGTH))
        painter.end()
        super().paintEvent(event)  # the handle lies over the ticks, and hazards over everything
        painter.begin(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.hazard))
        top = middle - 12.0
        for x in signs(self._marks.hazards, self.place, 2 * _SIGN):
            painter.drawPolygon(
                QPolygonF([QPointF(x - _SIGN, top), QPointF(x + _SIGN, top), QPointF(x, top + 1.5 * _SIGN)])
            )
        painter.setPen(QPen(QColor(self._theme.hazard), 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        half, low = _SIGN - 1.0, top + 0.5
        for x in signs(self._marks.beside, self.place, 2 * _SIGN):
            painter.drawPolygon(QPolygonF([QPointF(x - half, low), QPointF(x + half, low), QPointF(x, low + 4.5)]))
        painter.end()

    def _span(self) -> tuple[float, float]:
        """The place of the first frame and the pixels to that of the last."""
        groove, handle = self._part(QStyle.SubControl.SC_SliderGroove), self._part(QStyle.SubControl.SC_SliderHandle)
        return groove.left() + handle.width() / 2, max(groove.width() - handle.width(), 1)

    def _part(self, part: QStyle.SubControl) -> QRect:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        return self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self)
