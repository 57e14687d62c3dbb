"""Against a checker that compares every access with every other, byte by byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, AccessKind, AccessPath, BlockTrace, Site
from gemmviz.trace.hazards.hazards import Hazard, HazardKind, find_hazards
from gemmviz.trace.hazards.naming import reachable

SITES = """
10 shared store 4 s
11 shared load 4 s
12 shared store 16 s
13 shared load 8 p
14 global store 4 C
15 global load 4 p
16 global store 2 C
17 shared store 1 t
"""
ARRAYS = "s shared 2x4\nC global 3x3\nt shared 1x3\nA global 2x2"
BASES = [(place + 1) << 40 for place in range(4)]


@dataclass(frozen=True)
class Access:
    slot: int
    epoch: int
    thread: int
    site: Site
    start: int

    @property
    def touched(self) -> range:
        return range(self.start, self.start + self.site.width_bytes)

    @property
    def stores(self) -> bool:
        return self.site.kind is AccessKind.STORE

    def is_inside(self, trace: BlockTrace) -> bool:
        held = [range(a.base, a.base + a.nbytes) for a in reachable(self.site, trace.arrays)]
        return any(self.touched[0] in bytes_ and self.touched[-1] in bytes_ for bytes_ in held)

    def races_with(self, other: Access) -> bool:
        overlap = self.start < other.touched.stop and other.start < self.touched.stop
        apart = self.epoch == other.epoch and self.thread != other.thread
        both_atomic = self.site.is_atomic and other.site.is_atomic
        return apart and overlap and (self.stores or other.stores) and not both_atomic


def accesses_of(trace: BlockTrace) -> list[Access]:
    found = []
    for slot, index in enumerate(trace.slot_site):
        for thread in range(trace.threads) if index != BARRIER_SITE else ():
            address = int(trace.addresses[thread // 32, slot, thread % 32])
            if address != INACTIVE:
                found.append(Access(slot, int(trace.slot_epoch[slot]), thread, trace.sites[index], address))
    return found


def races_slowly(inside: list[Access]) -> Counter[tuple[int, int]]:
    """Accesses per pair of sites that race with one before them."""
    pairs: Counter[tuple[int, int]] = Counter()
    for i, later in enumerate(inside):
        pairs.update({(earlier.site.index, later.site.index) for earlier in inside[:i] if later.races_with(earlier)})
    return pairs


def is_unwritten(read: Access, inside: list[Access]) -> bool:
    def is_written(byte: int) -> bool:
        stores = [other for other in inside if other.stores and byte in other.touched]
        first = [other for other in stores if not other.site.is_atomic]
        if not first:  # what an atomic operation makes of the uninitialised is told there
            return bool(stores) and not read.site.is_atomic
        return any(
            other.epoch < read.epoch
            or (other.epoch == read.epoch and (other.thread != read.thread or other.slot < read.slot))
            for other in first
        )

    return not all(is_written(byte) for byte in read.touched)


@st.composite
def slots(draw: st.DrawFn) -> list[tuple[int, np.ndarray]]:
    """Slots of random sites; threads 0, 1, 2 and 33 access small multiples of 1, 2 or 4 bytes around the arrays."""
    step = draw(st.sampled_from([1, 2, 4, 4]))
    found = []
    for _ in range(draw(st.integers(1, 12))):
        site = draw(st.sampled_from([BARRIER_SITE, *range(8), *range(8)]))
        addresses = np.full(64, INACTIVE if site != BARRIER_SITE else 0, np.int64)
        for thread in (0, 1, 2, 33) if site != BARRIER_SITE else ():
            base = draw(st.sampled_from([INACTIVE, *BASES[:3], BASES[0], BASES[1]]))
            if base != INACTIVE:
                addresses[thread] = base + step * draw(st.integers(-1, 9))
        found.append((site, addresses))
    return found


def counts(found: tuple[Hazard, ...], kind: HazardKind) -> dict[tuple[int, ...], int]:
    return {hazard.sites: hazard.count for hazard in found if hazard.kind is kind}


@settings(max_examples=3 * settings.default.max_examples)
@given(slots=slots(), atomic=st.sampled_from([(), (0, 1), (1, 2), (4, 6), (0, 2, 3, 4, 5)]))
def test_that_it_agrees_with_comparing_all_with_all(
    trace_of: Callable[..., BlockTrace], slots: list[tuple[int, np.ndarray]], atomic: tuple[int, ...]
) -> None:
    trace = trace_of(SITES, slots, ARRAYS, threads=64)
    sites = tuple(replace(site, path=AccessPath.ATOMIC) if site.index in atomic else site for site in trace.sites)
    trace = replace(trace, sites=sites)
    found = find_hazards(trace)
    accesses = accesses_of(trace)
    sound = [access for access in accesses if access.is_inside(trace)]
    inside = [access for access in sound if access.stores or not access.site.is_atomic]
    outside = Counter((access.site.index,) for access in accesses if not access.is_inside(trace))
    reads = [a for a in inside if a.site.reads and a.site.space.value == "shared"]
    unwritten = Counter((read.site.index,) for read in reads if is_unwritten(read, inside))

    assert counts(found, HazardKind.OUT_OF_BOUNDS) == outside
    assert counts(found, HazardKind.RACE) == races_slowly(inside)
    assert counts(found, HazardKind.UNWRITTEN_READ) == unwritten
    assert len(found) == len({(hazard.kind, hazard.sites) for hazard in found})
    for hazard in found:
        if hazard.kind is HazardKind.RACE:
            assert names_a_race(hazard, inside)


def names_a_race(hazard: Hazard, inside: list[Access]) -> bool:
    def at(place: int) -> list[Access]:
        key = (hazard.sites[place], hazard.threads[place], hazard.epoch)
        return [access for access in inside if (access.site.index, access.thread, access.epoch) == key]

    return any(later.races_with(earlier) for earlier, later in product(at(0), at(1)))
