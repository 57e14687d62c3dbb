"""All frames in which accesses at fault take place, found without making one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, LANES, AccessKind, BlockTrace, Space
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.frames.access import LaneAccesses, decode
from gemmviz.trace.frames.frames import Frames

MOST_ACCESSES = 1 << 22
"""Accesses that are looked at, at most: about a second's work."""
_AT_ONCE = 1 << 17
_NEVER = np.iinfo(np.int64).max

Columns = NDArray[np.int64]


def hazard_frames(
    frames: Frames, hazards: Sequence[Hazard], most_accesses: int = MOST_ACCESSES
) -> NDArray[np.int32] | None:
    """Frames, ascending, in which accesses race, read what nobody wrote, lie outside their array or are misaligned, and
    those that end at a barrier which some threads do not come to, shape (n,).

    `hazards` name the sites to look at, be they of this block or of another one; races between blocks name elements.
    None if there would be more than `most_accesses` to look at.
    """
    trace = frames.trace
    pairs = {hazard.sites for hazard in hazards if hazard.kind is HazardKind.RACE}
    readers = _sites_of(hazards, HazardKind.UNWRITTEN_READ)
    outside = _sites_of(hazards, HazardKind.OUT_OF_BOUNDS)
    askew = _sites_of(hazards, HazardKind.MISALIGNED)
    writers = {s.index for s in trace.sites if s.space is Space.SHARED and s.kind is AccessKind.STORE and readers}
    wanted = [_slots(trace, set(pair)) for pair in pairs]
    shared = raced_elements(trace, hazards)
    touching = {s.index for s in trace.sites if s.space is Space.GLOBAL and shared}
    wanted += [_slots(trace, sites) for sites in (readers, writers, outside, askew, touching)]
    warps = trace.addresses.shape[0]
    if sum(slots.size for slots in wanted) * warps * LANES > most_accesses:
        return None
    found = [np.zeros(0, np.int64)]
    for pair in pairs:
        found += [_racing(trace, accesses, pair) for accesses in _pieces(trace, _slots(trace, set(pair)))]
    for accesses in _pieces(trace, _slots(trace, outside)):
        found.append(_positions(accesses.outside(), warps))
    for accesses in _pieces(trace, _slots(trace, askew)):
        found.append(_positions(accesses.only(misaligned(trace, accesses)), warps))
    for accesses in _pieces(trace, _slots(trace, touching)):
        found.append(_positions(accesses.only(touches_any(accesses, shared)), warps))
    if any(hazard.kind is HazardKind.DIVERGENT_BARRIER for hazard in hazards):
        found.append(divergent_slots(trace) * warps + warps - 1)
    if readers:
        found += _of_unwritten(frames, readers, writers)
    return np.unique(frames.frames_at(np.concatenate(found)))


def misaligned(trace: BlockTrace, accesses: LaneAccesses) -> NDArray[np.bool_]:
    """Which accesses, shape (n,), lie in an array at an address that is no multiple of what their site says."""
    low_bits = np.zeros(len(trace.sites), np.int64)
    behind = np.zeros(len(trace.sites), np.int64)
    for site in trace.sites:
        low_bits[site.index], behind[site.index] = max(site.aligned_bytes, 1) - 1, site.component_bytes
    away: Columns = (accesses.address - behind[accesses.site]) & low_bits[accesses.site]
    return np.asarray((accesses.array >= 0) & (away != 0), np.bool_)


def raced_elements(trace: BlockTrace, hazards: Sequence[Hazard]) -> dict[int, Columns]:
    """The elements that several blocks touch and one writes, as far as the hazards name them.

    By index of their array in the trace: begin and end of each stretch, shape (n, 2), ascending.
    """
    names = {array.name: number for number, array in enumerate(trace.arrays)}
    return {
        names[hazard.array]: np.array(hazard.elements, np.int64).reshape(-1, 2)
        for hazard in hazards
        if hazard.kind.is_between_blocks and hazard.elements and hazard.array in names
    }


def touches_any(accesses: LaneAccesses, stretches: Mapping[int, Columns]) -> NDArray[np.bool_]:
    """Which accesses, shape (n,), touch an element of those that `raced_elements` gave."""
    found = np.zeros(accesses.address.size, np.bool_)
    for number, bounds in stretches.items():
        here = accesses.array == number
        touched, which = accesses.only(here).elements()
        racing = np.searchsorted(bounds[:, 0], touched, side="right") > np.searchsorted(bounds[:, 1], touched, "right")
        found[np.flatnonzero(here)[which[racing]]] = True
    return found


def divergent_slots(trace: BlockTrace) -> NDArray[np.int64]:
    """The slots of barriers that some threads of the block reach and others do not, ascending, shape (n,)."""
    slots = np.flatnonzero(trace.slot_site == BARRIER_SITE)
    arrived = (trace.addresses[:, slots] != INACTIVE).transpose(1, 0, 2).reshape(slots.size, -1)[:, : trace.threads]
    return np.asarray(slots[arrived.any(axis=1) & ~arrived.all(axis=1)], np.int64)


def _sites_of(hazards: Sequence[Hazard], kind: HazardKind) -> set[int]:
    return {site for hazard in hazards if hazard.kind is kind for site in hazard.sites}


def _slots(trace: BlockTrace, sites: set[int]) -> NDArray[np.intp]:
    return np.flatnonzero(np.isin(trace.slot_site, list(sites)))


def _pieces(trace: BlockTrace, slots: NDArray[np.intp]) -> Iterator[LaneAccesses]:
    """The accesses of some slots, a few epochs at a time: two that race are in one piece."""
    warps = trace.addresses.shape[0]
    most = max(_AT_ONCE // (warps * LANES), 1)
    begins = np.flatnonzero(np.diff(trace.slot_epoch[slots], prepend=-1))
    cuts: list[int] = []
    for begin in begins.tolist():
        if not cuts or begin - cuts[-1] >= most:
            cuts.append(begin)
    for begin, end in pairwise([*cuts, slots.size]):
        yield decode(trace, slots[begin:end], (0, warps))


def _positions(accesses: LaneAccesses, warps: int) -> Columns:
    return accesses.slot.astype(np.int64) * warps + accesses.thread // LANES


def _racing(trace: BlockTrace, accesses: LaneAccesses, pair: tuple[int, ...]) -> Columns:
    """Positions of accesses at either site that meet another thread at the other one, between the same barriers."""
    accesses = accesses.only(accesses.array >= 0)
    element, which = accesses.elements()
    if not element.size:
        return np.zeros(0, np.int64)
    epoch, extent = trace.slot_epoch[accesses.slot[which]].astype(np.int64), int(element.max()) + 1
    place = (epoch * len(trace.arrays) + accesses.array[which]) * extent + element
    thread, site = accesses.thread[which], accesses.site[which]
    is_at = [site == pair[0], site == pair[-1]]
    racing = np.zeros(element.size, np.bool_)
    for here, there in (is_at, is_at[::-1]):
        known, least, most = _ends(place[there], thread[there])
        if known.size:
            at = np.minimum(np.searchsorted(known, place[here]), known.size - 1)
            meets = (known[at] == place[here]) & ((least[at] != thread[here]) | (most[at] != thread[here]))
            racing[np.flatnonzero(here)[meets]] = True
    return _positions(accesses, trace.addresses.shape[0])[which[racing]]


def _ends(place: Columns, thread: NDArray[np.int32]) -> tuple[Columns, NDArray[np.int32], NDArray[np.int32]]:
    """Each place once, ascending, with the lowest and the highest thread at it, shape (n,) each."""
    order = np.lexsort((thread, place))
    place, thread = place[order], thread[order]
    is_first = np.diff(place, prepend=-1) > 0
    is_last = np.roll(is_first, -1)
    return place[is_first], thread[is_first], thread[is_last]


def _of_unwritten(frames: Frames, readers: set[int], writers: set[int]) -> list[Columns]:
    """Positions of reads of shared slots that nobody has stored to when their frame ends."""
    trace, warps = frames.trace, frames.trace.addresses.shape[0]
    first = {
        number: np.full(array.rows * array.columns, _NEVER)
        for number, array in enumerate(trace.arrays)
        if array.space is Space.SHARED
    }
    for accesses in _pieces(trace, _slots(trace, writers)):
        for number, stored in first.items():
            here = accesses.only(accesses.array == number)
            element, which = here.elements()
            np.minimum.at(stored, element, _positions(here, warps)[which])
    found = []
    for accesses in _pieces(trace, _slots(trace, readers)):
        for number, stored in first.items():
            here = accesses.only(accesses.array == number)
            element, which = here.elements()
            read = _positions(here, warps)[which]
            later = (stored[element] == _NEVER) | (frames.frames_at(stored[element]) > frames.frames_at(read))
            found.append(read[later])
    return found
