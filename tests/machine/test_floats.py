"""Floating-point instructions against exact fractions, bit for bit; approximate ones within the manual's bounds."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import exact_floats as exact
import numpy as np
import pytest
from exact_floats import BF16, F16, F32, F64, Format, Number
from numpy.typing import NDArray
from ptx_instructions import run_instructions

from gemmviz.machine.faults import NotImplementedInMachineError

_RNG = np.random.default_rng(11)
UNBOUNDED = Format(35, 23, 1023, (1 << 34) - 1)
"""float32's digits, even where float32 has fewer because a number is subnormal."""
MODES = ("rn", "rz", "rp", "rm")
Rule = Callable[[Format, Number, Number, Number, str], int]

RULES: dict[str, Rule] = {
    "add": lambda form, a, b, _c, mode: exact.total(form, a, b, mode),
    "mul": lambda form, a, b, _c, mode: form.encode(exact.product(a, b), mode),
    "fma": lambda form, a, b, c, mode: exact.total(form, exact.product(a, b), c, mode),
}


def _words(form: Format, count: int, seed: int) -> list[NDArray[np.unsignedinteger]]:
    """Three columns: extreme numbers, numbers close to each other, random bits."""
    rng = np.random.default_rng(seed)
    kind = {16: np.uint16, 32: np.uint32, 64: np.uint64}[form.bits]
    infinity = form.encode(math.inf)
    one = form.bias << form.fraction
    special = [
        0,
        1,
        2,
        (1 << form.fraction) - 1,
        1 << form.fraction,
        one - 1,
        one,
        one + 1,
        infinity - 1,
        infinity,
        infinity + 1,
    ]
    special += [word | 1 << form.bits - 1 for word in special]
    rows = [rng.choice(np.array(special, np.uint64), 3) for _ in range(count)]
    near = one + rng.integers(-3 << form.fraction, 3 << form.fraction, (count, 3))
    near = near.astype(np.uint64) & np.uint64(2**form.bits - 1) | rng.integers(0, 2, (count, 3)).astype(
        np.uint64
    ) << np.uint64(form.bits - 1)
    wild = rng.integers(0, 2**form.bits, (count, 3), dtype=np.uint64)
    whole = np.concatenate([np.array(rows, np.uint64), near, wild])
    return [np.ascontiguousarray(column.astype(kind)) for column in whole.T]


def _hold(
    form: Format,
    row: NDArray[np.unsignedinteger],
    wanted: list[int],
    given: list[NDArray[np.unsignedinteger]],
    what: str,
) -> None:
    for place, (found, right) in enumerate(zip(row.tolist(), wanted, strict=True)):
        if form is F64 and math.isnan(np.uint64(right).view(np.float64)):
            assert math.isnan(np.uint64(found).view(np.float64))  # which NaN: test_conformance.py
            continue
        assert found == right, (what, [hex(column[place]) for column in given], hex(found), hex(right))


@pytest.mark.parametrize(
    ("suffix", "form", "modes"),
    [
        ("f32", F32, MODES),
        ("f64", F64, MODES),
        ("f16", F16, ("rn",)),
        ("bf16", BF16, ("rn",)),
    ],
)
def test_that_sums_products_and_fused_ones_are_rounded_once(suffix: str, form: Format, modes: tuple[str, ...]) -> None:
    given = _words(form, 150, 3)
    numbers = [[form.decode(word) for word in column.tolist()] for column in given]
    cases = [(name, mode) for name in RULES for mode in modes]
    texts = [f"{name}.{mode}.{suffix} %d, %a, %b" + (", %c" if name == "fma" else "") for name, mode in cases]
    found = run_instructions(texts, given, given[0].dtype.type)
    for text, row, (name, mode) in zip(texts, found, cases, strict=True):
        wanted = [RULES[name](form, a, b, c, mode) for a, b, c in zip(*numbers, strict=True)]
        _hold(form, row, wanted, given, text)


@pytest.mark.parametrize(("suffix", "form"), [("f32", F32), ("f64", F64)])
def test_that_quotients_and_roots_are_rounded_once(suffix: str, form: Format) -> None:
    given = _words(form, 100, 5)[:2]
    a, b = ([form.decode(word) for word in column.tolist()] for column in given)
    texts = [f"div.{mode}.{suffix} %d, %a, %b" for mode in MODES]
    texts += [f"sqrt.{mode}.{suffix} %d, %a" for mode in MODES] + [f"rcp.{mode}.{suffix} %d, %a" for mode in MODES]
    found = run_instructions(texts, given, given[0].dtype.type)
    one = form.decode(form.bias << form.fraction)
    for place, mode in enumerate(MODES):
        wanted = [form.encode(exact.quotient(x, y), mode) for x, y in zip(a, b, strict=True)]
        _hold(form, found[place], wanted, given, texts[place])
        _hold(form, found[4 + place], [exact.root(form, x, mode) for x in a], given, texts[4 + place])
        _hold(form, found[8 + place], [form.encode(exact.quotient(one, x), mode) for x in a], given, texts[8 + place])


def test_that_ftz_and_sat_and_extremes_follow_the_manual() -> None:
    given = _words(F32, 150, 9)
    floats = [column.view(np.float32).tolist() for column in given]
    texts = [
        "add.ftz.f32 %d, %a, %b",
        "mul.sat.f32 %d, %a, %b",
        "min.f32 %d, %a, %b",
        "max.f32 %d, %a, %b",
        "min.NaN.f32 %d, %a, %b",
        "neg.f32 %d, %a",
        "abs.ftz.f32 %d, %a",
        "fma.rn.ftz.sat.f32 %d, %a, %b, %c",
    ]
    found = run_instructions(texts, given, np.uint32)

    def flush(word: int) -> int:
        return word & 0x80000000 if not word & 0x7F800000 else word

    for place, (a, b, c) in enumerate(zip(*(column.tolist() for column in given), strict=True)):
        x, y = (F32.decode(flush(word)) for word in (a, b))
        assert found[0, place] == flush(exact.total(F32, x, y, "rn")), (hex(a), hex(b))
        right = F32.encode(exact.product(F32.decode(a), F32.decode(b)))
        value = float(np.uint32(right).view(np.float32))
        sat = 0 if math.isnan(value) or value <= 0 else 0x3F800000 if value >= 1 else right
        assert found[1, place] == sat, (hex(a), hex(b), hex(found[1, place]))
        fused = exact.total(F32, exact.product(x, y), F32.decode(flush(c)), "rn")
        wide = UNBOUNDED.decode(exact.total(UNBOUNDED, exact.product(x, y), F32.decode(flush(c)), "rn"))
        fused = 0 if -(2.0**-126) < wide < 2.0**-126 else fused
        value = float(np.uint32(fused).view(np.float32))
        sat = 0 if math.isnan(value) or value <= 0 else 0x3F800000 if value >= 1 else fused
        assert found[7, place] == sat
        p, q = floats[0][place], floats[1][place]
        if math.isnan(p) or math.isnan(q):
            assert found[4, place] == 0x7FFFFFFF
            other = b if math.isnan(p) else a
            wanted = 0x7FFFFFFF if math.isnan(p) and math.isnan(q) else other
            assert found[2, place] == wanted
            assert found[3, place] == wanted
        else:
            ordered = sorted((a, b), key=lambda w: (float(np.uint32(w).view(np.float32)), not w >> 31))
            assert (found[2, place], found[3, place]) == tuple(ordered)
        assert found[5, place] == (0x7FFFFFFF if math.isnan(p) else a ^ 0x80000000)
        assert found[6, place] == (0x7FFFFFFF if math.isnan(p) else flush(a) & 0x7FFFFFFF)


@pytest.mark.parametrize("modifiers", ["", ".ftz", ".NaN", ".abs", ".ftz.NaN.abs"])
def test_that_extremes_of_three_numbers_are_those_of_two_and_the_third(modifiers: str) -> None:
    given = _words(F32, 150, 10)
    made: list[list[int]] = [[], []]
    for words in zip(*(column.tolist() for column in given), strict=True):
        numbers = [word & 0x80000000 if "ftz" in modifiers and not word & 0x7F800000 else word for word in words]
        numbers = [word & 0x7FFFFFFF if "abs" in modifiers else word for word in numbers]
        real = [word for word in numbers if not math.isnan(float(np.uint32(word).view(np.float32)))]
        real.sort(key=lambda word: (float(np.uint32(word).view(np.float32)), not word >> 31))
        is_nan = not real or ("NaN" in modifiers and len(real) < len(numbers))
        for row, place in zip(made, (0, -1), strict=True):
            row.append(0x7FFFFFFF if is_nan else real[place])
    texts = [f"{word}{modifiers}.f32 %d, %a, %b, %c" for word in ("min", "max")]
    assert run_instructions(texts, given, np.uint32).tolist() == made


@pytest.mark.parametrize(
    "text", ["min.s32 %d, %a, %b, %c", "min.xorsign.abs.f32 %d, %a, %b, %c", "max.abs.f32 %d, %a, %b"]
)
def test_that_forms_of_extremes_that_the_manual_has_not_are_refused(text: str) -> None:
    given = [np.zeros(1, np.uint32)] * 3
    with pytest.raises(NotImplementedInMachineError, match=re.escape(text.split()[0])):
        run_instructions([text], given, np.uint32)


def test_that_ftz_flushes_what_24_digits_leave_below_the_least_normal_number() -> None:
    steps = np.arange(0, 4096, 13, dtype=np.uint32)  # (1 - 2k u) (1 + 2k u) 2^-126 with u = 2^-24
    signs = (steps & np.uint32(1)) << np.uint32(31)
    given = [np.uint32(0x3F800000) - 2 * steps, (np.uint32(0x00800000) + steps) | signs]
    found = run_instructions([f"mul.{mode}.ftz.f32 %d, %a, %b" for mode in MODES], given, np.uint32)
    products = [exact.product(*map(F32.decode, pair)) for pair in zip(*(one.tolist() for one in given), strict=True)]
    for row, mode in zip(found, MODES, strict=True):
        for value, word in zip(products, row.tolist(), strict=True):
            is_tiny = -(2.0**-126) < UNBOUNDED.decode(UNBOUNDED.encode(value, mode)) < 2.0**-126
            zero = 0x80000000 if value < 0 else 0
            assert word == (zero if is_tiny else F32.encode(value, mode)), (mode, value)


@pytest.mark.parametrize(("suffix", "form"), [("f16x2", F16), ("bf16x2", BF16)])
def test_that_packed_numbers_are_two_numbers(suffix: str, form: Format) -> None:
    halves = [_words(form, 100, seed) for seed in (21, 22)]
    given = [low.astype(np.uint32) | high.astype(np.uint32) << np.uint32(16) for low, high in zip(*halves, strict=True)]
    texts = [f"fma.rn.{suffix} %d, %a, %b, %c", f"add.{suffix} %d, %a, %b", f"fma.rn.relu.{suffix} %d, %a, %b, %c"]
    found = run_instructions(texts, given, np.uint32)
    for part in range(2):
        numbers = [[form.decode(word) for word in column.tolist()] for column in halves[part]]
        fused = [RULES["fma"](form, a, b, c, "rn") for a, b, c in zip(*numbers, strict=True)]
        sums = [RULES["add"](form, a, b, c, "rn") for a, b, c in zip(*numbers, strict=True)]
        clamped = [0 if word >> 15 else word for word in fused]
        for row, wanted in zip(found, (fused, sums, clamped), strict=True):
            assert [word >> 16 * part & 0xFFFF for word in row.tolist()] == wanted


def test_that_conversions_round_as_they_say() -> None:
    (doubles,) = _words(F64, 300, 31)[:1]
    (singles,) = _words(F32, 300, 32)[:1]
    texts = [f"{{ .reg .f32 %f; cvt.{mode}.f32.f64 %f, %a; mov.b32 %d, %f; }}" for mode in MODES]
    found = run_instructions(texts, [doubles], np.uint32)
    for row, mode in zip(found, MODES, strict=True):
        wanted = [F32.encode(F64.decode(word), mode) for word in doubles.tolist()]
        nans = np.isnan(doubles.view(np.float64))
        assert row[~nans].tolist() == np.array(wanted)[~nans].tolist()
        signs = doubles[nans] >> np.uint64(32) & np.uint64(1 << 31)
        fraction = doubles[nans] >> np.uint64(29) & np.uint64(0x3FFFFF)
        assert row[nans].tolist() == (signs | fraction | np.uint64(0x7FC00000)).tolist()
    for form, name in ((F16, "f16"), (BF16, "bf16")):
        modes = ("rn", "rz")
        texts = [f"cvt.{mode}.{name}.f32 %d, %a" for mode in modes]
        found = run_instructions(texts, [singles], np.uint16)
        for row, mode in zip(found, modes, strict=True):
            assert row.tolist() == [form.encode(F32.decode(word), mode) for word in singles.tolist()], (name, mode)


def test_that_integers_and_floats_become_each_other() -> None:
    (singles,) = _words(F32, 400, 41)[:1]
    near = (_RNG.normal(0, 1e5, 500)).astype(np.float32).view(np.uint32)
    singles = np.concatenate([singles, near, np.array([0.5, 1.5, 2.5, -0.5, -1.5], np.float32).view(np.uint32)])
    rounding: dict[str, Callable[[Any], int]] = {"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}
    texts = [f"cvt.{mode}.s32.f32 %d, %a" for mode in rounding] + ["cvt.rzi.u32.f32 %d, %a"]
    found = run_instructions(texts, [singles], np.uint32)

    def clamped(value: Number, rule: Callable[[Number], int], least: int, most: int) -> int:
        if isinstance(value, float) and not math.isfinite(value):
            return 0 if math.isnan(value) else most if value > 0 else least
        return max(least, min(most, rule(value)))

    for row, (mode, rule) in zip(found, rounding.items(), strict=False):
        wanted = [clamped(F32.decode(word), rule, -(2**31), 2**31 - 1) & 0xFFFFFFFF for word in singles.tolist()]
        assert row.tolist() == wanted, mode
    assert found[4].tolist() == [clamped(F32.decode(word), math.trunc, 0, 2**32 - 1) for word in singles.tolist()]
    whole = _RNG.integers(0, 2**64, 500, dtype=np.uint64)
    texts = [
        f"{{ .reg .f32 %f; cvt.{mode}.f32.{kind} %f, %a; cvt.u64.u32 %d, %f; }}".replace(
            "cvt.u64.u32 %d, %f", ".reg .b32 %w; mov.b32 %w, %f; cvt.u64.u32 %d, %w"
        )
        for mode in MODES
        for kind in ("u64", "s64")
    ]
    found = run_instructions(texts, [whole], np.uint64)
    for number, row in enumerate(found):
        mode, signed = MODES[number // 2], number % 2
        values = whole.view(np.int64).tolist() if signed else whole.tolist()
        assert row.tolist() == [F32.encode(Fraction(value), mode) for value in values], (mode, signed)


def test_that_tf32_keeps_ten_bits_of_the_fraction() -> None:
    (singles,) = _words(F32, 300, 51)[:1]
    found = run_instructions(["cvt.rna.tf32.f32 %d, %a", "cvt.rn.tf32.f32 %d, %a"], [singles], np.uint32)
    for place, word in enumerate(singles.tolist()):
        value = F32.decode(word)
        if isinstance(value, float) and math.isnan(value):
            continue
        away = (word + 0x1000) & 0xFFFFE000 if word & 0x7F800000 != 0x7F800000 else word
        assert found[0, place] == away
        last = word >> 13 & 1
        even = (word + 0xFFF + last) & 0xFFFFE000 if word & 0x7F800000 != 0x7F800000 else word
        assert found[1, place] == even


APPROXIMATE: dict[str, tuple[Callable[[float], float], float, float, float]] = {
    "rcp.approx.f32": (lambda x: 1 / x, 1e-3, 1e3, 2**-23),
    "sqrt.approx.f32": (math.sqrt, 1e-3, 1e6, 2**-23),
    "rsqrt.approx.f32": (lambda x: 1 / math.sqrt(x), 1e-3, 1e6, 2**-22),
    "ex2.approx.f32": (lambda x: 2.0**x, -20, 20, 2**-22),
    "lg2.approx.f32": (math.log2, 2.5, 1e6, 2**-21),
    "sin.approx.f32": (math.sin, 0.1, 3.0, 2**-11),
    "cos.approx.f32": (math.cos, -1.5, 1.5, 2**-11),
    "tanh.approx.f32": (math.tanh, 0.01, 5, 2**-11),
}
"""By instruction: the function, where it is tried, and the largest relative error."""


def test_that_approximate_functions_keep_their_bounds() -> None:
    for instruction, (function, least, most, bound) in APPROXIMATE.items():
        values = np.linspace(least, most, 300).astype(np.float32)
        row = run_instructions([f"{instruction} %d, %a"], [values.view(np.uint32)], np.uint32)[0].view(np.float32)
        wanted = np.array([function(float(value)) for value in values])
        error = np.abs(row - wanted) / np.maximum(np.abs(wanted), 1e-3)
        assert error.max() <= bound, instruction
