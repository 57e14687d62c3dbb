"""Where the races of a recording take place in one frame, also where it holds only one of two accesses that race."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace, MappedArray
from gemmviz.trace.frames.access import decode
from gemmviz.trace.frames.values import Frame

Columns = NDArray[np.int64]
Narrow = NDArray[np.int32]
_NOBODY = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, eq=False)
class RacedElements:
    """Elements of an array, row-major indices of shape (n,), at which threads of two sites meet between two barriers.

    `threads` meet at `element`: the first at the first of the two sites, the other at the second.
    """

    array: MappedArray
    elements: Columns
    element: int
    threads: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class _Accesses:
    """Every element that two sites touch of one array in one epoch, as columns of shape (m,), in lockstep order.

    `lowest`, for either site: the lowest thread at each element from `base` on, and the lowest but one; _NOBODY where
    there is none.
    """

    element: Columns
    thread: Narrow
    site: Narrow
    slot: Narrow
    base: int
    lowest: tuple[tuple[Columns, Columns], tuple[Columns, Columns]]


@dataclass(slots=True)
class _Epoch:
    """What was found out about one epoch, by the pair of sites: by the index of the array."""

    epoch: int
    pairs: dict[tuple[int, ...], dict[int, _Accesses]]


_kept: dict[int, _Epoch] = {}
"""The epoch that was asked about last, by the identity of a trace's addresses, for as long as these live.

Frames of one epoch are asked for one after the other, and without a barrier the epoch is all there is.
"""


def race_pairs_in(
    frame: Frame, trace: BlockTrace, pairs: Sequence[tuple[int, ...]], named: Sequence[tuple[int, ...]] = ()
) -> tuple[tuple[RacedElements, ...], ...]:
    """For each pair of sites that are known to race, the elements that this frame touches and that race.

    An element races if another thread touches it at the other site in the same epoch, in this frame or not. One
    meeting for each array; none where the pair does not race in the frame. `named` are two threads for each pair of
    sites: the example is theirs where they meet in the frame.
    """
    if not pairs:
        return ()
    found: list[list[RacedElements]] = [[] for _ in pairs]
    for epoch in np.unique(trace.slot_epoch[slice(*frame.slots)]).tolist():
        looked_through = _looked_through(trace, epoch)
        for race_pairs, pair, threads in zip(found, pairs, named or [()] * len(pairs), strict=True):
            if pair not in looked_through.pairs:
                looked_through.pairs[pair] = _accesses(trace, epoch, pair)
            for array, accesses in looked_through.pairs[pair].items():
                race_pair = _race_pair(frame, trace, trace.arrays[array], accesses, pair, threads)
                race_pairs += [race_pair] if race_pair is not None else []
    return tuple(tuple(race_pairs) for race_pairs in found)


def _looked_through(trace: BlockTrace, epoch: int) -> _Epoch:
    key = id(trace.addresses)
    kept = _kept.get(key)
    if kept is None:
        weakref.finalize(trace.addresses, _kept.pop, key, None)
    if kept is None or kept.epoch != epoch:
        kept = _kept[key] = _Epoch(epoch, {})
    return kept


def _accesses(trace: BlockTrace, epoch: int, pair: tuple[int, ...]) -> dict[int, _Accesses]:
    """By the index of the array, ascending."""
    slots = np.flatnonzero((trace.slot_epoch == epoch) & np.isin(trace.slot_site, pair))
    decoded = decode(trace, slots, (0, trace.addresses.shape[0]))
    decoded = decoded.only(decoded.array >= 0)
    of_element, which = decoded.elements()
    found: dict[int, _Accesses] = {}
    for array in np.unique(decoded.array).tolist():
        mine = decoded.array[which] == array
        element, chosen = of_element[mine], which[mine]
        thread, site, slot = (column[chosen] for column in (decoded.thread, decoded.site, decoded.slot))
        base = int(element.min())
        size = int(element.max()) - base + 1
        at = [site == pair[0], site == pair[-1]]
        first, last = (_lowest(element[here] - base, thread[here], size) for here in at)
        found[array] = _Accesses(element, thread, site, slot, base, (first, last))
    return found


def _race_pair(
    frame: Frame,
    trace: BlockTrace,
    array: MappedArray,
    accesses: _Accesses,
    pair: tuple[int, ...],
    named: tuple[int, ...],
) -> RacedElements | None:
    part = slice(*np.searchsorted(accesses.slot, frame.slots).tolist())
    element, thread, site = accesses.element[part], accesses.thread[part], accesses.site[part]
    warp = thread // trace.addresses.shape[2]
    is_here = (warp >= frame.warps[0]) & (warp < frame.warps[1])
    found: list[Columns] = []
    example: tuple[int, tuple[int, int]] | None = None
    for place in (1, 0):  # an example at the later site first, as the sentence about a race has it
        here = is_here & (site == (pair[0], pair[-1])[place])
        partner = _other_than(thread[here], element[here] - accesses.base, accesses.lowest[1 - place])
        meets = partner != _NOBODY
        found.append(element[here][meets])
        if example is None and meets.any():
            first = int(np.argmax(meets))
            two = int(partner[first]), int(thread[here][first])
            example = int(element[here][first]), two if place else (two[1], two[0])
    if example is None:
        return None
    elements = np.unique(np.concatenate(found))
    met = _met_by(named, pair, accesses.element, accesses.thread, accesses.site)
    met = met[np.isin(met, element[is_here & np.isin(thread, named)])]
    if met.size:
        example = int(met[0]), (named[0], named[1])
    return RacedElements(array, elements, *example)


def _met_by(named: tuple[int, ...], pair: tuple[int, ...], element: Columns, thread: Narrow, site: Narrow) -> Columns:
    """The elements that the first of two threads touches at the first of two sites, and the other at the second."""
    if len(named) != 2:
        return element[:0]
    first, second = (
        element[(thread == one) & (site == at)] for one, at in zip(named, (pair[0], pair[-1]), strict=True)
    )
    met: Columns = np.intersect1d(first, second)
    return met


def _lowest(at: Columns, thread: Narrow, size: int) -> tuple[Columns, Columns]:
    """The lowest thread at each of `size` elements, and the lowest but one, shape (size,) each."""
    lowest, second = np.full(size, _NOBODY), np.full(size, _NOBODY)
    np.minimum.at(lowest, at, thread)
    higher = thread > lowest[at]
    np.minimum.at(second, at[higher], thread[higher])
    return lowest, second


def _other_than(thread: Narrow, at: Columns, lowest: tuple[Columns, Columns]) -> Columns:
    """The lowest thread at each of those elements that is not `thread`, or _NOBODY."""
    first, second = lowest
    other: Columns = np.where(first[at] != thread, first[at], second[at])
    return other
