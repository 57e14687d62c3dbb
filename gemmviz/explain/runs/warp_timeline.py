"""What the picture of an SM's warps shows, as values: who waits and who computes when, counts and sentences. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain import figures
from gemmviz.domain.places import PLACE_COLUMNS, place_cells, place_words
from gemmviz.domain.runs.warp_timeline import WarpTimeline
from gemmviz.domain.spec import format_params
from gemmviz.domain.terms import Evidence
from gemmviz.domain.visible_text import visible
from gemmviz.explain.figures.circumstances import subtitle_of, subtitle_of_one
from gemmviz.explain.figures.figure import PlotTable

Cycles = NDArray[np.int64]
Span = tuple[int, int]
"""The first cycle of a part of the window, and the one behind its last."""

EVIDENCE = Evidence.MEASURED
EMPTY = (
    "A warp waits hundreds of clock cycles for a load; meanwhile its SM runs other warps. This page shows when each "
    "warp of an SM waits and when it computes. Open the example “Which SM runs which block”, which has such a "
    "measurement of an H200."
)
WHAT_COMPUTES_MEANS = (
    "“Computes” is the time of a tile's multiply-adds. It includes short waits for shared memory, and for other warps "
    "whose instructions the SM issues first."
)


class Phase(IntEnum):
    """What a warp does. `words` name it, `short` where there is little room."""

    LOADS = 0
    """It waits until its values have come from memory."""
    WAITS = 1
    """It waits at a barrier for the other warps of its block."""
    COMPUTES = 2

    @property
    def words(self) -> str:
        return ("waits for memory", "waits for the other warps of its block", "computes")[self]

    @property
    def short(self) -> str:
        return ("waits for memory", "waits for others", "computes")[self]


@dataclass(frozen=True, slots=True, eq=False)
class PhaseBars:
    """What each warp does from when to when, in clock cycles of the window, cut at its ends; shape (bars,)."""

    row: NDArray[np.int32]
    begin: Cycles
    end: Cycles
    phase: NDArray[np.int8]


@lru_cache(64)
def bars_of(timeline: WarpTimeline) -> PhaseBars:
    """All bars of a timeline, row by row and in the order of time. Behind a tile a warp waits until it begins the next
    one of its block; before its first tile and behind its last one it does so where the row has a single block.
    """
    row, window = timeline.row, timeline.window_cycles
    is_first = np.diff(row, prepend=-1) > 0
    is_last = np.append(is_first[1:], True)
    is_other_block = ~is_first & (np.diff(timeline.block, prepend=timeline.block[0]) != 0)
    is_alone = np.bincount(row, is_other_block)[row] == 0
    is_followed = ~is_last & ~np.append(is_other_block[1:], False)
    before = np.where(is_first & is_alone, 0, timeline.load)
    behind = np.where(is_followed, np.append(timeline.load[1:], 0), timeline.stop)
    behind = np.where(is_last & is_alone, window, behind)
    edges = np.stack((before, timeline.load, timeline.arrive, timeline.start, timeline.stop, behind), axis=1)
    edges = np.clip(edges, 0, window)
    phases = np.array((Phase.WAITS, Phase.LOADS, Phase.WAITS, Phase.COMPUTES, Phase.WAITS), np.int8)
    begin, end = edges[:, :-1].reshape(-1), edges[:, 1:].reshape(-1)
    is_seen = end > begin
    of_row, phase = np.repeat(row, phases.size), np.tile(phases, row.size)
    return PhaseBars(of_row[is_seen], begin[is_seen], end[is_seen], phase[is_seen])


@lru_cache(64)
def computing(timeline: WarpTimeline, rows: int) -> tuple[Cycles, Cycles]:
    """When at least one of the first `rows` warps computes: beginnings and ends in the window, apart and in order."""
    bars = bars_of(timeline)
    wanted = (bars.phase == Phase.COMPUTES) & (bars.row < rows)
    order = np.argsort(bars.begin[wanted], kind="stable")
    begin, end = bars.begin[wanted][order], np.maximum.accumulate(bars.end[wanted][order])
    is_new = np.concatenate(([True], begin[1:] > end[:-1])) if begin.size else np.zeros(0, np.bool_)
    return begin[is_new], np.append(end[:-1][is_new[1:]], end[-1:])


def computing_share(timeline: WarpTimeline, span: Span, rows: int = 0) -> float:
    """The part of a span of the window in which at least one of the first `rows` warps computes; 0 rows for all."""
    begin, end = computing(timeline, rows or timeline.rows)
    first, last = span
    common = np.minimum(end, last) - np.maximum(begin, first)
    return float(np.maximum(common, 0).sum()) / (last - first) if last > first else 0.0


def launch_share(timeline: WarpTimeline) -> float:
    """The part of the whole launch in which at least one warp of the SM computes."""
    return timeline.computing_cycles / timeline.launch_cycles


def time_words(samples_ms: NDArray[np.float64]) -> str:
    """The median of some launches."""
    return figures.milliseconds(float(np.median(samples_ms)))


def warps_words(timeline: WarpTimeline) -> str:
    """ "8 warps (1 block) on the SM" """
    return f"{figures.counted(timeline.rows, 'warp')} ({figures.counted(timeline.blocks_per_unit, 'block')}) on the SM"


def share_words(
    timeline: WarpTimeline, span: Span, rows: int = 0, *, is_so_far: bool = False, is_short: bool = False
) -> str:
    """How much of a span is computed in: "At least one warp computes 38 % of the 12 000 cycles shown", or, while its
    end is still to come, "So far, at least one warp has computed 29 % of the time"; in short "computes 38 % here",
    "computed 29 %".
    """
    is_one, share = (rows or timeline.rows) == 1, figures.percent(computing_share(timeline, span, rows), 2)
    if is_short:
        return f"computed {share}" if is_so_far else f"computes {share} here"
    if is_so_far:
        return f"So far, {'the warp' if is_one else 'at least one warp'} has computed {share} of the time"
    cycles = figures.counted(round(span[1] - span[0]), "cycle")
    return f"{'The warp' if is_one else 'At least one warp'} computes {share} of the {cycles} shown"


class WarpsFigure:
    """Timelines and what is said of them: kernel by kernel, of each the one with the fewest warps first."""

    def __init__(self, timelines: Sequence[WarpTimeline]) -> None:
        self.kernels = tuple(dict.fromkeys(one.spec.kernel for one in timelines))
        self.timelines = tuple(
            sorted(timelines, key=lambda one: (self.kernels.index(one.spec.kernel), one.blocks_per_unit))
        )

    @property
    def title(self) -> str:
        """The kernels, a single one with its parameters, and what is shown of them."""
        spec = self.timelines[0].spec
        one = " ".join(filter(None, (spec.kernel, format_params(spec.params))))
        return visible(f"Warps of one SM: {', '.join(self.kernels) if len(self.kernels) > 1 else one}")

    @property
    def subtitle(self) -> str:
        """The title of a single kernel, the size, the device and the day."""
        return subtitle_of(self.timelines) if len(self.kernels) > 1 else subtitle_of_one(self.timelines)

    def heading_of(self, one: WarpTimeline) -> str:
        """What is said above the warps of a timeline: its kernel where there are others, and how many they are."""
        return ": ".join([visible(one.spec.kernel)] * (len(self.kernels) > 1) + [warps_words(one)])

    @cached_property
    def sentence(self) -> str:
        """How much is computed in the whole launch, and how long that takes: with few warps and with many, or by
        different kernels.
        """
        few, many = self.timelines[0], self.timelines[-1]
        if few is many:
            share = figures.percent(launch_share(few))
            return f"With {figures.counted(few.rows, 'warp')}, at least one computes in {share} of the whole launch."
        if len(self.kernels) > 1:
            parts = [
                f"in {visible(one.spec.kernel)} in {figures.percent(launch_share(one))} of the whole launch "
                f"({time_words(one.plain_ms)} without clock readings)"
                for one in self.timelines
            ]
            return f"At least one warp computes {', '.join(parts)}."
        return (
            f"With {figures.counted(few.rows, 'warp')} on each SM, at least one computes in "
            f"{figures.percent(launch_share(few))} of the whole launch; with {figures.counted(many.rows, 'warp')}, in "
            f"{figures.percent(launch_share(many))}. A launch that reads no clock takes {time_words(few.plain_ms)} and "
            f"{time_words(many.plain_ms)}."
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of the measurement."""
        one = self.timelines[0]
        where = place_words(one.device, *(each.finished for each in self.timelines))
        return (
            f"Measured on {where}, by the clock of SM {one.unit}: "
            f"{figures.count(one.window_cycles)} cycles in the middle of each launch.",
            WHAT_COMPUTES_MEANS,
            "Each warp reads the clock four times per tile, which takes time itself: with it, launches take "
            f"{' and '.join(time_words(each.stamped_ms) for each in dict.fromkeys((one, self.timelines[-1])))}.",
        )

    @property
    def description(self) -> str:
        """The picture for somebody who hears it."""
        shown = (
            f"{self.heading_of(one)}: {share_words(one, (0, one.window_cycles)).lower()}." for one in self.timelines
        )
        return " ".join((f"{self.title}. {self.subtitle}.", self.sentence, *shown, *self.notes))


def warps_table(timelines: Sequence[WarpTimeline], name: str) -> PlotTable:
    """Every bar of every timeline in clock cycles of its window, and where it was measured."""
    columns = (
        "kernel",
        "params",
        "m",
        "n",
        "k",
        "sm",
        "blocks_per_sm",
        "warps",
        "warp",
        "phase",
        "begin_cycle",
        "end_cycle",
        *PLACE_COLUMNS,
    )
    rows = []
    for one in WarpsFigure(timelines).timelines:
        spec, bars = one.spec, bars_of(one)
        shape = spec.shape
        what = spec.kernel, format_params(spec.params), shape.m, shape.n, shape.k
        head = (*what, one.unit, one.blocks_per_unit, one.rows)
        where = place_cells(one.device, one.finished)
        found = zip(bars.row.tolist(), bars.phase.tolist(), bars.begin.tolist(), bars.end.tolist(), strict=True)
        for row, phase, begin, end in found:
            rows.append(dict(zip(columns, (*head, row, Phase(phase).words, begin, end, *where), strict=True)))
    return PlotTable(name, columns, tuple(rows))
