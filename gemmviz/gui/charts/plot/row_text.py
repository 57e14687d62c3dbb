"""How wide the words of a figure's rows are, and in which fonts they are written."""

from __future__ import annotations

from collections.abc import Callable

from gemmviz.explain.figures.figure import Figure
from gemmviz.gui.charts.plot.fonts import Fonts, plot_fonts
from gemmviz.gui.charts.plot.layout import GAP, MOST_LABELS, width_for_words
from gemmviz.gui.charts.plot.line_columns import WIDE, WITH_TITLES, LineColumns, line_columns
from gemmviz.gui.charts.plot.painter import label_width, titled_width, value_width


class RowText:
    """Measures the words of a figure once for every size of its fonts."""

    def __init__(self) -> None:
        self._roomy, self._small = plot_fonts(), plot_fonts(small=True)
        self._is_large = False
        self._figure: Figure | None = None
        self._labels = self._titled = self._values = 0.0
        self._columns: dict[bool, Callable[[float], LineColumns]] = {}

    def measure(self, figure: Figure) -> None:
        """Measure the words of another figure."""
        self._figure = figure
        self._labels, self._titled = label_width(figure, self._roomy), titled_width(figure, self._roomy)
        self._values = value_width(figure, self._roomy)
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
            self._columns[tight] = line_columns(self._figure, self.fonts(tight=tight), is_slide=self._is_large)
        return self._columns[tight](width)

    def set_large(self, wanted: bool) -> None:
        """Have larger small words, as for the whole screen."""
        if wanted != self._is_large:
            self._is_large = wanted
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
        fits = self._titled <= width * MOST_LABELS and left >= width * (WITH_TITLES if self._is_large else WIDE)
        return self._titled if fits else self._labels, self._values
