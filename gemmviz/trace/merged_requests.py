"""What merged accesses to shared memory are and cost on a GPU: the recorded requests joined as ptxas joined them.

This is done only where it follows from the recording. SASS must have a wide instruction for every so many narrow ones
of the PTX, all of one width; and in every recorded block each so many requests that follow each other, or all requests
of one pass through these instructions, must be the pieces of aligned wide ones, the same pieces in every lane. Which of
them the assembler joined then makes no difference: another one that fits has the same addresses. What remains assumed
is that the wide instructions run as often as the narrow ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

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


@dataclass(frozen=True, slots=True)
class _Join:
    """Narrow accesses of some sites, each `window` of whose requests that follow each other are the pieces of requests
    of `wide` bytes for each lane; `instructions` are those of the PTX.
    """

    sites: tuple[Site, ...]
    wide: int
    window: int
    instructions: int

    @property
    def site(self) -> Site:
        """The access that SASS has in their place, named as SASS names it ("LDS.128")."""
        opcode = "LDS" if self.sites[0].kind is AccessKind.LOAD else "STS"
        return replace(self.sites[0], width_bytes=self.wide, text=f"{opcode}.{8 * self.wide}", component_bytes=0)


@dataclass(frozen=True, slots=True)
class _Group:
    """What became of the accesses of some lines: `joins`, and sites whose accesses stayed `narrow`, with how many
    instructions each has.
    """

    lines: tuple[int, ...]
    sort: AccessSort
    joins: tuple[_Join, ...]
    narrow: tuple[tuple[Site, int], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class MachineTrace:
    """A block with its merged requests to shared memory as SASS has them: `block` has the slots that were recorded, and
    merged requests in the place of their pieces. `slot_of`, shape (warps, slots): the slot of `block` that each
    recorded request is in.
    """

    block: BlockTrace
    sites: tuple[Site, ...]
    """The accesses of merged requests, as `block` has them."""
    slot_of: NDArray[np.int32]


def merged_requests(run: TraceRun) -> tuple[MergedRequests, ...]:
    """What merged accesses cost, for each line, or lines whose accesses were merged with each other, of which it can be
    told; () where not all recorded blocks are kept, or where these are too large.
    """
    blocks = _blocks(run)
    return tuple(_costs(blocks, group) for group in _all_joined(run, blocks))


def attributed_accesses(run: TraceRun) -> tuple[LineAccesses, ...]:
    """The accesses of each line in PTX and SASS, those of several lines together line by line where the recording shows
    which of them the assembler merged: it can then have done so with no others.
    """
    if run.machine is None:
        return ()
    blocks = _blocks(run)
    found = list[LineAccesses]()
    for one in run.machine.lines:
        group = _joined_group(blocks, [one]) if one.others and one.sort in _KINDS and blocks else None
        found += _line_by_line(one, group) if group is not None else [one]
    return tuple(found)


def _line_by_line(accesses: LineAccesses, group: _Group) -> list[LineAccesses]:
    """Accesses of several lines by line; as they are where the assembler joined those of several."""
    found: dict[int, LineAccesses] = {}
    for sites, wide, count in (
        *((join.sites, join.wide, join.instructions) for join in group.joins),
        *(((site,), site.width_bytes, count) for site, count in group.narrow),
    ):
        line, width = sites[0].line, sites[0].width_bytes
        if any(site.line != line for site in sites):
            return [accesses]
        before = found.get(line, LineAccesses(line, accesses.sort))
        found[line] = replace(
            before,
            ptx=_added(before.ptx, WidthCount(width, count)),
            sass=_added(before.sass, WidthCount(wide, count * width // wide)),
        )
    return [found[line] for line in sorted(found)]


def _added(widths: tuple[WidthCount, ...], more: WidthCount) -> tuple[WidthCount, ...]:
    pooled = _pooled((widths, (more,)))
    return tuple(WidthCount(nbytes, pooled[nbytes]) for nbytes in sorted(pooled))


def machine_trace(run: TraceRun, block: BlockTrace) -> MachineTrace | None:
    """A recorded block with the merged requests whose cost the recording tells; None where it tells none."""
    told = {(one.lines, one.sort) for one in run.machine.merged} if run.machine is not None else set()
    groups = _all_joined(run, _blocks(run)) if told else ()
    joins = [join for group in groups if (group.lines, group.sort) in told for join in group.joins]
    return _with_joined(block, joins) if joins else None


def _blocks(run: TraceRun) -> list[BlockTrace]:
    """The blocks to derive from; [] where these are not all recorded ones, or are too large."""
    if len(run.blocks) != run.blocks_recorded or sum(block.addresses.nbytes for block in run.blocks) > _MOST_BYTES:
        return []
    return [block.trace(run.sites, run.arrays) for block in run.blocks]


def _all_joined(run: TraceRun, blocks: Sequence[BlockTrace]) -> tuple[_Group, ...]:
    if run.machine is None or not blocks:
        return ()
    found = (_joined_group(blocks, group) for group in _groups(run.machine))
    return tuple(one for one in found if one is not None)


def _with_joined(block: BlockTrace, joins: Sequence[_Join]) -> MachineTrace:
    """The block with the requests of `joins` joined: they are in the first slots of their pass, and its others are
    inactive, so that all else that is known of slots holds.
    """
    warps, count = block.addresses.shape[:2]
    addresses, slot_site, sites = block.addresses.copy(), block.slot_site.copy(), list(block.sites)
    slot_of = np.tile(np.arange(count), (warps, 1))
    for join in joins:
        slots = _slots(block, join.sites)
        joined = _joined(block, join)
        if joined is None or not slots.size:
            continue
        first, group_of = joined
        passes = slots.reshape(-1, join.window)
        taken = passes[:, : first.shape[1]]
        addresses[:, slots] = INACTIVE
        addresses[:, taken.ravel()] = first.reshape(warps, -1, LANES)
        groups = group_of.reshape(warps, *passes.shape)
        slot_of[:, slots] = taken[np.arange(len(passes))[:, None], groups].reshape(warps, -1)
        slot_site[slots] = join.site.index
        sites[join.site.index] = join.site
    made = replace(block, sites=tuple(sites), slot_site=slot_site, addresses=addresses)
    return MachineTrace(made, tuple(join.site for join in joins), slot_of.astype(np.int32))


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


def _joined_group(blocks: Sequence[BlockTrace], group: Sequence[LineAccesses]) -> _Group | None:
    before, after = (_pooled(one.ptx for one in group), _pooled(one.sass for one in group))
    narrow, wide, sort = max(before), max(after), group[0].sort
    has_same_bytes = sum(accessed_bytes(one.ptx) - accessed_bytes(one.sass) for one in group) == 0
    if before.keys() != {narrow} or not after.keys() <= {narrow, wide} or not has_same_bytes:
        return None
    lines, kind = tuple(line for one in group for line in one.lines), _KINDS[sort]
    here = [one for one in blocks[0].sites if one.line in lines and one.space is Space.SHARED and one.kind is kind]
    if not here or any(one.path is not AccessPath.LOAD_STORE or one.width_bytes != narrow for one in here):
        return None
    if after.keys() != {wide} or group[0].others:
        return _partly_joined(blocks, here, _Group(lines, sort, ()), wide, before[narrow], after[wide])
    join = _join_in_all(blocks, here, wide, before[narrow])
    return _Group(lines, sort, (join,)) if join is not None else None


def _pooled(accesses: Iterable[Sequence[WidthCount]]) -> dict[int, int]:
    """How many instructions there are of each width."""
    found: dict[int, int] = {}
    for one in accesses:
        for width in one:
            found[width.nbytes] = found.get(width.nbytes, 0) + width.count
    return found


def _partly_joined(
    blocks: Sequence[BlockTrace], sites: Sequence[Site], group: _Group, wide: int, static: int, merged: int
) -> _Group | None:
    """The same where `merged` of the instructions of SASS are wide and the others narrow: those of some sites, none of
    the others' accesses being two pieces of one wide access.
    """
    slots = [int(np.count_nonzero(blocks[0].slot_site == site.index)) for site in sites]
    joins, narrow, joined = list[_Join](), list[tuple[Site, int]](), 0
    for site, of_site in zip(sites, slots, strict=True):
        window = static * of_site // sum(slots) if sum(slots) else 0
        if not window or window * sum(slots) != static * of_site:
            return None
        join = _join_in_all(blocks, [site], wide, window)
        if join is not None:
            joins.append(join)
            joined += window
        elif all(_has_no_pieces(block, site, wide, window) for block in blocks):
            narrow.append((site, window))
        else:
            return None
    is_told = joined * sites[0].width_bytes == merged * wide
    return replace(group, joins=tuple(joins), narrow=tuple(narrow)) if is_told else None


def _has_no_pieces(block: BlockTrace, site: Site, wide: int, window: int) -> bool:
    """Whether no two of each `window` requests of a site access the same aligned bytes of a wide access in a lane."""
    recorded = block.addresses[:, block.slot_site == site.index]
    if recorded.shape[1] % window:
        return False
    places = np.sort(np.where(recorded == INACTIVE, INACTIVE, recorded // wide).reshape(-1, window, LANES), axis=1)
    return not np.any((places[:, 1:] == places[:, :-1]) & (places[:, 1:] != INACTIVE))


def _join_in_all(blocks: Sequence[BlockTrace], sites: Sequence[Site], wide: int, static: int) -> _Join | None:
    """How `static` instructions of the PTX at these sites are joined in all blocks; None where they are not."""
    for window in (wide // sites[0].width_bytes, static):
        join = _Join(tuple(sites), wide, window, static)
        if all(_joined(block, join) is not None for block in blocks):
            return join
    return None


def _slots(block: BlockTrace, sites: Sequence[Site]) -> NDArray[np.int64]:
    return np.flatnonzero(np.isin(block.slot_site, [site.index for site in sites]))


def _joined(block: BlockTrace, join: _Join) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """The joined requests of a block, pass by pass, shape (passes of all warps, requests of a pass, 32), and which of
    them each recorded request is a piece of, shape (passes of all warps, window); None where each `window` requests
    that follow each other are not the pieces of wide ones.
    """
    slots, window, narrow = _slots(block, join.sites), join.window, join.sites[0].width_bytes
    if slots.size % window or np.any(np.diff(block.slot_epoch[slots].reshape(-1, window), axis=1)):
        return None
    passes = block.addresses[:, slots].reshape(-1, window, LANES)
    # One order for all lanes: an instruction is joined with the same others in every lane.
    lane = np.argmax((passes != INACTIVE).any(axis=1), axis=1)
    order = np.argsort(passes[np.arange(len(passes)), :, lane], axis=1, kind="stable")
    pieces = np.take_along_axis(passes, order[:, :, None], axis=1).reshape(-1, join.wide // narrow, LANES)
    first = pieces[:, 0]
    wanted = np.where(
        first[:, None] == INACTIVE, INACTIVE, first[:, None] + narrow * np.arange(join.wide // narrow)[:, None]
    )
    if np.any(pieces != wanted) or np.any(first[first != INACTIVE] % join.wide):
        return None
    return first.reshape(len(passes), -1, LANES), np.argsort(order, axis=1) * narrow // join.wide


def _costs(blocks: Sequence[BlockTrace], group: _Group) -> MergedRequests:
    """What the accesses of a group cost in all blocks, joined and as recorded."""
    found = np.zeros(6, np.int64)
    for block in blocks:
        for join in group.joins:
            joined = _joined(block, join)
            assert joined is not None  # it is in every block
            recorded = block.addresses[:, _slots(block, join.sites)]
            found += np.array([*_cost(join.site, joined[0]), *_cost(join.sites[0], recorded)])
        for site, _ in group.narrow:
            single = _cost(site, block.addresses[:, block.slot_site == site.index])
            found += np.array([*single, *single])
    return MergedRequests(group.lines, group.sort, *found.tolist())


def _cost(site: Site, addresses: NDArray[np.int64]) -> tuple[int, int, int]:
    """Requests, wavefronts and ideal of requests, 32 lanes in the last axis."""
    requests = SiteRequests(site, addresses.reshape(-1, LANES)).active
    wavefronts, ideal = (int(counts.sum()) for counts in wavefronts_of(requests))
    return len(requests), wavefronts, ideal
