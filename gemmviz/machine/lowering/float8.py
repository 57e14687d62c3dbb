"""Conversions of pairs of 8-bit floating-point numbers: PTX ISA, "cvt", `.e4m3x2` and `.e5m2x2`.

E4M3 has no infinity and one NaN for each sign: Micikevicius et al., "FP8 Formats for Deep Learning", 2022.
"""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.machine.emitter import Value
from gemmviz.machine.lowering import float_formats as floats
from gemmviz.machine.lowering.context import I32, Lowering
from gemmviz.machine.lowering.float_formats import F16, F32, I16
from gemmviz.machine.ptx.parse import Statement

_NAN = 0x7F


@dataclass(frozen=True, slots=True)
class _Format:
    """Digits behind the point, the bias of the exponent, and the code of the largest number."""

    digits: int
    bias: int
    largest: int


_FORMATS = {"e4m3x2": _Format(3, 7, 0x7E), "e5m2x2": _Format(2, 15, 0x7B)}
FLOAT8_PAIRS = frozenset(_FORMATS)


def convert_float8(low: Lowering, statement: Statement, to: str, source: str, modifiers: list[str]) -> None:
    """`cvt` to or from a pair of 8-bit numbers; of two operands the first belongs into the upper half."""
    if to in FLOAT8_PAIRS and sorted(set(modifiers) - {"relu"}) == ["rn", "satfinite"]:
        if source == "f32" and len(statement.operands) == 3:
            upper, lower = (low.read(operand, F32, statement) for operand in statement.operands[1:])
        elif source == "f16x2" and len(statement.operands) == 2:
            pair = low.read(statement.operands[1], I32, statement)
            upper, lower = (floats.as_float(low, floats.half_of(low, pair, part, "f16"), "f16") for part in (1, 0))
        else:
            low.refuse(statement)
        codes = [_narrowed(low, value, _FORMATS[to], "relu" in modifiers) for value in (upper, lower)]
        moved = low.emit.binary("shl", codes[0], low.emit.constant(I32, 8))
        low.write(statement.operands[0], low.fit(low.emit.binary("or", moved, codes[1]), I16), statement)
    elif source in FLOAT8_PAIRS and to == "f16x2" and set(modifiers) in ({"rn"}, {"rn", "relu"}):
        pair = low.fit(low.read(statement.operands[1], I16, statement), I32)
        halves = [_widened(low, pair, part, source, "relu" in modifiers) for part in (0, 1)]
        low.write(statement.operands[0], floats.packed(low, *halves), statement)
    else:
        low.refuse(statement)


def _narrowed(low: Lowering, value: Value, form: _Format, clamps: bool) -> Value:
    """The code of a float32, to nearest and ties to even, as i32; what is too large becomes the largest number."""
    emit = low.emit
    whole = emit.cast("bitcast", value, I32)
    magnitude = emit.binary("and", whole, emit.constant(I32, 0x7FFFFFFF))
    cut = 23 - form.digits
    last = emit.binary("and", emit.binary("lshr", magnitude, emit.constant(I32, cut)), emit.constant(I32, 1))
    more = emit.binary("add", last, emit.constant(I32, (1 << cut - 1) - 1))
    rounded = emit.binary("lshr", emit.binary("add", magnitude, more), emit.constant(I32, cut))
    normal = emit.binary("sub", rounded, emit.constant(I32, (127 - form.bias) << form.digits))
    # below the least normal number every code is a multiple of the least number
    scale = 127 + form.bias - 1 + form.digits
    steps = emit.cast("bitcast", emit.constant(I32, scale << 23), F32)
    multiple = emit.binary("fmul", emit.cast("bitcast", magnitude, F32), steps)
    multiple = emit.call(F32, "llvm.roundeven.v32f32", multiple)
    subnormal = emit.call(I32, "llvm.fptoui.sat.v32i32.v32f32", multiple)
    is_subnormal = emit.compare("icmp ult", magnitude, emit.constant(I32, (128 - form.bias) << 23))
    code = emit.select(is_subnormal, subnormal, normal)
    code = emit.call(I32, "llvm.umin.v32i32", code, emit.constant(I32, form.largest))
    is_negative = emit.compare("icmp slt", whole, emit.constant(I32, 0))
    if clamps:
        code = emit.select(is_negative, emit.constant(I32, 0), code)
    else:
        sign = emit.binary("lshr", emit.binary("and", whole, emit.constant(I32, 0x80000000)), emit.constant(I32, 24))
        code = emit.binary("or", code, sign)
    nan = emit.compare("fcmp uno", value, value)
    return emit.select(nan, emit.constant(I32, _NAN), code)


def _widened(low: Lowering, pair: Value, part: int, kind: str, clamps: bool) -> Value:
    """The lower (0) or upper (1) number of a pair as half, exactly."""
    emit = low.emit
    code = emit.binary("and", emit.binary("lshr", pair, emit.constant(I32, 8 * part)), emit.constant(I32, 0xFF))
    if kind == "e5m2x2":  # the upper byte of a half
        whole = emit.cast("trunc", emit.binary("shl", code, emit.constant(I32, 8)), I16)
        half = floats.canonical(low, emit.cast("bitcast", whole, F16), "f16")
    else:  # its digits, behind an exponent with another bias
        digits = emit.binary("shl", emit.binary("and", code, emit.constant(I32, 0x7F)), emit.constant(I32, 7))
        scaled = emit.cast("bitcast", emit.cast("trunc", digits, I16), F16)
        scaled = emit.binary("fmul", scaled, emit.constant(F16, "0xH5C00"))  # 2^8
        sign = emit.binary("shl", emit.binary("and", code, emit.constant(I32, 0x80)), emit.constant(I32, 8))
        whole = emit.binary("or", emit.cast("bitcast", scaled, I16), emit.cast("trunc", sign, I16))
        is_nan = emit.compare("icmp eq", digits, emit.constant(I32, _NAN << 7))
        half = emit.cast("bitcast", emit.select(is_nan, emit.constant(I16, 0x7FFF), whole), F16)
    return floats.clamped_below(low, half, "f16") if clamps else half
