"""Short cuts to the counts of this package for whole traces, compiled: the same numbers, one warp request at a time.

Addresses in ascending order need no search for what was seen before: a new piece of memory is one that lies behind the
pieces of the lane before. Most requests come in that order; the others are put into it, as no count depends on which
lane has which address (the lanes of one group, for shared memory).
"""

from __future__ import annotations

from numba import njit

from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.trace.model import rules
from gemmviz.trace.model.rules import BANKS, COPIED_BYTES, LANES, LINE_BYTES, SECTOR_BYTES, WORD_BYTES, Lanes

SCRATCH = 4 * LANES
"""Numbers of scratch space that the functions here need."""

_bank_of = njit(cache=True, nogil=True)(rules.bank_of)
_lanes_together = njit(cache=True, nogil=True)(rules.lanes_together)


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
    is_power = width_bytes & (width_bytes - 1) == 0
    if is_power and active == LANES:
        sectors, lines, distinct, exact = _count_ascending(lanes, LANES, width_bytes)
        if exact:
            return sectors, lines, distinct * width_bytes
    _gather(lanes, 0, LANES, scratch)
    _sort(scratch, active)
    if is_power:
        sectors, lines, distinct, exact = _count_ascending(scratch, active, width_bytes)
        if exact:
            return sectors, lines, distinct * width_bytes
    return (
        _pieces(scratch, active, width_bytes, SECTOR_BYTES),
        _pieces(scratch, active, width_bytes, LINE_BYTES),
        _pieces(scratch, active, width_bytes, 1),
    )


@njit(cache=True, nogil=True)
def atomic_counts(lanes: Lanes, width_bytes: int, active: int, scratch: Lanes) -> int:
    """Sectors of an atomic request with at least one active lane, as they are counted: each as often as the address of
    it that the most lanes want.

    `active` is the number of active lanes; `scratch` holds SCRATCH numbers and is overwritten.
    """
    _gather(lanes, 0, LANES, scratch)
    _sort(scratch, active)
    total = most = beyond = 0  # of the sector looked at, and of the one behind it, into which an access may reach
    sector = scratch[0] // SECTOR_BYTES
    begin = 0
    for i in range(1, active + 1):
        if i < active and scratch[i] == scratch[begin]:
            continue
        turns, address = i - begin, scratch[begin]
        begin = i
        first, last = address // SECTOR_BYTES, (address + width_bytes - 1) // SECTOR_BYTES
        if first > sector:
            total += most
            most = beyond
            if first > sector + 1:
                total += beyond
                most = 0
            sector, beyond = first, 0
        most = max(most, turns)
        if last > first:
            beyond = max(beyond, turns)
    return total + most + beyond


@njit(cache=True, nogil=True)
def shared_counts(lanes: Lanes, width_bytes: int, is_load: bool, active: int, scratch: Lanes) -> tuple[int, int, int]:
    """Wavefronts, ideal wavefronts and distinct bytes of a request with at least one active lane.

    `active` is the number of active lanes; `scratch` holds SCRATCH numbers and is overwritten.
    """
    if width_bytes == WORD_BYTES and active == LANES and _in_one_pass(lanes, LANES, width_bytes):
        words, askew = _words_apart(lanes)
        if askew == 0:
            return 1, 1, words * WORD_BYTES
    merges = is_load and width_bytes > WORD_BYTES and (_pairs_agree(lanes, 1) or _pairs_agree(lanes, 2))
    together = _lanes_together(width_bytes, merges)
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
    _gather(lanes, 0, LANES, scratch)
    _sort(scratch, active)
    if width_bytes & (width_bytes - 1) == 0:
        _, _, distinct, exact = _count_ascending(scratch, active, width_bytes)
        if exact:
            return wavefronts, ideal, distinct * width_bytes
    return wavefronts, ideal, _pieces(scratch, active, width_bytes, 1)


@njit(cache=True, nogil=True)
def past_l1_counts(sources: Lanes, targets: Lanes, scratch: Lanes) -> tuple[int, int]:
    """Sectors of a copy past L1 as they are counted and as L2 sends them; `scratch` holds SCRATCH numbers."""
    return _past_l1_counted(sources, targets, scratch), _past_l1_sent(sources, targets, scratch)


@njit(cache=True, nogil=True)
def _past_l1_counted(sources: Lanes, targets: Lanes, scratch: Lanes) -> int:
    count = 0
    for lane in range(LANES):
        if sources[lane] == INACTIVE:
            continue
        line, piece = sources[lane] // LINE_BYTES, targets[lane] // SECTOR_BYTES
        i = count - 1
        while i >= 0 and (scratch[2 * i] != line or scratch[2 * i + 1] != piece):
            i -= 1
        if i < 0:
            scratch[2 * count] = line
            scratch[2 * count + 1] = piece
            count += 1
    return count


@njit(cache=True, nogil=True)
def _past_l1_sent(sources: Lanes, targets: Lanes, scratch: Lanes) -> int:
    """A sector and the piece that gets something of it are sent together, as often as the half of it that is wanted
    most often.
    """
    count = total = 0
    for lane in range(LANES):
        if sources[lane] == INACTIVE:
            continue
        sector, piece = sources[lane] // SECTOR_BYTES, targets[lane] // SECTOR_BYTES
        half = sources[lane] // COPIED_BYTES % 2
        i = count - 1
        while i >= 0 and (scratch[4 * i] != sector or scratch[4 * i + 1] != piece):
            i -= 1
        if i < 0:
            i = count
            scratch[4 * i], scratch[4 * i + 1], scratch[4 * i + 2], scratch[4 * i + 3] = sector, piece, 0, 0
            count += 1
        times = scratch[4 * i + 2 + half] + 1
        scratch[4 * i + 2 + half] = times
        total += times > scratch[4 * i + 3 - half]
    return total


@njit(cache=True, nogil=True)
def _pairs_agree(lanes: Lanes, distance: int) -> bool:
    """Whether each lane t and lane t xor `distance` have one address; an inactive lane agrees with anything."""
    for lane in range(LANES):
        other = lane ^ distance
        if lanes[lane] != INACTIVE and lanes[other] != INACTIVE and lanes[lane] != lanes[other]:
            return False
    return True


@njit(cache=True, nogil=True)
def _words_apart(lanes: Lanes) -> tuple[int, int]:
    """Distinct words of 32 lanes that lie within 32 consecutive ones, and the bits that addresses in a word have."""
    seen = 0
    askew = 0
    for lane in range(LANES):
        seen |= 1 << _bank_of(lanes[lane])
        askew |= lanes[lane] & (WORD_BYTES - 1)
    count = 0
    while seen:
        seen &= seen - 1
        count += 1
    return count, askew


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
def _pieces(lanes: Lanes, count: int, width_bytes: int, piece_bytes: int) -> int:
    """Distinct aligned pieces that the first `count` touch, whose addresses ascend."""
    total = 0
    reached = lanes[0] // piece_bytes - 1
    for i in range(count):
        last = (lanes[i] + width_bytes - 1) // piece_bytes
        total += last - max(reached, lanes[i] // piece_bytes - 1)
        reached = last
    return total


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
            bank = _bank_of(word * WORD_BYTES)
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
