"""What one warp request costs, lane by lane: the rules of the hardware model for a single request, without Numba.

The same rules as `gemmviz.trace.transactions` (docs/GLOSSARY.md has them in words), which counts millions of requests;
here it is told which lanes make which sector or wavefront. Which of several words that meet in a bank goes first is not
known and does not change the count: they go in the order of their lanes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import INACTIVE, LANES, SECTOR_BYTES, AccessKind

BANKS = 32
WORD_BYTES = 4
LINE_BYTES = 128

LaneAddresses = NDArray[np.int64]
"""Shape (32,): the byte address of each lane, INACTIVE where a lane takes no part."""


@dataclass(frozen=True, slots=True)
class Sector:
    """An aligned piece of 32 bytes that a request touches: `number` is address // 32.

    `used`: the bytes of it that are asked for, as offsets in it, ascending. `lanes`: who asks, ascending.
    """

    number: int
    used: tuple[int, ...]
    lanes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Word:
    """A word served from its bank in one wavefront to all `lanes` that want it."""

    bank: int
    word: int
    lanes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Wavefront:
    """One pass through shared memory: at most one word of each bank, banks ascending.

    `group` counts from 0: the lanes `first_lane` to `last_lane` are served together.
    """

    group: int
    first_lane: int
    last_lane: int
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class SharedCost:
    """The wavefronts of one request; `ideal` is how many it would take if no two words met in a bank."""

    lanes_together: int
    wavefronts: tuple[Wavefront, ...]
    ideal: int

    @property
    def excess(self) -> int:
        """Wavefronts that bank conflicts add."""
        return len(self.wavefronts) - self.ideal


@dataclass(frozen=True, slots=True)
class CopyCost:
    """What a `cp.async.cg` costs: `sectors` as they are counted, `sent` those that L2 sends for them, `read` those of
    memory that it reads. `is_askew`: some lane writes to another place within 32 bytes than it reads from.
    """

    sectors: int
    sent: int
    read: int
    is_askew: bool = False

    @property
    def why(self) -> str:
        """Why they are not as many as it reads of memory."""
        if self.is_askew:
            return "it writes askew"
        return "it scatters" if self.sent > self.read else "it writes close what lies apart"


def sectors_of(addresses: LaneAddresses, width_bytes: int) -> tuple[Sector, ...]:
    """The sectors a request touches, ascending.

    Raises:
        ValueError: the addresses have another shape, or the width is not 1 to 16 bytes.
    """
    used: dict[int, set[int]] = {}
    lanes: dict[int, set[int]] = {}
    for lane, address in _active(addresses, width_bytes):
        for byte in range(address, address + width_bytes):
            number, offset = divmod(byte, SECTOR_BYTES)
            used.setdefault(number, set()).add(offset)
            lanes.setdefault(number, set()).add(lane)
    return tuple(Sector(number, tuple(sorted(used[number])), tuple(sorted(lanes[number]))) for number in sorted(used))


def copy_cost(sources: LaneAddresses, targets: LaneAddresses) -> CopyCost:
    """The sectors of a `cp.async.cg` by what its lanes read and where they write: a line is counted for each 32-byte
    piece of shared memory that gets something of it; L2 sends a sector for each such piece, and once more where it
    gets the same 16 bytes twice.

    Raises:
        ValueError: as `sectors_of`.
    """
    lanes = [(source, int(targets[lane])) for lane, source in _active(sources, 16)]
    counted = {(source // LINE_BYTES, target // SECTOR_BYTES) for source, target in lanes}
    halves = Counter((source // SECTOR_BYTES, target // SECTOR_BYTES, source // 16) for source, target in lanes)
    sent: dict[tuple[int, int], int] = {}
    for (sector, piece, _), times in halves.items():
        sent[sector, piece] = max(times, sent.get((sector, piece), 0))
    is_askew = any((source - target) % SECTOR_BYTES for source, target in lanes)
    read = {source // SECTOR_BYTES for source, _ in lanes}
    return CopyCost(len(counted), sum(sent.values()), len(read), is_askew)


def shared_cost(addresses: LaneAddresses, width_bytes: int, kind: AccessKind) -> SharedCost:
    """The wavefronts of a request to shared memory, group by group.

    Raises:
        ValueError: as `sectors_of`.
    """
    active = _active(addresses, width_bytes)
    together = lanes_together(addresses, width_bytes, kind)
    wavefronts: list[Wavefront] = []
    groups = 0
    for first in range(0, LANES, together):
        members = [(lane, address) for lane, address in active if first <= lane < first + together]
        if members:
            passes = _passes(members, width_bytes)
            wavefronts += [Wavefront(groups, first, first + together - 1, words) for words in passes]
            groups += 1
    return SharedCost(together, tuple(wavefronts), groups)


def lanes_together(addresses: LaneAddresses, width_bytes: int, kind: AccessKind) -> int:
    """How many lanes are served together: 32 for 4 bytes, 16 for 8, 8 for 16.

    Twice as many for a load in which every lane t has the address of t xor 1, or every lane that of t xor 2.

    Raises:
        ValueError: as `sectors_of`.
    """
    _active(addresses, width_bytes)
    if width_bytes <= WORD_BYTES:
        return LANES
    together = LANES // 2 if width_bytes <= 2 * WORD_BYTES else LANES // 4
    if kind is AccessKind.LOAD and (_pairs_agree(addresses, 1) or _pairs_agree(addresses, 2)):
        together *= 2
    return together


def bytes_used(sectors: tuple[Sector, ...]) -> int:
    """Distinct bytes asked for."""
    return sum(len(sector.used) for sector in sectors)


def _active(addresses: LaneAddresses, width_bytes: int) -> list[tuple[int, int]]:
    """Lane and address of those that take part."""
    if addresses.shape != (LANES,):
        raise ValueError(f"addresses have shape {addresses.shape}: give one for each of {LANES} lanes")
    if not 1 <= width_bytes <= 16:
        raise ValueError(f"an access of {width_bytes} bytes: a lane accesses 1 to 16 bytes at a time")
    return [(lane, address) for lane, address in enumerate(addresses.tolist()) if address != INACTIVE]


def _pairs_agree(addresses: LaneAddresses, distance: int) -> bool:
    """Whether each lane t and lane t xor `distance` have one address; an inactive lane agrees with anything."""
    other = addresses[np.arange(LANES) ^ distance]
    return bool(np.all((addresses == other) | (addresses == INACTIVE) | (other == INACTIVE)))


def _passes(members: list[tuple[int, int]], width_bytes: int) -> list[tuple[Word, ...]]:
    """The words of each pass of one group."""
    wanted: dict[int, list[int]] = {}
    for lane, address in members:
        for word in range(address // WORD_BYTES, (address + width_bytes - 1) // WORD_BYTES + 1):
            wanted.setdefault(word, []).append(lane)
    passes: list[list[Word]] = []
    served = [0] * BANKS
    for word, lanes in wanted.items():  # in the order in which lanes ask first
        bank = word % BANKS
        if served[bank] == len(passes):
            passes.append([])
        passes[served[bank]].append(Word(bank, word, tuple(lanes)))
        served[bank] += 1
    return [tuple(sorted(words, key=lambda each: each.bank)) for words in passes]
