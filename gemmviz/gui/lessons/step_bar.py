"""How far a lesson has come: one dash per step, a click goes there."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.plain_text import plain_text

DASH, GAP, HEIGHT = 28, 6, 5
LEAST_DASH, LEAST_GAP = 8, 3
"""Of many steps in a narrow head: of a width that still can be clicked."""


class StepBar(QWidget):
    """Paints the dashes; those done and the current one in the accent."""

    chosen = Signal(int)
    """The step whose dash was clicked, from 0."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lessonSteps")
        self._theme, self._count, self._current = theme, 0, 0
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_step(self, current: int, count: int) -> None:
        """The step that is shown, from 0, of how many."""
        self._current, self._count = current, count
        said = f"Step {current + 1} of {count}"
        self.setAccessibleName(said)
        self.setToolTip(plain_text(f"{said}. Click a dash to go to its step."))
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._count * (DASH + GAP), 20)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._count * (LEAST_DASH + LEAST_GAP), 20)

    def dash(self, place: int) -> QRectF:
        """Where the dash of a step is, from 0; all lie within the bar, shorter where it is too narrow for long ones."""
        pitch = min(DASH + GAP, self.width() / max(self._count, 1))
        gap = max(min(GAP, pitch * GAP / (DASH + GAP)), LEAST_GAP)
        return QRectF(place * pitch, (self.height() - HEIGHT) / 2, pitch - gap, HEIGHT)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        pitch = self.dash(1).x()
        place = int(event.position().x() // pitch)
        if event.button() == Qt.MouseButton.LeftButton and 0 <= place < self._count:
            self.chosen.emit(place)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for place in range(self._count):
            painter.setBrush(QColor(self._theme.accent if place <= self._current else self._theme.line))
            painter.drawRoundedRect(self.dash(place), HEIGHT / 2, HEIGHT / 2)
