"""A block schedule in plain words, for reports and for the window."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain import figures
from gemmviz.domain.places import place_words
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.runs.waves import ScheduleFigures


def sentence(schedule: BlockSchedule, found: ScheduleFigures) -> str:
    """What happened: "512 blocks in 3.88 waves on 132 SMs, one at a time on each; the last 12.0 µs, …"."""
    return f"{_waves(schedule, found)}; {_tail(found)}{_idle(found)}."


def facts(schedule: BlockSchedule, found: ScheduleFigures) -> tuple[tuple[str, str, str], ...]:
    """Name, figure and what is to be known of it, for a table."""
    counts = found.blocks_per_unit[found.blocks_per_unit > 0]
    busy = found.busy[found.blocks_per_unit > 0]
    times = (schedule.end_ns - schedule.start_ns).astype(np.float64)
    fits = schedule.occupancy
    return (
        ("first start to last end", nanoseconds(schedule.makespan_ns), "by the GPU's clock"),
        (
            "kernel time",
            figures.milliseconds(schedule.kernel_ms),
            f"by events; {figures.milliseconds(schedule.plain_ms)} without stamps",
        ),
        (
            "waves",
            figures.number(found.waves_needed),
            f"blocks over {found.blocks_per_unit.size} SMs × {found.slots} slots"
            + (", the most seen at once" if found.slots_are_seen else ""),
        ),
        ("blocks per SM", _three(counts, lambda value: figures.count(round(value))), "least, median, most"),
        (
            "busy",
            _three(busy, figures.percent),
            "least, median, most; share of the time in which an SM had at least one block",
        ),
        ("time per block", _three(times, lambda value: nanoseconds(round(value))), "least, median, most"),
        (
            "at once on an SM",
            figures.count(found.waves.slots),
            "most seen" + (f"; {fits.blocks} fit, limited by {', '.join(fits.limited_by)}" if fits is not None else ""),
        ),
        *_occupancy(schedule, found),
        (
            "SMs without a block",
            figures.count(found.units_idle),
            f"of {found.blocks_per_unit.size}; {figures.percent(found.idle_fraction)} of the GPU unused",
        ),
        (
            "tail",
            nanoseconds(found.tail.ns),
            f"{figures.percent(found.tail.fraction)} of the time, {average(found.tail.waiting)} SMs idle on average; "
            f"{figures.percent(found.tail.wasted)} of the slots' time on SMs with work wasted"
            + (", counting free block slots on busy SMs" if found.has_partly_filled_tail else ""),
        ),
    )


def _occupancy(schedule: BlockSchedule, found: ScheduleFigures) -> tuple[tuple[str, str, str], ...]:
    if found.achieved is None:
        return ()
    fits = schedule.occupancy
    theoretical = f"; {figures.percent(fits.fraction)} would fit" if fits is not None else ""
    return (
        (
            "occupancy achieved",
            figures.percent(found.achieved),
            f"resident warps over the most an SM holds, while it had any{theoretical}",
        ),
    )


def circumstances(schedule: BlockSchedule) -> tuple[str, ...]:
    """Where and when it was, which launch, and what the clock can show: sentences without their capitals and stops."""
    caches = "with overwritten caches" if schedule.is_cold else "with the caches as the previous launch left them"
    step = schedule.resolution_ns
    clock = (
        f"times are multiples of {nanoseconds(step)}, the step of the GPU's clock"
        if step
        else "the launch was shorter than one step of the GPU's clock, so no time can be told"
    )
    cluster = prod(schedule.launch.cluster)
    together = (f"{cluster} neighbouring blocks form a cluster and are placed together",) if cluster > 1 else ()
    return (
        f"measured on {place_words(schedule.device, schedule.finished)}",
        f"launch {figures.count(schedule.launches_before + 1)} of the stamped code, {caches}",
        clock,
        *together,
    )


def nanoseconds(value: float) -> str:
    """Whole nanoseconds, from a thousand on as all times are written: "96 ns", "12.3 µs", "0.126 ms"."""
    return f"{value:.0f} ns" if value < 1e3 else figures.milliseconds(value / 1e6)


def microseconds(value_ns: float) -> str:
    """Two decimals, without the unit, so that times of one launch compare digit by digit: "1 234.57"."""
    return figures.grouped(value_ns / 1e3, 2)


def average(value: float) -> str:
    """A mean of counts: "59", "1.5"."""
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}"


def _waves(schedule: BlockSchedule, found: ScheduleFigures) -> str:
    blocks = f"{figures.count(schedule.blocks)} block{'s' if schedule.blocks > 1 else ''}"
    units = int(found.blocks_per_unit.size)
    if not found.is_at_once:
        return f"{blocks} in {figures.number(found.waves_needed)} waves on {units} SMs, {_at_a_time(found.slots)}"
    if schedule.blocks == 1:
        return f"1 block on one of {units} SMs"
    most = int(found.blocks_per_unit.max())
    where = f"on {found.units_used} of {units} SMs" if found.units_idle else f"on all {units} SMs"
    return f"{blocks}, all at once, {where}, {'one' if most == 1 else f'at most {most}'} on each"


def _at_a_time(slots: int) -> str:
    return "one at a time on each" if slots == 1 else f"up to {slots} at a time on each"


def _tail(found: ScheduleFigures) -> str:
    tail = found.tail
    if not tail.ns:
        return "no SM waits for others at the end"
    return (
        f"tail: in the last {nanoseconds(tail.ns)} ({figures.percent(tail.fraction)} of the time) "
        f"{average(tail.waiting)} SMs are idle on average, and {figures.percent(tail.wasted)} of the capacity"
        + (" of the SMs with work" if found.units_idle else "")
        + " is wasted"
        + (", counting free block slots on busy SMs" if found.has_partly_filled_tail else "")
    )


def _idle(found: ScheduleFigures) -> str:
    idle = found.units_idle
    if not idle:
        return ""
    never = "1 SM never gets a block and wastes" if idle == 1 else f"{idle} SMs never get a block and waste"
    return f"; {never} {figures.percent(found.idle_fraction)} of the GPU"


def _three(values: NDArray[Any], words: Callable[[float], str]) -> str:
    least, median, most = float(values.min()), float(np.median(values)), float(values.max())
    return " / ".join(words(value) for value in (least, median, most))
