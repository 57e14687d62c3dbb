"""Races between blocks where the order of their fences and strong accesses is known: two blocks touch one element of
the result, and nothing puts that in order.

All touches of an element are laid in an order that keeps to what happens before what; then each is compared with the
last writes before it, and each write with the reads since (as in FastTrack: Flanagan and Freund, 2009).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, AccessKind, BlockTrace, MappedArray, Site, in_rows
from gemmviz.domain.recordings.hazard import Mend
from gemmviz.domain.recordings.strong_steps import StrongSteps
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.hazards.block_writes import MOST_STRETCHES
from gemmviz.trace.hazards.cell_table import grown
from gemmviz.trace.hazards.findings import Hazard, HazardKind
from gemmviz.trace.hazards.happens_before import ExecutionPoint, TooManyStepsError
from gemmviz.trace.hazards.missing_fences import Orders, missing_fence
from gemmviz.trace.hazards.naming import line_words, name_at
from gemmviz.trace.hazards.writes_in_order import WritesInOrder

Columns = NDArray[np.int64]
_MOST_TOUCHES = 1 << 24
"""Touches of elements that are kept at most, some 1 GiB."""
_ELEMENT, _SITE, _EPOCH, _WARP, _SYNC, _LANE, _EVENT = range(7)
_POINT = slice(_EPOCH, _EVENT + 1)


@dataclass(frozen=True, slots=True, eq=False)
class _Touches:
    """What a block does to the elements of the array, each once: `rows`, shape (n, 7), with the columns _ELEMENT, ...;
    thread and slot of the first access that does it, and how often it is done.
    """

    block: BlockTrace
    steps: StrongSteps
    rows: Columns
    thread: Columns
    epoch: Columns
    count: Columns


class OrderedWrites:
    """Takes in blocks in any order, from several threads, as `WritesInOrder` does; all of them have `strong` steps."""

    def __init__(self, array: MappedArray, *, may_order_blocks: bool) -> None:
        self._array = array
        self._plain = WritesInOrder(array, may_order_blocks=may_order_blocks)
        self._lock = Lock()
        self._touches: dict[int, _Touches] = {}
        self._kept = 0

    def add(self, place: int, trace: BlockTrace) -> None:
        """Take in a block, given with its place among those that are recorded.

        Raises:
            ValueError: as `WritesInOrder.add`.
        """
        self._plain.add(place, trace)
        with self._lock:
            is_kept = self._kept <= _MOST_TOUCHES
        if is_kept:
            touches = _touches(trace, self._array)
            with self._lock:
                self._kept += len(touches.rows)
                self._touches[place] = touches

    @property
    def is_handed_over(self) -> bool:
        """Whether blocks touch the same elements, one of them writing, as where they hand over C under a lock."""
        return bool(self._plain.hazards())

    def hazards(self) -> tuple[Hazard, ...]:
        """One hazard per pair of sites that race, as `CrossBlockWrites.hazards` has them; where there is too much to
        follow, what is told without knowing any order.
        """
        plain = self._plain.hazards()
        if not plain or self._kept > _MOST_TOUCHES:
            return plain
        touches = [self._touches[place] for place in sorted(self._touches)]
        try:
            return _Search(self._array, touches).hazards()
        except TooManyStepsError:
            return plain


def _touches(trace: BlockTrace, array: MappedArray) -> _Touches:
    steps = trace.strong
    assert steps is not None
    sites = {site.index: site for site in trace.sites}
    widths = np.ones(max(sites, default=0) + 1, np.int64)
    for site in trace.sites:
        widths[site.index] = site.width_bytes
    slots = np.flatnonzero(trace.slot_site != BARRIER_SITE)
    addresses = trace.addresses[:, slots]
    width = widths[trace.slot_site[slots]][None, :, None]
    inside = (addresses != INACTIVE) & (addresses >= array.base) & (addresses + width <= array.base + array.nbytes)
    warp, at, lane = np.nonzero(inside)
    slot = slots[at]
    first = (addresses[warp, at, lane] - array.base) // array.element_bytes
    last = (addresses[warp, at, lane] - array.base + width[0, at, 0] - 1) // array.element_bytes
    stepping = np.zeros((len(trace.addresses), LANES), np.bool_)
    stepping[steps.warp, steps.lane] = True
    is_own = stepping[warp, lane]
    sync = np.zeros(warp.size, np.int64) if trace.warp_syncs is None else trace.warp_syncs[warp, slot].astype(np.int64)
    rows = np.stack(
        [
            first,
            trace.slot_site[slot],
            trace.slot_epoch[slot],
            warp,
            sync,
            np.where(is_own, lane, -1),
            np.where(is_own, steps.slot_event[warp, slot], -1),
        ],
        axis=1,
    ).astype(np.int64)
    times = last - first + 1
    further = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
    rows, thread = np.repeat(rows, times, axis=0), np.repeat(warp * LANES + lane, times)
    rows[:, _ELEMENT] += further
    rows, index, count = np.unique(rows, axis=0, return_index=True, return_counts=True)
    bare = replace(trace, addresses=trace.addresses[:, :0], slot_site=trace.slot_site[:0], strong=None)
    return _Touches(bare, steps, rows, thread[index].astype(np.int64), rows[:, _EPOCH], count.astype(np.int64))


class _Search:
    def __init__(self, array: MappedArray, touches: Sequence[_Touches]) -> None:
        self._array, self._touches = array, touches
        self._orders = Orders([one.steps for one in touches])
        sizes = [len(one.rows) for one in touches]
        self._block = np.repeat(np.arange(len(touches)), sizes)
        self._rows = np.concatenate([one.rows for one in touches])
        self._thread = np.concatenate([one.thread for one in touches])
        self._count = np.concatenate([one.count for one in touches])
        self._sites = {site.index: site for site in touches[0].block.sites}
        points = np.concatenate([self._block[:, None], self._rows[:, _POINT]], axis=1)
        known, self._class = np.unique(points, axis=0, return_inverse=True)
        self._class = self._class.reshape(-1)
        self._points = [ExecutionPoint(*row) for row in known.tolist()]
        order = self._orders.strict
        turns = np.array([order.turn(point) for point in self._points], np.int64)[self._class]
        self._sorted = np.lexsort((self._class, self._block, turns, self._rows[:, _ELEMENT]))

    def hazards(self) -> tuple[Hazard, ...]:
        pairs = self._racing()
        if not pairs.size:
            return ()
        found: dict[tuple[int, bool], Hazard] = {}
        raced = np.zeros(self._array.rows * self._array.columns, np.bool_)
        raced[self._rows[pairs[:, 0], _ELEMENT]] = True
        edges = np.flatnonzero(np.diff(in_rows(raced, self._array).astype(np.int8), prepend=0, append=0))
        elements = tuple(edges[: 2 * MOST_STRETCHES].tolist())
        counted: dict[tuple[int, bool], set[int]] = {}
        for earlier, later in pairs.tolist():
            site = self._site(later)
            key = site.index, self._is_plain_read(earlier, later)
            counted.setdefault(key, set()).add(later)
            if key not in found:
                found[key] = self._hazard(earlier, later)
        return tuple(
            replace(
                hazard,
                array=self._array.name,
                elements=elements,
                count=int(self._count[sorted(counted[key])].sum()),
                blocks=len({int(self._block[later]) for later in counted[key]}),
            )
            for key, hazard in found.items()
        )

    def _racing(self) -> Columns:
        """Pairs of touches that nothing puts in order, as places among them, the later one second, shape (n, 2)."""
        at = self._sorted
        sites = self._sites.values()
        stores, strong = (np.zeros(max(self._sites, default=0) + 1, np.bool_) for _ in range(2))
        for site in sites:
            stores[site.index] = site.kind is AccessKind.STORE
            strong[site.index] = site.is_atomic or site.is_strong
        site_of = self._rows[at, _SITE]
        pairs = at[_pairs(self._rows[at, _ELEMENT], self._block[at], stores[site_of], strong[site_of])]
        codes = self._class[pairs[:, 0]] * len(self._points) + self._class[pairs[:, 1]]
        _, first, index = np.unique(codes, return_index=True, return_inverse=True)
        races = np.array([not self._is_ordered(*pair) for pair in pairs[first].tolist()], np.bool_)
        found: Columns = pairs[races[index.reshape(-1)]] if codes.size else pairs
        return found

    def _is_ordered(self, earlier: int, later: int) -> bool:
        """Whether a touch happens before another one, or is a strong store that was read before it. Plain reads beside
        atomic operations are told as such.
        """
        order, site = self._orders.strict, self._site(earlier)
        one, two = (self._points[int(self._class[touch])] for touch in (earlier, later))
        return order.is_before(one, two) or (
            site.is_strong and site.kind is AccessKind.STORE and order.is_seen(one, two)
        )

    def _site(self, touch: int) -> Site:
        return self._sites[int(self._rows[touch, _SITE])]

    def _is_plain_read(self, *touches: int) -> bool:
        sites = [self._site(touch) for touch in touches]
        return any(site.kind is AccessKind.LOAD and not site.is_strong for site in sites) and any(
            site.is_atomic for site in sites
        )

    def _hazard(self, earlier: int, later: int) -> Hazard:
        site, other = self._site(later), self._site(earlier)
        here, there = (self._touches[int(self._block[touch])].block.block for touch in (later, earlier))
        address = self._array.base + int(self._rows[later, _ELEMENT]) * self._array.element_bytes
        reads = AccessKind.LOAD in (site.kind, other.kind)
        outcome = "the value read" if reads else "the final value"
        mend = Mend.UNKNOWN
        kind, end = (
            HazardKind.PLAIN_READ,
            ("a read that is not atomic may be out of date, which is harmless only where an atomicCAS compares it"),
        )
        if not self._is_plain_read(earlier, later):
            kind, end = HazardKind.BLOCK_RACE, "nothing makes one of the two blocks wait for the other"
            one, two = (self._points[int(self._class[touch])] for touch in (earlier, later))
            missing = missing_fence(self._orders, one, two) or missing_fence(self._orders, two, one)
            if missing is not None:
                end, mend = missing.words, Mend.FENCE
            if missing is not None and missing.has_others:
                kind = HazardKind.POSSIBLE_RACE
                end += "; fences of other threads order nothing in PTX's memory consistency model"
            end += f", so {outcome} is undefined"
        too = " too" if site.verb == other.verb else ""
        thread = int(self._thread[later])
        return Hazard(
            kind=kind,
            line=site.line,
            text=site.text,
            block=here,
            blocks=1,
            threads=(thread,),
            epoch=int(self._rows[later, _EPOCH]),
            count=1,
            detail=f"thread {thread} of block {here} {site.verb} {name_at([self._array], address)} "
            f"({line_words(site)}), and block {there} {other.verb} it{too} ({line_words(other)}); {end}",
            sites=(site.index,),
            mend=mend,
        )


@njit(cache=True, nogil=True)
def _pairs(element: Columns, block: Columns, stores: NDArray[np.bool_], strong: NDArray[np.bool_]) -> Columns:
    """Pairs of touches of one element by two blocks to compare, shape (n, 2), as places in the columns."""
    found = np.empty((64, 2), np.int64)
    count = 0
    start = 0
    last = np.full(2, -1, np.int64)  # the last plain and the last strong store
    for i in range(len(element)):
        if i == 0 or element[i] != element[i - 1]:
            start, last[0], last[1] = i, -1, -1
        first = i
        if stores[i]:  # the reads since the last such store
            first = max(start, last[1 if strong[i] else 0] + 1)
        while count + i - first + 2 > len(found):
            found = grown(found)
        for k in range(2):
            if last[k] >= 0 and block[last[k]] != block[i] and not (k == 1 and strong[i]):
                found[count, 0], found[count, 1] = last[k], i
                count += 1
        for j in range(first, i):
            if not stores[j] and block[j] != block[i] and not (strong[i] and strong[j]):
                found[count, 0], found[count, 1] = j, i
                count += 1
        if stores[i]:
            last[1 if strong[i] else 0] = i
    return found[:count]
