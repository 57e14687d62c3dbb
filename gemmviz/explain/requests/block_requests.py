"""All warp requests of a block to one memory, site by site, and what each costs above its ideal. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, BlockTrace, Site, Space
from gemmviz.explain.requests.request_choice import LaneRequest, request_at
from gemmviz.trace.model.rules import Counts
from gemmviz.trace.model.sectors import fewest_sectors
from gemmviz.trace.model.site_costs import SiteRequests, bytes_of, requests_of, sectors_of, wavefronts_of


@dataclass(frozen=True, slots=True, eq=False)
class RequestsOfSite:
    """The requests of a site in which some lane takes part, in the order of their slots, then of their warps.

    `warps`, `slots`, `excess`, shape (requests,): where each is in the trace, and its wavefronts or sectors above its
    ideal.
    """

    site: Site
    warps: NDArray[np.int64]
    slots: NDArray[np.int64]
    excess: Counts

    def __len__(self) -> int:
        return self.slots.size


@dataclass(frozen=True, slots=True, eq=False)
class BlockRequests:
    """The sites of a block that ask for shared or for global memory, in the order of the recording's sites."""

    block: BlockTrace
    sites: tuple[RequestsOfSite, ...]
    is_moved_whole: bool = False
    """Whether the TMA or the tensor cores touch that memory, without requests."""

    @property
    def worst(self) -> tuple[int, int] | None:
        """The index of the site and the place among its requests of the one with the greatest excess, the first of
        several; None where nothing is asked for.
        """
        worst = max(self.sites, key=lambda each: int(each.excess.max()), default=None)
        return (worst.site.index, int(worst.excess.argmax())) if worst is not None else None

    def of_site(self, site_index: int) -> RequestsOfSite | None:
        """The requests of a site by its index in the recording; None where it has none here."""
        return next((each for each in self.sites if each.site.index == site_index), None)

    def request(self, site_index: int, place: int) -> LaneRequest | None:
        """One request; None where there is no such site or place."""
        found = self.of_site(site_index)
        if found is None or not 0 <= place < len(found):
            return None
        return request_at(self.block, int(found.warps[place]), int(found.slots[place]))

    def place_of(self, warp: int, slot: int) -> tuple[int, int] | None:
        """The index of the site and the place among its requests of the request of a warp in a slot of the block; None
        where there is none.
        """
        found = self.of_site(int(self.block.slot_site[slot]))
        if found is None:
            return None
        places = np.flatnonzero((found.warps == warp) & (found.slots == slot))
        return (found.site.index, int(places[0])) if places.size else None


def first_request_in(block: BlockTrace, space: Space, slots: tuple[int, int]) -> tuple[int, int] | None:
    """The index of the site and the place among its requests, as in `BlockRequests`, of the first request to a memory
    from a slot on and before another one; None where these ask nothing of it.
    """
    sites = {site.index for site in block.sites if site.space is space and site.path.is_requested}
    for slot in range(*slots):
        site = int(block.slot_site[slot])
        if site in sites and np.any(block.addresses[:, slot] != INACTIVE):
            before = np.flatnonzero(block.slot_site[:slot] == site)
            active: NDArray[np.bool_] = np.any(block.addresses[:, before] != INACTIVE, axis=2)
            return site, int(active.sum())
    return None


def requests_to(block: BlockTrace, space: Space) -> BlockRequests:
    """Gather the requests of a block to shared or to global memory and count what each costs."""
    found = []
    for site in block.sites:
        slots = np.flatnonzero(block.slot_site == site.index)
        if site.space is not space or not site.path.is_requested or not slots.size:
            continue
        warps = np.arange(block.addresses.shape[0])
        requests = requests_of(block, site, range(warps.size), slots.tolist())
        is_active = requests.is_active
        if not is_active.any():
            continue
        warp, slot = np.repeat(warps, slots.size)[is_active], np.tile(slots, warps.size)[is_active]
        order = np.lexsort((warp, slot))
        found.append(RequestsOfSite(site, warp[order], slot[order], excess_of(requests.active)[order]))
    moved = any(site.space is space and not site.path.is_requested for site in block.sites)
    return BlockRequests(block, tuple(found), moved)


def excess_of(requests: SiteRequests) -> Counts:
    """What each request takes above its ideal, shape (requests,): wavefronts above those without a bank conflict, or
    sectors above those that the bytes it asks for would fill.
    """
    if requests.site.space is Space.SHARED:
        wavefronts, ideal = wavefronts_of(requests)
        return wavefronts - ideal
    counted, _ = sectors_of(requests)
    return counted - fewest_sectors(bytes_of(requests))
