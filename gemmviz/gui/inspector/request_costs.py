"""What many warp requests cost, in plain NumPy: the rules of `lane_costs` for all rows at once.

Addresses are int64 of shape (n, 32) in bytes, INACTIVE for a lane that takes no part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import INACTIVE, LANES, SECTOR_BYTES, AccessKind, BlockTrace, Site
from gemmviz.gui.inspector.lane_costs import BANKS, LINE_BYTES, WORD_BYTES
from gemmviz.trace.copies import targets_of

Requests = NDArray[np.int64]
"""Shape (n, 32)."""

Counts = NDArray[np.int64]
"""Shape (n,)."""

_CHUNK = 1 << 14
"""Requests counted at a time, so that the work lies in the caches and takes little memory."""

_LINE_SHIFT = 27
"""Arrays of shared memory lie 2^32 bytes apart: the number of a piece within one lies below, that of a line above."""

_GROUPS = 4
_GROUP_SHIFT = 56
"""A word's number lies below 2^56, the number of its group above."""


def sectors(addresses: Requests, width_bytes: int) -> Counts:
    """Distinct 32-byte sectors of each request."""
    return _chunked(addresses, lambda rows: _pieces(rows, width_bytes, SECTOR_BYTES))


def sectors_past_l1(sources: Requests, targets: Requests) -> tuple[Counts, Counts]:
    """Sectors of each `cp.async.cg` as they are counted (the lines it reads, each for every piece of shared memory that
    gets part of it) and as L2 sends them.

    Those of a load where it is not known where it writes: no lane of a row of `targets` takes part.
    """
    reads = sources != INACTIVE
    piece = targets // SECTOR_BYTES % (1 << _LINE_SHIFT)
    ordered = np.sort(np.where(reads, sources // LINE_BYTES << _LINE_SHIFT | piece, INACTIVE), axis=1)
    unknown, plain = (targets == INACTIVE).all(axis=1), sectors(sources, 16)
    return np.where(unknown, plain, _is_first(ordered).sum(axis=1)), np.where(unknown, plain, _sent(sources, piece))


def sectors_of_site(trace: BlockTrace, site: Site, warps: range, slots: Sequence[int]) -> tuple[Counts, Counts]:
    """Sectors of what a site of global memory does in some slots, as they are counted and as they are sent, each of
    shape (warps · slots,), all slots of a warp one behind the other; 0 where no lane takes part.
    """
    every = trace.addresses[warps.start : warps.stop, slots].reshape(-1, LANES)
    if not site.is_past_l1:
        counted = sectors(every, site.width_bytes)
        return counted, counted
    return sectors_past_l1(every, targets_of(trace, warps, slots).reshape(-1, LANES))


def bytes_asked(addresses: Requests, width_bytes: int) -> Counts:
    """Distinct bytes of each request."""

    def count(rows: Requests) -> Counts:
        if np.all((rows % width_bytes == 0) | (rows == INACTIVE)):
            return _pieces(rows, width_bytes, width_bytes) * width_bytes
        return _pieces(rows, width_bytes, 1)

    return _chunked(addresses, count)


def wavefronts(addresses: Requests, width_bytes: int, kind: AccessKind) -> Counts:
    """Passes of each request through shared memory."""
    return _chunked(addresses, lambda rows: _wavefronts(rows, width_bytes, kind))


def ideal_wavefronts(addresses: Requests, width_bytes: int, kind: AccessKind) -> Counts:
    """Groups of each request that have an active lane."""

    def count(rows: Requests) -> Counts:
        group = _groups(rows, width_bytes, kind)
        active = rows != INACTIVE
        ideal: Counts = np.stack([np.any(active & (group == each), axis=1) for each in range(_GROUPS)]).sum(axis=0)
        return ideal

    return _chunked(addresses, count)


def active_requests(addresses: Requests) -> Requests:
    """Those in which some lane takes part, in the same order."""
    return addresses[np.any(addresses != INACTIVE, axis=1)]


def _sent(sources: Requests, piece: Requests) -> Counts:
    """A sector and the piece that gets something of it are sent together, as often as one half of it is wanted: a lane
    that wants the same half as others before it belongs to another time.
    """
    reads = sources != INACTIVE
    half = sources // 16
    first = half.min(axis=1, initial=np.iinfo(np.int64).max, where=reads, keepdims=True) // 2 * 2
    half = np.where(reads, half - first, 0)
    pair = np.sort(np.where(reads, (half // 2 << _LINE_SHIFT | piece) << 1 | half % 2, INACTIVE), axis=1)
    place = np.broadcast_to(np.arange(LANES), pair.shape)
    begins = np.ones(pair.shape, np.bool_)
    begins[:, 1:] = pair[:, 1:] != pair[:, :-1]
    time = place - np.maximum.accumulate(np.where(begins, place, 0), axis=1)
    sent: Counts = _is_first(np.sort(np.where(pair == INACTIVE, INACTIVE, pair >> 1 << 5 | time), axis=1)).sum(axis=1)
    return sent


def _chunked(addresses: Requests, count: Callable[[Requests], Counts]) -> Counts:
    counts = [count(addresses[begin : begin + _CHUNK]) for begin in range(0, len(addresses), _CHUNK)]
    return np.concatenate([np.zeros(0, np.int64), *counts])


def _spread(rows: Requests, width_bytes: int, piece_bytes: int) -> Requests:
    """The pieces each lane touches, shape (n, 32 · most pieces of a lane); INACTIVE where there is none."""
    first = rows // piece_bytes
    last = np.where(rows == INACTIVE, first - 1, (rows + width_bytes - 1) // piece_bytes)
    most = int((last - first).max(initial=0)) + 1
    if most == 1:
        return np.where(rows == INACTIVE, INACTIVE, first)
    pieces = first[:, :, None] + np.arange(most)
    return np.where(pieces <= last[:, :, None], pieces, INACTIVE).reshape(len(rows), -1)


def _is_first(ordered: Requests) -> NDArray[np.bool_]:
    """Of rows in ascending order, which entries are not those of inactive lanes and differ from the one before."""
    first: NDArray[np.bool_] = ordered != INACTIVE
    first[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    return first


def _pieces(rows: Requests, width_bytes: int, piece_bytes: int) -> Counts:
    count: Counts = _is_first(np.sort(_spread(rows, width_bytes, piece_bytes), axis=1)).sum(axis=1)
    return count


def _groups(rows: Requests, width_bytes: int, kind: AccessKind) -> NDArray[np.int64]:
    """The group each lane is served in, shape (n, 32)."""
    lane = np.arange(LANES)
    if width_bytes <= WORD_BYTES:
        return np.zeros(rows.shape, np.int64)
    together = LANES // 2 if width_bytes <= 2 * WORD_BYTES else LANES // 4
    merges = np.zeros(len(rows), np.bool_)
    for distance in (1, 2) if kind is AccessKind.LOAD else ():
        other = rows[:, lane ^ distance]
        merges |= np.all((rows == other) | (rows == INACTIVE) | (other == INACTIVE), axis=1)
    return lane // np.where(merges, 2 * together, together)[:, None]


def _wavefronts(rows: Requests, width_bytes: int, kind: AccessKind) -> Counts:
    words = _spread(rows, width_bytes, WORD_BYTES)
    groups = 1 if width_bytes <= WORD_BYTES else _GROUPS
    if groups > 1:
        of_lane = np.repeat(_groups(rows, width_bytes, kind), words.shape[1] // LANES, axis=1)
        words = np.where(words == INACTIVE, INACTIVE, words | of_lane << _GROUP_SHIFT)
    ordered = np.sort(words, axis=1)
    row, place = np.nonzero(_is_first(ordered))
    word = ordered[row, place]
    group = word >> _GROUP_SHIFT if groups > 1 else 0
    cell = (row * groups + group) * BANKS + word % BANKS
    counts = np.bincount(cell, minlength=len(rows) * groups * BANKS).reshape(len(rows), groups, BANKS)
    total: Counts = counts.max(axis=2).sum(axis=1)
    return total
