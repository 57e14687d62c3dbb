"""Where the parts of a plot lie, in pixels. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

LEAST_ROW = 34.0
"""Two lines of words."""
DENSE_ROW = 18.0
"""One line of words."""
TIGHT_ROW = 14.0
"""One line of small words."""
DENSE_ROW_OF_PICTURE = 20.0
ROOMY_ROW = 26.0
"""One line that has room to spare."""
NATURAL_ROW, GOOD_ROW = 44.0, 60.0
"""A row of a picture, and one on the screen that notes leave its height."""
MOST_ROW = 80.0
"""Few rows share the height of the page up to so much each; more would only pull them apart."""
MOST_ROW_OF_PICTURE = 56.0
MOST_ROW_THAT_FILLS = 120.0
SHARED_BY_FEW, MOST_ROW_OF_FEW, MOST_OF_MARKS = 400.0, 200.0, 150.0
"""The height that a few rows share where there is room, the most that one has of it, and the part for its marks."""
_SPACIOUS = 1000, 720
"""Width and height of a chart from which a few rows fill it in larger words: what a maximised window has."""
_FEW = 6
"""Of so many rows none is dense there."""
HEAD = 24.0
AXIS, AXIS_DENSE = 44.0, 38.0
LEFT_AXIS = 72.0
CELLS = 64.0
MOST_CELL = 280.0
GAP = 16.0
MOST_LABELS, LEAST_LABELS = 0.42, 0.28
"""The part of the width that the words at either side may take, and what they have where the plot needs room."""
LEAST_PLOT, LEAST_PLOT_OF_SLIDE = 0.4, 0.3
"""The part of the width that the plot should have: the words left of it, which tooltips have too, give way. On a slide,
which has none, rows of one line leave it less.
"""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle in pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.top <= y <= self.bottom


@dataclass(frozen=True, slots=True)
class PlotLayout:
    """A plot with rows, or upright with cells side by side: `cell` is the height of a row or the width of a cell.

    `labels` and `values` are the columns of words left and right of `plot` (upright: `labels` lie below it), `axis`
    the ticks, `head` the line above the plot. `content` is the height of all rows, of which `plot` may show a part.
    The rows of a dense plot have one line each.
    """

    labels: Area
    plot: Area
    values: Area
    axis: Area
    head: Area
    cell: float
    content: float
    upright: bool
    dense: bool = False

    @property
    def overflow(self) -> float:
        """How far the rows can be scrolled."""
        return 0.0 if self.upright else max(0.0, self.content - self.plot.height)

    def part_at(self, x: float, y: float) -> float:
        """Which part of the axis in sight lies at a place of the plot: 0 at its beginning, 1 at its end."""
        plot = self.plot
        return (plot.bottom - y) / plot.height if self.upright else (x - plot.left) / plot.width


def has_space(width: float, height: float, rows: int) -> bool:
    """Whether so few rows leave so much of a chart of that size empty that they and small words are larger."""
    return 0 < rows <= _FEW and width >= _SPACIOUS[0] and height >= _SPACIOUS[1]


def natural_height(rows: int, upright: bool) -> float:
    """The height at which a plot looks best and shows everything."""
    return 320.0 if upright else HEAD + AXIS + NATURAL_ROW * max(rows, 1)


def width_for_words(label_width: float, value_width: float) -> float:
    """The width at which a plot with rows of two lines gives its words what they would like to have."""
    return max((label_width + value_width + 2 * GAP) / (1.0 - LEAST_PLOT), max(label_width, value_width) / MOST_LABELS)


def row_height(height: float, rows: int, most_row: float = MOST_ROW, dense: bool = False) -> float:
    """The height of each of the rows in a plot so high: at least LEAST_ROW and at most `most_row`, in a dense plot at
    least TIGHT_ROW and at most LEAST_ROW. Where not all rows fit, a whole number of them fills the plot, and those of a
    dense plot have at least DENSE_ROW: small words are worth it only where they show every row.
    """
    least, most = (TIGHT_ROW, LEAST_ROW) if dense else (LEAST_ROW, most_row)
    room = _rows_room(height, dense)
    if least * rows > room:
        least = max(least, DENSE_ROW)
        in_sight = max(int(room / least), 1)
        return min(max(float(int(room / in_sight)), least), most)
    return min(room / max(rows, 1), most)


def most_row(rows: int, *, fills: bool) -> float:
    """The height that each of so many rows has on the screen at most; more where rows fill a large chart."""
    return max(MOST_ROW_THAT_FILLS if fills else MOST_ROW, min(SHARED_BY_FEW / max(rows, 1), MOST_ROW_OF_FEW))


def marks_share(row: float) -> float:
    """The part of a row in which its marks lie: bars have a greatest thickness, however high their row is."""
    return min(MOST_OF_MARKS / row, 1.0)


def _rows_room(height: float, dense: bool) -> float:
    """The height for rows below the head and above the axis."""
    least, axis = (TIGHT_ROW, AXIS_DENSE) if dense else (LEAST_ROW, AXIS)
    return max(least, height - HEAD - axis)


def plot_layout(
    width: float,
    height: float,
    rows: int,
    label_width: float,
    value_width: float,
    upright: bool,
    most_row: float = MOST_ROW,
    dense: bool = False,
    name_width: float = 0.0,
    least_plot: float = LEAST_PLOT,
) -> PlotLayout:
    """Share out a width and height; `label_width` and `value_width` are what the words would like to have, and
    `least_plot` is the part of the width that the plot keeps of them. The names alone (`name_width`) are whole where
    they take MOST_LABELS at most: a kernel is known by its name.
    """
    if upright:
        return _upright(width, height, rows)
    values_width = min(value_width, width * MOST_LABELS)
    spare = width * (1.0 - least_plot) - values_width - 2 * GAP
    most_labels = width if dense else width * MOST_LABELS
    labels_width = min(label_width, most_labels, max(spare, width * LEAST_LABELS, min(name_width, width * MOST_LABELS)))
    if not dense:  # the words in grey below a value end in "…", and tooltips have them
        missing = width * LEAST_PLOT_OF_SLIDE - (width - labels_width - values_width - 2 * GAP)
        values_width -= min(max(missing, 0.0), max(values_width - width * LEAST_LABELS, 0.0))
    plot_left = labels_width + GAP
    plot_width = max(40.0, width - plot_left - values_width - GAP)
    axis = AXIS_DENSE if dense else AXIS
    row = row_height(height, rows, most_row, dense)
    # As many whole rows as there is room for; what a division loses is no row.
    plot_height = row * min(rows, max(int(_rows_room(height, dense) / row + 1e-6), 1))
    values_left = plot_left + plot_width + GAP
    return PlotLayout(
        labels=Area(0.0, HEAD, labels_width, plot_height),
        plot=Area(plot_left, HEAD, plot_width, plot_height),
        values=Area(values_left, HEAD, values_width, plot_height),
        axis=Area(plot_left, HEAD + plot_height, plot_width, axis),
        head=Area(0.0, 0.0, width, HEAD),
        cell=row,
        content=row * rows,
        upright=False,
        dense=dense,
    )


def _upright(width: float, height: float, cells: int) -> PlotLayout:
    plot_height = max(60.0, height - HEAD - CELLS)
    cell = min(max(20.0, (width - LEFT_AXIS - GAP) / max(cells, 1)), MOST_CELL)
    plot_width = cell * cells
    return PlotLayout(
        labels=Area(LEFT_AXIS, HEAD + plot_height, plot_width, CELLS),
        plot=Area(LEFT_AXIS, HEAD, plot_width, plot_height),
        values=Area(LEFT_AXIS + plot_width, HEAD, 0.0, plot_height),
        axis=Area(0.0, HEAD, LEFT_AXIS, plot_height),
        head=Area(0.0, 0.0, width, HEAD),
        cell=cell,
        content=plot_width,
        upright=True,
    )
