"""The legend of an error map: the colours with their numbers, and the marks of what is wrong."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.domain.figures import number
from gemmviz.gui.charts.error_colours import error_table
from gemmviz.gui.charts.error_map_figure import LEVELS, NO_NUMBER, legend_values, legend_words
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.looks.theme import Theme

_RAMP = 12
_SWATCH = 12.0
_MOST = 320.0
_MARKS_WIDTH = 250.0


class ErrorLegend(QWidget):
    """A ramp from three powers of ten below the bound up to it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._bound = 1.0
        self._no_number = NO_NUMBER
        self.setFixedHeight(40)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_bound(self, bound: float, no_number: str = NO_NUMBER) -> None:
        """The bound that the scale ends at, and what elements without a number are called."""
        self._bound, self._no_number = bound, no_number
        self.setAccessibleName(f"Legend: from pale to dark up to the bound {number(bound)}, vermilion above")
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(480, 40)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = max(120.0, min(_MOST, self.width() - _MARKS_WIDTH))
        self._paint_ramp(painter, width)
        painter.setFont(words(SMALL))
        for place, (text, crossed) in enumerate((("above the bound", False), (self._no_number, True))):
            self._paint_mark(painter, QPointF(width + 32.0 + place * 122.0, 0.0), text, crossed)
        painter.end()

    def _paint_ramp(self, painter: QPainter, width: float) -> None:
        table = error_table(self._theme)[:LEVELS]
        ramp = QImage(table.tobytes(), LEVELS, 1, LEVELS * 3, QImage.Format.Format_RGB888)
        painter.drawImage(QRectF(0, 0, width, _RAMP), ramp)
        painter.setPen(QPen(QColor(self._theme.faint), 1.0))
        painter.drawRect(QRectF(0.5, 0.5, width - 1, _RAMP - 1))
        painter.setFont(figures(SMALL))
        painter.setPen(QColor(self._theme.muted))
        values = legend_values(self._bound)
        for place, value in enumerate(values):
            x = place / (len(values) - 1) * width
            text, left, align = legend_words(value), x - 50, Qt.AlignmentFlag.AlignHCenter
            if place == 0:
                left, align = 0.0, Qt.AlignmentFlag.AlignLeft
            elif place == len(values) - 1:
                text, left, align = f"bound {text}", width - 100, Qt.AlignmentFlag.AlignRight
            painter.drawText(QRectF(left, _RAMP + 4, 100, 18), int(align), text)

    def _paint_mark(self, painter: QPainter, corner: QPointF, text: str, crossed: bool) -> None:
        swatch = QRectF(corner.x(), 0.0, _SWATCH, _SWATCH)
        painter.fillRect(swatch, QColor(self._theme.hazard))
        painter.setPen(QPen(QColor(self._theme.canvas), 1.5))
        inner = swatch.adjusted(3, 3, -3, -3)
        painter.drawLine(inner.bottomLeft(), inner.topRight())
        if crossed:
            painter.drawLine(inner.topLeft(), inner.bottomRight())
        painter.setPen(QColor(self._theme.muted))
        area = QRectF(swatch.right() + 6, -2, 110, 16)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextDontClip), text)
