"""The marks of a figure as pyqtgraph items: one item for each series, however many marks it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyqtgraph as pg  # type: ignore[import-untyped]
from PySide6.QtGui import QColor

from gemmviz.explain.figures.figure import Axis, Column, Form, Look, Series
from gemmviz.explain.figures.marks import LEAST_SEEN_OF_BARS
from gemmviz.gui.charts.looks import HOLLOW_BAR_ALPHA, STYLES, is_hollow_bar
from gemmviz.gui.charts.plot.sharp_items import Bars, Curve, ErrorBars, plain_pen, symbol_pen
from gemmviz.gui.looks.theme import Theme

_PEN, _HALO = 1.6, 1.4
"""Units of the width of lines, and of the ground at each side of an error bar on a bar."""
_SMALL = 6.0
_LABELLED_BAR = 0.8
"""A bar's part of a dense row, so that the words in it have room from their capitals to their underscores."""
_DENSE_SIZE, _DENSE_SIZE_BESIDE, _DENSE_SHIFT = 0.85, 0.68, 1.2
"""In rows of one line dots are smaller, above all where a row has several lines of them, and these further apart."""
_TIGHT_SIZE, _TIGHT_SHIFT, _TIGHT_REACH = 0.8, 1.2, 0.22
"""So much smaller are they in the lowest rows, so far apart, and no farther from the middle of their row:
clear of the rules above and below."""


def on_axis(values: Column, axis: Axis) -> Column:
    """Values as coordinates of the axis: their logarithm on a logarithmic one."""
    return np.log10(values) if axis.is_log else values


class SeriesItems:
    """Keeps the items of one plot in `box`; they are made once for each role and form, and then given new data."""

    def __init__(self, box: pg.ViewBox) -> None:
        self._box = box
        self._items: dict[tuple[str, Look], pg.GraphicsObject] = {}
        self._dot_size = self._edge = self._apart = 1.0
        self._least_bar, self._share = 0.0, 1.0

    def item(self, kind: str, look: Look) -> pg.GraphicsObject | None:
        """The item of a kind ("dots", "bars", "ticks", "line", "error bars") for a role, if it was ever needed."""
        return self._items.get((kind, look))

    def prepare(self, look: Look) -> None:
        """Make the dots, bars and error bars of a role, hidden as yet: the first figure has them then."""
        for item in (self._dots_of(look), self._bars_of(look), self._error_bars_of(look)):
            item.setVisible(False)

    def show(
        self,
        series: Sequence[Series],
        axis: Axis,
        upright: bool,
        theme: Theme,
        share: float = 1.0,
        *,
        dense: bool = False,
        tight: bool = False,
        labelled: bool = False,
    ) -> None:
        """Show these series and nothing else, in the part `share` of each row; `dense` for rows of one line, `tight`
        for one of small words, `labelled` where bars have words in them.
        """
        self._least_bar, self._share = _LABELLED_BAR if dense and labelled else 0.0, share
        self._dot_size, self._edge, self._apart = 1.0, 0.5 if dense else 1.0, 1.0
        if dense:
            self._dot_size = _DENSE_SIZE_BESIDE if any(one.farthest for one in series) else _DENSE_SIZE
            self._apart = _DENSE_SHIFT
        if tight:
            farthest = max((one.farthest for one in series), default=0.0)
            self._apart = min(_TIGHT_SHIFT, _TIGHT_REACH / farthest) if farthest else 1.0
            self._dot_size *= _TIGHT_SIZE
        for item in self._items.values():
            item.setVisible(False)
        forms = {Form.DOTS: self._dots, Form.BARS: self._bars, Form.TICKS: self._ticks, Form.LINE: self._line}
        for order, one in enumerate(series):
            shift = one.shifts if one.shifts.size else np.float64(one.shift)
            shift = shift * (self._apart if one.form is Form.DOTS else 1.0)
            place: Column = one.places + 0.5 + shift * share
            if one.offsets.size:
                place = place + one.offsets * share
            values = on_axis(one.values, axis)
            forms[one.form](one, place, values, upright, theme, order)
            if one.low.size and one.form in (Form.DOTS, Form.BARS):
                low, high = on_axis(one.low, axis), on_axis(one.high, axis)
                if one.form is Form.BARS:
                    low, high = _seen_error_bars(values, low, high, axis)
                self._error_bars(one, place, values, low, high, upright, theme, order)

    def _dots(self, one: Series, place: Column, values: Column, upright: bool, theme: Theme, order: int) -> None:
        style = STYLES[one.look]
        colour = style.colour(theme)
        item = self._dots_of(one.look)
        x, y = (place, values) if upright else (values, place)
        size = style.size * self._dot_size if style.size >= _SMALL else style.size
        # An edge in the ground's colour parts large marks that touch; of small ones it would leave nothing.
        is_plain = not style.filled or style.symbol == "x" or style.size < _SMALL
        edge = colour if is_plain else theme.canvas
        item.setData(
            x=x,
            y=y,
            symbol=style.symbol,
            size=size,
            pen=symbol_pen(edge, _PEN if not style.filled else 1.0 if is_plain else self._edge, size),
            brush=pg.mkBrush(colour if style.filled else theme.canvas),
        )
        item.setZValue((40 if style.filled else 20) + order)

    def _bars(self, one: Series, place: Column, values: Column, upright: bool, theme: Theme, order: int) -> None:
        style = STYLES[one.look]
        colour = QColor(style.colour(theme))
        fill = QColor(colour)
        if is_hollow_bar(one.look):
            fill.setAlphaF(HOLLOW_BAR_ALPHA)
        item = self._bars_of(one.look)
        start = one.start if one.start.size else np.zeros(values.size)
        thickness = max(one.thickness, self._least_bar) * self._share
        across0, across1 = place - thickness / 2, place + thickness / 2
        ends = (
            {"x0": across0, "x1": across1, "y0": start, "y1": values}
            if upright
            else {"x0": start, "x1": values, "y0": across0, "y1": across1}
        )
        item.setOpts(**ends, pen=plain_pen(colour, 1.0), brush=pg.mkBrush(fill))
        item.setZValue(10 + order)

    def _ticks(self, one: Series, place: Column, values: Column, upright: bool, theme: Theme, order: int) -> None:
        along = np.repeat(values, 2)
        across = np.stack((place - 0.5, place + 0.5), axis=1).reshape(-1)
        item = self._kept("ticks", one.look, Curve)
        x, y = (across, along) if upright else (along, across)
        item.setData(x=x, y=y, connect="pairs", pen=plain_pen(STYLES[one.look].colour(theme), _PEN))
        item.setZValue(5 + order)

    def _line(self, one: Series, place: Column, values: Column, upright: bool, theme: Theme, order: int) -> None:
        item = self._kept("line", one.look, Curve)
        x, y = (place, values) if upright else (values, place)
        item.setData(x=x, y=y, pen=plain_pen(STYLES[one.look].colour(theme), 1.2))
        item.setZValue(5 + order)

    def _error_bars(
        self,
        one: Series,
        place: Column,
        values: Column,
        low: Column,
        high: Column,
        upright: bool,
        theme: Theme,
        order: int,
    ) -> None:
        colour = theme.text if one.form is Form.BARS else STYLES[one.look].colour(theme)
        item = self._error_bars_of(one.look)
        halo = plain_pen(theme.panel, _PEN + 2 * _HALO) if one.form is Form.BARS else None
        pens = {"pen": plain_pen(colour, _PEN), "halo": halo}
        if upright:
            item.setData(x=place, y=values, top=high - values, bottom=values - low, left=None, right=None, **pens)
        else:
            item.setData(x=values, y=place, left=values - low, right=high - values, top=None, bottom=None, **pens)
        item.setZValue(15 + order)

    def _dots_of(self, look: Look) -> pg.GraphicsObject:
        # Without its cache of pixmaps an item is sharp at every scale, and vectors stay vectors.
        return self._kept("dots", look, lambda: pg.ScatterPlotItem(pxMode=True, useCache=False, antialias=True))

    def _bars_of(self, look: Look) -> pg.GraphicsObject:
        return self._kept("bars", look, lambda: Bars(x0=[], x1=[], y0=[], y1=[]))

    def _error_bars_of(self, look: Look) -> pg.GraphicsObject:
        return self._kept("error bars", look, ErrorBars)

    def _kept(self, kind: str, look: Look, make: Callable[[], pg.GraphicsObject]) -> pg.GraphicsObject:
        item = self._items.get((kind, look))
        if item is None:
            item = make()
            self._box.addItem(item, ignoreBounds=True)
            self._items[kind, look] = item
        item.setVisible(True)
        return item


def _seen_error_bars(values: Column, low: Column, high: Column, axis: Axis) -> tuple[Column, Column]:
    """The ends of error bars on bars, shape (n,) each; one too short to be told from a speck is left out."""
    least, most = on_axis(np.array([axis.low, axis.high]), axis)
    is_seen = np.maximum(high - values, values - low) > LEAST_SEEN_OF_BARS * (most - least)
    return np.where(is_seen, low, values), np.where(is_seen, high, values)
