"""The figure of whole runs: A and B in, the kernel, C out, and the whole in one stretch. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gemmviz.domain import figures
from gemmviz.domain.doubts import NOISY, TIME_RAN_OUT
from gemmviz.domain.moved import gb_per_s, gb_per_s_words, moved_bytes
from gemmviz.domain.result import RunResult
from gemmviz.domain.terms import Evidence
from gemmviz.gui.charts.figure import Axis, Edge, Figure, Form, Look, PlotTable, Quantity, Row, Series
from gemmviz.gui.charts.marks import Marks, drawn, edge_of, extent
from gemmviz.gui.charts.run_facts import NO_RUNS, RUN_COLUMNS, RunFacts, facts_of, notes_of
from gemmviz.gui.charts.scales import needs_log
from gemmviz.gui.charts.ticks import padded_range
from gemmviz.gui.charts.timing_whole_parts import NOTE as PARTS_APART
from gemmviz.gui.charts.timing_whole_parts import parts_apart

NAME = "whole_time"
TITLE = "Whole run, transfers apart"
_COLUMNS = (
    *RUN_COLUMNS, "in_ms", "kernel_ms", "out_ms", "end_to_end_ms", "in_pinned_ms", "out_pinned_ms", "in_gb_per_s",
    "out_gb_per_s", "in_pinned_gb_per_s", "out_pinned_gb_per_s",
)  # fmt: skip
_NOTE = (
    "in: A and B to the device; kernel: its median on the device's clock; out: C back; whole: in, one launch and out "
    "in one stretch on the host's clock"
)
_PARTS = ("in", "kernel", "out")
_UP, _DOWN = -0.12, 0.24
"""Where the bars of a row with two kinds of transfers stand."""


def whole_time_figure(runs: Sequence[RunResult]) -> Figure:
    """Stacked bars of transfers and kernel with a mark for the whole, on a linear axis; each part for itself on a
    logarithmic one where runs lie far apart.
    """
    facts = facts_of(runs)
    is_log = needs_log(fact.run.timing.end_to_end_ms for fact in facts)
    edges = _unknown(facts)
    series = parts_apart(facts, edges) if is_log else _stacks(facts, edges)
    low, high = padded_range(extent(series), is_log)
    if is_log:
        axis = Axis("time of each part, logarithmic", Quantity.TIME, low, high, is_log=True)
    else:
        axis = Axis("time", Quantity.TIME, -0.02 * high, high)
    return Figure(
        title=TITLE,
        evidence=Evidence.MEASURED,
        empty=NO_RUNS,
        axis=axis,
        rows=tuple(_row(fact) for fact in facts),
        series=series,
        edges=tuple(edges),
        notes=(
            *(note for note in notes_of(facts) if note not in (NOISY, TIME_RAN_OUT)),
            _NOTE,
            *((PARTS_APART,) if is_log else ()),
        ),
        heads=("kernel", "whole"),
    )


def whole_time_table(runs: Sequence[RunResult]) -> PlotTable:
    """The plotted times in ms."""
    rows = tuple(
        fact.identity
        | dict(zip(_COLUMNS[len(RUN_COLUMNS) :], (*_parts(fact), *_transfer_cells(fact.run)), strict=True))
        for fact in facts_of(runs)
    )
    return PlotTable(NAME, _COLUMNS, rows)


def _transfer_cells(run: RunResult) -> tuple[float | str, ...]:
    """From the whole time on; "" where nothing was timed from page-locked memory."""
    timing, (to_device, back) = run.timing, moved_bytes(run)
    pinned = (timing.h2d_pinned_ms, timing.d2h_pinned_ms)
    return (
        timing.end_to_end_ms, *(ms or "" for ms in pinned), gb_per_s(to_device, timing.h2d_ms),
        gb_per_s(back, timing.d2h_ms), *(
            gb_per_s(nbytes, ms) or "" for nbytes, ms in zip((to_device, back), pinned, strict=True)
        ),
    )  # fmt: skip


def _pinned(fact: RunFacts) -> tuple[float, float, float]:
    """In, kernel and out with page-locked memory; zeros where that was not timed."""
    timing = fact.run.timing
    if not (timing.h2d_pinned_ms and timing.d2h_pinned_ms):
        return 0.0, 0.0, 0.0
    return timing.h2d_pinned_ms, fact.device_ms.median, timing.d2h_pinned_ms


def _parts(fact: RunFacts) -> tuple[float, float, float]:
    return fact.run.timing.h2d_ms, fact.device_ms.median, fact.run.timing.d2h_ms


def _unknown(facts: Sequence[RunFacts]) -> list[Edge]:
    """The parts that are no numbers, at the edge of the axis."""
    edges = []
    for place, fact in enumerate(facts):
        for value, part in zip(_parts(fact), _PARTS, strict=True):
            edge = edge_of(place, value, False, Look.WHOLE)
            if edge is not None:
                edges.append(Edge(place, edge.side, f"{part} {edge.words}", Look.WHOLE))
    return edges


def _stacks(facts: Sequence[RunFacts], edges: list[Edge]) -> tuple[Series, ...]:
    whole = Marks(Look.WHOLE, "whole, in one stretch", False, edges)
    for place, fact in enumerate(facts):
        whole.add(place, fact.run.timing.end_to_end_ms)
    return drawn((*_bars(facts), whole.series()))


def _bars(facts: Sequence[RunFacts]) -> list[Series]:
    times = np.array([_parts(fact) for fact in facts], np.float64).reshape(-1, 3)
    known = np.where(np.isfinite(times), times, 0.0)
    ends = np.cumsum(known, axis=1)
    is_cpu = np.array([fact.is_cpu for fact in facts], bool)
    everywhere = np.ones(len(facts), bool)
    pinned = np.array([_pinned(fact) for fact in facts], np.float64).reshape(-1, 3)
    up = np.where(pinned.any(axis=1), _UP, 0.0)
    return [
        _stacked(look, words, known, ends, part, where, up)
        for look, words, part, where in (
            (Look.MOVED_IN, "in", 0, everywhere),
            (Look.GPU, "GPU kernel", 1, ~is_cpu),
            (Look.CPU, "CPU variant", 1, is_cpu),
            (Look.MOVED_OUT, "out", 2, everywhere),
        )
    ] + [
        _stacked(look, words, pinned, np.cumsum(pinned, axis=1), part, everywhere, np.full(len(facts), _DOWN), 0.16)
        for look, words, part in (
            (Look.PINNED_IN, "in, from page-locked memory", 0),
            (Look.PINNED_KERNEL, "", 1),
            (Look.PINNED_OUT, "out, to page-locked memory", 2),
        )
    ]


def _stacked(
    look: Look, words: str, known: np.ndarray, ends: np.ndarray, part: int, where: np.ndarray, offsets: np.ndarray,
    thickness: float = 0.4,
) -> Series:  # fmt: skip
    places = np.flatnonzero(where & (known[:, part] > 0))
    values = ends[places, part]
    return Series(
        look, words, Form.BARS, places, values, start=values - known[places, part], thickness=thickness,
        offsets=offsets[places],
    )  # fmt: skip


def _row(fact: RunFacts) -> Row:
    moved_in, kernel, moved_out = (figures.milliseconds(value) for value in _parts(fact))
    timing = fact.run.timing
    whole = figures.milliseconds(timing.end_to_end_ms)
    return Row(
        name=fact.name,
        detail=fact.detail,
        beside=fact.size,
        value=whole if math.isfinite(timing.end_to_end_ms) else "unknown",
        note=f"kernel {kernel}" + _pinned_note(fact.run),
        tooltip=(
            f"{fact.heading}\nin {moved_in}, kernel {kernel}, out {moved_out} (measured)\n{_rates(fact.run)}"
            f"whole, in one stretch {whole} (measured)\n"
            f"first launch {figures.milliseconds(timing.first_launch_ms)}, "
            f"build {figures.milliseconds(timing.compile_ms)} (measured)"
        ),
    )


def _pinned_note(run: RunResult) -> str:
    """How fast A and B came in, pageable and pinned."""
    timing, (nbytes, _) = run.timing, moved_bytes(run)
    if not timing.h2d_pinned_ms:
        return ""
    pageable, pinned = gb_per_s(nbytes, timing.h2d_ms), gb_per_s(nbytes, timing.h2d_pinned_ms)
    return f" · in {figures.number(pageable)}, pinned {figures.number(pinned)} GB/s"


def _rates(run: RunResult) -> str:
    """Lines of a tooltip: how fast the transfers were, and those from page-locked memory."""
    timing, (to_device, back) = run.timing, moved_bytes(run)
    lines = (
        f"in at {gb_per_s_words(to_device, timing.h2d_ms)}, out at {gb_per_s_words(back, timing.d2h_ms)} (derived)\n"
    )
    if not timing.h2d_pinned_ms:
        return lines if timing.h2d_ms > 0 and timing.d2h_ms > 0 else ""
    moved_in, moved_out = (figures.milliseconds(ms) for ms in (timing.h2d_pinned_ms, timing.d2h_pinned_ms))
    return lines + (
        f"page-locked: in {moved_in} at {gb_per_s_words(to_device, timing.h2d_pinned_ms)}, "
        f"out {moved_out} at {gb_per_s_words(back, timing.d2h_pinned_ms)}\n"
    )
