"""The racing accesses of a block, for those who show them: each request of a pair of sites that is known to race."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, BlockTrace
from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.domain.recordings.racing_requests import RacingRequests, RacingSites
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.frames.access import OUT_OF_BOUNDS, decode
from gemmviz.trace.hazards.races.partners import NOBODY, Partners, partners_between_barriers
from gemmviz.trace.hazards.races.touches import Columns, Touches, cell_shift

MOST_REQUESTS = 1 << 16
"""Requests of a pair of sites that are kept at most, the first ones: up to 2 million accesses, some 2 MB."""
_AT_ONCE = 1 << 17

FindPartners = Callable[[Touches, Touches, tuple[int, ...]], Partners]
"""Who races with whom, of what the earlier and the later site touch in some epochs; with two threads to prefer."""


def racing_requests(
    trace: BlockTrace,
    hazards: Sequence[Hazard],
    addresses: NDArray[np.int64],
    find: FindPartners,
    most: int = MOST_REQUESTS,
) -> RacingRequests:
    """The racing accesses of a block at the pairs of sites that the races among `hazards` name, and of each pair the
    first `most` requests; all are counted. A race that names no site, as a file may have it, has none.

    `hazards` may be those of other blocks. `addresses`, shape (warps, slots, 32), are those of the trace that count,
    INACTIVE elsewhere.
    """
    races = {hazard.sites: hazard.threads for hazard in hazards if hazard.kind.is_of_threads and hazard.sites}
    pairs, parts = [], []
    for sites, threads in races.items():
        accesses, requests, kept = 0, 0, np.zeros((0, _COLUMNS), np.int64)
        for earlier, later in _touched(trace, sites, addresses):
            partners = find(earlier, later, threads)
            found = np.concatenate(
                [_racing(earlier, later, partners.of_earlier), _racing(later, earlier, partners.of_later)]
            )
            access = np.sort(found[:, _SLOT] * len(addresses) * LANES + found[:, _THREAD])
            accesses += int(np.count_nonzero(np.diff(access, prepend=-1)))
            rows = _by_request(found, threads)
            requests += len(rows)
            if len(kept) < most:
                kept = np.concatenate([kept, rows])[:most]
        if accesses:
            pairs.append(RacingSites(sites[0], sites[-1], accesses, len(kept), requests > len(kept)))
            parts.append(kept[np.lexsort((kept[:, _BYTE], kept[:, _THREAD] // LANES, kept[:, _SLOT]))])
    rows = np.concatenate([np.zeros((0, _COLUMNS), np.int64), *parts])
    narrow = rows.astype(np.int32)
    return RacingRequests(
        tuple(pairs),
        slot=narrow[:, _SLOT].copy(),
        warp=narrow[:, _THREAD] // LANES,
        byte=narrow[:, _BYTE].copy(),
        lanes=rows[:, _LANES].copy(),
        lane=narrow[:, _THREAD] % LANES,
        partner=narrow[:, _PARTNER].copy(),
        partner_slot=narrow[:, _PARTNER_SLOT].copy(),
    )


def between_barriers(trace: BlockTrace, hazards: Sequence[Hazard]) -> RacingRequests:
    """The racing accesses of a block of which a recording kept addresses and barriers of the block alone, as older
    versions made them: accesses that barriers of a warp or fences put in order count as racing.
    """
    sites = {site for hazard in hazards if hazard.kind.is_of_threads for site in hazard.sites}
    slots = np.flatnonzero(np.isin(trace.slot_site, list(sites)))
    found = decode(trace, slots, (0, trace.addresses.shape[0]))
    outside = found.only(found.array == OUT_OF_BOUNDS)
    addresses = trace.addresses
    if outside.slot.size:
        addresses = addresses.copy()
        addresses[outside.thread // LANES, outside.slot, outside.thread % LANES] = INACTIVE
    return racing_requests(trace, hazards, addresses, partners_between_barriers)


_SLOT, _THREAD, _BYTE, _PARTNER, _PARTNER_SLOT, _LANES = range(6)
"""Columns of what is found: of a request, the thread is the one whose partner is named."""
_COLUMNS = 6


def _touched(
    trace: BlockTrace, sites: tuple[int, ...], addresses: NDArray[np.int64]
) -> Iterator[tuple[Touches, Touches]]:
    """What both sites touch, a few epochs at a time."""
    named = {site.index: site for site in trace.sites}
    earlier, later = named[sites[0]], named[sites[-1]]
    shift = cell_shift(trace, (earlier, later), addresses)
    slots = np.flatnonzero(np.isin(trace.slot_site, sites))
    slots = slots[np.argsort(trace.slot_epoch[slots], kind="stable")]
    most = max(_AT_ONCE // (len(addresses) * LANES), 1)
    cuts: list[int] = []
    for begin in np.flatnonzero(np.diff(trace.slot_epoch[slots], prepend=-1)).tolist():
        if not cuts or begin - cuts[-1] >= most:
            cuts.append(begin)
    for begin, end in pairwise([*cuts, slots.size]):
        part = slots[begin:end]
        yield Touches.of(trace, earlier, addresses, part, shift), Touches.of(trace, later, addresses, part, shift)


def _racing(mine: Touches, others: Touches, partners: Columns) -> Columns:
    """The touches of one site that have a partner, shape (n, _COLUMNS)."""
    at = np.flatnonzero(partners != NOBODY)
    their = partners[at]
    lane = mine.thread[at] % LANES
    columns = (mine.slot[at], mine.thread[at], mine.byte[at], others.thread[their], others.slot[their], 1 << lane)
    return np.stack(columns, axis=1)


def _by_request(found: Columns, named: tuple[int, ...]) -> Columns:
    """One row for each request and byte, by slot, then warp: all of its lanes, and of these the one that meets its
    partner as the two `named` threads do, else the first.
    """
    if not len(found):
        return found
    is_named = np.zeros(len(found), np.bool_)
    for one, other in (named, named[::-1]) if len(named) == 2 else ():
        is_named |= (found[:, _THREAD] == one) & (found[:, _PARTNER] == other)
    keys = (found[:, _THREAD], ~is_named, found[:, _BYTE], found[:, _THREAD] // LANES, found[:, _SLOT])
    found = found[np.lexsort(keys)]
    request = np.stack([found[:, _SLOT], found[:, _THREAD] // LANES, found[:, _BYTE]])
    begins = np.flatnonzero(np.any(np.diff(request, prepend=-1, axis=1) != 0, axis=0))
    rows = found[begins]
    rows[:, _LANES] = np.bitwise_or.reduceat(found[:, _LANES], begins)
    return rows
