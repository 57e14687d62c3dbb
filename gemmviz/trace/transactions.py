"""The hardware's rules from addresses to transactions, one warp request per row.

A request is one instruction of 32 lanes. Addresses are int64 of shape (n, 32) in bytes, -1 for an inactive lane.
The rules were read off an NVIDIA H200 (sm_90) with hardware counters and hold on every pattern measured
(tests/data/golden): docs/GLOSSARY.md has them in words.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.access import SECTOR_BYTES, AccessKind

LANES = 32
LINE_BYTES = 128
BANKS = 32
WORD_BYTES = 4

Addresses = NDArray[np.int64]
"""Shape (n, 32): the byte address of each lane, -1 where the lane is inactive."""

Counts = NDArray[np.int64]
"""Shape (n,)."""

_INACTIVE = -1


def global_sectors(addresses: Addresses, width_bytes: int) -> Counts:
    """Distinct aligned 32-byte sectors of each request, shape (n,); an access may touch more than one.

    Raises:
        ValueError: the addresses have another shape or type, or the width is not 1 to 16 bytes.
    """
    return _count_pieces(_checked(addresses, width_bytes), width_bytes, SECTOR_BYTES)


def global_lines(addresses: Addresses, width_bytes: int) -> Counts:
    """Distinct aligned 128-byte lines of each request, shape (n,).

    Raises:
        ValueError: as `global_sectors`.
    """
    return _count_pieces(_checked(addresses, width_bytes), width_bytes, LINE_BYTES)


def bytes_asked(addresses: Addresses, width_bytes: int) -> Counts:
    """Distinct bytes that each request asks for, shape (n,): what a perfect fetch would bring.

    Raises:
        ValueError: as `global_sectors`.
    """
    return _count_bytes(_checked(addresses, width_bytes), width_bytes)


def shared_wavefronts(addresses: Addresses, width_bytes: int, kind: AccessKind) -> Counts:
    """Passes through shared memory of each request, shape (n,).

    32 banks of 4 bytes. The lanes are served in groups (`_lanes_per_group`); a group takes as many passes as the
    busiest bank has distinct words.

    Raises:
        ValueError: as `global_sectors`.
    """
    checked = _checked(addresses, width_bytes)
    return _count_wavefronts(checked, width_bytes, kind is AccessKind.LOAD)


def ideal_wavefronts(addresses: Addresses, width_bytes: int, kind: AccessKind) -> Counts:
    """Passes of each request if no two words met in a bank, shape (n,): the groups that have an active lane.

    Raises:
        ValueError: as `global_sectors`.
    """
    checked = _checked(addresses, width_bytes)
    return _count_groups(checked, width_bytes, kind is AccessKind.LOAD)


def _checked(addresses: Addresses, width_bytes: int) -> Addresses:
    if addresses.ndim != 2 or addresses.shape[1] != LANES or addresses.dtype != np.int64:
        raise ValueError(f"addresses are {addresses.dtype} of shape {addresses.shape}: give int64 of shape (n, 32)")
    if not 1 <= width_bytes <= 16:
        raise ValueError(f"an access of {width_bytes} bytes: a lane accesses 1 to 16 bytes at a time")
    return np.ascontiguousarray(addresses)


@njit(cache=True)
def _is_new(pieces: NDArray[np.int64], count: int, piece: int) -> bool:
    """Whether `piece` is not among the first `count`; the last is looked at first, as neighbours often agree."""
    i = count - 1
    while i >= 0 and pieces[i] != piece:
        i -= 1
    return i < 0


@njit(cache=True)
def pieces_of_request(lanes: NDArray[np.int64], width_bytes: int, piece_bytes: int, scratch: NDArray[np.int64]) -> int:
    """Distinct aligned pieces that one request, shape (32,), touches. `scratch` holds 32 · 17 numbers."""
    count = 0
    for lane in range(LANES):
        if lanes[lane] == _INACTIVE:
            continue
        first = lanes[lane] // piece_bytes
        last = (lanes[lane] + width_bytes - 1) // piece_bytes
        for piece in range(first, last + 1):
            if _is_new(scratch, count, piece):
                scratch[count] = piece
                count += 1
    return count


@njit(cache=True)
def bytes_of_request(lanes: NDArray[np.int64], width_bytes: int, scratch: NDArray[np.int64]) -> int:
    """Distinct bytes of one request: lanes on one address count once, overlapping ones byte by byte."""
    aligned = True
    for lane in range(LANES):
        if lanes[lane] != _INACTIVE and lanes[lane] % width_bytes != 0:
            aligned = False
    if aligned:
        return pieces_of_request(lanes, width_bytes, width_bytes, scratch) * width_bytes
    return pieces_of_request(lanes, width_bytes, 1, scratch)


@njit(cache=True)
def _pairs_agree(lanes: NDArray[np.int64], distance: int) -> bool:
    """Whether each lane t and lane t xor `distance` have one address; an inactive lane agrees with anything."""
    for lane in range(LANES):
        other = lane ^ distance
        if lanes[lane] != _INACTIVE and lanes[other] != _INACTIVE and lanes[lane] != lanes[other]:
            return False
    return True


@njit(cache=True)
def lanes_per_group(lanes: NDArray[np.int64], width_bytes: int, is_load: bool) -> int:
    """How many lanes of a request are served together.

    Width 4 and less: all 32. Width 8: 16, width 16: 8; twice as many for a load in which every lane t agrees
    with t xor 1, or every lane t with t xor 2. Stores never merge.
    """
    if width_bytes <= WORD_BYTES:
        return LANES
    lanes_together = 16 if width_bytes <= 8 else 8
    if is_load and (_pairs_agree(lanes, 1) or _pairs_agree(lanes, 2)):
        lanes_together *= 2
    return lanes_together


@njit(cache=True)
def wavefronts_of_request(
    lanes: NDArray[np.int64], width_bytes: int, is_load: bool, words: NDArray[np.int64], per_bank: NDArray[np.int64]
) -> int:
    """Passes of one request; `words` holds 32 · 5 numbers, `per_bank` 32."""
    together = lanes_per_group(lanes, width_bytes, is_load)
    total = 0
    for start in range(0, LANES, together):
        count = worst = 0
        per_bank[:] = 0
        for lane in range(start, start + together):
            if lanes[lane] == _INACTIVE:
                continue
            first = lanes[lane] // WORD_BYTES
            last = (lanes[lane] + width_bytes - 1) // WORD_BYTES
            for word in range(first, last + 1):
                if _is_new(words, count, word):
                    words[count] = word
                    count += 1
                    bank = word % BANKS
                    per_bank[bank] += 1
                    worst = max(worst, per_bank[bank])
        total += worst
    return total


@njit(cache=True)
def groups_of_request(lanes: NDArray[np.int64], width_bytes: int, is_load: bool) -> int:
    """Groups of one request that have an active lane."""
    together = lanes_per_group(lanes, width_bytes, is_load)
    groups = 0
    for start in range(0, LANES, together):
        for lane in range(start, start + together):
            if lanes[lane] != _INACTIVE:
                groups += 1
                break
    return groups


@njit(cache=True)
def _count_pieces(addresses: Addresses, width_bytes: int, piece_bytes: int) -> Counts:
    out = np.empty(addresses.shape[0], np.int64)
    scratch = np.empty(LANES * 17, np.int64)
    for i in range(addresses.shape[0]):
        out[i] = pieces_of_request(addresses[i], width_bytes, piece_bytes, scratch)
    return out


@njit(cache=True)
def _count_bytes(addresses: Addresses, width_bytes: int) -> Counts:
    out = np.empty(addresses.shape[0], np.int64)
    scratch = np.empty(LANES * 17, np.int64)
    for i in range(addresses.shape[0]):
        out[i] = bytes_of_request(addresses[i], width_bytes, scratch)
    return out


@njit(cache=True)
def _count_wavefronts(addresses: Addresses, width_bytes: int, is_load: bool) -> Counts:
    out = np.empty(addresses.shape[0], np.int64)
    words = np.empty(LANES * 5, np.int64)
    per_bank = np.empty(BANKS, np.int64)
    for i in range(addresses.shape[0]):
        out[i] = wavefronts_of_request(addresses[i], width_bytes, is_load, words, per_bank)
    return out


@njit(cache=True)
def _count_groups(addresses: Addresses, width_bytes: int, is_load: bool) -> Counts:
    out = np.empty(addresses.shape[0], np.int64)
    for i in range(addresses.shape[0]):
        out[i] = groups_of_request(addresses[i], width_bytes, is_load)
    return out
