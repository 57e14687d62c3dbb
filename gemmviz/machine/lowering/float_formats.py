"""Floating-point formats as vectors: widening, rounding, flushing, and the NaN that a GPU gives.

Narrow formats are computed in double precision, rounded to odd on the way, so that the last rounding is the only one
that counts: Boldo and Melquiond, "When double rounding is odd", 2005.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gemmviz.machine.emitter import Value, bits_of, element_of, vector
from gemmviz.machine.lowering.context import I32, I64, Lowering
from gemmviz.machine.ptx.parse import Statement

I16, F16, F32, F64 = vector("i16"), vector("half"), vector("float"), vector("double")
FLOATS = frozenset({"f16", "f16x2", "bf16", "bf16x2", "f32", "f64"})
_NAN = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF}
"""What a GPU gives for every result that is no number."""
ROUNDINGS = {"rz": 0, "rn": 1, "rp": 2, "rm": 3}
"""By the numbers of `llvm.set.rounding`."""


def half_of(low: Lowering, word: Value, part: int, kind: str) -> Value:
    """The lower (0) or upper (1) half of a packed pair."""
    moved = low.emit.binary("lshr", word, low.emit.constant(I32, 16 * part)) if part else word
    narrow = low.emit.cast("trunc", moved, I16)
    return low.emit.cast("bitcast", narrow, F16) if kind == "f16" else narrow


def packed(low: Lowering, lower: Value, upper: Value) -> Value:
    """Two 16-bit values as one of 32 bits."""
    upper = low.emit.binary("shl", low.fit(upper, I32), low.emit.constant(I32, 16))
    return low.emit.binary("or", low.fit(lower, I32), upper)


def flushed(low: Lowering, value: Value, kind: str, tiny_too: Value | None = None) -> Value:
    """Subnormal numbers as zeros of their sign, and those of a mask."""
    fields = {"f16": (16, 0x7C00), "bf16": (16, 0x7F80), "f32": (32, 0x7F800000), "f64": (64, 0x7FF << 52)}
    if kind not in fields:
        return value
    bits, exponent = fields[kind]
    emit, type_ = low.emit, vector(f"i{bits}")
    whole = emit.cast("bitcast", value, type_)
    tiny = emit.compare("icmp eq", emit.binary("and", whole, emit.constant(type_, exponent)), emit.constant(type_, 0))
    tiny = tiny if tiny_too is None else emit.binary("or", tiny, tiny_too)
    sign = emit.binary("and", whole, emit.constant(type_, 1 << bits - 1))
    return emit.cast("bitcast", emit.select(tiny, sign, whole), value.type)


def as_float(low: Lowering, value: Value, kind: str) -> Value:
    """A narrow number as float32, exactly."""
    if kind == "f16":
        return low.emit.cast("fpext", low.emit.cast("bitcast", value, F16), F32)
    if kind == "bf16":
        return low.emit.cast("bitcast", low.emit.binary("shl", low.fit(value, I32), low.emit.constant(I32, 16)), F32)
    return value


def as_double(low: Lowering, value: Value, kind: str) -> Value:
    """A number as float64, exactly."""
    return value if kind == "f64" else low.emit.cast("fpext", as_float(low, value, kind), F64)


def saturated(low: Lowering, value: Value, kind: str) -> Value:
    """Within 0 and 1; what is no number becomes 0."""
    emit = low.emit
    wide = as_float(low, value, kind)
    zero, one = (emit.constant(wide.type, words) for words in ("0.0", "1.0"))
    above = emit.compare("fcmp ogt", wide, zero)
    beyond = emit.compare("fcmp ogt", wide, one)
    bits = vector(f"i{bits_of(value.type)}")
    whole = emit.cast("bitcast", value, bits)
    ones = {"f16": 0x3C00, "bf16": 0x3F80, "f32": 0x3F800000, "f64": 0x3FF0000000000000}[kind]
    chosen = emit.select(above, emit.select(beyond, emit.constant(bits, ones), whole), emit.constant(bits, 0))
    return emit.cast("bitcast", chosen, value.type)


def clamped_below(low: Lowering, value: Value, kind: str) -> Value:
    """Negative numbers as 0; what is no number becomes the canonical NaN."""
    emit = low.emit
    bits = vector(f"i{bits_of(value.type)}")
    whole = emit.cast("bitcast", value, bits)
    negative = emit.compare("icmp slt", whole, emit.constant(bits, 0))
    clamped = emit.cast("bitcast", emit.select(negative, emit.constant(bits, 0), whole), value.type)
    return canonical(
        low, clamped, kind, emit.compare("fcmp uno", as_float(low, value, kind), as_float(low, value, kind))
    )


def canonical(low: Lowering, value: Value, kind: str, is_nan: Value | None = None) -> Value:
    """The value, with the NaN that a GPU gives in the place of any other; float64 is left as it is."""
    if kind not in _NAN:
        return value
    emit = low.emit
    if is_nan is None:
        wide = as_float(low, value, kind)
        is_nan = emit.compare("fcmp uno", wide, wide)
    bits = vector(f"i{bits_of(value.type)}")
    chosen = emit.select(is_nan, emit.constant(bits, _NAN[kind]), emit.cast("bitcast", value, bits))
    return emit.cast("bitcast", chosen, value.type)


def quieted(low: Lowering, value: Value, given: Sequence[Value]) -> Value:
    """A result in float64. Where operands are NaN it is the first of them, quiet; any other NaN has the sign set."""
    emit, quiet = low.emit, low.emit.constant(I64, 1 << 51)
    whole = emit.cast("bitcast", value, I64)
    whole = emit.select(emit.compare("fcmp uno", value, value), emit.constant(I64, 0xFFF8 << 48), whole)
    for one in reversed(given):
        nan = emit.compare("fcmp uno", one, one)
        whole = emit.select(nan, emit.binary("or", emit.cast("bitcast", one, I64), quiet), whole)
    return emit.cast("bitcast", whole, F64)


def quieted_result(low: Lowering, value: Value, given: Sequence[Value]) -> Value:
    """`quieted` for a result that is NaN wherever an operand is; it takes next to no time where no lane has one."""
    emit = low.emit
    nans = emit.bits(emit.compare("fcmp uno", value, value))
    before = emit.block
    with emit.when(emit.compare("icmp ne", nans, Value("i32", "0")), likely=False):
        made, inside = quieted(low, value, given), emit.block
    return emit.phi(F64, (value, before), (made, inside))


# Rounding


def rounding_of(statement: Statement) -> str:
    """The rounding of an arithmetic instruction: to nearest where it names none."""
    return next((word for word in statement.words if word in ROUNDINGS), "rn")


def rounded_call(low: Lowering, name: str, given: Sequence[Value], rounding: str) -> Value:
    """`fadd`, `fsub`, `fmul`, `fdiv`, `fma` or `sqrt` with a rounding, in the numbers' own type."""
    emit, type_ = low.emit, given[0].type
    suffix = f"v32f{bits_of(type_)}"
    if rounding == "rn":
        if name in {"fma", "sqrt"}:
            return emit.call(type_, f"llvm.{name}.{suffix}", *given)
        return emit.binary(name, *given)
    helper = f"{name}_{rounding}_{element_of(type_)}"
    if helper not in emit.defined:
        intrinsic = f"llvm.experimental.constrained.{name}.{suffix}"
        arguments = ", ".join(f"{type_} %a{number}" for number in range(len(given)))
        kinds = ", ".join([type_] * len(given))
        emit.declared["llvm.set.rounding"] = "declare void @llvm.set.rounding(i32)"
        emit.declared[intrinsic] = f"declare {type_} @{intrinsic}({kinds}, metadata, metadata)"
        emit.defined[helper] = (
            f"define internal {type_} @{helper}({arguments}) noinline strictfp {{\n"
            f"  call void @llvm.set.rounding(i32 {ROUNDINGS[rounding]}) strictfp\n"
            f"  %r = call {type_} @{intrinsic}({arguments}, "
            'metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp\n'
            "  call void @llvm.set.rounding(i32 1) strictfp\n"
            f"  ret {type_} %r\n}}"
        )
    return emit.call(type_, helper, *given)


_TINY = {"f16": (2.0**-14, 11), "f32": (2.0**-126, 24)}
"""By kind of number: the least normal one, and its digits."""


def is_tiny(low: Lowering, exact: Value, kind: str, rounding: str, scale: Value | None = None) -> Value:
    """Where .ftz flushes a result: what a rounding to the digits of normal numbers leaves below the least of them.

    Subnormal numbers have fewer digits, so that some of these results would be rounded up to the least normal number.
    `exact` is a float64 or float32 that is exact or rounded to odd, and `scale` a positive divisor of it.
    """
    emit = low.emit
    least, digits = _TINY[kind]
    part = {"rn": 2.0 ** -(digits + 1), "rz": 0.0}.get(rounding, 2.0**-digits)
    limit = emit.constant(exact.type, f"0x{np.float64(least * (1 - part)).view(np.uint64):016X}")
    limit = limit if scale is None else emit.binary("fmul", scale, limit)
    magnitude = emit.call(exact.type, f"llvm.fabs.v32f{bits_of(exact.type)}", exact)
    return emit.compare("fcmp ole" if rounding in {"rm", "rp"} else "fcmp olt", magnitude, limit)


def odd_sum(low: Lowering, a: Value, b: Value) -> Value:
    """The sum of two float64, rounded to odd."""
    emit = low.emit
    total = emit.binary("fadd", a, b)
    part = emit.binary("fsub", total, a)
    error = emit.binary("fadd", emit.binary("fsub", a, emit.binary("fsub", total, part)), emit.binary("fsub", b, part))
    inexact = emit.compare("fcmp one", error, emit.constant(F64, "0.0"))
    same_sign = emit.compare(
        "icmp sge",
        emit.binary("xor", emit.cast("bitcast", error, I64), emit.cast("bitcast", total, I64)),
        emit.constant(I64, 0),
    )
    return _odd(low, total, inexact, same_sign)


def _odd(low: Lowering, value: Value, inexact: Value, magnitude_is_larger: Value) -> Value:
    """The neighbour with an odd last bit, towards the exact value, where a value is inexact and even."""
    emit = low.emit
    type_ = vector(f"i{bits_of(value.type)}")
    whole = emit.cast("bitcast", value, type_)
    one = emit.constant(type_, 1)
    even = emit.compare("icmp eq", emit.binary("and", whole, one), emit.constant(type_, 0))
    moved = emit.select(magnitude_is_larger, emit.binary("add", whole, one), emit.binary("sub", whole, one))
    chosen = emit.select(emit.binary("and", inexact, even), moved, whole)
    return emit.cast("bitcast", chosen, value.type)


def odd_float(low: Lowering, value: Value) -> Value:
    """A float64 as float32, rounded to odd."""
    emit = low.emit
    narrow = emit.cast("fptrunc", value, F32)
    back = emit.cast("fpext", narrow, F64)
    inexact = emit.compare("fcmp one", back, value)
    larger = emit.compare(
        "fcmp olt", emit.call(F64, "llvm.fabs.v32f64", back), emit.call(F64, "llvm.fabs.v32f64", value)
    )
    return _odd(low, narrow, inexact, larger)


def narrowed(low: Lowering, value: Value, kind: str, rounding: str = "rn") -> Value:
    """A float32 in a 16-bit format."""
    emit = low.emit
    if kind == "f16" and rounding == "rn":
        return canonical(low, emit.cast("fptrunc", value, F16), "f16")
    whole = emit.cast("bitcast", value, I32)
    nan = emit.compare("fcmp uno", value, value)
    type_, one = F16 if kind == "f16" else I16, emit.constant(I16, 1)
    if kind == "bf16":
        upper = emit.binary("lshr", whole, emit.constant(I32, 16))
        if rounding == "rn":
            more = emit.binary("and", upper, emit.constant(I32, 1))
            more = emit.binary("add", more, emit.constant(I32, 0x7FFF))
            upper = emit.binary("lshr", emit.binary("add", whole, more), emit.constant(I32, 16))
        bits = emit.cast("trunc", upper, I16)
        lost = emit.compare("icmp ne", emit.binary("and", whole, emit.constant(I32, 0xFFFF)), emit.constant(I32, 0))
    else:  # towards zero: to nearest, then back where that went too far
        magnitude = emit.call(F32, "llvm.fabs.v32f32", value)
        near = emit.cast("fptrunc", value, F16)
        back = emit.call(F32, "llvm.fabs.v32f32", emit.cast("fpext", near, F32))
        bits = emit.cast("bitcast", near, I16)
        bits = emit.select(emit.compare("fcmp ogt", back, magnitude), emit.binary("sub", bits, one), bits)
        back = emit.call(F32, "llvm.fabs.v32f32", emit.cast("fpext", emit.cast("bitcast", bits, F16), F32))
        lost = emit.compare("fcmp olt", back, magnitude)
    if rounding in {"rm", "rp"}:  # away from zero on one side of it
        side = emit.compare("icmp slt" if rounding == "rm" else "icmp sge", whole, emit.constant(I32, 0))
        bits = emit.select(emit.binary("and", lost, side), emit.binary("add", bits, one), bits)
    return canonical(low, emit.cast("bitcast", bits, type_), kind, nan)
