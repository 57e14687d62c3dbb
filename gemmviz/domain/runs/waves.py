"""What follows from a block schedule: slots and waves, how busy each unit was, the tail. All of it derived."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.kernels.resources import warps_of
from gemmviz.domain.runs.schedule import BlockSchedule

IntColumn = NDArray[np.int32]
LongColumn = NDArray[np.int64]
FloatColumn = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Waves:
    """Where each block ran within its unit; columns of shape (blocks,), from 0.

    A *slot* is a place for one block on a unit. The blocks of a unit are gone through in the order of their starts
    (then of their ends, then of their numbers); each takes the lowest slot that is free. A slot is free at a start
    later than the end of its last block, or equal to it where that block took time. Blocks too short for the clock
    therefore count as at once, but only as many as fit by the kernel's occupancy; then slots are taken again at
    the very moment they were left. A block's *wave* is how many blocks had its slot before it.
    """

    slot: IntColumn
    wave: IntColumn

    @property
    def slots(self) -> int:
        """The most blocks that were on one unit at once: one more than fit by occupancy where the places of warps that
        had ended went to the next block.
        """
        return int(self.slot.max()) + 1

    @property
    def count(self) -> int:
        return int(self.wave.max()) + 1


def waves_of(schedule: BlockSchedule) -> Waves:
    """Slot and wave of every block."""
    fits = schedule.occupancy
    most = fits.blocks if fits is not None else 0
    slot, wave = np.zeros(schedule.blocks, np.int32), np.zeros(schedule.blocks, np.int32)
    order = np.lexsort((schedule.end_ns, schedule.start_ns, schedule.unit))  # stable: numbers decide at last
    columns = (order, schedule.unit[order], schedule.start_ns[order], schedule.end_ns[order])
    here, slots = -1, _Slots(most)
    for block, unit, start, end in zip(*(column.tolist() for column in columns), strict=True):
        if unit != here:
            here, slots = unit, _Slots(most)
        slot[block], wave[block] = slots.take(start, end)
    return Waves(slot, wave)


class _Slots:
    """The slots of one unit: the last block's start and end, and how many there were. `most` is 0 where unknown."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._counts: list[int] = []

    def take(self, start: int, end: int) -> tuple[int, int]:
        """The slot of the next block, and its wave."""
        place = self._free(start)
        if place == len(self._ends):
            self._starts.append(start)
            self._ends.append(end)
            self._counts.append(0)
        else:
            self._starts[place], self._ends[place] = start, end
            self._counts[place] += 1
        return place, self._counts[place]

    def _free(self, start: int) -> int:
        left: tuple[int, int] | None = None
        for place, (began, ended) in enumerate(zip(self._starts, self._ends, strict=True)):
            if ended < start or began < ended == start:
                return place
            if ended == start:
                left = min(left or (self._counts[place], place), (self._counts[place], place))
        full = 0 < self._most <= len(self._ends)
        return left[1] if full and left is not None else len(self._ends)


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of a launch, from the moment the first unit that had work has none left: `ns` long, `fraction` of the
    whole time. `waiting` units on average have nothing to do in it; `wasted` is the part of all slots' time in the
    whole launch that lies empty within the tail. Units that never had a block do not count.
    """

    begin_ns: int
    ns: int
    fraction: float
    waiting: float
    wasted: float


@dataclass(frozen=True, slots=True, eq=False)
class ScheduleFigures:
    """The figures of one schedule. Columns of shape (units,): `blocks_per_unit`, and `busy`, the part of the time in
    which a unit had at least one block. `slots` blocks fit on a unit at once, by its occupancy or, where that is not
    known, as many as were seen; `waves_needed` is blocks over all slots of the device. `achieved` is the achieved
    occupancy: the warps that were there, of those a unit can hold, averaged over the time in which units had any (as
    Nsight Compute's sm__warps_active counts it); None where the device does not tell or the clock did not step.
    """

    waves: Waves
    slots: int
    slots_are_seen: bool
    waves_needed: float
    blocks_per_unit: LongColumn
    busy: FloatColumn
    tail: Tail
    achieved: float | None

    @property
    def units_used(self) -> int:
        return int(np.count_nonzero(self.blocks_per_unit))

    @property
    def units_idle(self) -> int:
        """Units that never had a block."""
        return int(self.blocks_per_unit.size) - self.units_used

    @property
    def idle_fraction(self) -> float:
        """The part of the device that never had a block."""
        return self.units_idle / self.blocks_per_unit.size

    @property
    def has_partly_filled_tail(self) -> bool:
        """Whether the tail wastes more than its waiting units: free slots beside blocks that still run."""
        waiting = self.tail.waiting / max(self.units_used, 1) * self.tail.fraction
        return self.tail.wasted > waiting + 1e-9

    @property
    def is_at_once(self) -> bool:
        """Whether every block had a slot from the start, as those of persistent kernels do."""
        return self.waves.count == 1


def figures_of(schedule: BlockSchedule) -> ScheduleFigures:
    """All of them."""
    waves, fits = waves_of(schedule), schedule.occupancy
    known = fits is not None and fits.blocks > 0
    slots = max(fits.blocks, 1) if fits is not None and known else waves.slots
    counts = np.bincount(schedule.unit, minlength=schedule.units).astype(np.int64)
    busy = _busy(schedule)
    return ScheduleFigures(
        waves,
        slots,
        not known,
        schedule.blocks / (schedule.units * slots),
        counts,
        busy,
        _tail(schedule, slots),
        _achieved(schedule, busy),
    )


def _achieved(schedule: BlockSchedule, busy: FloatColumn) -> float | None:
    facts = schedule.device.gpu_facts
    had_blocks_ns = float(busy.sum()) * schedule.makespan_ns
    if not (facts.threads_per_unit and facts.warp_width and had_blocks_ns):
        return None
    most_warps = facts.threads_per_unit // facts.warp_width
    present_ns = float((schedule.end_ns - schedule.start_ns).sum()) * warps_of(schedule.launch, facts)
    return present_ns / (had_blocks_ns * most_warps)


def _steps(start: LongColumn, end: LongColumn) -> tuple[LongColumn, LongColumn]:
    times = np.concatenate((start, end))
    steps = np.repeat(np.array([1, -1], np.int64), start.size)
    places, group = np.unique(times, return_inverse=True)
    changes = np.zeros(places.size, np.int64)
    np.add.at(changes, group.reshape(-1), steps)
    return places, np.cumsum(changes)


def filled(schedule: BlockSchedule, groups: NDArray[np.intp], edges: FloatColumn) -> FloatColumn:
    """Blocks at once, on average over each stretch of time: shape (groups, edges - 1). `groups`, shape (units,), says
    which group each unit belongs to, from 0; `edges` are times in ns, ascending.
    """
    of_block = groups[schedule.unit]
    found = np.zeros((int(groups.max()) + 1, edges.size - 1))
    for group in range(found.shape[0]):
        chosen = of_block == group
        if chosen.any():
            times, counts = _steps(schedule.start_ns[chosen], schedule.end_ns[chosen])
            area = np.r_[0.0, np.cumsum(counts[:-1] * np.diff(times))]
            found[group] = np.diff(np.interp(edges, times, area)) / np.maximum(np.diff(edges), 1e-9)
    return found


def _busy(schedule: BlockSchedule) -> FloatColumn:
    busy, span = np.zeros(schedule.units), schedule.makespan_ns
    order = np.lexsort((schedule.start_ns, schedule.unit))
    unit, start, end = schedule.unit[order], schedule.start_ns[order], schedule.end_ns[order]
    begins = np.flatnonzero(np.r_[True, unit[1:] != unit[:-1]])
    for first, behind in zip(begins.tolist(), [*begins[1:].tolist(), unit.size], strict=True):
        latest = np.maximum.accumulate(end[first:behind])
        covered_before = np.r_[start[first], latest[:-1]]
        covered = np.maximum(latest - np.maximum(start[first:behind], covered_before), 0)
        busy[unit[first]] = covered.sum() / span if span else 1.0
    return busy


def _tail(schedule: BlockSchedule, slots: int) -> Tail:
    span = schedule.makespan_ns
    used = np.unique(schedule.unit)
    last = np.zeros(schedule.units, np.int64)
    np.maximum.at(last, schedule.unit, schedule.end_ns)
    begin = int(last[used].min())
    length = span - begin
    if not length:
        return Tail(begin, 0, 0.0, 0.0, 0.0)
    waiting = float((span - last[used]).sum() / length)
    inside = np.maximum(schedule.end_ns - np.maximum(schedule.start_ns, begin), 0).sum()
    empty = max(used.size * slots * length - int(inside), 0)
    return Tail(begin, length, length / span, waiting, empty / (used.size * slots * span))
