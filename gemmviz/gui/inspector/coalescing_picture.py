"""Where lanes and sectors of the coalescing view lie. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from gemmviz.domain.access import INACTIVE, LANES, SECTOR_BYTES
from gemmviz.trace.model.rules import Lanes
from gemmviz.trace.model.sectors import Sector

_WIDEST_GAP = 6.0
_GAP_PART = 0.3
_WIDEST_SECTOR = 72.0


@dataclass(frozen=True, slots=True)
class SectorBox:
    """A sector, `x` and `width` in pixels; `runs`: the used bytes as pairs of x and width."""

    sector: Sector
    x: float
    width: float
    runs: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class CoalescingPicture:
    """`lane` is the width of a lane; `active`: which take part; `links`: from the middle of each lane that does to the
    middle of the bytes it asks for, as pairs of x.
    """

    lane: float
    active: tuple[bool, ...]
    boxes: tuple[SectorBox, ...]
    links: tuple[tuple[float, float], ...]

    def box_at(self, x: float) -> SectorBox | None:
        return next((box for box in self.boxes if box.x <= x < box.x + box.width), None)


def coalescing_picture(
    addresses: Lanes, width_bytes: int, sectors: tuple[Sector, ...], width: float
) -> CoalescingPicture:
    """The picture in a width. Sectors that are neighbours in memory touch; where some are left out there is a gap."""
    lane = width / LANES
    active = tuple(address != INACTIVE for address in addresses.tolist())
    places, each = _places(sectors, width)
    boxes = tuple(
        SectorBox(
            sector, x, each, tuple((x + each * at / SECTOR_BYTES, each * long / SECTOR_BYTES) for at, long in runs)
        )
        for sector, x, runs in zip(sectors, places, map(_runs, sectors), strict=True)
    )
    x_of = {box.sector.number: box.x for box in boxes}
    links = []
    for number, address in enumerate(addresses.tolist()):
        if address == INACTIVE:
            continue
        sector, offset = divmod(address, SECTOR_BYTES)
        here = min(width_bytes, SECTOR_BYTES - offset)
        links.append(((number + 0.5) * lane, x_of[sector] + each * (offset + here / 2) / SECTOR_BYTES))
    return CoalescingPicture(lane, active, boxes, tuple(links))


def _places(sectors: tuple[Sector, ...], width: float) -> tuple[list[float], float]:
    """The left edge of each sector, in the middle of the width, and the width of all of them."""
    apart = [0.0] + [float(right.number - left.number > 1) for left, right in pairwise(sectors)]
    gap = min(_WIDEST_GAP, _GAP_PART * width / max(len(sectors), 1))
    each = min((width - gap * sum(apart)) / max(len(sectors), 1), _WIDEST_SECTOR)
    x = (width - each * len(sectors) - gap * sum(apart)) / 2
    places = []
    for is_apart, _ in zip(apart, sectors, strict=False):
        x += gap * is_apart
        places.append(x)
        x += each
    return places, each


def _runs(sector: Sector) -> list[tuple[int, int]]:
    """The used bytes as pairs of the first offset and how many follow each other."""
    runs: list[tuple[int, int]] = []
    for offset in sector.used:
        if runs and offset == sum(runs[-1]):
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((offset, 1))
    return runs
