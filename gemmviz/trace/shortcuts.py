"""Short cuts to the counts of `transactions`: the same numbers, sooner, for one warp request at a time.

Addresses in ascending order need no search for what was seen before: a new piece of memory is one that differs from
the piece of the lane before. Most requests come in that order; the others are put into it, as no count depends on
which lane has which address (the lanes of one group, for shared memory).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.access import INACTIVE, LANES, SECTOR_BYTES
from gemmviz.trace.transactions import (
    BANKS,
    LINE_BYTES,
    WORD_BYTES,
    bytes_of_request,
    lanes_per_group,
    pieces_of_request,
)

Lanes = NDArray[np.int64]
"""Shape (32,): the byte address of each lane, INACTIVE where a lane takes no part."""

SCRATCH = LANES * 17
"""Numbers of scratch space that the functions here need."""


@njit(cache=True, nogil=True)
def active_lanes(lanes: Lanes) -> int:
    """How many of the 32 lanes take part."""
    active = 0
    for lane in range(LANES):
        active += lanes[lane] != INACTIVE
    return active


@njit(cache=True, nogil=True)
def global_counts(lanes: Lanes, width_bytes: int, active: int, scratch: Lanes) -> tuple[int, int, int]:
    """Sectors, 128-byte lines and distinct bytes of a request with at least one active lane.

    `active` is the number of active lanes; `scratch` holds SCRATCH numbers and is overwritten.
    """
    if width_bytes & (width_bytes - 1) == 0:
        if active == LANES:
            sectors, lines, distinct, exact = _count_ascending(lanes, LANES, width_bytes)
            if exact:
                return sectors, lines, distinct * width_bytes
        _gather(lanes, 0, LANES, scratch)
        _sort(scratch, active)
        sectors, lines, distinct, exact = _count_ascending(scratch, active, width_bytes)
        if exact:
            return sectors, lines, distinct * width_bytes
    return (
        pieces_of_request(lanes, width_bytes, SECTOR_BYTES, scratch),
        pieces_of_request(lanes, width_bytes, LINE_BYTES, scratch),
        bytes_of_request(lanes, width_bytes, scratch),
    )


@njit(cache=True, nogil=True)
def shared_counts(lanes: Lanes, width_bytes: int, is_load: bool, active: int, scratch: Lanes) -> tuple[int, int, int]:
    """Wavefronts, ideal wavefronts and distinct bytes of a request with at least one active lane.

    `active` is the number of active lanes; `scratch` holds SCRATCH numbers and is overwritten.
    """
    if width_bytes == WORD_BYTES and active == LANES and _in_one_pass(lanes, LANES, width_bytes):
        words, askew = _words_apart(lanes)
        return 1, 1, bytes_of_request(lanes, width_bytes, scratch) if askew else words * WORD_BYTES
    together = lanes_per_group(lanes, width_bytes, is_load)
    wavefronts = ideal = 0
    for start in range(0, LANES, together):
        count = _gather(lanes, start, start + together, scratch)
        if count == 0:
            continue
        ideal += 1
        if _in_one_pass(scratch, count, width_bytes):
            wavefronts += 1
        else:
            _sort(scratch, count)
            wavefronts += _busiest_bank(scratch, count, width_bytes, scratch[LANES:])
    if width_bytes & (width_bytes - 1) == 0:
        _gather(lanes, 0, LANES, scratch)
        _sort(scratch, active)
        _, _, distinct, exact = _count_ascending(scratch, active, width_bytes)
        if exact:
            return wavefronts, ideal, distinct * width_bytes
    return wavefronts, ideal, bytes_of_request(lanes, width_bytes, scratch)


@njit(cache=True, nogil=True)
def _words_apart(lanes: Lanes) -> tuple[int, int]:
    """Distinct words of 32 lanes that lie within 32 consecutive ones, and the bits that addresses in a word have."""
    seen = np.uint64(0)
    askew = np.int64(0)
    for lane in range(LANES):
        seen |= np.uint64(1) << np.uint64((lanes[lane] >> 2) & (BANKS - 1))
        askew |= lanes[lane] & (WORD_BYTES - 1)
    count = 0
    while seen:
        seen &= seen - np.uint64(1)
        count += 1
    return count, int(askew)


@njit(cache=True, nogil=True)
def _count_ascending(lanes: Lanes, count: int, width_bytes: int) -> tuple[int, int, int, bool]:
    """Sectors, lines, distinct addresses of the first `count`, and whether that is right.

    It is for ascending addresses that are multiples of the width, a power of two: then no access straddles a sector.
    """
    sectors = lines = distinct = 1
    descents = 0
    ones = lanes[0]
    for i in range(1, count):
        differing = lanes[i] ^ lanes[i - 1]
        sectors += (differing & -SECTOR_BYTES) != 0
        lines += (differing & -LINE_BYTES) != 0
        distinct += differing != 0
        descents += lanes[i] < lanes[i - 1]
        ones |= lanes[i]
    return sectors, lines, distinct, descents == 0 and ones & (width_bytes - 1) == 0


@njit(cache=True, nogil=True)
def _in_one_pass(lanes: Lanes, count: int, width_bytes: int) -> bool:
    """Whether the first `count` lie within 32 consecutive words, no two of which share a bank."""
    lowest = highest = lanes[0]
    for i in range(1, count):
        lowest = min(lowest, lanes[i])
        highest = max(highest, lanes[i])
    words_apart: int = (highest + width_bytes - 1) // WORD_BYTES - lowest // WORD_BYTES
    return words_apart < BANKS


@njit(cache=True, nogil=True)
def _busiest_bank(lanes: Lanes, count: int, width_bytes: int, last_word: Lanes) -> int:
    """The most distinct words in one bank, of ascending addresses.

    A bank's words come in ascending order too, as an access is far narrower than 32 words: one that differs from
    the last is new. `last_word` holds 2 · 32 numbers.
    """
    per_bank = last_word[BANKS:]
    per_bank[:BANKS] = 0
    busiest = 0
    for i in range(count):
        for word in range(lanes[i] // WORD_BYTES, (lanes[i] + width_bytes - 1) // WORD_BYTES + 1):
            bank = word & (BANKS - 1)
            if per_bank[bank] == 0 or last_word[bank] != word:
                last_word[bank] = word
                per_bank[bank] += 1
                busiest = max(busiest, per_bank[bank])
    return busiest


@njit(cache=True, nogil=True)
def _gather(lanes: Lanes, start: int, stop: int, out: Lanes) -> int:
    """Put the active of the lanes from `start` to before `stop` at the front of `out`; how many they are."""
    count = 0
    for lane in range(start, stop):
        out[count] = lanes[lane]
        count += lanes[lane] != INACTIVE
    return count


@njit(cache=True, nogil=True)
def _sort(numbers: Lanes, count: int) -> None:
    """Put the first `count` into ascending order, by insertion: quick where they nearly are."""
    for i in range(1, count):
        number = numbers[i]
        k = i
        while k > 0 and numbers[k - 1] > number:
            numbers[k] = numbers[k - 1]
            k -= 1
        numbers[k] = number
