"""What merged accesses to shared memory cost a GPU: the recorded requests joined as the assembler joined them.

This is done only where it follows from the recording. SASS must have a wide instruction for every so many narrow ones
of the PTX, all of one width; and in every recorded block each so many requests that follow each other, or all requests
of one pass through these instructions, must be the pieces of aligned wide ones, the same pieces in every lane. Which of
them the assembler joined then makes no difference: another one that fits has the same addresses. What remains assumed
is that the wide instructions run as often as the narrow ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, AccessKind, AccessPath, BlockTrace, Site, Space
from gemmviz.domain.recordings.machine_accesses import (
    AccessSort,
    LineAccesses,
    MachineAccesses,
    MachineChange,
    MergedRequests,
    WidthCount,
    accessed_bytes,
)
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.model.site_costs import SiteRequests, wavefronts_of

_KINDS = {AccessSort.SHARED_LOADS: AccessKind.LOAD, AccessSort.SHARED_STORES: AccessKind.STORE}


_MOST_BYTES = 2**28
"""Of the addresses of a recording that is looked through: it takes seconds for more."""


def merged_requests(run: TraceRun) -> tuple[MergedRequests, ...]:
    """What merged accesses cost, for each line, or lines whose accesses were merged with each other, of which it can be
    told; () where not all recorded blocks are kept, or where these are too large.
    """
    if run.machine is None or not run.blocks or len(run.blocks) != run.blocks_recorded:
        return ()
    if sum(block.addresses.nbytes for block in run.blocks) > _MOST_BYTES:
        return ()
    blocks = [block.trace(run.sites, run.arrays) for block in run.blocks]
    found = (_merged(blocks, group) for group in _groups(run.machine))
    return tuple(one for one in found if one is not None)


def _groups(machine: MachineAccesses) -> Iterator[list[LineAccesses]]:
    """Lines whose accesses were merged with each other and with no others: one by one where that explains all bytes,
    else neighbours.
    """
    for sort in _KINDS:
        run: list[LineAccesses] = []
        for one in (*(each for each in machine.lines if each.sort is sort), None):
            is_wider = one is not None and one.change in (MachineChange.WIDENED, MachineChange.PARTLY)
            is_alone = one is not None and is_wider and one.has_same_bytes
            if one is not None and not is_alone and (is_wider or one.change is MachineChange.GONE):
                run.append(one)
                continue
            if run:
                yield run
                run = []
            if one is not None and is_alone:
                yield [one]


def _merged(blocks: Sequence[BlockTrace], group: Sequence[LineAccesses]) -> MergedRequests | None:
    before, after = (_pooled(one.ptx for one in group), _pooled(one.sass for one in group))
    narrow, wide, sort = max(before), max(after), group[0].sort
    has_same_bytes = sum(accessed_bytes(one.ptx) - accessed_bytes(one.sass) for one in group) == 0
    if before.keys() != {narrow} or not after.keys() <= {narrow, wide} or not has_same_bytes:
        return None
    lines, kind = tuple(one.line for one in group), _KINDS[sort]
    here = [one for one in blocks[0].sites if one.line in lines and one.space is Space.SHARED and one.kind is kind]
    if not here or any(one.path is not AccessPath.LOAD_STORE or one.width_bytes != narrow for one in here):
        return None
    if after.keys() == {wide}:
        counted = _joined_in_all(blocks, here, narrow, wide, before[narrow])
    else:
        counted = _partly_joined(blocks, here, narrow, wide, before[narrow], after[wide])
    return MergedRequests(lines, sort, *counted.tolist()) if counted is not None else None


def _pooled(accesses: Iterable[Sequence[WidthCount]]) -> dict[int, int]:
    """How many instructions there are of each width."""
    found: dict[int, int] = {}
    for one in accesses:
        for width in one:
            found[width.nbytes] = found.get(width.nbytes, 0) + width.count
    return found


def _partly_joined(
    blocks: Sequence[BlockTrace], sites: Sequence[Site], narrow: int, wide: int, static: int, merged: int
) -> NDArray[np.int64] | None:
    """The same where `merged` of the instructions of SASS are wide and the others narrow: those of some sites, none of
    the others' accesses being two pieces of one wide access.
    """
    slots = [int(np.count_nonzero(blocks[0].slot_site == site.index)) for site in sites]
    found, joined = np.zeros(6, np.int64), 0
    for site, of_site in zip(sites, slots, strict=True):
        window = static * of_site // sum(slots) if sum(slots) else 0
        if not window or window * sum(slots) != static * of_site:
            return None
        counted = _joined_in_all(blocks, [site], narrow, wide, window)
        if counted is None:
            if not all(_has_no_pieces(block, site, wide, window) for block in blocks):
                return None
            single = np.sum(
                [_cost(site, block.addresses[:, block.slot_site == site.index]) for block in blocks], axis=0
            )
            counted = np.array([*single, *single], np.int64)
        else:
            joined += window
        found += counted
    return found if joined * narrow == merged * wide else None


def _has_no_pieces(block: BlockTrace, site: Site, wide: int, window: int) -> bool:
    """Whether no two of each `window` requests of a site access the same aligned bytes of a wide access in a lane."""
    recorded = block.addresses[:, block.slot_site == site.index]
    if recorded.shape[1] % window:
        return False
    places = np.sort(np.where(recorded == INACTIVE, INACTIVE, recorded // wide).reshape(-1, window, LANES), axis=1)
    return not np.any((places[:, 1:] == places[:, :-1]) & (places[:, 1:] != INACTIVE))


def _joined_in_all(
    blocks: Sequence[BlockTrace], sites: Sequence[Site], narrow: int, wide: int, static: int
) -> NDArray[np.int64] | None:
    """What `static` instructions of the PTX at these sites cost in all blocks, joined and as recorded, shape (6,)."""
    for window in (wide // narrow, static):
        of_blocks = [_joined(block, sites, narrow, wide, window) for block in blocks]
        whole = [counted for counted in of_blocks if counted is not None]
        if len(whole) == len(blocks):
            total: NDArray[np.int64] = np.sum(whole, axis=0)
            return total
    return None


def _joined(block: BlockTrace, sites: Sequence[Site], narrow: int, wide: int, window: int) -> NDArray[np.int64] | None:
    """What the accesses of a block cost, joined and as recorded, shape (6,); None where each `window` requests that
    follow each other are not the pieces of wide ones.
    """
    slots = np.flatnonzero(np.isin(block.slot_site, [site.index for site in sites]))
    if slots.size % window or np.any(np.diff(block.slot_epoch[slots].reshape(-1, window), axis=1)):
        return None
    recorded = block.addresses[:, slots]
    passes = recorded.reshape(-1, window, LANES)
    # One order for all lanes: an instruction is joined with the same others in every lane.
    lane = np.argmax((passes != INACTIVE).any(axis=1), axis=1)
    order = np.argsort(passes[np.arange(len(passes)), :, lane], axis=1, kind="stable")
    pieces = np.take_along_axis(passes, order[:, :, None], axis=1).reshape(-1, wide // narrow, LANES)
    first = pieces[:, 0]
    wanted = np.where(
        first[:, None] == INACTIVE, INACTIVE, first[:, None] + narrow * np.arange(wide // narrow)[:, None]
    )
    if np.any(pieces != wanted) or np.any(first[first != INACTIVE] % wide):
        return None
    return np.array([*_cost(replace(sites[0], width_bytes=wide), first), *_cost(sites[0], recorded)], np.int64)


def _cost(site: Site, addresses: NDArray[np.int64]) -> tuple[int, int, int]:
    """Requests, wavefronts and ideal of requests, 32 lanes in the last axis."""
    requests = SiteRequests(site, addresses.reshape(-1, LANES)).active
    wavefronts, ideal = (int(counts.sum()) for counts in wavefronts_of(requests))
    return len(requests), wavefronts, ideal
