"""Conversions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from conformance_record.float_forms import ROUNDINGS, WIDTH
from conformance_record.form import Form, simple

_INTEGERS = tuple(f"{sign}{bits}" for bits in (8, 16, 32, 64) for sign in "us")
_WHOLE = ("rni", "rzi", "rmi", "rpi")


def _operand(kind: str) -> str:
    """The kind of operand that a type is read from; 8-bit integers are in wider registers."""
    return f"i{max(16, int(kind[1:]))}" if kind in _INTEGERS else kind


def _bits(kind: str) -> int:
    return max(16, int(kind[1:])) if kind in _INTEGERS else WIDTH[kind]


def _form(group: str, modifiers: str, to: str, source: str) -> Form:
    bits = _bits(to)
    wide = 32 if to in {"u8", "s8"} else bits
    return simple(group, f"cvt{modifiers}.{to}.{source}", _operand(source), wide)


def _holds(to: str, source: str) -> bool:
    """Whether an integer type has every value of another."""
    if source[0] == "s" and to[0] == "u":
        return False
    return int(to[1:]) - int(source[1:]) >= (1 if to[0] != source[0] else 0)


def _exists(one: str, other: str) -> bool:
    """Whether there is a conversion between an integer type and a floating-point type."""
    return (one[1:], other) != ("8", "bf16")


def integers() -> Iterator[Form]:
    """Integers to integers."""
    for to, source in product(_INTEGERS, _INTEGERS):
        if to != source:
            yield _form("integer conversions", "", to, source)
            if not _holds(to, source):
                yield _form("integer conversions", ".sat", to, source)


def from_integers() -> Iterator[Form]:
    """Integers to floating point."""
    group = "conversions from integers"
    for to, source in product(("f16", "bf16", "f32", "f64"), _INTEGERS):
        roundings = ROUNDINGS if int(source[1:]) >= 32 else ("rn",)
        for rounding in roundings if _exists(source, to) else ():
            yield _form(group, f".{rounding}", to, source)
    for source in ("s32", "u64", "u8"):
        yield _form(group, ".rn.sat", "f32", source)
        yield _form(group, ".rn.sat", "f16", source)


def to_integers() -> Iterator[Form]:
    """Floating point to integers."""
    group = "conversions to integers"
    for to, source in product(_INTEGERS, ("f16", "bf16", "f32", "f64")):
        roundings = _WHOLE if int(to[1:]) >= 32 else ("rzi",)
        for rounding in roundings if _exists(to, source) else ():
            yield _form(group, f".{rounding}", to, source)
    for to in ("s32", "u32", "s64", "u64"):
        for rounding in ("rzi", "rpi"):
            yield _form(group, f".{rounding}.ftz", to, "f32")
    for to in ("s32", "u16", "s8"):
        yield _form(group, ".rni.sat", to, "f32")


def floats() -> Iterator[Form]:
    """Floating point to floating point."""
    group = "conversions of floats"
    for to, rounding in product(("f16", "bf16", "f32"), ("rn", "rz")):
        text = f"{{ .reg .b64 %n; or.b64 %n, %a, 0x7FF0000000000001; cvt.{rounding}.{to}.f64 %d, %n; }}"
        yield Form(group, f"cvt.{rounding}.{to}.f64 of NaN", text, ("i64",), (WIDTH[to],))
    for source in ("f32", "f64"):
        for rounding in ROUNDINGS:
            yield _form(group, f".{rounding}", "f16", source)
            yield _form(group, f".{rounding}", "bf16", source)
        yield _form(group, ".rn.sat", "f16", source)
    yield _form(group, ".rn.ftz", "f16", "f32")
    for rounding, to in product(("rn", "rz"), ("f16", "bf16")):
        yield _form(group, f".{rounding}.relu", to, "f32")
    for rounding, to, relu in product(("rn", "rz"), ("f16", "bf16"), ("", ".relu")):
        yield simple(group, f"cvt.{rounding}{relu}.{to}x2.f32", "f32 f32", 32)
    for rounding, ftz, sat in product(ROUNDINGS, ("", ".ftz"), ("", ".sat")):
        yield _form(group, f".{rounding}{ftz}{sat}", "f32", "f64")
    for to, source in (("f32", "f16"), ("f32", "bf16"), ("f64", "f16"), ("f64", "bf16"), ("f64", "f32")):
        yield _form(group, "", to, source)
    yield _form(group, ".ftz", "f32", "f16")
    yield _form(group, ".sat", "f32", "f16")
    yield _form(group, ".ftz", "f64", "f32")
    yield _form(group, ".sat", "f64", "f32")
    for rounding in ROUNDINGS:
        yield _form(group, f".{rounding}", "bf16", "f16")
        yield _form(group, f".{rounding}", "f16", "bf16")
    for rounding in _WHOLE:
        for kind in ("f16", "bf16", "f32", "f64"):
            yield _form(group, f".{rounding}", kind, kind)
        yield _form(group, f".{rounding}.ftz", "f32", "f32")
        yield _form(group, f".{rounding}.sat", "f32", "f32")
    yield _form(group, ".ftz", "f32", "f32")
    yield _form(group, ".sat", "f32", "f32")
    yield _form(group, ".ftz.sat", "f32", "f32")
    for words in ("rna", "rn", "rz", "rn.relu", "rz.relu", "rna.satfinite"):
        yield simple(group, f"cvt.{words}.tf32.f32", "f32", 32)
    yield from _float8()
    for to in ("u16", "s16"):
        yield simple(group, f"cvt.pack.sat.{to}.s32", "i32 i32", 32)
    for to in ("u8", "s8", "u4", "s4", "u2", "s2"):
        yield simple(group, f"cvt.pack.sat.{to}.s32.b32", "i32 i32 i32", 32)


def _float8() -> Iterator[Form]:
    """Pairs of 8-bit numbers (sm_89 and later)."""
    group = "8-bit floats"
    for pair, relu in product(("e4m3x2", "e5m2x2"), ("", ".relu")):
        yield simple(group, f"cvt.rn.satfinite{relu}.{pair}.f32", "f32 f32", 16)
        yield simple(group, f"cvt.rn.satfinite{relu}.{pair}.f16x2", "f16x2", 16)
        yield simple(group, f"cvt.rn{relu}.f16x2.{pair}", "i16", 32)


def conversion_forms() -> Iterator[Form]:
    """Every form of this file."""
    yield from integers()
    yield from from_integers()
    yield from to_integers()
    yield from floats()
