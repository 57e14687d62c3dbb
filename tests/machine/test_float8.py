"""Pairs of 8-bit floats against the values of their codes, searched one by one."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from ptx_instructions import kernel, run_instructions, run_kernel

from gemmviz.machine.faults import NotImplementedInMachineError

_HALVES = np.arange(1 << 16, dtype=np.uint16)
_LARGEST = {"e4m3": 0x7E, "e5m2": 0x7B}


def _value(code: int, kind: str) -> Fraction:
    """What a code from 0 to the largest stands for."""
    digits, bias = (3, 7) if kind == "e4m3" else (2, 15)
    exponent, fraction = code >> digits, code & (1 << digits) - 1
    whole = fraction + (1 << digits) * (exponent > 0)
    return whole * Fraction(2) ** (max(exponent, 1) - bias - digits)


_VALUES = {kind: [_value(code, kind) for code in range(largest + 1)] for kind, largest in _LARGEST.items()}


def _code(number: float, kind: str, *, relu: bool) -> int:
    """The code of the nearest value, the even one of two; the largest for what is larger; 0x7F for NaN."""
    if np.isnan(number):
        return 0x7F
    sign = 0x80 if np.signbit(number) else 0
    if relu and sign:
        return 0
    values = _VALUES[kind]
    if np.isinf(number):
        return sign | _LARGEST[kind]
    exact = abs(Fraction(float(number)))
    above = bisect_left(values, exact)
    if above == len(values):
        return sign | _LARGEST[kind]
    if above == 0 or values[above] == exact:
        return sign | above
    below = above - 1
    to_below, to_above = exact - values[below], values[above] - exact
    nearest = below if to_below < to_above else above if to_above < to_below else below + below % 2
    return sign | nearest


def _pairs(upper: NDArray[np.uint16], lower: NDArray[np.uint16]) -> NDArray[np.uint32]:
    return upper.astype(np.uint32) << np.uint32(16) | lower.astype(np.uint32)


@pytest.mark.parametrize("kind", list(_LARGEST))
def test_that_every_half_becomes_the_nearest_code(kind: str) -> None:
    names = [f"cvt.rn.satfinite{relu}.{kind}x2.f16x2 %d, %a;" for relu in ("", ".relu")]
    upper = np.roll(_HALVES, 12345)
    found = run_instructions(names, [_pairs(upper, _HALVES)], np.uint16)
    numbers = _HALVES.view(np.float16)
    for row, relu in enumerate((False, True)):
        codes = np.array([_code(float(number), kind, relu=relu) for number in numbers], np.uint16)
        np.testing.assert_array_equal(found[row] & 0xFF, codes)
        np.testing.assert_array_equal(found[row] >> 8, np.roll(codes, 12345))


@pytest.mark.parametrize("kind", list(_LARGEST))
def test_that_float32_are_rounded_once(kind: str) -> None:
    """Random bits, and the neighbours of every tie between two codes and of the largest numbers."""
    values = [float(value) for value in _VALUES[kind]]
    ties = np.array([(a + b) / 2 for a, b in zip(values, [*values[1:], 2 * values[-1]], strict=True)], np.float32)
    near = np.concatenate([ties, np.nextafter(ties, np.float32(0)), np.nextafter(ties, np.float32(np.inf))])
    random = np.random.default_rng(3).integers(0, 2**32, 2000, dtype=np.uint32).view(np.float32)
    numbers = np.concatenate(
        [near, -near, random, np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 3e38], np.float32)]
    )
    other = np.roll(numbers, 7)
    text = f"cvt.rn.satfinite.{kind}x2.f32 %d, %a, %b;"
    found = run_instructions([text], [numbers.view(np.uint32), other.view(np.uint32)], np.uint16)[0]
    codes = np.array([_code(number, kind, relu=False) for number in numbers], np.uint16)
    np.testing.assert_array_equal(found >> 8, codes)
    np.testing.assert_array_equal(found & 0xFF, np.roll(codes, 7))


@pytest.mark.parametrize("kind", list(_LARGEST))
def test_that_every_code_becomes_its_value(kind: str) -> None:
    names = [f"cvt.rn{relu}.f16x2.{kind}x2 %d, %a;" for relu in ("", ".relu")]
    found = run_instructions(names, [_HALVES], np.uint32)
    infinity = {0x7C: np.inf} if kind == "e5m2" else {}
    for row, relu in enumerate((False, True)):
        halves = []
        for code in range(256):
            magnitude = code & 0x7F
            if magnitude > _LARGEST[kind] and magnitude not in infinity:
                halves.append(0x7FFF)
                continue
            value = infinity.get(magnitude) or float(_VALUES[kind][magnitude])
            signed = np.float16(0 if relu and code & 0x80 else -value if code & 0x80 else value)
            halves.append(int(signed.view(np.uint16)))
        table = np.array(halves, np.uint32)
        np.testing.assert_array_equal(found[row], table[_HALVES >> 8] << 16 | table[_HALVES & 0xFF])


@pytest.mark.parametrize(
    "instruction",
    [
        "cvt.rn.e4m3x2.f32 %h, %f, %f;",
        "cvt.rz.satfinite.e5m2x2.f32 %h, %f, %f;",
        "cvt.rn.satfinite.e2m1x2.f32 %h, %f, %f;",
    ],
)
def test_that_other_forms_are_refused_by_name(instruction: str) -> None:
    with pytest.raises(NotImplementedInMachineError, match="does not implement " + instruction.split()[0]):
        run_kernel(kernel(f".reg .b16 %h; .reg .f32 %f; mov.f32 %f, 0f3F800000; {instruction}", ""), [])
