"""From what a warp wrote down to its requests: sites and addresses, in order, and its steps at barriers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BarrierPlace, BarrierSort, Space
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.spec import TensorMap
from gemmviz.machine.log import SEQUENCED_SLOTS
from gemmviz.trace.ptx.decoding.log import WarpLog
from gemmviz.trace.ptx.decoding.phases import Sync, WarpStep
from gemmviz.trace.ptx.decoding.requests import CopyStep, Requests
from gemmviz.trace.ptx.decoding.rows import box_pieces, operand_pieces, tile_pieces
from gemmviz.trace.ptx.probing.accesses import What
from gemmviz.trace.ptx.probing.expressions import barrier_in
from gemmviz.trace.ptx.probing.group_barriers import GroupSteps
from gemmviz.trace.ptx.probing.probes import Probe
from gemmviz.trace.ptx.probing.sites import Sites
from gemmviz.trace.ptx.probing.strong_accesses import StrongProbe, steps_of

BLOCK_BARRIER = 0
"""The key of the barrier of all threads; that of named barrier n is n + 1."""
_MBARRIERS = 1 << 32
_WITHIN_BLOCK = 0xFFFFFF
"""The part of a shared address that is the address within one block's memory: above it a cluster has the block's rank,
and has it in the address of every variable of the block itself, too.
"""
_WARPS_OF_GROUP = 4
_SLOTS = 1 << 12
"""A key has room for so many slots of one instruction."""
_OF_FAR = 1 << 48
"""Added to the key of an instruction's request outside shared memory that may be in it."""
FAR = 1 << 32
"""Full addresses are at least as large; offsets in shared memory are smaller."""


_SORTS = {"red": BarrierSort.REDUCES, "cluster": BarrierSort.CLUSTER}
_MASK = 4
"""The value of a tensor copy that names the blocks of the cluster it goes to."""


@dataclass(frozen=True, slots=True, eq=False)
class Arriving:
    """What copy number `number` by one instruction of another block, after `step` arrivals of its warp, writes here."""

    probe: int
    number: int
    step: int
    site: int
    rows: list[NDArray[np.int64]]


@dataclass(slots=True)
class Expander:
    """Knows the probes of one kernel; `maps` are the tensor maps by the name of their matrix. `strong` are the
    instructions that put threads in order, where these are written down.
    """

    probes: tuple[Probe, ...]
    sites: Sites
    maps: Mapping[str, TensorMap]
    strong: tuple[StrongProbe, ...] = ()
    _of_number: NDArray[np.int32] = field(init=False)
    _is_plain: NDArray[np.bool_] = field(init=False)
    _site_of: NDArray[np.int32] = field(init=False)
    _rows_of: NDArray[np.int64] = field(init=False)
    _is_shared: NDArray[np.bool_] = field(init=False)
    _global_of: NDArray[np.int32] = field(init=False)
    _pieces: dict[tuple[int, ...], list[tuple[int, NDArray[np.int64]]]] = field(init=False)
    _groups: GroupSteps = field(init=False)

    def __post_init__(self) -> None:
        numbers = max((probe.first + len(probe.found.values) for probe in self.probes), default=0)
        numbers += SEQUENCED_SLOTS * len(self.strong)
        self._of_number = np.full(numbers, -1, np.int32)
        self._is_plain = np.zeros(numbers, np.bool_)
        self._site_of = np.full(numbers, -1, np.int32)
        self._rows_of = np.full(numbers, LANES, np.int64)
        self._is_shared = np.zeros(numbers, np.bool_)
        self._global_of = np.full(numbers, -1, np.int32)
        self._pieces = {}
        self._groups = GroupSteps(self.probes)
        for index, probe in enumerate(self.probes):
            self._of_number[probe.first] = index
            if probe.found.what is What.ACCESS:
                for part, site in enumerate(self.sites.of_part[index]):
                    self._is_plain[probe.first + part] = site >= 0
                    self._site_of[probe.first + part] = site
                    self._is_shared[probe.first + part] = site >= 0 and self.sites.sites[site].space is Space.SHARED
                    self._rows_of[probe.first + part] = (*probe.found.shape, LANES)[0]
                    self._global_of[probe.first + part] = self.sites.in_global.get(site, -1)

    def requests(self, log: WarpLog, warp: int, arriving: Sequence[Arriving] = ()) -> Requests:
        """The requests of warp number `warp` of its block, with what others' copies bring at the same time: after as
        many arrivals at mbarriers, by which a producer tells that copies are on their way; where it does not, beside
        the warp's own copy of the same number by the same instruction.
        """
        plain = self._is_plain[log.number]
        pieces: list[tuple[int, int, int, NDArray[np.int64]]] = []
        syncs: list[Sync] = []
        symbols: dict[str, int] = {}
        own_barriers: list[int] = []
        copy_steps: list[CopyStep] = []
        events_of: dict[int, list[int]] = defaultdict(list)
        joined = self._joined_barriers(log, plain)
        for event in self._heads(log, plain):
            index = int(self._of_number[log.number[event]])
            events_of[index].append(event)
            probe = self.probes[index]
            values = log.lanes[event : event + len(probe.found.values)]
            if probe.symbol is not None:
                symbols[probe.symbol.name] = int(values[0].max()) & _WITHIN_BLOCK
            elif probe.found.what is What.BARRIER:
                if event not in joined:
                    continue
                there = np.where(joined[event], 0, INACTIVE).reshape(1, LANES)
                pieces.append((event, index * _SLOTS, BARRIER_SITE, there))
                syncs.append(Sync(event, WarpStep.MEET, BLOCK_BARRIER))
            elif probe.found.what is What.WARP_BARRIER:
                own_barriers.append(event)
            elif probe.found.what in _COPY_STEPS:
                copy_steps.append(CopyStep(event, probe.found.what, values[0], _key_of(values)))
                if probe.found.shape == (1,):
                    syncs.append(_sync(event, What.ARRIVE, values))
            elif probe.found.what in _STEPS:
                syncs.append(_sync(event, probe.found.what, values))
            elif probe.found.what is not What.ACCESS:  # an access that has no site is left out
                for slot, (site, addresses) in enumerate(self._moved(index, values, warp)):
                    pieces.append((event, index * _SLOTS + slot, site, addresses.reshape(1, LANES)))
        arrivals = [sync.event for sync in syncs if sync.step is WarpStep.ARRIVE]
        for one in arriving:
            own, number = (arrivals, one.step - 1) if arrivals else (events_of[one.probe], one.number)
            if own:
                event, key = own[min(max(number, 0), len(own) - 1)], one.probe * _SLOTS + _SLOTS // 2
                pieces += [(event, key + i, one.site, row.reshape(1, LANES)) for i, row in enumerate(one.rows)]
        return self._in_order(log, plain, pieces, syncs, symbols, own_barriers, copy_steps)

    def _joined_barriers(self, log: WarpLog, plain: NDArray[np.bool_]) -> dict[int, NDArray[np.bool_]]:
        """The lanes that come to each barrier of the block, by the event of the last of them.

        On a GPU lanes that run apart come to one barrier by events of their own. Those that came wait for the others,
        so an event of the same barrier belongs to the one before it as long as no lane comes twice.
        """
        joined: dict[int, NDArray[np.bool_]] = {}
        last, last_index = -1, -1
        for event in self._heads(log, plain):
            index = int(self._of_number[log.number[event]])
            if self.probes[index].symbol is not None or self.probes[index].found.what is not What.BARRIER:
                continue
            lanes = log.lanes[event] >= 0
            if index == last_index and not (joined[last] & lanes).any():
                lanes = lanes | joined.pop(last)
            joined[event] = lanes
            last, last_index = event, index
        return joined

    @property
    def probe_of_number(self) -> NDArray[np.int32]:
        """The probe whose first value has a number; -1 for its other values."""
        return self._of_number

    def is_moved_alone(self, number: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether slots of these numbers are each one request of all lanes by its addresses, shape (n,)."""
        found: NDArray[np.bool_] = self._is_plain[number] & (self._rows_of[number] == LANES)
        return found

    def _heads(self, log: WarpLog, plain: NDArray[np.bool_]) -> list[int]:
        """The first events of what is more than a plain access."""
        found: list[int] = np.flatnonzero(~plain & (self._of_number[log.number] >= 0)).tolist()
        return found

    def arriving(self, log: WarpLog, warp: int, rank: int) -> list[Arriving]:
        """What the copies of a warp of another block write into the shared memory of block `rank` of the cluster."""
        found: list[Arriving] = []
        numbers: dict[int, int] = defaultdict(int)
        step = 0
        for event in self._heads(log, self._is_plain[log.number]):
            index = int(self._of_number[log.number[event]])
            probe = self.probes[index]
            step += probe.found.what is What.ARRIVE
            if probe.found.what is not What.TENSOR_COPY:
                continue
            number, numbers[index] = numbers[index], numbers[index] + 1
            values = log.lanes[event : event + len(probe.found.values)]
            if int(values[_MASK].max()) >> rank & 1:
                site = self.sites.of_part[index][1]
                rows = [row for of, row in self._moved(index, values, warp) if of == site]
                found.append(Arriving(index, number, step, site, rows))
        return found

    def barrier(self, key: int) -> BarrierPlace:
        """Where in the source the barrier stands whose request has `key`."""
        statement = self.probes[key // _SLOTS].statement
        assert statement is not None
        text = barrier_in(statement.place.line, self.sites.lines)
        words = statement.words
        sort = (
            BarrierSort.REDUCES if "red" in words else BarrierSort.CLUSTER if "cluster" in words else BarrierSort.WAITS
        )
        return BarrierPlace(statement.place.line, text or " ".join((statement.opcode, *statement.operands)), sort)

    def _in_order(
        self,
        log: WarpLog,
        plain: NDArray[np.bool_],
        pieces: list[tuple[int, int, int, NDArray[np.int64]]],
        syncs: list[Sync],
        symbols: dict[str, int],
        own_barriers: list[int],
        copy_steps: list[CopyStep],
    ) -> Requests:
        event = np.flatnonzero(plain)
        number = log.number[event]
        addresses = log.lanes[event]
        is_far = (self._global_of[number] >= 0)[:, None] & (addresses >= FAR)
        if symbols:  # where no variable's address is told, no rank is in it, and a wild pointer stays whole
            own = self._is_shared[number][:, None] & (addresses != INACTIVE) & ~is_far
            np.bitwise_and(addresses, _WITHIN_BLOCK, out=addresses, where=own)
        rows = self._rows_of[number]
        if (rows < LANES).any():
            addresses[np.arange(LANES) >= rows[:, None]] = INACTIVE
        key = number.astype(np.int64) + len(self.probes) * _SLOTS
        site = self._site_of[number]
        far_of = is_far.any(axis=1)
        if far_of.any():  # a request of its own for the lanes whose addresses are not in shared memory
            far = np.where(is_far[far_of], addresses[far_of], INACTIVE)
            addresses = np.where(is_far, INACTIVE, addresses)
            stays = ~far_of | (addresses != INACTIVE).any(axis=1)
            key = np.concatenate([key[stays], key[far_of] + _OF_FAR])
            site = np.concatenate([site[stays], self._global_of[number[far_of]]])
            event = np.concatenate([event[stays], event[far_of]])
            addresses = np.concatenate([addresses[stays], far])
        if pieces:
            event = np.concatenate([event, np.array([piece[0] for piece in pieces], np.int64)])
            key = np.concatenate([key, np.array([piece[1] for piece in pieces], np.int64)])
            site = np.concatenate([site, np.array([piece[2] for piece in pieces], np.int32)])
            addresses = np.concatenate([addresses, *(piece[3] for piece in pieces)])
        if pieces or far_of.any():
            order = np.argsort(event, kind="stable")
            event, key, site, addresses = event[order], key[order], site[order], addresses[order]
        passed = np.searchsorted(np.array(own_barriers, np.int64), event).astype(np.int32)
        groups = self._groups.of(log)
        strong = steps_of(log, self.strong)
        return Requests(
            key,
            site,
            event,
            addresses,
            syncs,
            symbols,
            log.number.size,
            passed,
            copy_steps,
            groups,
            strong,
            np.array(own_barriers, np.int64),
        )

    def _moved(self, index: int, values: NDArray[np.int64], warp: int) -> list[tuple[int, NDArray[np.int64]]]:
        """Site and addresses of each slot of an instruction that moves more than a request; each lane that takes part
        in a tensor copy makes one.
        """
        probe = self.probes[index]
        lanes = np.flatnonzero(values[0] != INACTIVE)
        chosen = lanes if probe.found.what is What.TENSOR_COPY else lanes[:1]
        found: list[tuple[int, NDArray[np.int64]]] = []
        for lane in chosen.tolist():
            told = (index, warp % _WARPS_OF_GROUP, *values[:, lane].tolist())
            if told not in self._pieces:
                self._pieces[told] = list(self._pieces_of(index, told[2:], warp % _WARPS_OF_GROUP))
            found += self._pieces[told]
        return found

    def _pieces_of(self, index: int, values: tuple[int, ...], warp: int) -> list[tuple[int, NDArray[np.int64]]]:
        probe, sites = self.probes[index], self.sites.of_part[index]
        shape = probe.found.shape
        if probe.found.what is What.WARP_TILE:
            return [(sites[0], row) for row in tile_pieces(values[0], values[1], *shape) if sites[0] >= 0]
        if probe.found.what is What.TENSOR_COPY:
            one = self.maps[self.sites.sites[sites[0]].array]
            read, written = box_pieces(one, values[2], values[3], values[0] & _WITHIN_BLOCK)
            return [(site, row) for site, rows in zip(sites, (read, written), strict=True) for row in rows]
        found: list[tuple[int, NDArray[np.int64]]] = []
        for part, site in enumerate(sites):
            is_b, rows, element_bytes, summed_down = shape[4 * part : 4 * part + 4]
            pieces = operand_pieces(values[part], rows, element_bytes, bool(summed_down))
            if pieces is None:
                continue
            if not is_b:  # the 16 rows of A that this warp multiplies
                flat = pieces.reshape(-1)
                share = flat.size // _WARPS_OF_GROUP
                pieces = flat[warp * share : (warp + 1) * share].reshape(-1, LANES)
            elif warp:
                continue  # one warp stands for the four that multiply with the same B
            found += [(site, row) for row in pieces]
        return found


_COPY_STEPS = frozenset({What.COMMIT, What.WAIT_GROUP, What.WAIT_ALL, What.HAND_OVER})
_STEPS = {What.NAMED_BARRIER: WarpStep.MEET, What.WAIT: WarpStep.WAIT, What.ARRIVE: WarpStep.ARRIVE}


def _sync(event: int, what: What, values: NDArray[np.int64]) -> Sync:
    lane = int(np.flatnonzero(values[0] != INACTIVE)[0])
    if what is What.NAMED_BARRIER:
        return Sync(event, WarpStep.MEET, int(values[0, lane]) + 1)
    return Sync(event, _STEPS[what], _key_of(values), int(values[1, lane]) if what is What.WAIT else 0)


def _key_of(values: NDArray[np.int64]) -> int:
    """The key of the mbarrier whose address is the first value."""
    return _MBARRIERS + (int(values[0].max()) & _WITHIN_BLOCK)
