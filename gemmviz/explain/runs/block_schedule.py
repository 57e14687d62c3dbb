"""What the page of block schedules shows, as values: each block in the grid and in time, and words. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain import figures
from gemmviz.domain.places import PLACE_COLUMNS, place_cells
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.runs.schedule_words import circumstances, microseconds, nanoseconds, sentence
from gemmviz.domain.runs.waves import ScheduleFigures, figures_of
from gemmviz.domain.spec import format_params
from gemmviz.domain.terms import Evidence
from gemmviz.domain.visible_text import visible
from gemmviz.explain.figures.circumstances import subtitle_of_one
from gemmviz.explain.figures.figure import PlotTable

Indices = NDArray[np.int64]
"""Numbers of blocks in linear order, -1 where there is none."""

EVIDENCE = Evidence.MEASURED
NONE_RECORDED = "No schedule is recorded in this session."
EMPTY = (
    "A GPU gives the blocks of a launch to its multiprocessors (SMs): as many at once as fit, then the next as soon as "
    "one ends. This page shows which SM ran which block and when: the grid by wave, a timeline for each SM, and "
    "the tail, in which SMs wait for the last blocks. Only an NVIDIA GPU tells this, because its kernels can read the "
    "number of their SM and a clock. Choose a CUDA kernel and press Record block schedule, or open a session that "
    "has a recorded schedule."
)
NO_BLOCK = -1
_WRAPPED = 24
"""A grid with more blocks in one row or column is folded, so that it can be seen."""
_RATIO = 1.6


class ColourBy(IntEnum):
    """What the colour of a block stands for; the places of the switch."""

    WAVE = 0
    UNIT = 1


class ScheduleFigure:
    """One schedule, and everything that is drawn of it; made once and looked up."""

    def __init__(self, schedule: BlockSchedule) -> None:
        self.schedule = schedule
        self.found: ScheduleFigures = figures_of(schedule)
        self.slots = self.found.waves.slots

    @property
    def title(self) -> str:
        """The kernel with its parameters, and what is shown of it."""
        spec = self.schedule.spec
        return visible(f"Block schedule: {' '.join(filter(None, (spec.kernel, format_params(spec.params))))}")

    @property
    def subtitle(self) -> str:
        """The kernel's title, the size, the device and the day."""
        return subtitle_of_one([self.schedule])

    @cached_property
    def sentence(self) -> str:
        return sentence(self.schedule, self.found)

    @property
    def idle_units(self) -> tuple[int, ...]:
        """The SMs that never ran a block."""
        return tuple(np.flatnonzero(self.found.blocks_per_unit == 0).tolist())

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of the launch and of the picture."""
        folded = (
            ("the grid has a single row of blocks, which is folded here line by line",) if self.grid.is_folded else ()
        )
        return (*circumstances(self.schedule), *folded)

    @cached_property
    def grid(self) -> GridOfBlocks:
        return grid_of(self.schedule)

    @cached_property
    def lanes(self) -> Lanes:
        return lanes_of(self.schedule, self.found)

    def groups(self, by: ColourBy) -> NDArray[np.int32]:
        """What colours each block: its wave, or its SM."""
        return self.found.waves.wave if by is ColourBy.WAVE else self.schedule.unit

    def group_count(self, by: ColourBy) -> int:
        return self.found.waves.count if by is ColourBy.WAVE else self.schedule.units

    def words_at(self, block: int) -> str:
        """A block in one line: its place, SM, wave and times."""
        schedule, waves = self.schedule, self.found.waves
        start, end = int(schedule.start_ns[block]), int(schedule.end_ns[block])
        place = schedule.block_at(block)
        slot = f", slot {int(waves.slot[block]) + 1} of {self.slots}" if self.slots > 1 else ""
        times = f"{microseconds(start)} to {microseconds(end)} µs ({microseconds(end - start)} µs)"
        return (
            f"block {','.join(map(str, place if place[2] else place[:2]))}  ·  SM {int(schedule.unit[block])}{slot}  "
            f"·  wave {int(waves.wave[block]) + 1} of {waves.count}  ·  {times}"
        )

    @property
    def description(self) -> str:
        """The page for somebody who hears it."""
        return f"{self.title}. {self.subtitle}. {self.sentence} {'. '.join(self.notes)}."


@dataclass(frozen=True, slots=True, eq=False)
class GridOfBlocks:
    """The grid as it is drawn: `blocks`, shape (rows, columns), the block in each place. `is_folded`: one row of
    blocks, in lines one below the other. Layers in z lie below each other.
    """

    blocks: Indices
    is_folded: bool

    @property
    def rows(self) -> int:
        return int(self.blocks.shape[0])

    @property
    def columns(self) -> int:
        return int(self.blocks.shape[1])

    def place_of(self, block: int) -> tuple[int, int]:
        """Row and column of a block."""
        return block // self.columns, block % self.columns


def grid_of(schedule: BlockSchedule) -> GridOfBlocks:
    """Where each block is drawn: x across, y and z down."""
    wide, high, deep = schedule.launch.grid
    rows, columns = high * deep, wide
    is_folded = min(rows, columns) == 1 and max(rows, columns) > _WRAPPED
    if is_folded:
        columns = max(1, round(math.sqrt(schedule.blocks * _RATIO)))
        rows = -(-schedule.blocks // columns)
    places = np.full(rows * columns, NO_BLOCK, np.int64)
    places[: schedule.blocks] = np.arange(schedule.blocks)
    return GridOfBlocks(places.reshape(rows, columns), is_folded)


@dataclass(frozen=True, slots=True, eq=False)
class Lanes:
    """The blocks of each slot of each SM in the order of time. A lane is `unit * slots + slot`; `keys`, ascending, are
    `lane * span + start`, so that one search finds what runs when on any of them.
    """

    slots: int
    span: int
    order: Indices
    keys: Indices
    start: Indices
    end: Indices
    lane: Indices

    def at(self, lanes: Indices, times_ns: NDArray[np.float64], least_ns: float = 0.0) -> Indices:
        """Which block runs on each lane at each time: shape (lanes, times). A block shorter than `least_ns` counts as
        that long, where no other follows it, so that it can be seen.
        """
        times = np.clip(times_ns, 0, self.span - 1)
        wanted = lanes[:, np.newaxis] * float(self.span) + times[np.newaxis, :]
        found = np.searchsorted(self.keys, wanted, side="right") - 1
        there = np.maximum(found, 0)
        is_running = (
            (found >= 0)
            & (self.lane[there] == lanes[:, np.newaxis])
            & (np.maximum(self.end[there], self.start[there] + least_ns) > times_ns[np.newaxis, :])
        )
        return np.where(is_running, self.order[there], NO_BLOCK)


def lanes_of(schedule: BlockSchedule, found: ScheduleFigures) -> Lanes:
    """All lanes of a schedule."""
    slots, span = found.waves.slots, schedule.makespan_ns + 2
    lane = schedule.unit.astype(np.int64) * slots + found.waves.slot
    order = np.lexsort((schedule.start_ns, lane)).astype(np.int64)
    start, of_lane = schedule.start_ns[order], lane[order]
    return Lanes(slots, span, order, of_lane * span + start, start, schedule.end_ns[order], of_lane)


def name_of(schedule: BlockSchedule) -> str:
    """A schedule as a combo names it."""
    spec = schedule.spec
    return "  ·  ".join(part for part in (spec.kernel, format_params(spec.params), spec.shape.words) if part)


def schedule_table(schedule: BlockSchedule, name: str) -> PlotTable:
    """Every block in full precision; times in ns from the first start, waves and slots from 0."""
    found = figures_of(schedule)
    spec = schedule.spec
    columns = (
        "kernel",
        "params",
        "m",
        "n",
        "k",
        "block",
        "x",
        "y",
        "z",
        "sm",
        "slot",
        "wave",
        "start_ns",
        "end_ns",
        *PLACE_COLUMNS,
    )
    shape, params = spec.shape, format_params(spec.params)
    where = place_cells(schedule.device, schedule.finished)
    rows = tuple(
        dict(
            zip(
                columns,
                (spec.kernel, params, shape.m, shape.n, shape.k, block, *schedule.block_at(block), *figures, *where),
                strict=True,
            )
        )
        for block, figures in enumerate(
            zip(
                schedule.unit.tolist(),
                found.waves.slot.tolist(),
                found.waves.wave.tolist(),
                schedule.start_ns.tolist(),
                schedule.end_ns.tolist(),
                strict=True,
            )
        )
    )
    return PlotTable(name, columns, rows)


def newest_of(schedules: Sequence[BlockSchedule], shown: BlockSchedule | None) -> int:
    """The place of what is shown if it is still there and nothing came behind it, else of the newest; -1 if none."""
    return next((place for place, one in enumerate(schedules) if one is shown), len(schedules) - 1)


def tail_words(figure: ScheduleFigure) -> str:
    """What stands in the shaded end of the timeline."""
    return f"tail {nanoseconds(figure.found.tail.ns)}, {figures.percent(figure.found.tail.fraction)} of the time"
