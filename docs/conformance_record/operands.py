"""Operands of the conformance suite, made by integer hashes so that only results need be stored.

Each kind of operand has three columns, `a`, `b` and `c`, of `COUNT` values. The first quarter pairs special values, the
second is random bits, the third numbers near 1 and near ties, the fourth products at the edge of the range.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

COUNT = 4096
QUARTER = COUNT // 4
WARP = 32
POSITIONS = "abc"
Words = NDArray[np.uint64]

FLOATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}
"""Bits of exponent and fraction."""
BITS = {"i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "f16x2": 32, "bf16x2": 32}
BITS |= {"small": 32, "lane": 32, "few": 32, "few64": 64}
"""By kind of operand: its width. `small` are counts from 0 to 79 and a few beyond, `lane` is the number of a lane,
`few` takes few different values, the same throughout many warps."""

OPERAND_OFFSETS = {
    (kind, position): 8 * COUNT * (len(POSITIONS) * number + place)
    for number, kind in enumerate(BITS)
    for place, position in enumerate(POSITIONS)
}
"""Where a kernel finds the operands of a kind at a position, in bytes."""
INPUT_BYTES = 8 * COUNT * len(POSITIONS) * len(BITS)


def _number(value: int) -> np.uint64:
    return np.uint64(value & 0xFFFFFFFFFFFFFFFF)


def hashed(name: str) -> Words:
    """COUNT random words of 64 bits, the same for a name on every machine (splitmix64)."""
    words = np.arange(COUNT, dtype=np.uint64) * _number(0x9E3779B97F4A7C15)
    words += _number(zlib.crc32(name.encode()) * 0x9E3779B97F4A7C15)
    words = (words ^ (words >> _number(30))) * _number(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> _number(27))) * _number(0x94D049BB133111EB)
    return words ^ (words >> _number(31))


def _paired(specials: list[int], position: str) -> Words:
    """Special values: `a` runs through them fastest, then `b`; `c` is any of them."""
    table = np.array([value & 0xFFFFFFFFFFFFFFFF for value in specials], np.uint64)
    place = np.arange(QUARTER)
    if position == "b":
        place //= len(specials)
    elif position == "c":
        place = (hashed("which")[:QUARTER] >> _number(8)).astype(np.int64)
    found: Words = table[place % len(specials)]
    return found


def _float_specials(exponent: int, fraction: int) -> list[int]:
    sign = 1 << exponent + fraction
    infinity = ((1 << exponent) - 1) << fraction
    one = ((1 << exponent - 1) - 1) << fraction
    step, quiet = 1 << fraction, 1 << fraction - 1
    positive = [0, 1, step - 1, step, infinity - 1, infinity, infinity | quiet | 5, infinity | 3]
    positive += [one, one + 1, one - 1, one - step]
    positive += [one + quiet, one + step, one + step + quiet, one + 2 * step + quiet // 2]
    return positive + [sign | value for value in positive]


def _floats(kind: str, position: str) -> Words:
    exponent, fraction = FLOATS[kind]
    bits = 1 + exponent + fraction
    bias, most = (1 << exponent - 1) - 1, (1 << exponent) - 2
    words = hashed(f"{kind} {position}")
    chooser = hashed(f"{kind} {position} chooser")
    sign = (words >> _number(63)) << _number(bits - 1)
    ending = words & _number((1 << fraction) - 1)
    # every other fraction ends in zeros, so that ties are met
    keep = (chooser >> _number(8)) % _number(fraction + 1)
    short = (ending >> keep) << keep
    ending = np.where(chooser & _number(1), ending, short)
    near = bias + ((chooser >> _number(16)) % _number(9)).astype(np.int64) - 4
    whole = bias - 2 + ((chooser >> _number(16)) % _number(68)).astype(np.int64)  # as far as 64-bit integers go
    near = np.where(chooser & _number(2), near, whole if position == "a" else near)
    # products a * b about the least and the greatest number: the exponents' sum is an edge
    shared = 1 + ((hashed(f"{kind} edge") >> _number(20)) % _number(most)).astype(np.int64)
    low_edge = hashed(f"{kind} which edge") & _number(1) != 0
    other = np.where(low_edge, bias - fraction // 2, 2 * bias + most - bias) - shared
    other += ((chooser >> _number(24)) % _number(2 * fraction)).astype(np.int64) - fraction
    edge = {"a": shared, "b": other, "c": np.where(low_edge, 1, most - 1)}[position]
    made = np.empty(COUNT, np.uint64)
    made[:QUARTER] = _paired(_float_specials(exponent, fraction), position)
    made[QUARTER : 2 * QUARTER] = words[QUARTER : 2 * QUARTER] >> _number(64 - bits)
    for part, chosen in ((2, near), (3, edge)):
        place = slice(part * QUARTER, (part + 1) * QUARTER)
        field = np.clip(chosen[place], 0, most).astype(np.uint64) << _number(fraction)
        made[place] = sign[place] | field | ending[place]
    return made


def _integers(bits: int, position: str) -> Words:
    top = 1 << bits - 1
    counts = [0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF]
    specials = [*counts, top - 1, top, top + 1, top + 2, -1, -2, -3, -7, -128, 0x5555555555555555]
    words = hashed(f"i{bits} {position}")
    made = words >> _number(64 - bits)
    made[:QUARTER] = _paired(specials, position)
    # small numbers of both signs, then numbers of every length
    little = (words[2 * QUARTER : 3 * QUARTER] % _number(200)) - _number(100)
    made[2 * QUARTER : 3 * QUARTER] = little
    lengths = (words[3 * QUARTER :] >> _number(3)) % _number(bits)
    made[3 * QUARTER :] >>= lengths
    return made & _number((1 << bits) - 1)


def column(kind: str, position: str) -> NDArray[np.unsignedinteger]:
    """The operands of a kind at a position, COUNT of them, as unsigned integers of the kind's width."""
    type_ = np.dtype(f"u{BITS[kind] // 8}")
    if kind.endswith("x2"):
        low, high = _floats(kind[:-2], position), np.roll(_floats(kind[:-2], position), 1337)
        return (low | high << _number(16)).astype(type_)
    if kind in FLOATS:
        return _floats(kind, position).astype(type_)
    if kind == "small":
        words = hashed(f"small {position}")
        beyond = (words >> _number(40)) & _number(15) == 0
        return np.where(beyond, words & _number(0xFFFFFFFF), words % _number(80)).astype(type_)
    if kind == "lane":
        return (hashed(f"lane {position}") >> _number(7) & _number(31)).astype(type_)
    if kind.startswith("few"):
        warp = np.arange(COUNT, dtype=np.uint64) // _number(WARP)
        values = _number(0x1234567890ABCDEF) * (hashed(f"few {position}") % (warp % _number(5) + _number(1)))
        return values.astype(type_)
    return _integers(BITS[kind], position).astype(type_)
