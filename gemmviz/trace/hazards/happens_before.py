"""What happens before what, by fences and strong accesses: the PTX ISA's memory consistency model, followed through the
order in which the machine ran the steps of all blocks.

A strong write releases what its thread had done before its latest fence (or before the write itself, if that has
`.release`); a strong read of it, or of what atomic operations made of it, acquires that at the thread's next fence (or
at once with `.acquire`). Between blocks accesses and fences must have the scope of the GPU or of the system. Barriers
order what is in one block. A clock says how many of each thread's releases are known (vector clocks: Mattern, 1988).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.strong_steps import Does, StepKind, StrongSteps

_MOST_NUMBERS = 1 << 26
"""Steps times releasing threads that are followed at most: some 10 s, and 256 MiB."""
_OF_SHARED = 1 << 32
_Clock = NDArray[np.int32]
_Thread = tuple[int, int, int]
_Releaser = tuple[_Thread, bool]
"""A thread, and whether its releases are known to other blocks; those that are not are counted apart."""


class Point(NamedTuple):
    """A place in the run of a block: the barriers passed of the block and of the warp, the warp, the lane, and the
    place among what the warp wrote down. A thread that makes no steps may have lane -1.
    """

    block: int
    epoch: int
    warp: int
    sync: int
    lane: int
    event: int


def is_before(one: Point, other: Point) -> bool:
    """Whether barriers or the order within a thread put a point before another one of its block."""
    if one.epoch != other.epoch or one.warp != other.warp:
        return one.epoch < other.epoch
    return one.sync < other.sync or (one.lane == other.lane >= 0 and one.event < other.event)


class TooManyStepsError(Exception):
    """There are more steps than are followed."""


@dataclass(slots=True)
class _Latest:
    """Clocks that become known one after the other: `keys` ascending, each with all that is known up to it."""

    keys: list[int] = field(default_factory=list)
    clocks: list[_Clock] = field(default_factory=list)

    def add(self, key: int, clock: _Clock) -> None:
        at = bisect_left(self.keys, key)
        if at == len(self.keys) or self.keys[at] != key:
            self.keys.insert(at, key)
            self.clocks.insert(at, self.clocks[at - 1].copy() if at else np.zeros_like(clock))
        for known in self.clocks[at:]:
            np.maximum(known, clock, out=known)

    def before(self, key: int) -> _Clock | None:
        at = bisect_left(self.keys, key)
        return self.clocks[at - 1] if at else None


@dataclass(frozen=True, slots=True)
class Release:
    """A release: all before `until` is known to who acquires it. `kind` made it, at an address."""

    until: Point
    kind: StepKind
    address: tuple[int, int]


class HappensBefore:
    """The order of points of blocks, numbered from 0. Without `needs_release` every strong write releases what its
    thread has done, without `needs_acquire` every strong read acquires, as if there were fences.

    Raises:
        TooManyStepsError: see _MOST_NUMBERS.
    """

    def __init__(
        self, blocks: Sequence[StrongSteps], *, needs_release: bool = True, needs_acquire: bool = True
    ) -> None:
        self._needs_release, self._needs_acquire = needs_release, needs_acquire
        self._releases: dict[_Releaser, list[Release]] = defaultdict(list)
        self._column: dict[_Releaser, int] = {}
        for number, steps in enumerate(blocks):
            writing = np.unique(np.stack([steps.warp[steps.wrote], steps.lane[steps.wrote]], axis=1), axis=0)
            for warp, lane in writing.tolist():
                for is_grid in (False, True):
                    self._column[(number, warp, lane), is_grid] = len(self._column)
        self._of_block: dict[int, list[_Releaser]] = defaultdict(list)
        for releaser in self._column:
            self._of_block[releaser[0][0]].append(releaser)
        self._size = len(self._column) + 1
        if self._size * sum(steps.kind.size for steps in blocks) > _MOST_NUMBERS:
            raise TooManyStepsError
        self._none = np.zeros(self._size, np.int32)
        self._known: dict[tuple[int, ...], _Latest] = defaultdict(_Latest)
        self._fences: dict[tuple[_Thread, bool], tuple[Point, _Clock]] = {}
        self._read: dict[tuple[_Thread, bool], _Clock] = {}
        self._released: dict[tuple[int, int], dict[int, _Clock]] = {}
        self._steps: list[tuple[Point, StepKind, tuple[int, int]]] = []
        self._all_fences: dict[_Thread, list[tuple[Point, Does]]] = defaultdict(list)
        self._run(blocks)
        self.clock_at = cache(self._clock_at)

    def is_before(self, one: Point, other: Point) -> bool:
        """Whether all of the accesses at a point happen before those at another one."""
        return (one.block == other.block and is_before(one, other)) or self.release_between(one, other) is not None

    def release_between(self, one: Point, other: Point) -> Release | None:
        """The release by which one point happens before another one; None if there is none."""
        clock = self.clock_at(other)
        for releaser in self._of_block[one.block]:
            count = int(clock[self._column[releaser]])
            if count and is_before(one, self._releases[releaser][count - 1].until):
                return self._releases[releaser][count - 1]
        return None

    def acquire_of(self, release: Release, other: Point) -> tuple[Point, StepKind] | None:
        """The last read before a point of what a release wrote."""
        found = [
            (point, kind)
            for point, kind, address in self._steps
            if address == release.address
            and kind.does & Does.READS
            and point.block == other.block
            and is_before(point, other)
        ]
        return found[-1] if found else None

    def has_fence(self, one: Point, other: Point, thread: Point, *, is_grid: bool) -> bool:
        """Whether the thread of a point comes to a fence between two points of its block."""
        return any(
            is_before(one, point) and (is_before(point, other) or point == other)
            for point, does in self._all_fences.get((thread.block, thread.warp, thread.lane), ())
            if does & Does.OF_GRID or not is_grid
        )

    def turn(self, point: Point) -> int:
        """A number that is larger the later a point is, of those that are in order between blocks."""
        return int(self.clock_at(point)[-1])

    def _clock_at(self, point: Point) -> _Clock:
        thread = (point.block, point.warp, point.lane)
        found = [
            self._known[point.block,].before(point.epoch) if (point.block,) in self._known else None,
            self._known[thread[:2]].before(point.sync) if thread[:2] in self._known else None,
            self._known[thread].before(point.event) if thread in self._known else None,
        ]
        clocks = [clock for clock in found if clock is not None]
        return np.maximum.reduce(clocks) if clocks else self._none

    def _run(self, blocks: Sequence[StrongSteps]) -> None:
        order = np.concatenate([steps.order for steps in blocks]) if blocks else np.zeros(0, np.int64)
        block = np.repeat(np.arange(len(blocks)), [steps.kind.size for steps in blocks])
        row = np.concatenate([np.arange(steps.kind.size) for steps in blocks]) if blocks else order
        for turn, at in enumerate(np.argsort(order, kind="stable").tolist()):
            number, i = int(block[at]), int(row[at])
            steps = blocks[number]
            point = Point(
                number,
                int(steps.epoch[i]),
                int(steps.warp[i]),
                int(steps.sync[i]),
                int(steps.lane[i]),
                int(steps.event[i]),
            )
            kind, address = steps.kinds[int(steps.kind[i])], int(steps.address[i])
            if kind.does & Does.FENCE:
                self._fence(point, kind.does, turn)
                continue
            place = (number if address < _OF_SHARED else -1, address)
            self._steps.append((point, kind, place))
            self._access(point, kind, place, bool(steps.wrote[i]), turn)

    def _fence(self, point: Point, does: Does, turn: int) -> None:
        thread = (point.block, point.warp, point.lane)
        self._all_fences[thread].append((point, does))
        for is_grid in (False, True):
            if not is_grid or does & Does.OF_GRID:
                self._acquire(point, self._read.pop((thread, is_grid), None), turn)
        clock = self._clock_at(point._replace(event=point.event + 1))
        for is_grid in (False, True):
            if not is_grid or does & Does.OF_GRID:
                self._fences[thread, is_grid] = point, clock

    def _access(self, point: Point, kind: StepKind, place: tuple[int, int], wrote: bool, turn: int) -> None:
        does = kind.does
        if not does & Does.STRONG:
            if wrote:
                self._released.pop(place, None)  # a weak write: what follows reads that, and acquires nothing
            return
        held = self._released.get(place, {})
        if does & Does.READS:
            self._observe(point, does, held, turn)
        if not wrote:
            return
        kept = {block: clock.copy() for block, clock in held.items()} if does & Does.READS else {}
        for is_grid in (False, True):
            if is_grid and not does & Does.OF_GRID and self._needs_release:
                continue
            made = self._release(point, kind, place, is_grid)
            if made is not None:
                whom = _ALL if is_grid else point.block
                kept[whom] = np.maximum(kept[whom], made) if whom in kept else made
        self._released[place] = kept

    def _observe(self, point: Point, does: Does, held: dict[int, _Clock], turn: int) -> None:
        thread = (point.block, point.warp, point.lane)
        for whom, is_grid in ((point.block, False), (_ALL, True)):
            clock = held.get(whom)
            if clock is None or (is_grid and not does & Does.OF_GRID and self._needs_acquire):
                continue
            if does & Does.ACQUIRES or not self._needs_acquire:
                self._acquire(point, clock, turn)
            else:
                before = self._read.get((thread, is_grid))
                self._read[thread, is_grid] = clock.copy() if before is None else np.maximum(before, clock)

    def _release(self, point: Point, kind: StepKind, place: tuple[int, int], is_grid: bool) -> _Clock | None:
        """What a write makes known; None for nothing."""
        thread = (point.block, point.warp, point.lane)
        if kind.does & Does.RELEASES or not self._needs_release:
            until, clock = point, self._clock_at(point._replace(event=point.event + 1))
        elif (thread, is_grid) in self._fences:
            until, clock = self._fences[thread, is_grid]
        else:
            return None
        releaser = thread, is_grid
        self._releases[releaser].append(Release(until, kind, place))
        made = clock.copy()
        made[self._column[releaser]] = len(self._releases[releaser])
        return made

    def _acquire(self, point: Point, clock: _Clock | None, turn: int) -> None:
        """Make a clock known to what comes behind a point."""
        if clock is None:
            return
        gained = clock.copy()
        gained[-1] = turn + 1
        self._known[point.block,].add(point.epoch, gained)
        self._known[point.block, point.warp].add(point.sync, gained)
        self._known[point.block, point.warp, point.lane].add(point.event, gained)


_ALL = -1
"""Whoever reads with the scope of the GPU."""
