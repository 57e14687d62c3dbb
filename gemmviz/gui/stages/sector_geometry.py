"""Where lanes, 128-byte lines, sectors and bytes lie on the coalescing stage. Pure.

Few sectors lie flat, their bytes from left to right below the lanes; many stand upright, their bytes from top to
bottom. Sectors of a line that are not touched are narrow stubs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.stages.lane_row import Point, fall, lane_boxes, lane_height
from gemmviz.trace.model.rules import LINE_BYTES, SECTOR_BYTES, Lanes
from gemmviz.trace.model.sectors import GlobalCost, Sector

LABEL_HEIGHT = 18.0
FLAT_FROM = 100.0
"""Sectors at least so wide lie flat."""
_FLAT_PART, _UPRIGHT_PART = 0.4, 0.45
"""Heights of sectors, in heights of the picture."""
_LEAST_FAN, _MOST_FAN = 36.0, 320.0
_STUB, _NEXT, _APART = 0.14, 0.16, 0.45
"""Widths in sectors: of an untouched sector, of the gap between lines that follow each other, and between others."""
_PER_LINE = LINE_BYTES // SECTOR_BYTES


@dataclass(frozen=True, slots=True)
class SectorPart:
    """Bytes of a sector that the same `lanes` ask for: `offset` of the first one in it."""

    offset: int
    nbytes: int
    lanes: tuple[int, ...]
    box: Box


@dataclass(frozen=True, slots=True)
class SectorBox:
    """A sector of a touched line; `sector` is None where the request touches nothing of it. `number`: address // 32."""

    number: int
    sector: Sector | None
    box: Box
    parts: tuple[SectorPart, ...]


@dataclass(frozen=True, slots=True)
class LineBox:
    """A 128-byte line (address // 128) and its sectors; `is_next`: the line before it in memory is touched too."""

    line: int
    box: Box
    sectors: tuple[SectorBox, ...]
    is_next: bool


@dataclass(frozen=True, slots=True)
class CoalescingGeometry:
    """All of it. `lanes` is empty in the small form; `order`: the touched sectors in the order of their addresses."""

    lanes: tuple[Box, ...]
    lines: tuple[LineBox, ...]
    is_flat: bool

    @property
    def order(self) -> tuple[SectorBox, ...]:
        return tuple(each for line in self.lines for each in line.sectors if each.sector is not None)

    def sector_at(self, x: float, y: float) -> SectorBox | None:
        """The sector at a point."""
        return next((each for line in self.lines for each in line.sectors if each.box.holds(x, y)), None)

    def on_the_way(self, sector: SectorBox, part: SectorPart, lane: int, share: float) -> Point:
        """Where a lane's bytes are after a share (0 to 1) of their time."""
        start = self.lanes[lane].middle_x, self.lanes[lane].bottom
        edge = part.box.middle_x, sector.box.y
        return fall(start, edge, (part.box.middle_x, part.box.middle_y), share)


def coalescing_geometry(
    cost: GlobalCost, addresses: Lanes, width_bytes: int, width: float, height: float, with_lanes: bool = True
) -> CoalescingGeometry:
    """Lay a request out in a rectangle."""
    touched = {sector.number: sector for sector in cost.sectors}
    lines = list(cost.touched_lines)
    each, places = _places(lines, touched, width)
    is_flat = each >= FLAT_FROM
    lane = lane_height(height)
    room = height - LABEL_HEIGHT - (lane if with_lanes else 0.0)
    tall = max((_FLAT_PART if is_flat else _UPRIGHT_PART) * height, 24.0) if with_lanes else room
    fan = min(max(room - tall, _LEAST_FAN), _MOST_FAN)
    top = lane + fan if with_lanes else 0.0
    parts = _bytes_by_sector(addresses, width_bytes)
    boxes = []
    for place, line in enumerate(lines):
        inside = []
        for number in range(line * _PER_LINE, (line + 1) * _PER_LINE):
            x, wide = places[number]
            box = Box(x, top, wide, tall)
            found = parts.get(number, {}) if number in touched else {}
            inside.append(SectorBox(number, touched.get(number), box, _parts(found, box, is_flat)))
        whole = Box(inside[0].box.x, top, inside[-1].box.right - inside[0].box.x, tall)
        boxes.append(LineBox(line, whole, tuple(inside), place > 0 and lines[place - 1] == line - 1))
    return CoalescingGeometry(lane_boxes(0.0, 0.0, width, lane) if with_lanes else (), tuple(boxes), is_flat)


def _places(lines: list[int], touched: dict[int, Sector], width: float) -> tuple[float, dict[int, tuple[float, float]]]:
    """The width of a touched sector; x and width of every sector of the touched lines, in the middle of the width."""
    gaps = [_NEXT if after == before + 1 else _APART for before, after in pairwise(lines)]
    shares = {
        number: 1.0 if number in touched else _STUB
        for line in lines
        for number in range(line * _PER_LINE, (line + 1) * _PER_LINE)
    }
    units = sum(gaps) + sum(shares.values())
    each = min(width / units, width / _PER_LINE) if units else 0.0
    x = (width - each * units) / 2
    places = {}
    for place, line in enumerate(lines):
        x += each * gaps[place - 1] if place else 0.0
        for number in range(line * _PER_LINE, (line + 1) * _PER_LINE):
            places[number] = x, each * shares[number]
            x += each * shares[number]
    return each, places


def _bytes_by_sector(addresses: Lanes, width_bytes: int) -> dict[int, dict[tuple[int, int], list[int]]]:
    """For each sector the lanes that ask for the same bytes of it: (offset, bytes) to lanes."""
    found: dict[int, dict[tuple[int, int], list[int]]] = {}
    for lane, address in enumerate(addresses.tolist()):
        at = address
        while address != INACTIVE and at < address + width_bytes:
            number, offset = divmod(at, SECTOR_BYTES)
            here = min(address + width_bytes - at, SECTOR_BYTES - offset)
            found.setdefault(number, {}).setdefault((offset, here), []).append(lane)
            at += here
    return found


def _parts(found: dict[tuple[int, int], list[int]], box: Box, is_flat: bool) -> tuple[SectorPart, ...]:
    whole = SECTOR_BYTES
    return tuple(
        SectorPart(
            offset,
            nbytes,
            tuple(lanes),
            box.part(1, whole, 0, offset, 1, nbytes) if is_flat else box.part(whole, 1, offset, 0, nbytes, 1),
        )
        for (offset, nbytes), lanes in sorted(found.items())
    )
