"""The sectors of global memory that one warp request touches, byte by byte and lane by lane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.trace.model.contention import turns_at
from gemmviz.trace.model.past_l1 import copies_past_l1
from gemmviz.trace.model.pieces import NOTHING, pieces_of
from gemmviz.trace.model.rules import LINE_BYTES, SECTOR_BYTES, Counts, Lanes


@dataclass(frozen=True, slots=True)
class Sector:
    """An aligned piece of 32 bytes that a request touches: `number` is address // 32.

    `used`: the bytes of it that are asked for, as offsets in it, ascending. `lanes`: who asks, ascending. `sent`: how
    often it is sent: more than once for copies past L1 only, to several pieces of shared memory. (Those that are not
    aligned, which is a fault on a GPU, are taken to be sent with the sector they begin in.) `turns`: how often it is
    counted: more than once for atomic operations only, as often as lanes want the same address of it (`contention`).
    """

    number: int
    used: tuple[int, ...]
    lanes: tuple[int, ...]
    sent: int = 1
    turns: int = 1

    @property
    def begin(self) -> int:
        """The address of its first byte."""
        return self.number * SECTOR_BYTES


@dataclass(frozen=True, slots=True)
class CopiedLine:
    """What a copy past L1 is counted by: a 128-byte line (address // 128) of which an aligned 32-byte piece of shared
    memory (address // 32) gets something, by `lanes`.
    """

    line: int
    piece: int
    lanes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GlobalCost:
    """The sectors of memory that a request touches, ascending; of a copy past L1 also the `lines` it is counted by.

    `is_askew`: some lane of such a copy writes to another place within 32 bytes than it reads from.
    """

    sectors: tuple[Sector, ...]
    lines: tuple[CopiedLine, ...] | None = None
    is_askew: bool = False

    @property
    def touched_lines(self) -> tuple[int, ...]:
        """The 128-byte lines (address // 128) that the sectors lie in, ascending."""
        return tuple(sorted({sector.begin // LINE_BYTES for sector in self.sectors}))

    @property
    def counted(self) -> int:
        """Sectors as the hardware counts them."""
        return sum(sector.turns for sector in self.sectors) if self.lines is None else len(self.lines)

    @property
    def sent(self) -> int:
        """Sectors that are sent for the request."""
        return sum(sector.sent for sector in self.sectors)

    @property
    def bytes_used(self) -> int:
        """Distinct bytes asked for."""
        return sum(len(sector.used) for sector in self.sectors)


Figure = TypeVar("Figure", int, Counts)


def fewest_sectors(nbytes: Figure) -> Figure:
    """The sectors that so many bytes would fill if they lay side by side from a sector's first byte on."""
    return -(-nbytes // SECTOR_BYTES)


NO_GLOBAL_COST = GlobalCost(())
"""What no request costs."""


def global_cost(
    addresses: Lanes, width_bytes: int, targets: Lanes | None = None, *, is_atomic: bool = False
) -> GlobalCost:
    """The sectors of one request; `targets` is where a copy past L1 writes what it reads, None for all others.
    `is_atomic`: of an atomic operation.

    Raises:
        ValueError: as `check_requests`.
    """
    used: dict[int, set[int]] = {}
    lanes: dict[int, set[int]] = {}
    for lane, of_lane in enumerate(pieces_of(addresses[None], width_bytes, SECTOR_BYTES)[0].tolist()):
        first = int(addresses[lane])
        for number in of_lane:
            if number != NOTHING:
                begin = number * SECTOR_BYTES
                bytes_here = range(max(first, begin), min(first + width_bytes, begin + SECTOR_BYTES))
                used.setdefault(number, set()).update(byte - begin for byte in bytes_here)
                lanes.setdefault(number, set()).add(lane)
    sent = dict.fromkeys(used, 1) if targets is None else _sent(addresses, targets)
    sectors = tuple(
        Sector(
            number,
            tuple(sorted(used[number])),
            tuple(sorted(lanes[number])),
            sent.get(number, 0),
            turns_at(addresses, lanes[number]) if is_atomic else 1,
        )
        for number in sorted(used)
    )
    if targets is None:
        return GlobalCost(sectors)
    is_askew = bool(np.any(((addresses - targets) % SECTOR_BYTES != 0) & (addresses != INACTIVE)))
    return GlobalCost(sectors, _lines(addresses, targets), is_askew)


def _sent(sources: Lanes, targets: Lanes) -> dict[int, int]:
    """How often L2 sends each sector for a copy past L1."""
    copies = copies_past_l1(sources[None], targets[None])
    numbers, times = np.unique(sources[copies.is_sent[0]] // SECTOR_BYTES, return_counts=True)
    return dict(zip(numbers.tolist(), times.tolist(), strict=True))


def _lines(sources: Lanes, targets: Lanes) -> tuple[CopiedLine, ...]:
    """What a copy past L1 is counted by, in the order of the lanes."""
    copies = copies_past_l1(sources[None], targets[None])
    line, piece = sources // LINE_BYTES, targets // SECTOR_BYTES
    found = []
    for first in np.flatnonzero(copies.counts[0]).tolist():
        same = (sources != INACTIVE) & (line == line[first]) & (piece == piece[first])
        found.append(CopiedLine(int(line[first]), int(piece[first]), tuple(np.flatnonzero(same).tolist())))
    return tuple(found)
