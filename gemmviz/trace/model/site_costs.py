"""What the requests of one site of a trace cost: its space, its kind and the way it goes decide by which rules.

What the TMA and the tensor cores move makes no requests and no wavefronts (`AccessWay.is_requested`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, BlockTrace, Site, Space
from gemmviz.trace.model.contention import atomic_sectors
from gemmviz.trace.model.copy_targets import targets_of
from gemmviz.trace.model.past_l1 import copies_past_l1
from gemmviz.trace.model.pieces import bytes_asked, distinct_pieces, pieces_of
from gemmviz.trace.model.rules import LANES, SECTOR_BYTES, Counts, Requests
from gemmviz.trace.model.wavefronts import bank_use

_AT_ONCE = 1 << 12
"""Requests looked at in one go, so that the work lies in the caches and takes little memory."""


@dataclass(frozen=True, slots=True, eq=False)
class SiteRequests:
    """Requests of one site. `targets`, of the same shape: where copies past L1 write what they read, no lane of a row
    taking part where that is not known; None for all other accesses.
    """

    site: Site
    addresses: Requests
    targets: Requests | None = None

    def __len__(self) -> int:
        return len(self.addresses)

    @property
    def is_active(self) -> NDArray[np.bool_]:
        """Whether some lane takes part in each request, shape (n,)."""
        found: NDArray[np.bool_] = np.any(self.addresses != INACTIVE, axis=1)
        return found

    @property
    def active(self) -> SiteRequests:
        """Those in which some lane takes part, in the same order."""
        return self._only(self.is_active)

    def parts(self) -> Iterator[SiteRequests]:
        """All of them in order, a part at a time."""
        for begin in range(0, len(self), _AT_ONCE):
            yield self._only(slice(begin, begin + _AT_ONCE))

    def _only(self, rows: NDArray[np.bool_] | slice) -> SiteRequests:
        return SiteRequests(self.site, self.addresses[rows], None if self.targets is None else self.targets[rows])


def requests_of(block: BlockTrace, site: Site, warps: range, slots: Sequence[int]) -> SiteRequests:
    """What a site does in some of its slots, ascending: all slots of a warp one behind the other, warps · slots rows,
    those without an active lane among them.
    """
    every = block.addresses[warps.start : warps.stop, slots].reshape(-1, LANES)
    if not (site.is_past_l1 and site.space is Space.GLOBAL):
        return SiteRequests(site, every)
    return SiteRequests(site, every, targets_of(block, site, warps, slots).reshape(-1, LANES))


def sectors_of(requests: SiteRequests) -> tuple[Counts, Counts]:
    """Sectors of each request to global memory as the hardware counts them, and as they are sent for it.

    Raises:
        ValueError: as `check_requests`.
    """
    return _both(requests, _sectors)


def wavefronts_of(requests: SiteRequests) -> tuple[Counts, Counts]:
    """Passes of each request through shared memory, and how many it would take if no two words met in a bank.

    Raises:
        ValueError: as `check_requests`.
    """
    return _both(requests, _wavefronts)


def bytes_of(requests: SiteRequests) -> Counts:
    """Distinct bytes that each request asks for.

    Raises:
        ValueError: as `check_requests`.
    """
    width = requests.site.width_bytes
    return np.concatenate([_NONE, *(bytes_asked(part.addresses, width) for part in requests.parts())])


def at_lanes(requests: SiteRequests) -> NDArray[np.int64]:
    """What each lane's request costs it, shape (n, 32), 0 for a lane that takes no part: of global memory the sectors
    of the request, of shared memory the words that are wanted at once of the busiest bank the lane is at.

    Raises:
        ValueError: as `check_requests`.
    """
    found = [np.zeros((0, LANES), np.int64)]
    site = requests.site
    for part in requests.parts():
        if site.space is Space.SHARED:
            found.append(bank_use(part.addresses, site.width_bytes, site.kind).words_at_lanes)
        else:
            found.append(np.where(part.addresses != INACTIVE, _sectors(part)[0][:, None], 0))
    return np.concatenate(found)


_NONE = np.zeros(0, np.int64)


def _both(
    requests: SiteRequests, count: Callable[[SiteRequests], tuple[Counts, Counts]]
) -> tuple[Counts, Counts]:  # one pass for two figures
    counted = [(_NONE, _NONE), *(count(part) for part in requests.parts())]
    return np.concatenate([each[0] for each in counted]), np.concatenate([each[1] for each in counted])


def _sectors(requests: SiteRequests) -> tuple[Counts, Counts]:
    counted = distinct_pieces(pieces_of(requests.addresses, requests.site.width_bytes, SECTOR_BYTES))
    if requests.site.is_atomic:
        return atomic_sectors(requests.addresses, requests.site.width_bytes), counted
    if requests.targets is None:
        return counted, counted
    copies = copies_past_l1(requests.addresses, requests.targets)
    is_known = np.any(requests.targets != INACTIVE, axis=1)
    return np.where(is_known, copies.counted, counted), np.where(is_known, copies.sent, counted)


def _wavefronts(requests: SiteRequests) -> tuple[Counts, Counts]:
    use = bank_use(requests.addresses, requests.site.width_bytes, requests.site.kind)
    return use.wavefronts, use.ideal
