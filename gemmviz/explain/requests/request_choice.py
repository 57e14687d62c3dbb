"""Which warp request of a frame is looked at. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gemmviz.domain.recordings.access import INACTIVE, BlockTrace, MappedArray, Site
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.model.rules import Lanes
from gemmviz.trace.model.site_costs import requests_of


@dataclass(frozen=True, slots=True, eq=False)
class LaneRequest:
    """One request: `array` is where its first active lane points, None outside of every array; `targets` is where
    `cp.async.cg` writes what it reads, None for all others.
    """

    site: Site
    warp: int
    slot: int
    addresses: Lanes
    array: MappedArray | None
    targets: Lanes | None = None

    @property
    def lanes(self) -> int:
        """How many lanes take part."""
        return int((self.addresses != INACTIVE).sum())

    def element_at(self, address: int) -> str:
        """The element an address lies in, "A[3,5]"; the address itself outside of the request's array."""
        array = self.array
        if array is None or not array.base <= address < array.base + array.nbytes:
            return f"0x{address:x}"
        number = array.number_at((address - array.base) // array.element_bytes)
        return array.name_of(*divmod(number, array.columns))


class RequestChoices:
    """The requests of a frame: each is a site, a warp and an iteration, counted from 0 within the frame."""

    def __init__(self, frame: Frame, block: BlockTrace) -> None:
        self.sites = frame.sites
        """In the order in which they first run."""
        self.warps = range(*frame.warps)
        self._block = block
        first, last = frame.slots
        in_frame = block.slot_site[first:last]
        self._slots = [first + np.flatnonzero(in_frame == site.index) for site in self.sites]

    def iterations(self, place: int) -> int:
        """How many times the site at that place runs in the frame."""
        return int(self._slots[place].size)

    def first(self, place: int) -> tuple[int, int]:
        """Warp and iteration of the first request of that site with an active lane."""
        for iteration, slot in enumerate(self._slots[place].tolist()):
            active = np.any(self._block.addresses[self.warps.start : self.warps.stop, slot] != INACTIVE, axis=1)
            if active.any():
                return self.warps.start + int(np.argmax(active)), iteration
        return self.warps.start, 0

    def request(self, place: int, warp: int, iteration: int) -> LaneRequest:
        """The request of that site, warp and iteration; perhaps one without an active lane.

        Raises:
            IndexError: the frame has none such.
        """
        slot = int(self._slots[place][iteration])
        return request_at(self._block, warp, slot)


def request_at(block: BlockTrace, warp: int, slot: int) -> LaneRequest:
    """The request of a warp in a slot that is no barrier."""
    site = block.sites[int(block.slot_site[slot])]
    found = requests_of(block, site, range(warp, warp + 1), [slot])
    addresses, targets = found.addresses[0], None if found.targets is None else found.targets[0]
    if targets is not None and not np.any(targets != INACTIVE):
        targets = None  # not recorded
    return LaneRequest(site, warp, slot, addresses, _array_of(block, addresses), targets)


def _array_of(block: BlockTrace, addresses: Lanes) -> MappedArray | None:
    active = addresses[addresses != INACTIVE]
    inside = (a for a in block.arrays if active.size and a.base <= int(active[0]) < a.base + a.nbytes)
    return next(inside, None)
