"""Accesses at an address that their type must not have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.frames.access import LaneAccesses
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.hazards.rules.mark import HazardMark, accesses_at, running
from gemmviz.trace.hazards.rules.one_access import OneAccess
from gemmviz.trace.hazards.rules.rule import Precedence


@dataclass(frozen=True, slots=True)
class MisalignedRule(OneAccess):
    """An access whose address is not a multiple of what its type needs."""

    kind: HazardKind = HazardKind.MISALIGNED
    precedence: Precedence = Precedence.ONE_THREAD
    unknown_values: str = ""
    barriers: None = None

    @staticmethod
    def at_fault(trace: BlockTrace, accesses: LaneAccesses) -> LaneAccesses:
        return accesses.only(_are_misaligned(trace, accesses))

    def marks(self, frame: Frame, hazards: Sequence[Hazard], trace: BlockTrace) -> list[HazardMark]:
        """The elements that each site touches in this frame at addresses it must not have, an array each."""
        found: list[HazardMark] = []
        for place, hazard in running(frame, hazards, self.kind):
            accesses = self.at_fault(trace, accesses_at(frame, trace, hazard.sites))
            arrays = np.unique(accesses.array).tolist()
            found += [self._mark(trace, hazard, place, accesses.only(accesses.array == index)) for index in arrays]
        return found

    def _mark(self, trace: BlockTrace, hazard: Hazard, place: int, here: LaneAccesses) -> HazardMark:
        """That of accesses to one array."""
        array, thread = trace.arrays[int(here.array[0])], int(here.thread[0])
        site = next(site for site in trace.sites if site.index == int(here.site[0]))
        verb = "stores" if here.is_store[0] else "reads"
        first = int(here.address[0]) - site.component_bytes - array.base
        words = (
            f"Misaligned, line {hazard.line}: thread {thread} {verb} {site.aligned_bytes} bytes at once at "
            f"byte {first} of {array.name}, which is no multiple of {site.aligned_bytes}; "
            "an NVIDIA GPU ends the kernel there"
        )
        rows, columns = np.divmod(np.unique(here.elements()[0]), array.columns)
        return HazardMark(self.kind, array, rows, columns, (thread,), words, place)


def _are_misaligned(trace: BlockTrace, accesses: LaneAccesses) -> NDArray[np.bool_]:
    """Which accesses, shape (n,), lie in an array at an address that is no multiple of what their site says."""
    low_bits = np.zeros(len(trace.sites), np.int64)
    behind = np.zeros(len(trace.sites), np.int64)
    for site in trace.sites:
        low_bits[site.index], behind[site.index] = max(site.aligned_bytes, 1) - 1, site.component_bytes
    away = (accesses.address - behind[accesses.site]) & low_bits[accesses.site]
    return np.asarray((accesses.array >= 0) & (away != 0), np.bool_)
