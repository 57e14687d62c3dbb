"""The legend of an error map: the colours with their numbers, and what is wrong or how far below the bound all is."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.domain.figures import number
from gemmviz.explain.figures.error_map import LEVELS, NO_NUMBER
from gemmviz.explain.figures.error_scale import ErrorScale
from gemmviz.gui.looks.error_colours import error_table
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.looks.theme import Theme

_RAMP = 12
_SWATCH = 12.0
_LEAST, _MOST = 160.0, 320.0
_MARKS_WIDTH = 250.0
_MARK, _MARK_BELOW = 122.0, 20.0
"""From one sign to the next, beside and below it."""
_GAP, _APART = 32.0, 12.0
"""Between the colours and the words beside them; between two numbers below the colours, at least."""


class ErrorLegend(QWidget):
    """A ramp from three powers of ten below the bound up to it; or of what is there, and beside it how far below."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._scale = ErrorScale(0.001, 1.0, 1.0)
        self._no_number = NO_NUMBER
        self.setFixedHeight(40)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_scale(self, scale: ErrorScale, no_number: str = NO_NUMBER) -> None:
        """What the colours stand for, and what elements without a number are called."""
        self._scale, self._no_number = scale, no_number
        if scale.is_fitted:
            ends = f"from {number(scale.low)} to {number(scale.high)}, the largest at {scale.share_words}"
        else:
            ends = f"up to the bound {number(scale.bound)}, orange-red above"
        self.setAccessibleName(f"Legend: from pale to dark {ends}")
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(480, 40)

    def numbers(self, width: float) -> list[tuple[QRectF, str]]:
        """Where the numbers below a ramp of a width stand; the ends, and between them those that touch no other."""
        metrics = QFontMetricsF(figures(SMALL))
        texts, found = self._scale.legend, []
        for place, text in enumerate(texts):
            room = metrics.horizontalAdvance(text) + 1.0
            left = min(max(place / (len(texts) - 1) * width - room / 2, 0.0), width - room)
            found.append((QRectF(left, _RAMP + 4, room, 18), text))
        first, *between, last = found
        kept = [first]
        for one in between:
            if kept[-1][0].right() + _APART <= one[0].left() and one[0].right() + _APART <= last[0].left():
                kept.append(one)
        return [*kept, last]

    def marks(self, width: float) -> list[tuple[QPointF, str]]:
        """Where the signs for what is wrong stand beside a ramp of a width, each with its words; below each other where
        there is little room.
        """
        texts, left = ("above the bound", self._no_number), width + _GAP
        metrics = QFontMetricsF(words(SMALL))
        ends = [
            left + place * _MARK + _SWATCH + 6 + metrics.horizontalAdvance(text) for place, text in enumerate(texts)
        ]
        is_wide = ends[-1] <= self.width()
        return [
            (QPointF(left + place * _MARK * is_wide, 0.0 if is_wide else place * _MARK_BELOW), text)
            for place, text in enumerate(texts)
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = max(_LEAST, min(_MOST, self.width() - _MARKS_WIDTH))
        self._paint_ramp(painter, width)
        painter.setFont(words(SMALL))
        if self._scale.is_fitted:
            self._write(painter, QPointF(width + _GAP, -2), "largest error", self._theme.muted)
            self._write(painter, QPointF(width + _GAP, _RAMP + 3), self._scale.share_words, self._theme.text)
        else:
            for number, (corner, text) in enumerate(self.marks(width)):
                self._paint_mark(painter, corner, text, crossed=number > 0)
        painter.end()

    def _paint_ramp(self, painter: QPainter, width: float) -> None:
        table = error_table(self._theme)[:LEVELS]
        ramp = QImage(table.tobytes(), LEVELS, 1, LEVELS * 3, QImage.Format.Format_RGB888)
        painter.drawImage(QRectF(0, 0, width, _RAMP), ramp)
        painter.setPen(QPen(QColor(self._theme.faint), 1.0))
        painter.drawRect(QRectF(0.5, 0.5, width - 1, _RAMP - 1))
        painter.setFont(figures(SMALL))
        painter.setPen(QColor(self._theme.muted))
        for area, text in self.numbers(width):
            painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft) | int(Qt.TextFlag.TextDontClip), text)

    def _paint_mark(self, painter: QPainter, corner: QPointF, text: str, crossed: bool) -> None:
        swatch = QRectF(corner.x(), corner.y(), _SWATCH, _SWATCH)
        painter.fillRect(swatch, QColor(self._theme.hazard))
        painter.setPen(QPen(QColor(self._theme.canvas), 1.5))
        inner = swatch.adjusted(3, 3, -3, -3)
        painter.drawLine(inner.bottomLeft(), inner.topRight())
        if crossed:
            painter.drawLine(inner.topLeft(), inner.bottomRight())
        self._write(painter, QPointF(swatch.right() + 6, swatch.top() - 2), text, self._theme.muted)

    def _write(self, painter: QPainter, corner: QPointF, text: str, colour: str) -> None:
        painter.setPen(QColor(colour))
        area = QRectF(corner.x(), corner.y(), 110, 16)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextDontClip), text)
