"""What the colours of blocks stand for, the first wave to the last or the first SM to the last, and the hatching."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.explain.runs.block_schedule import ColourBy, ScheduleFigure
from gemmviz.gui.looks.fonts import NORMAL, words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.schedule.colours import WAVE_SHADES, group_colours

_HEIGHT, _SWATCH, _GAP = 20, 12.0, 6.0
_MOST_SWATCHES = 12
_RAMP = 144.0


class ScheduleLegend(QWidget):
    """One line of swatches."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self._figure: ScheduleFigure | None = None
        self._by = ColourBy.WAVE

    def show_figure(self, figure: ScheduleFigure | None, by: ColourBy) -> None:
        """The legend of a schedule."""
        self._figure, self._by = figure, by
        hatching = self.hatching()
        self.setAccessibleName(" ".join(self.ends()) + (f", hatched: {hatching}" if hatching else ""))
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, _HEIGHT)

    def ends(self) -> tuple[str, str]:
        """The words at both ends of the swatches; the second is "" where there is only one group."""
        count = self._figure.group_count(self._by) if self._figure is not None else 0
        if self._by is ColourBy.WAVE and count > len(WAVE_SHADES):
            return "waves 1, 2, 3", f"then the same shades again, up to wave {count}"
        if self._by is ColourBy.WAVE:
            return "wave 1", f"wave {count}" if count > 1 else ""
        return ("SM 0", f"SM {count - 1}" if count > 1 else "")

    def hatching(self) -> str:
        """What hatching stands for; "" where there is none."""
        if self._figure is None:
            return ""
        found = self._figure.found
        if found.tail.ns:
            return f"tail: an SM has no work left{', or never had any' if found.units_idle else ''}"
        return "an SM that never had any work" if found.units_idle else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if self._figure is None:
            return
        painter = QPainter(self)
        painter.setFont(words(NORMAL))
        metrics = QFontMetricsF(painter.font())
        first, last = self.ends()
        middle = self.height() / 2
        x = self._write(painter, metrics, 0.0, first)
        count = self._figure.group_count(self._by)
        shown_of = min(count, len(WAVE_SHADES)) if self._by is ColourBy.WAVE else count
        colours = group_colours(self._theme, self._by, shown_of)
        size = _SWATCH if len(colours) <= _MOST_SWATCHES else max(_RAMP / len(colours), 1.0)
        painter.setPen(Qt.PenStyle.NoPen)
        shown = colours if len(colours) <= _RAMP else colours[:: -(-len(colours) // int(_RAMP))]
        for colour in shown:
            painter.fillRect(QRectF(x, middle - _SWATCH / 2, size, _SWATCH), QColor(colour))
            x += size + (1.0 if size == _SWATCH else 0.0)
        x = self._write(painter, metrics, x + _GAP, last) + 2 * _GAP
        hatching = self.hatching()
        if hatching:
            area = QRectF(x, middle - _SWATCH / 2, 1.6 * _SWATCH, _SWATCH)
            painter.fillRect(area, QBrush(QColor(self._theme.muted), Qt.BrushStyle.BDiagPattern))
            if self._figure.found.tail.ns:
                painter.setPen(QPen(QColor(self._theme.muted), 1.0))
                painter.drawLine(QPointF(area.left(), area.top()), QPointF(area.left(), area.bottom()))
            self._write(painter, metrics, area.right() + _GAP, hatching)
        painter.end()

    def _write(self, painter: QPainter, metrics: QFontMetricsF, x: float, text: str) -> float:
        """Write words; the place behind them."""
        width = metrics.horizontalAdvance(text)
        painter.setPen(QColor(self._theme.muted))
        area = QRectF(x, 0, width + 2, self.height())
        painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), text)
        return x + width + (_GAP if text else 0.0)
