"""How wide the words of a figure's rows are, and in which fonts they are written."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtGui import QFont, QFontMetricsF

from gemmviz.explain.figures.figure import Figure
from gemmviz.gui.charts.plot.beside_name import BESIDE_NAME
from gemmviz.gui.charts.plot.fonts import Fonts, plot_fonts
from gemmviz.gui.charts.plot.layout import GAP, MOST_LABELS, width_for_words
from gemmviz.gui.charts.plot.line_columns import WIDE, WITH_TITLES, LineColumns, line_columns

_MOST_MEASURED = 24
"""Of a thousand words the longest are measured, as all would take too long."""


class RowText:
    """Measures the words of a figure once for every size of its fonts."""

    def __init__(self) -> None:
        self._roomy, self._small = plot_fonts(), plot_fonts(small=True)
        self.is_large = False
        self._figure: Figure | None = None
        self._labels = self._titled = self._values = 0.0
        self.names = 0.0
        """The width in pixels of the longest name in a row of two lines."""
        self._columns: dict[bool, Callable[[float], LineColumns]] = {}

    def measure(self, figure: Figure) -> None:
        """Measure the words of another figure."""
        self._figure = figure
        self._labels, self._titled = label_width(figure, self._roomy), titled_width(figure, self._roomy)
        self._values = value_width(figure, self._roomy)
        self.names = _widest([row.name for row in figure.rows], [], self._roomy.name, self._roomy.detail)
        self._columns = {}

    def fonts(self, *, tight: bool) -> Fonts:
        """The fonts of a plot; `tight` for the lowest rows."""
        return self._small if tight else self._roomy

    def columns(self, width: float, *, tight: bool) -> LineColumns:
        """What rows of one line say in a plot so wide.

        Raises:
            ValueError: no figure was measured.
        """
        if self._figure is None:
            raise ValueError("no figure was measured")
        if tight not in self._columns:
            self._columns[tight] = line_columns(self._figure, self.fonts(tight=tight), is_slide=self.is_large)
        return self._columns[tight](width)

    def set_large(self, wanted: bool) -> None:
        """Have larger small words, as for the whole screen."""
        if wanted != self.is_large:
            self.is_large = wanted
            self._roomy, self._small = plot_fonts(large=wanted), plot_fonts(small=True, large=wanted)
            if self._figure is not None:
                self.measure(self._figure)

    @property
    def least_width(self) -> float:
        """The width at which rows of two lines cut none of their words, but for kernels' titles, and leave the plot its
        part.
        """
        return width_for_words(self._labels, self._values)

    def widths(self, width: float) -> tuple[float, float]:
        """What the words of rows of two lines would like to have left and right of a plot so wide: with the kernels'
        titles where the plot keeps half, or on a slide two fifths.
        """
        left = width - self._titled - self._values - 2 * GAP
        fits = self._titled <= width * MOST_LABELS and left >= width * (WITH_TITLES if self.is_large else WIDE)
        return self._titled if fits else self._labels, self._values


def label_width(figure: Figure, fonts: Fonts) -> float:
    """What the words of the rows would like to have, in pixels."""
    beside = _widest([], [row.beside for row in figure.rows], fonts.name, fonts.detail)
    names = _widest([row.name for row in figure.rows], [], fonts.name, fonts.detail)
    details = _widest([], [row.detail for row in figure.rows], fonts.name, fonts.detail)
    head = _widest([figure.heads[0].upper()], [], fonts.head, fonts.detail)
    return max(names + (beside + BESIDE_NAME if any(row.beside for row in figure.rows) else 0.0), details, head)


def titled_width(figure: Figure, fonts: Fonts) -> float:
    """What names with the kernels' titles beside them would like to have, in pixels; at least `label_width`."""
    name, detail, title = (QFontMetricsF(font) for font in (fonts.name, fonts.detail, fonts.note))
    longest = sorted(figure.rows, key=lambda row: len(row.name + row.beside + row.title))[-_MOST_MEASURED:]
    widths = [
        sum(
            metrics.horizontalAdvance(text) + BESIDE_NAME
            for metrics, text in ((name, row.name), (detail, row.beside), (title, row.title))
            if text
        )
        for row in longest
    ]
    return max(label_width(figure, fonts), math.ceil(max(widths, default=0.0)))


def value_width(figure: Figure, fonts: Fonts) -> float:
    """What the figures of the rows would like to have, in pixels."""
    head = _widest([figure.heads[1].upper()], [], fonts.head, fonts.note)
    return max(_widest([r.value for r in figure.rows], [r.note for r in figure.rows], fonts.value, fonts.note), head)


def _widest(upper: list[str], lower: list[str], upper_font: QFont, lower_font: QFont) -> float:
    """The widest of two sorts of words; only the longest are measured, a thousand would take too long."""
    width = 60.0
    for texts, font in ((upper, upper_font), (lower, lower_font)):
        metrics = QFontMetricsF(font)
        longest = sorted(set(texts), key=len, reverse=True)[:_MOST_MEASURED]
        width = max([width, *(metrics.horizontalAdvance(text) for text in longest)])
    return math.ceil(width) + 2.0
