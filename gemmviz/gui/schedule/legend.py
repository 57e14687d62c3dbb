"""What the colours of blocks stand for, each shade with its waves or the first SM to the last, and the hatching."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.explain.runs.block_schedule import ColourBy, ScheduleFigure
from gemmviz.gui.looks.fonts import NORMAL, words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.schedule.colours import WAVE_SHADES, group_colours

_HEIGHT, _SWATCH, _GAP = 20, 12.0, 6.0
_RAMP = 144.0
"""Pixels of the colours of all SMs, of which so many are painted at most."""
_MOST_COLOURS = int(_RAMP)


class ScheduleLegend(QWidget):
    """One line of swatches."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self._figure: ScheduleFigure | None = None
        self._by, self._magnification = ColourBy.WAVE, 1.0

    def set_magnification(self, factor: float) -> None:
        """Write and paint everything so many times as large."""
        self._magnification = factor
        self.setFixedHeight(round(_HEIGHT * factor))
        self.update()

    def show_figure(self, figure: ScheduleFigure | None, by: ColourBy) -> None:
        """The legend of a schedule."""
        self._figure, self._by = figure, by
        hatching = self.hatching()
        said = [words for _, words in self.entries()]
        self.setAccessibleName(", ".join([*said, *([f"hatched: {hatching}"] if hatching else [])]))
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, _HEIGHT)

    def entries(self) -> tuple[tuple[tuple[str, ...], str], ...]:
        """The colours of each entry and its words: a shade with the waves that have it, or all SMs in one row."""
        if self._figure is None:
            return ()
        count = self._figure.group_count(self._by)
        colours = group_colours(self._theme, self._by, count)
        if self._by is ColourBy.WAVE:
            shades = len(WAVE_SHADES)
            return tuple(
                ((colour,), wave_words(place + 1, count, shades)) for place, colour in enumerate(colours[:shades])
            )
        step = -(-count // _MOST_COLOURS)
        return ((colours[::step], f"SM 0 to SM {count - 1}" if count > 1 else "SM 0"),)

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
        painter, edge = QPainter(self), _SWATCH * self._magnification
        painter.setFont(words(NORMAL * self._magnification))
        metrics = QFontMetricsF(painter.font())
        middle, x = self.height() / 2, 0.0
        painter.setPen(Qt.PenStyle.NoPen)
        for colours, said in self.entries():
            size = edge if len(colours) == 1 else max(_RAMP / len(colours), 1.0)
            for colour in colours:
                painter.fillRect(QRectF(x, middle - edge / 2, size, edge), QColor(colour))
                x += size
            x = self._write(painter, metrics, x + _GAP, said) + 2 * _GAP
        hatching = self.hatching()
        if hatching:
            area = QRectF(x, middle - edge / 2, 1.6 * edge, edge)
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


def wave_words(first: int, count: int, shades: int) -> str:
    """The waves that have a shade, from the `first` of `count` on: "wave 2", "waves 2 and 5", "waves 2, 5, 8, …"."""
    waves = range(first, count + 1, shades)
    if len(waves) < 3:
        return f"wave{'s' if len(waves) > 1 else ''} {' and '.join(map(str, waves))}"
    return f"waves {', '.join(map(str, waves[:3]))}{', …' if len(waves) > 3 else ''}"
