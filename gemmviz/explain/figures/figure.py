"""What a chart shows, as values: rows with words and figures, series of marks, an axis, notes. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.tables import Row as TableRow
from gemmviz.domain.terms import Evidence
from gemmviz.domain.visible_text import make_visible, visible

Column = NDArray[np.float64]
"""Shape (n,), one value for each mark of a series."""

Places = NDArray[np.intp]
"""Shape (n,), the row of each mark of a series, from 0."""


class Quantity(StrEnum):
    """What an axis counts, which decides how its ticks are written."""

    TIME = "time"
    """Values in ms; ticks in the unit that fits."""
    RATE = "rate"
    """Values in GFLOP/s; ticks in FLOP/s with the prefix that fits."""
    RATIO = "ratio"
    """Values in times."""
    BYTES = "bytes"
    PERCENT = "percent"
    """Shares of a whole, in per cent; ticks at round parts of it."""
    PLAIN = "plain"
    """Values without a unit."""


class Look(StrEnum):
    """The role of a series; the painter has a colour and a shape for each."""

    GPU = "gpu"
    GPU_WAITED = "gpu, waited"
    CPU = "cpu"
    CPU_WAITED = "cpu, waited"
    MOVED_IN = "in"
    MOVED_OUT = "out"
    WAITING = "launching and waiting"
    WHOLE = "whole"
    ASKED = "asked"
    MOVED = "moved"
    IDEAL = "ideal"
    BOUND = "bound"
    WRONG = "wrong"
    WRONG_WAITED = "wrong, waited"
    BEST = "best"
    OPEN = "cannot tell"
    SLOWER = "slower"
    SAMPLE = "sample"
    CPU_SAMPLE = "cpu sample"
    HELD_SAMPLE = "sample, clock throttled"
    PINNED_IN = "in, pinned"
    PINNED_KERNEL = "kernel between pinned transfers"
    PINNED_WAITING = "launching and waiting between pinned transfers"
    PINNED_OUT = "out, pinned"
    ROOF = "roof"
    SPOKEN_OF = "spoken of"
    COMPARED = "compared with"
    AT_IDEAL = "at ideal bytes"
    AT_RECORDED = "at recorded bytes"
    AT_ESTIMATED = "at estimated bytes"
    TF32 = "tf32"
    TF32X3 = "tf32x3"
    BF16 = "bf16"
    QUIET = "other runs"


class Form(StrEnum):
    """How a series is drawn."""

    DOTS = "dots"
    BARS = "bars"
    TICKS = "ticks"
    """A short line across the row, the lines of neighbouring rows with one value meeting."""
    LINE = "line"
    """A thin line from mark to mark; no legend."""


class Side(StrEnum):
    """The edge of the axis beyond which a value lies."""

    LOW = "low"
    HIGH = "high"


class Tone(StrEnum):
    """How a row's words are written."""

    PLAIN = "plain"
    GOOD = "good"
    WRONG = "wrong"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Axis:
    """The axis of values from `low` to `high`, in the unit of the quantity; `words` name it, with the unit.

    `unit` is that of the words at its ticks, "ms" or "TFLOP/s": the one that the figure's rows are written in, as
    `domain.figures` chooses it; "" for the one that fits the axis. `has_end`: words stand at `high` as well, which is a
    round value.
    """

    words: str
    quantity: Quantity
    low: float
    high: float
    is_log: bool = False
    unit: str = ""
    has_end: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One row: what it is, `beside` it what else matters, its circumstances, its figure and what belongs to the
    figure, the tooltip. `flag` is what must be seen of the note where it has no room; `title` is the kernel's, which
    stands muted beside the name where there is room for those of all rows. One with a `heading` has nothing else: it
    stands above the rows of a group. `run` is the run that it has the figures of, if it is one run's, and `recording`
    the recording; one that `is_new` stands out.
    """

    name: str
    detail: str
    value: str
    note: str = ""
    tooltip: str = ""
    tone: Tone = Tone.PLAIN
    beside: str = ""
    flag: str = ""
    title: str = ""
    heading: str = ""
    run: RunResult | None = field(default=None, compare=False, repr=False)
    recording: TraceRun | None = field(default=None, compare=False, repr=False)
    is_new: bool = False

    def __post_init__(self) -> None:
        make_visible(self, "name", "detail", "value", "note", "tooltip", "beside", "flag", "title", "heading")


NO_COLUMN: Column = np.zeros(0)


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Marks of one role: a value in each of `places`.

    `low` and `high` are the ends of error bars, in bars `start` is where each begins (else 0); all of shape (n,) or
    empty. `shift` moves the marks within their rows, -0.5 to 0.5, further in low rows; `shifts` are those of each mark
    by itself. `offsets` move each as far in any row (both of shape (n,) or empty). `thickness` is a bar's part of its
    row.

    Raises:
        ValueError: the columns are not of one length.
    """

    look: Look
    words: str
    form: Form
    places: Places
    values: Column
    low: Column = field(default_factory=lambda: NO_COLUMN)
    high: Column = field(default_factory=lambda: NO_COLUMN)
    start: Column = field(default_factory=lambda: NO_COLUMN)
    shift: float = 0.0
    thickness: float = 0.4
    offsets: Column = field(default_factory=lambda: NO_COLUMN)
    shifts: Column = field(default_factory=lambda: NO_COLUMN)
    inside: Look | None = None
    """Filled as another role is, in the legend."""

    def __post_init__(self) -> None:
        make_visible(self, "words")
        columns = (self.low, self.high, self.start, self.offsets, self.shifts)
        if self.places.size != self.values.size or any(one.size not in (0, self.values.size) for one in columns):
            raise ValueError(f"the columns of {self.words!r} are not of one length")

    @property
    def farthest(self) -> float:
        """How far a mark is moved within its row, at most."""
        return float(np.abs(self.shifts).max()) if self.shifts.size else abs(self.shift)


@dataclass(frozen=True, slots=True)
class Edge:
    """A value that has no place on the axis: 0 on a logarithmic one, or no finite number; in words at the edge."""

    place: int
    side: Side
    words: str
    look: Look


@dataclass(frozen=True, slots=True)
class BarLabel:
    """Words at the end of the bar of a row: behind `high`, the end of its error bar, where they have room there, else
    within the bar, before `low`; the `short` ones where they have room on neither side.
    """

    place: int
    low: float
    high: float
    words: str
    short: str


@dataclass(frozen=True, slots=True)
class ReferenceLine:
    """A line across all rows, with its words."""

    value: float
    words: str

    def __post_init__(self) -> None:
        make_visible(self, "words")


@dataclass(frozen=True, slots=True)
class PlotTable:
    """What a chart plots, in full precision, for CSV and the clipboard; every row has the columns in their order."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A whole chart. With no rows, `empty` says what to do to get some. `upright` puts the rows side by side.
    `subtitle` says at which sizes, on which devices and when (circumstances.py).
    """

    title: str
    evidence: Evidence
    empty: str
    axis: Axis
    rows: tuple[Row, ...] = ()
    series: tuple[Series, ...] = ()
    edges: tuple[Edge, ...] = ()
    rules: tuple[ReferenceLine, ...] = ()
    labels: tuple[BarLabel, ...] = ()
    notes: tuple[str, ...] = ()
    heads: tuple[str, str] = ("", "")
    upright: bool = False
    subtitle: str = ""
    fills_height: bool = False
    """Whether its rows are as high as there is room."""
    essential: tuple[str, ...] = ()
    """Of the notes, in few words, what nobody can do without; for pictures with little room."""

    def __post_init__(self) -> None:
        make_visible(self, "title", "subtitle", "empty")
        object.__setattr__(self, "essential", tuple(map(visible, self.essential)))
        object.__setattr__(self, "notes", tuple(map(visible, self.notes)))
