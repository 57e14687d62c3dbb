"""Warp requests for the tests of the hardware model: measured ones, and random ones of every width, path and mask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import AccessKind, AccessPath, Site, Space
from gemmviz.trace.model.site_costs import SiteRequests, bytes_of, sectors_of, wavefronts_of

_GOLDEN = Path(__file__).parents[2] / "data" / "golden"
PATTERNS: list[dict[str, Any]] = json.loads((_GOLDEN / "h200_warp_accesses.json").read_text("utf-8"))["patterns"]
COPIES: list[dict[str, Any]] = json.loads((_GOLDEN / "h200_copies.json").read_text("utf-8"))["copies"]
PAST_L1 = [copy for copy in COPIES if copy["way"] == "past L1"]
THROUGH_L1 = [copy for copy in COPIES if copy["way"] == "through L1"]
COPY_PAST_L1 = "cp.async.cg.shared.global"
WIDTHS = (1, 2, 4, 8, 16)
KINDS = st.sampled_from(list(AccessKind))


def request_of(addresses: Any) -> NDArray[np.int64]:
    """Addresses of a warp as those of recordings are, read-only: for others Numba would compile the counts anew."""
    made = np.array(addresses, np.int64)
    made.flags.writeable = False
    return made


def requests(
    space: Space, kind: AccessKind, width: int, addresses: Any, targets: Any = None, path: AccessPath | None = None
) -> SiteRequests:
    """Requests of one site, one per row; one with `targets` copies past L1."""
    text = "x" if targets is None else COPY_PAST_L1
    path = path or (AccessPath.LOAD_STORE if targets is None else AccessPath.ASYNC_COPY)
    to = None if targets is None else np.array(targets, np.int64)
    return SiteRequests(Site(0, 1, 1, text, space, kind, width, "x", path=path), np.array(addresses, np.int64), to)


def global_sectors(addresses: Any, width: int) -> list[int]:
    return [int(one) for one in sectors_of(requests(Space.GLOBAL, AccessKind.LOAD, width, addresses))[0]]


def bytes_asked(addresses: Any, width: int) -> list[int]:
    return [int(one) for one in bytes_of(requests(Space.GLOBAL, AccessKind.LOAD, width, addresses))]


def wavefronts(addresses: Any, width: int, kind: AccessKind) -> list[int]:
    return [int(one) for one in wavefronts_of(requests(Space.SHARED, kind, width, addresses))[0]]


def ideal_wavefronts(addresses: Any, width: int, kind: AccessKind) -> list[int]:
    return [int(one) for one in wavefronts_of(requests(Space.SHARED, kind, width, addresses))[1]]


def copied(sources: Any, targets: Any) -> list[tuple[int, int]]:
    """Sectors counted and sent of each copy past L1."""
    counted, sent = sectors_of(requests(Space.GLOBAL, AccessKind.LOAD, 16, sources, targets))
    return list(zip(counted.tolist(), sent.tolist(), strict=True))


@st.composite
def lanes(draw: st.DrawFn, unit: int, lowest: int = -3) -> list[int]:
    """32 addresses, -1 for an inactive lane: random, crowded or sparse, perhaps in pairs that agree; or two strides
    like those of a tile, some lanes off. All are multiples of `unit`, from `lowest` · `unit`.
    """
    if draw(st.booleans()):
        farthest = draw(st.sampled_from([3, 40, 600]))
        address = st.one_of(st.just(-1), st.integers(lowest, farthest).map(lambda place: place * unit))
        found = draw(st.lists(address, min_size=32, max_size=32))
        distance = draw(st.sampled_from([0, 0, 1, 2]))
        return [found[lane & ~distance] for lane in range(32)]
    edge = draw(st.sampled_from([1, 2, 4, 8, 16, 32]))
    along, across, start = draw(st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(max(lowest, 0), 64)))
    off = draw(st.sets(st.integers(0, 31), max_size=draw(st.sampled_from([0, 30]))))
    found = [(start + lane % edge * along + lane // edge * across) * unit for lane in range(32)]
    return [-1 if lane in off else address for lane, address in enumerate(found)]
