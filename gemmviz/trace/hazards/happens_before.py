"""What happens before what, by fences and strong accesses: the PTX ISA's memory consistency model, followed through the
order in which the machine ran the steps of all blocks.

A strong write releases what its thread had done before its latest fence (or before the write itself, if that has
`.release`); a strong read of it, or of what atomic operations made of it, acquires that at the thread's next fence (or
at once with `.acquire`). Between blocks accesses and fences must have the scope of the GPU or of the system. Barriers
order what is in one block. A clock says how many of each thread's releases are known (vector clocks: Mattern, 1988).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.strong_steps import Does, StepKind, StrongSteps
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.hazards.vector_clocks import (
    RELEASE_COLUMN,
    RELEASE_STEP,
    RELEASE_UNTIL,
    ROW_CLOCK,
    ROW_EVENT,
    ROW_THREAD,
    follow,
)

_MOST_NUMBERS = 1 << 26
"""Steps times releasing threads that are followed at most: a few seconds, and 256 MiB."""
_OF_SHARED = 1 << 32
_EVERYTHING = np.iinfo(np.int64).max
_Clock = NDArray[np.int32]
Columns = NDArray[np.int64]


class ExecutionPoint(NamedTuple):
    """A place in the run of a block: the barriers passed of the block and of the warp, the warp, the lane, and the
    place among what the warp wrote down. A thread that makes no steps may have lane -1.
    """

    block: int
    epoch: int
    warp: int
    sync: int
    lane: int
    event: int


def is_before(one: ExecutionPoint, other: ExecutionPoint) -> bool:
    """Whether barriers or the order within a thread put a point before another one of its block."""
    if one.epoch != other.epoch or one.warp != other.warp:
        return one.epoch < other.epoch
    return one.sync < other.sync or (one.lane == other.lane >= 0 and one.event < other.event)


class TooManyStepsError(Exception):
    """There are more steps than are followed."""


@dataclass(frozen=True, slots=True)
class Release:
    """A release: all before `until` is known to who acquires it. `kind` made it, at an address."""

    until: ExecutionPoint
    kind: StepKind
    address: tuple[int, int]


class HappensBefore:
    """The order of points of blocks, numbered from 0, by the steps that they made. Without `needs_release` every strong
    write releases what its thread has done, without `needs_acquire` every strong read acquires, as if it had a fence.

    Raises:
        TooManyStepsError: see _MOST_NUMBERS.
    """

    def __init__(self, steps: OrderedSteps, *, needs_release: bool = True, needs_acquire: bool = True) -> None:
        self._steps, table = steps, steps.table
        self._column_block = np.repeat(table.threads[table.writing][:, 0], 2)
        self._size = 2 * int(table.writing.sum()) + 1
        if self._size * steps.order.size > _MOST_NUMBERS:
            raise TooManyStepsError
        self._clocks, known_of_block, known_of_warp, gains, self._releases = follow(
            table.rows,
            _firsts(table.block_rows),
            _firsts(table.warp_rows),
            len(table.threads),
            table.clocks,
            self._size,
            needs_release,
            needs_acquire,
        )
        self._known: dict[tuple[int, ...], tuple[list[int], list[int]]] = {}
        gained = np.concatenate([table.threads[gains[:, ROW_THREAD]], gains[:, [ROW_EVENT]]], axis=1)
        for keys, clocks in (
            (table.block_rows, known_of_block),
            (table.warp_rows, known_of_warp),
            (gained, gains[:, ROW_CLOCK]),
        ):
            for key, clock in zip(keys.tolist(), clocks.tolist(), strict=True):
                if clock >= 0:
                    events, known = self._known.setdefault(tuple(key[:-1]), ([], []))
                    events.append(key[-1])
                    known.append(clock)
        order = np.argsort(self._releases[:, RELEASE_COLUMN], kind="stable")
        self._by_column = self._releases[order]
        self._first_release = np.searchsorted(self._by_column[:, RELEASE_COLUMN], np.arange(self._size))
        self._none = np.zeros(self._size, np.int32)
        self.clock_at = cache(self._clock_at)

    def is_before(self, one: ExecutionPoint, other: ExecutionPoint) -> bool:
        """Whether all of the accesses at a point happen before those at another one."""
        return (one.block == other.block and is_before(one, other)) or self.release_between(one, other) is not None

    def is_seen(self, write: ExecutionPoint, other: ExecutionPoint) -> bool:
        """Whether a point comes behind a strong read of what the strong write at another point, or atomic operations on
        it, wrote. That write then precedes it in causality order without any fence; what stands before the write does
        not.
        """
        steps = self._steps
        own = (steps.thread == (write.block, write.warp, write.lane)).all(axis=1) & (
            steps.points[:, _EVENT] > write.event
        )
        at = int(np.argmax(own))  # the step of an access is written down behind it
        if not own.any() or not steps.wrote[at]:
            return False
        of_place = np.flatnonzero((steps.places == steps.places[at]).all(axis=1))
        for step in of_place[of_place > at].tolist():
            does, point = Does(int(steps.does[step])), steps.point(step)
            reads = Does.READS in does and Does.STRONG in does
            is_grid = Does.OF_GRID in does and Does.OF_GRID in Does(int(steps.does[at]))
            if reads and (is_grid or point.block == write.block) and self.is_before(point, other):
                return True
            if steps.wrote[step] and not reads:
                break
        return False

    def release_between(self, one: ExecutionPoint, other: ExecutionPoint) -> Release | None:
        """The release by which one point happens before another one; None if there is none."""
        clock = self.clock_at(other)
        columns = np.flatnonzero((clock[:-1] > 0) & (self._column_block == one.block))
        if not columns.size:
            return None
        latest = self._by_column[self._first_release[columns] + clock[columns] - 1]
        until = self._steps.points[latest[:, RELEASE_UNTIL]]
        follows = np.flatnonzero(_are_behind(one, until))
        if not follows.size:
            return None
        found = latest[follows[0]]
        step = int(found[RELEASE_STEP])
        place, address = self._steps.places[step].tolist()
        point = self._steps.point(int(found[RELEASE_UNTIL]))
        return Release(point, self._steps.kinds[int(self._steps.kind[step])], (place, address))

    def acquire_of(self, release: Release, other: ExecutionPoint) -> tuple[ExecutionPoint, StepKind] | None:
        """The last read before a point of what a release wrote."""
        steps = self._steps
        reads = (steps.does & int(Does.READS) != 0) & (steps.points[:, _BLOCK] == other.block)
        for at in np.flatnonzero(reads & (steps.places == release.address).all(axis=1))[::-1].tolist():
            if is_before(point := steps.point(at), other):
                return point, steps.kinds[int(steps.kind[at])]
        return None

    def has_fence(self, one: ExecutionPoint, other: ExecutionPoint, thread: ExecutionPoint, *, is_grid: bool) -> bool:
        """Whether the thread of a point comes to a fence between two points of its block."""
        steps = self._steps
        wanted = int(Does.FENCE | Does.OF_GRID) if is_grid else int(Does.FENCE)
        own = (steps.thread == (thread.block, thread.warp, thread.lane)).all(axis=1)
        return any(
            is_before(one, point) and (is_before(point, other) or point == other)
            for point in map(steps.point, np.flatnonzero(own & (steps.does & wanted == wanted)).tolist())
        )

    def known_to(self, point: ExecutionPoint, threads: int) -> tuple[Columns, Columns]:
        """What of the other accesses of its block and epoch happens before a point: for each of so many threads all
        before an event, shape (threads,), and for each warp all before a barrier of its own.
        """
        events, syncs = np.zeros(threads, np.int64), np.zeros(-(-threads // LANES), np.int64)
        events[point.warp * LANES + point.lane], syncs[point.warp] = point.event, point.sync
        clock = self.clock_at(point)
        columns = np.flatnonzero((clock[:-1] > 0) & (self._column_block == point.block))
        latest = self._by_column[self._first_release[columns] + clock[columns] - 1]
        until = self._steps.points[latest[:, RELEASE_UNTIL]]
        if (until[:, _EPOCH] > point.epoch).any():
            events[:] = _EVERYTHING
        until = until[until[:, _EPOCH] == point.epoch]
        np.maximum.at(events, until[:, _WARP] * LANES + until[:, _LANE], until[:, _EVENT])
        np.maximum.at(syncs, until[:, _WARP], until[:, _SYNC])
        return events, syncs

    def turn(self, point: ExecutionPoint) -> int:
        """A number that is larger the later a point is, of those that are in order between blocks."""
        return int(self.clock_at(point)[-1])

    def _clock_at(self, point: ExecutionPoint) -> _Clock:
        found = []
        for chain, event in (
            ((point.block,), point.epoch),
            ((point.block, point.warp), point.sync),
            ((point.block, point.warp, point.lane), point.event),
        ):
            events, clocks = self._known.get(chain, _NOTHING)
            at = bisect_left(events, event)
            if at:
                found.append(self._clocks[clocks[at - 1]])
        return np.maximum.reduce(found) if found else self._none


_BLOCK, _EPOCH, _WARP, _SYNC, _LANE, _EVENT = range(6)
_NOTHING: tuple[list[int], list[int]] = ([], [])


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Steps as `follow` takes them: `rows`, shape (n, 12); the `threads` that make them, as block, warp and lane, and
    which of these write; the barriers of blocks and of warps that they are behind; how many clocks places have.
    """

    rows: Columns
    threads: Columns
    writing: NDArray[np.bool_]
    block_rows: Columns
    warp_rows: Columns
    clocks: int


@dataclass(frozen=True, eq=False)
class OrderedSteps:
    """The steps of all blocks in the order in which they ran: `points`, shape (n, 6), as `ExecutionPoint` has them;
    `places`, shape (n, 2), the block (-1 where all see the address) and the address; the columns of `StrongSteps` for
    the others.
    """

    kinds: tuple[StepKind, ...]
    points: Columns
    places: Columns
    kind: Columns
    does: Columns
    order: Columns
    wrote: NDArray[np.bool_]

    @classmethod
    def of(cls, blocks: Sequence[StrongSteps]) -> OrderedSteps:
        first = np.cumsum([0, *(len(steps.kinds) for steps in blocks)]).tolist()
        number = np.repeat(np.arange(len(blocks)), [steps.kind.size for steps in blocks])
        names = ("epoch", "warp", "sync", "lane", "event", "address", "order", "wrote")
        columns = {
            name: np.concatenate([np.zeros(0, np.int64), *(getattr(steps, name) for steps in blocks)]).astype(np.int64)
            for name in names
        }
        kinds = tuple(kind for steps in blocks for kind in steps.kinds)
        kind = np.concatenate(
            [np.zeros(0, np.int64), *(steps.kind + at for at, steps in zip(first, blocks, strict=False))]
        )
        turn = np.argsort(columns["order"], kind="stable")
        points = np.stack([number, *(columns[name] for name in names[:5])], axis=1)[turn]
        address = columns["address"][turn]
        owner = np.where(address < _OF_SHARED, points[:, _BLOCK], -1)
        does = np.array([int(one.does) for one in kinds], np.int64)
        return cls(
            kinds,
            points,
            np.stack([owner, address], axis=1),
            kind[turn],
            does[kind[turn]],
            columns["order"][turn],
            columns["wrote"][turn] != 0,
        )

    @cached_property
    def table(self) -> _Table:
        """The steps as the compiled loop takes them."""
        threads, of_thread = _numbered(self.thread)
        writing = np.zeros(len(threads), np.bool_)
        writing[of_thread[self.wrote]] = True
        block_rows, of_block = _numbered(self.points[:, [_BLOCK, _EPOCH]])
        warp_rows, of_warp = _numbered(self.points[:, [_BLOCK, _WARP, _SYNC]])
        places, of_place = _numbered(self.places)
        clocks, of_clock = _numbered(np.concatenate([_pair(of_place, self.points[:, _BLOCK]), _pair(of_place, _ALL)]))
        first = np.searchsorted(clocks[:, 0], np.arange(len(places) + 1))
        count = self.order.size
        rows = np.stack(
            [
                of_block,
                of_warp,
                of_thread,
                of_place,
                first[of_place],
                first[of_place + 1],
                of_clock[:count],
                of_clock[count:],
                np.where(writing, 2 * np.cumsum(writing) - 2, -1)[of_thread],
                self.does,
                self.wrote.astype(np.int64),
                self.points[:, _EVENT],
            ],
            axis=1,
        )
        return _Table(rows, threads, writing, block_rows, warp_rows, len(clocks))

    @property
    def thread(self) -> Columns:
        """Block, warp and lane, shape (n, 3)."""
        found: Columns = self.points[:, [_BLOCK, _WARP, _LANE]]
        return found

    def point(self, at: int) -> ExecutionPoint:
        """Where a step is."""
        return ExecutionPoint(*self.points[at].tolist())


def _numbered(rows: Columns) -> tuple[Columns, Columns]:
    """Different rows, ascending, and which of them each row is."""
    order = np.lexsort(rows.T[::-1])
    ascending = rows[order]
    is_new = np.ones(len(rows), np.bool_)
    is_new[1:] = (np.diff(ascending, axis=0) != 0).any(axis=1)
    which = np.empty(len(rows), np.int64)
    which[order] = np.cumsum(is_new) - 1
    return ascending[is_new], which


def _pair(places: Columns, blocks: Columns | int) -> Columns:
    return np.stack([places, np.broadcast_to(np.asarray(blocks, np.int64), places.shape)], axis=1)


def _firsts(rows: Columns) -> Columns:
    """Of each row the first one that is the same but for its last column; they are ascending."""
    if not len(rows):
        return np.zeros(0, np.int64)
    is_first = np.concatenate([[True], (np.diff(rows[:, :-1], axis=0) != 0).any(axis=1)])
    found: Columns = np.maximum.accumulate(np.where(is_first, np.arange(len(rows)), 0))
    return found


def _are_behind(one: ExecutionPoint, points: Columns) -> NDArray[np.bool_]:
    """Which points of the same block come behind one, as `is_before` has it."""
    same_warp = (points[:, _EPOCH] == one.epoch) & (points[:, _WARP] == one.warp)
    own = (points[:, _LANE] == one.lane) & (one.lane >= 0) & (points[:, _EVENT] > one.event)
    found: NDArray[np.bool_] = np.where(same_warp, (points[:, _SYNC] > one.sync) | own, points[:, _EPOCH] > one.epoch)
    return found


_ALL = -1
"""Whoever reads with the scope of the GPU."""
