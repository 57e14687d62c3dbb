"""From the logs of a block's warps to its trace: addresses made virtual, requests laid into common slots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BlockTrace, MappedArray, Site
from gemmviz.domain.recordings.strong_steps import StrongSteps
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.ptx.decoding.align import align
from gemmviz.trace.ptx.decoding.cluster import BlockLogs
from gemmviz.trace.ptx.decoding.copies import copy_landings
from gemmviz.trace.ptx.decoding.expand import Expander
from gemmviz.trace.ptx.decoding.log import read_log
from gemmviz.trace.ptx.decoding.phases import epochs
from gemmviz.trace.ptx.decoding.requests import Requests
from gemmviz.trace.ptx.probing.accesses import What
from gemmviz.trace.ptx.probing.group_barriers import groups_of
from gemmviz.trace.virtual_addresses import FAR_BYTES

FARTHEST = 1 << 61
"""Addresses farther from 0 than so many bytes are recorded as that far: no memory is there, and sums of them and of
places of arrays stay exact.
"""
_BARRIER_KEY = -1
_NEAR = 128
"""Bytes around an array within which an address that may be anything's is taken to be meant for it."""


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """The arrays as a trace has them, and where each lies on the device (shared ones: in the block's shared memory)."""

    mapped: tuple[MappedArray, ...]
    real: tuple[int, ...]

    def virtual(self, addresses: NDArray[np.int64], site: Site, *, may_be_others: bool = False) -> NDArray[np.int64]:
        """Addresses of one site, INACTIVE ones left; relative to the site's array, or to the one they lie in or, where
        that is none, to the nearest. One that is FAR_BYTES or more from all of them stays what it is.

        With `may_be_others` an address that is near no array is that of something not recorded, and becomes INACTIVE.
        """
        there = addresses != INACTIVE
        reached = np.clip(addresses, -FARTHEST, FARTHEST)
        choices = [i for i, array in enumerate(self.mapped) if array.space is site.space]
        choices = [i for i in choices if self.mapped[i].name == site.array][:1] or choices
        if len(choices) == 1 and self.mapped[choices[0]].name == site.array:
            return np.where(there, self._moved(reached, choices[0]), INACTIVE)
        moved = np.full_like(reached, INACTIVE) if may_be_others else reached
        nearest = np.full_like(reached, _NEAR + 1 if may_be_others else FAR_BYTES)
        for i in choices:
            behind = self.real[i] + self.mapped[i].nbytes
            distance = np.maximum(np.maximum(self.real[i] - reached, reached - behind + 1), 0)
            is_nearer = distance < nearest
            moved = np.where(is_nearer, self._moved(reached, i), moved)
            nearest = np.where(is_nearer, distance, nearest)
        return np.where(there, moved, INACTIVE)

    def _moved(self, addresses: NDArray[np.int64], choice: int) -> NDArray[np.int64]:
        """Addresses as far from the start of an array in a trace as they are from its start on the device."""
        return addresses - self.real[choice] + self.mapped[choice].base


def requests_of(expander: Expander, logs: BlockLogs, arrays: Arrays) -> list[Requests]:
    """The requests of each warp, with virtual addresses. Tensor copies read relative to their matrix already."""
    found = []
    others = [[read_log(words) for words in other] for other in logs.others]
    for warp, words in enumerate(logs.own):
        log = read_log(words)
        arriving = [one for other in others for one in expander.arriving(other[warp], warp, logs.rank)]
        found.append(expander.requests(log, warp, arriving))
    bases = {array.name: array.base for array in arrays.mapped}
    copied = {
        sites[0]
        for probe, sites in zip(expander.probes, expander.sites.of_part, strict=True)
        if probe.found.what is What.TENSOR_COPY
    }
    told_apart = set(expander.sites.in_global.values())
    for one in found:
        for site in np.unique(one.site[one.site != BARRIER_SITE]).tolist():
            here = one.site == site
            raw, known = one.addresses[here], expander.sites.sites[site]
            if site in copied:
                one.addresses[here] = np.where(raw == INACTIVE, INACTIVE, raw + bases[known.array])
            else:
                one.addresses[here] = arrays.virtual(raw, known, may_be_others=site in told_apart)
    return found


def block_trace(
    expander: Expander, logs: BlockLogs, arrays: Arrays, block: tuple[int, int, int], threads: int
) -> BlockTrace:
    """The trace of a block from the logs of all its warps."""
    return laid_out(expander, logs, arrays, block, threads)[0]


def laid_out(
    expander: Expander, logs: BlockLogs, arrays: Arrays, block: tuple[int, int, int], threads: int
) -> tuple[BlockTrace, list[NDArray[np.int64]]]:
    """The trace of a block from the logs of all its warps, and in which slot of it each slot of a warp's log is: the
    last of several, -1 where in none.
    """
    warps = requests_of(expander, logs, arrays)
    of_events = epochs([warp.syncs for warp in warps], [warp.events for warp in warps])
    keys = [np.where(warp.site == BARRIER_SITE, _BARRIER_KEY, warp.key) for warp in warps]
    slots = align(keys, [of[warp.event].astype(np.int64) for of, warp in zip(of_events, warps, strict=True)])
    addresses = np.full((len(warps), slots.key.size, LANES), INACTIVE, np.int64)
    warp_syncs = np.zeros((len(warps), slots.key.size), np.int32)
    groups, comes = groups_of([warp.group_steps for warp in warps])
    group_syncs = np.zeros_like(warp_syncs) if any(groups) else None
    slot_site = np.full(slots.key.size, BARRIER_SITE, np.int32)
    probe_of = np.zeros(slots.key.size, np.int64)
    for number, (warp, place) in enumerate(zip(warps, slots.places, strict=True)):
        addresses[number, place] = warp.addresses
        warp_syncs[number, place] = warp.warp_syncs
        if group_syncs is not None:
            group_syncs[number, place] = np.searchsorted(comes[number], warp.event)
        slot_site[place] = warp.site
        probe_of[place] = warp.key
    slot_event = np.full((len(warps), slots.key.size), -1, np.int64) if expander.strong else None
    if slot_event is not None:
        for number, (warp, place) in enumerate(zip(warps, slots.places, strict=True)):
            slot_event[number, place] = warp.event
    slots_of = [np.full(warp.events, -1, np.int64) for warp in warps]
    for of_warp, warp, place in zip(slots_of, warps, slots.places, strict=True):
        of_warp[warp.event] = place
    trace = BlockTrace(
        block=block,
        threads=threads,
        sites=expander.sites.sites,
        arrays=arrays.mapped,
        slot_site=slot_site,
        slot_epoch=slots.epoch.astype(np.int32),
        addresses=addresses,
        ended_by=tuple(expander.barrier(int(key)) for key in probe_of[slot_site == BARRIER_SITE]),
        warp_syncs=warp_syncs,
        landings=copy_landings(expander.sites.sites, warps, slots, of_events),
        warp_groups=groups,
        group_syncs=group_syncs,
        strong=None if slot_event is None else _strong_steps(expander, warps, of_events, slot_event),
    )
    return trace, slots_of


def _strong_steps(
    expander: Expander,
    warps: Sequence[Requests],
    epochs_of: Sequence[NDArray[np.int32]],
    slot_event: NDArray[np.int64],
) -> StrongSteps:
    """The steps of all warps of a block, given with the epochs of their events."""
    steps = [warp.strong for warp in warps]
    count = [one.kind.size for one in steps]
    return StrongSteps(
        kinds=tuple(one.kind for one in expander.strong),
        kind=np.concatenate([one.kind for one in steps]),
        warp=np.repeat(np.arange(len(warps)), count),
        lane=np.concatenate([one.lane for one in steps]),
        event=np.concatenate([one.event for one in steps]),
        epoch=np.concatenate([of[one.event] for of, one in zip(epochs_of, steps, strict=True)]).astype(np.int64),
        sync=np.concatenate([np.searchsorted(warp.own_barriers, warp.strong.event) for warp in warps]),
        address=np.concatenate([one.address for one in steps]),
        order=np.concatenate([one.order for one in steps]),
        wrote=np.concatenate([one.wrote for one in steps]),
        slot_event=slot_event,
    )


def as_one_warp(expander: Expander, logs: BlockLogs, arrays: Arrays) -> BlockTrace:
    """All requests of a block one behind the other, as if one warp had made them: enough to count them."""
    warps = requests_of(expander, logs, arrays)
    site = np.concatenate([warp.site for warp in warps])
    addresses = np.concatenate([warp.addresses for warp in warps])[site != BARRIER_SITE]
    kept = site[site != BARRIER_SITE]
    return BlockTrace(
        (0, 0, 0), LANES, expander.sites.sites, arrays.mapped, kept, np.zeros(kept.size, np.int32), addresses[None]
    )
