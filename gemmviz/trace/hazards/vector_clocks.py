"""The compiled loop that follows vector clocks through the strong accesses and fences of some blocks (see
`happens_before`).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.recordings.strong_steps import Does
from gemmviz.trace.hazards.cell_table import grown

Numbers = NDArray[np.int64]
Clocks = NDArray[np.int32]
OF_BLOCK, OF_WARP, OF_THREAD, PLACE, FIRST, LAST, IN_BLOCK, IN_GRID, COLUMN, DOES, WROTE, EVENT = range(12)
"""Columns of a step: the row of its block and barrier, of its warp and barrier, its thread; the place that it accesses
(-1: a fence) with its first clock and the one behind its last, those that its block and all blocks see; the clock's
column of its thread's releases within the block, behind it that of releases to all (-1: it has none); what it does,
whether it wrote, its place among what the warp wrote down.
"""
RELEASE_COLUMN, RELEASE_UNTIL, RELEASE_STEP = range(3)
"""Columns of a release: the clock's column, the step before which all is known, the step that releases."""
ROW_THREAD, ROW_EVENT, ROW_CLOCK = range(3)
"""Columns of what a thread comes to know: the thread, the event, the clock."""
_READS, _STRONG, _ACQUIRES, _RELEASES, _FENCE, _GRID = (
    int(one) for one in (Does.READS, Does.STRONG, Does.ACQUIRES, Does.RELEASES, Does.FENCE, Does.OF_GRID)
)


@njit(cache=True, nogil=True)
def follow(
    steps: Numbers,
    first_of_block: Numbers,
    first_of_warp: Numbers,
    threads: int,
    clocks: int,
    size: int,
    needs_release: bool,
    needs_acquire: bool,
) -> tuple[Clocks, Numbers, Numbers, Numbers, Numbers]:
    """Clocks, shape (n, size), the last number of each the latest step that brought it; which of them each row of
    blocks and of warps knows (-1: none), what threads come to know, and the releases in order.

    `steps`, shape (n, 12), are in the order in which they ran; `first_of_block` and `first_of_warp` give for each row
    the first one of its block or warp. There are so many `threads` and `clocks` of places.
    """
    pool, used = np.empty((64, size), np.int32), 0
    of_block, of_warp = np.full(len(first_of_block), -1, np.int64), np.full(len(first_of_warp), -1, np.int64)
    top_of_block, top_of_warp = np.full(len(of_block), -1, np.int64), np.full(len(of_warp), -1, np.int64)
    of_thread = np.full(threads, -1, np.int64)
    gains, gained = np.empty((64, 3), np.int64), 0
    releases, released = np.empty((64, 3), np.int64), 0
    counts = np.zeros(size, np.int64)
    held, is_held = np.empty((clocks, size), np.int32), np.zeros(clocks, np.bool_)
    read, is_read = np.empty((2 * threads, size), np.int32), np.zeros(2 * threads, np.bool_)
    fence, fence_step = np.empty((2 * threads, size), np.int32), np.full(2 * threads, -1, np.int64)
    now, gain = np.zeros(size, np.int32), np.zeros(size, np.int32)
    for i in range(len(steps)):
        step = steps[i]
        does, thread, wrote = step[DOES], step[OF_THREAD], step[WROTE] != 0
        is_fence = does & _FENCE != 0
        if not is_fence and does & _STRONG == 0:
            if wrote:  # a weak write: what follows reads that, and acquires nothing
                _forget(is_held, step[FIRST], step[LAST])
            continue
        gain[:] = 0
        acquires = False
        for grid in range(2):
            if is_fence:
                takes = is_read[2 * thread + grid] and (grid == 0 or does & _GRID != 0)
                source, place = read, 2 * thread + grid
                is_read[place] &= not takes
            else:
                source, place = held, step[IN_GRID if grid else IN_BLOCK]
                takes = does & _READS != 0 and is_held[place]
                takes &= grid == 0 or does & _GRID != 0 or not needs_acquire
                if takes and needs_acquire and does & _ACQUIRES == 0:
                    _keep(read, is_read, 2 * thread + grid, held[place])
                    takes = False
            if takes:
                acquires = True
                _join(gain, source[place])
        block, warp = step[OF_BLOCK], step[OF_WARP]
        behind = max(top_of_block[first_of_block[block]] - block, 0) + max(top_of_warp[first_of_warp[warp]] - warp, 0)
        while used + behind + 3 > len(pool):
            pool = grown(pool)
        now[:] = 0
        _with_known(now, pool, of_block, top_of_block, first_of_block, block)
        _with_known(now, pool, of_warp, top_of_warp, first_of_warp, warp)
        if of_thread[thread] >= 0:
            _join(now, pool[of_thread[thread]])
        if acquires and _brings_news(gain, now):
            gain[size - 1] = i + 1
            used = _add(pool, used, of_block, top_of_block, first_of_block, block, gain)
            used = _add(pool, used, of_warp, top_of_warp, first_of_warp, warp, gain)
            _assign(pool[used], gain)
            if of_thread[thread] >= 0:
                _join(pool[used], pool[of_thread[thread]])
            of_thread[thread] = used
            if gained == len(gains):
                gains = grown(gains)
            gains[gained, ROW_THREAD], gains[gained, ROW_EVENT], gains[gained, ROW_CLOCK] = thread, step[EVENT], used
            gained += 1
            used += 1
            _join(now, gain)
        if is_fence:
            for grid in range(2):
                if grid == 0 or does & _GRID != 0:
                    _assign(fence[2 * thread + grid], now)
                    fence_step[2 * thread + grid] = i
            continue
        if not wrote:
            continue
        if does & _READS == 0:
            _forget(is_held, step[FIRST], step[LAST])
        for grid in range(2):
            if grid and does & _GRID == 0 and needs_release:
                continue
            until = i
            if needs_release and does & _RELEASES == 0:
                until = fence_step[2 * thread + grid]
            if until < 0:
                continue
            if released == len(releases):
                releases = grown(releases)
            column = step[COLUMN] + grid
            counts[column] += 1
            releases[released, RELEASE_COLUMN] = column
            releases[released, RELEASE_UNTIL], releases[released, RELEASE_STEP] = until, i
            released += 1
            _assign(gain, now if until == i else fence[2 * thread + grid])
            gain[column] = counts[column]
            _keep(held, is_held, step[IN_GRID if grid else IN_BLOCK], gain)
    _fill(of_block, top_of_block, first_of_block)
    _fill(of_warp, top_of_warp, first_of_warp)
    return pool[:used].copy(), of_block, of_warp, gains[:gained].copy(), releases[:released].copy()


@njit(cache=True, nogil=True)
def _keep(clocks: Clocks, are_there: NDArray[np.bool_], place: int, clock: Clocks) -> None:
    """Add a clock to the one at a place."""
    if are_there[place]:
        _join(clocks[place], clock)
    else:
        _assign(clocks[place], clock)
        are_there[place] = True


@njit(cache=True, nogil=True)
def _with_known(now: Clocks, pool: Clocks, rows: Numbers, tops: Numbers, firsts: Numbers, row: int) -> None:
    """Add to `now` what the rows before one know."""
    first = firsts[row]
    before = min(row - 1, tops[first])
    if before >= first and rows[before] >= 0:
        _join(now, pool[rows[before]])


@njit(cache=True, nogil=True)
def _add(pool: Clocks, used: int, rows: Numbers, tops: Numbers, firsts: Numbers, row: int, gain: Clocks) -> int:
    """Let a row and those behind it know a clock; how many clocks of the pool are in use then."""
    first = firsts[row]
    top = tops[first]
    for other in range(max(top + 1, first), row + 1):
        rows[other] = rows[top] if top >= first else -1
    tops[first] = max(top, row)
    if row == top and rows[row] >= 0 and (row == first or rows[row] != rows[row - 1]):
        _join(pool[rows[row]], gain)
        return used
    for other in range(row, tops[first] + 1):
        _assign(pool[used], gain)
        if rows[other] >= 0:
            _join(pool[used], pool[rows[other]])
        rows[other] = used
        used += 1
    return used


@njit(cache=True, nogil=True)
def _fill(rows: Numbers, tops: Numbers, firsts: Numbers) -> None:
    """Let rows behind the last one that learnt something know the same."""
    for row in range(len(rows)):
        top = tops[firsts[row]]
        if top >= firsts[row] and row > top:
            rows[row] = rows[top]


# Loops, since Numba compiles them in a tenth of the time that it takes for assignments of slices and NumPy's functions.


@njit(cache=True, nogil=True)
def _assign(clock: Clocks, other: Clocks) -> None:
    for column in range(len(clock)):
        clock[column] = other[column]


@njit(cache=True, nogil=True)
def _join(clock: Clocks, other: Clocks) -> None:
    """Let a clock know what another one does."""
    for column in range(len(clock)):
        clock[column] = max(clock[column], other[column])


@njit(cache=True, nogil=True)
def _brings_news(gain: Clocks, now: Clocks) -> bool:
    """Whether a clock is ahead of another one in some column but the last, which holds a step."""
    for column in range(len(gain) - 1):  # noqa: SIM110 - compiled: a loop
        if gain[column] > now[column]:
            return True
    return False


@njit(cache=True, nogil=True)
def _forget(are_there: NDArray[np.bool_], first: int, last: int) -> None:
    """Nothing is held at the places from `first` to before `last`."""
    for place in range(first, last):
        are_there[place] = False
