"""How wide the columns of rows with one line are, in pixels: names and what stands beside them, notes and figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtGui import QFont, QFontMetricsF

from gemmviz.explain.figures.figure import Figure, Row
from gemmviz.gui.charts.plot.fonts import Fonts
from gemmviz.gui.charts.plot.layout import GAP, LEAST_PLOT, LEAST_PLOT_OF_SLIDE
from gemmviz.gui.charts.plot.one_line import OneLine, short_lines, titled_lines, whole_lines

BESIDE = 10.0
"""Between a name or a figure and the words beside it."""

WIDE, WITH_TITLES = 0.5, 0.4
"""The part of the width that a plot keeps where its rows say more in one line than they must, and where what is more
are the kernels' titles. On a slide, where names have no tooltips, titles come before the plot, which keeps
LEAST_PLOT_OF_SLIDE, and before notes.
"""


@dataclass(frozen=True, slots=True)
class LineColumns:
    """The lines of a figure's rows, and the widths that `names`, figures (`values`), and both with the words beside
    them (`left`, `right`) would like to have. In `aligned` columns what stands beside the names begins at one place,
    the kernels' `titles` first. Where it `fills`, and nothing else stands beside the names, a kernel's title ends each
    row that has room for it. The plot keeps
    `least_plot` of the width.
    """

    lines: tuple[OneLine, ...]
    names: float
    values: float
    left: float
    right: float
    aligned: bool
    titles: float = 0.0
    fills: bool = False
    least_plot: float = LEAST_PLOT


def line_columns(figure: Figure, fonts: Fonts, *, is_slide: bool = False) -> Callable[[float], LineColumns]:
    """Measures the words of a figure once; what it returns chooses, for a width, how much the lines say: all, or the
    notes and the kernels' titles, or on a slide the titles and flags, or the notes and what tells rows apart, or flags
    in place of the notes, or these without parameters in which only kernels differ.
    """
    whole, short = whole_lines(figure.rows), short_lines(figure.rows)
    noted = tuple(OneLine(few.beside, all_.note) for few, all_ in zip(short, whole, strict=True))
    titled = titled_lines(figure.rows)
    flagged = tuple(OneLine(few.beside, few.note, row.title) for row, few in zip(figure.rows, short, strict=True))
    of_slide = ((titled, True, LEAST_PLOT_OF_SLIDE), (flagged, True, LEAST_PLOT_OF_SLIDE))
    with_titles = of_slide if is_slide else ((titled, True, WITH_TITLES),)
    # Without tooltips rows keep the parameters in which kernels differ, however little room there is.
    bare = () if is_slide else ((short_lines(figure.rows, between_kernels=False), False, WIDE),)
    levels = ((whole, True, WIDE), *with_titles, (noted, False, WIDE), (short, False, WIDE), *bare)
    *wider, (least, _) = ((_columns(figure, lines, fonts, aligned), keeps) for lines, aligned, keeps in levels)

    def choose(width: float) -> LineColumns:
        fitting = (
            columns for columns, keeps in wider if columns.left + columns.right <= width * (1.0 - keeps) - 2 * GAP
        )
        columns = next(fitting, least)
        least_plot = LEAST_PLOT_OF_SLIDE if is_slide else LEAST_PLOT
        has_names_alone = not columns.titles and not any(line.beside for line in columns.lines)
        return replace(columns, fills=is_slide and has_names_alone, least_plot=least_plot)

    return choose


def _columns(figure: Figure, lines: tuple[OneLine, ...], fonts: Fonts, aligned: bool) -> LineColumns:
    rows = figure.rows
    names = _widest((row.name for row in rows), fonts.name)
    values = _widest((row.value for row in rows), fonts.value)
    title = _widest((line.title for line in lines), fonts.note)
    beside, notes = (
        _widest((line.beside for line in lines), fonts.detail),
        _widest((line.note for line in lines), fonts.note),
    )
    left = _longest(rows, lines, fonts)
    if aligned and (title or beside):
        left = names + sum(BESIDE + width for width in (title, beside) if width)
    right = values + (BESIDE + notes if notes else 0.0)
    heads = [_widest([head.upper()], fonts.head) for head in figure.heads]
    return LineColumns(lines, names, values, max(left, heads[0]), max(right, heads[1]), aligned, title)


def _longest(rows: Sequence[Row], lines: Sequence[OneLine], fonts: Fonts) -> float:
    """Of the names with what follows each."""
    pairs = sorted(zip(rows, lines, strict=True), key=lambda pair: len(pair[0].name + pair[1].beside))[-24:]
    name, detail = QFontMetricsF(fonts.name), QFontMetricsF(fonts.detail)
    widths = [
        name.horizontalAdvance(row.name) + (BESIDE + detail.horizontalAdvance(line.beside) if line.beside else 0.0)
        for row, line in pairs
    ]
    return math.ceil(max(widths, default=0.0)) + 2.0


def _widest(texts: Iterable[str], font: QFont) -> float:
    """0 for no words; only the longest are measured, a thousand would take too long."""
    metrics = QFontMetricsF(font)
    longest = sorted({text for text in texts if text}, key=len)[-24:]
    return math.ceil(max(map(metrics.horizontalAdvance, longest))) + 2.0 if longest else 0.0
