"""The legend of a plot: the mark of each series and what it stands for, in as many lines as it takes."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg  # type: ignore[import-untyped]
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.catalogue.term_words import explained
from gemmviz.explain.figures.figure import Form, Look, Series
from gemmviz.gui.charts.looks import HOLLOW_BAR_ALPHA, STYLES, is_hollow_bar
from gemmviz.gui.charts.plot.fonts import SMALL_ON_SCREEN
from gemmviz.gui.charts.plot.sharp_items import symbol_pen
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.plain_text import plain_text

_LINE = 20
_MARK = 18
_GAP = 20


class Legend(QWidget):
    """Takes the series of a figure; hidden where there is none to name."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entries: tuple[Series, ...] = ()
        self._font = words(SMALL)
        # Not fixed: a layout would take the lines of the width before for the most that it may have in a new one.
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def has_entries(self) -> bool:
        """Whether there is anything to name."""
        return bool(self._entries)

    def set_large(self, wanted: bool) -> None:
        """Have larger words, as for the whole screen."""
        self._font = words(SMALL_ON_SCREEN if wanted else SMALL)
        self.updateGeometry()
        self.update()

    def show_series(self, series: Sequence[Series]) -> None:
        """Name each series once."""
        self._entries = tuple(one for one in series if one.words)
        self.setVisible(bool(self._entries))
        self.setToolTip(plain_text(explained(*(one.words for one in self._entries))))
        self.setAccessibleName("Legend: " + ", ".join(one.words for one in self._entries))
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        self._theme = theme
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        places = self._places(width)
        return int(places[-1].y()) + _LINE if places else 0

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.heightForWidth(max(self.width(), 120)))

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        for one, place in zip(self._entries, self._places(self.width()), strict=True):
            middle = place.y() + _LINE / 2
            centre = QPointF(place.x() + _MARK / 2 - 2, middle)
            paint_mark(painter, one.look, one.form, centre, self._theme, inside=one.inside)
            painter.setPen(QColor(self._theme.muted))
            area = QRectF(place.x() + _MARK, place.y(), self._width_of(one), _LINE)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextDontClip), one.words)
        painter.end()

    def _places(self, width: int) -> list[QPointF]:
        """The top left corner of each entry."""
        places: list[QPointF] = []
        x = y = 0.0
        for one in self._entries:
            needed = _MARK + self._width_of(one)
            if x > 0 and x + needed > width:
                x, y = 0.0, y + _LINE
            places.append(QPointF(x, y))
            x += needed + _GAP
        return places

    def _width_of(self, one: Series) -> float:
        return float(QFontMetricsF(self._font).horizontalAdvance(one.words)) + 2.0


def paint_mark(
    painter: QPainter,
    look: Look,
    form: Form,
    centre: QPointF,
    theme: Theme,
    most: float = 12.0,
    inside: Look | None = None,
) -> None:
    """Paint the mark of a role around `centre`, a dot at most `most` pixels large, filled as the role `inside` is."""
    style, filling = STYLES[look], STYLES[look if inside is None else inside]
    colour = QColor(style.colour(theme))
    if form is Form.BARS:
        fill = QColor(colour)
        if is_hollow_bar(look):
            fill.setAlphaF(HOLLOW_BAR_ALPHA)
        painter.setPen(QPen(colour, 1.0))
        painter.setBrush(fill)
        painter.drawRect(QRectF(centre.x() - 6, centre.y() - 5, 12, 10))
        return
    if form is Form.TICKS:
        painter.setPen(QPen(colour, 1.6))
        painter.drawLine(QPointF(centre.x(), centre.y() - 7), QPointF(centre.x(), centre.y() + 7))
        return
    painter.save()
    painter.translate(centre)
    symbols = pg.graphicsItems.ScatterPlotItem
    is_outlined = not filling.filled or filling.is_half_filled
    size = min(style.size, most)
    edge = colour if is_outlined or style.symbol == "x" else theme.canvas
    pen = symbol_pen(edge, 1.6 if is_outlined else 1.0, size)
    brush = pg.mkBrush(QColor(theme.canvas) if is_outlined else colour)
    symbols.drawSymbol(painter, style.symbol, size, pen, brush)
    if filling.is_half_filled:
        half = QPainterPath()
        half.addRect(-1.0, -1.0, 1.0, 2.0)
        # No clipping, which Qt leaves out of an SVG.
        painter.fillPath(symbols.Symbols[style.symbol].intersected(half), colour)
    painter.restore()
