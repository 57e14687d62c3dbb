"""Conversions between types: PTX ISA, "cvt"."""

from __future__ import annotations

from gemmviz.machine.emitter import Value, bits_of, vector
from gemmviz.machine.lowering import float_formats as floats
from gemmviz.machine.lowering.context import I32, I64, Lowering
from gemmviz.machine.lowering.float8 import FLOAT8_PAIRS, convert_float8
from gemmviz.machine.lowering.float_formats import F32, F64, FLOATS
from gemmviz.machine.lowering.integers import is_signed
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.ptx.parse import Statement

_TO_INTEGER = {"rni": "roundeven", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
_MODIFIERS = frozenset({*_TO_INTEGER, *floats.ROUNDINGS, "rna", "ftz", "sat", "relu", "satfinite"})


@lowers("cvt")
def _convert(low: Lowering, statement: Statement) -> None:
    if statement.words[1:3] == ("pack", "sat") and "s32" in statement.words[4:]:
        _pack_integers(low, statement)
        return
    *modifiers, to, source = statement.words[1:]
    if not set(modifiers) <= _MODIFIERS:
        low.refuse(statement)
    if FLOAT8_PAIRS & {to, source}:
        convert_float8(low, statement, to, source, modifiers)
        return
    if to.endswith("x2"):
        _pack(low, statement, to, source, modifiers)
        return
    if to == "tf32":
        _to_tf32(low, statement, modifiers)
        return
    if not (to in FLOATS or to[0] in "us") or not (source in FLOATS or source[0] in "us"):
        low.refuse(statement)
    value = low.read(statement.operands[1], low.type_of(source, statement), statement)
    if "ftz" in modifiers and source == "f32":  # .ftz is about float32 only, and makes its NaN canonical
        value = floats.canonical(low, floats.flushed(low, value, source), source)
    if source in FLOATS:
        value = (
            _float_to_float(low, value, source, to, statement)
            if to in FLOATS
            else _float_to_integer(low, value, source, to, statement)
        )
    elif to in FLOATS:
        value = _integer_to_float(low, value, source, to, statement)
    else:
        value = _integer_to_integer(low, value, source, to, "sat" in modifiers)
    low.write(statement.operands[0], _padded(low, value, to, statement), statement)


def _padded(low: Lowering, value: Value, to: str, statement: Statement) -> Value:
    """A narrow result as wide as its register, with its sign where it has one."""
    found = statement.scope.register(statement.operands[0])
    if found is None or to in FLOATS or found.bits <= bits_of(value.type):
        return value
    return low.fit(value, vector(f"i{found.bits}"), is_signed(to))


def _integer_to_integer(low: Lowering, value: Value, source: str, to: str, saturates: bool) -> Value:
    type_ = vector(f"i{to[1:]}")
    if not saturates:
        return low.fit(value, type_, is_signed(source))
    wide = vector("i128")
    whole = low.emit.cast("sext" if is_signed(source) else "zext", value, wide)
    bits = int(to[1:])
    least = -(1 << bits - 1) if is_signed(to) else 0
    most = (1 << bits - 1) - 1 if is_signed(to) else (1 << bits) - 1
    for word, bound in (("slt", least), ("sgt", most)):
        limit = low.emit.constant(wide, bound)
        whole = low.emit.select(low.emit.compare(f"icmp {word}", whole, limit), limit, whole)
    return low.emit.cast("trunc", whole, type_)


def _integer_to_float(low: Lowering, value: Value, source: str, to: str, statement: Statement) -> Value:
    word = "sitofp" if is_signed(source) else "uitofp"
    rounding = floats.rounding_of(statement)
    emit = low.emit
    if to in {"f32", "f64"}:
        type_ = low.type_of(to, statement)
        if rounding == "rn":
            made = emit.cast(word, value, type_)
        else:
            made = _directed_from_integer(low, value, source, to, rounding, statement)
        return floats.saturated(low, made, to) if "sat" in statement.words else made
    if bits_of(value.type) == 64:  # beyond 53 bits to odd, so that the last rounding counts; the others are exact
        parts = emit.binary("and", value, emit.constant(I64, 0x7FF))
        odd = emit.binary("or", emit.binary("xor", value, parts), emit.constant(I64, 0x800))
        odd = emit.select(emit.compare("icmp ne", parts, emit.constant(I64, 0)), odd, value)
        magnitude = emit.call(I64, "llvm.abs.v32i64", value, Value("i1", "false")) if is_signed(source) else value
        value = emit.select(emit.compare("icmp ugt", magnitude, emit.constant(I64, 1 << 53)), odd, value)
    exact = emit.cast(word, value, F64)
    made = floats.narrowed(low, floats.odd_float(low, exact), to, rounding)
    return floats.saturated(low, made, to) if "sat" in statement.words else made


def _directed_from_integer(
    low: Lowering, value: Value, source: str, to: str, rounding: str, statement: Statement
) -> Value:
    """To nearest, then one step where that lies on the wrong side."""
    emit = low.emit
    word = "sitofp" if is_signed(source) else "uitofp"
    if bits_of(value.type) <= 32:
        exact = emit.cast(word, value, F64)
        if to == "f64":
            return exact
        return _directed(low, exact, rounding)
    type_ = low.type_of(to, statement)
    near = emit.cast(word, value, type_)
    signed = is_signed(source)
    sign = "s" if signed else "u"
    back = emit.call(I64, f"llvm.fpto{sign}i.sat.v32i64.v32f{bits_of(type_)}", near)
    first_beyond = "0x43E0000000000000" if signed else "0x43F0000000000000"  # 2^63 and 2^64
    beyond = emit.compare("fcmp oge", near, emit.constant(type_, first_beyond))
    above = emit.binary("or", beyond, emit.compare(f"icmp {sign}gt", back, value))
    below = emit.binary("and", low.invert(beyond), emit.compare(f"icmp {sign}lt", back, value))
    zero = emit.constant(I64, 0)
    positive = emit.compare("icmp sgt" if signed else "icmp ugt", value, zero)
    return _stepped(low, near, above, below, positive, rounding)


def _stepped(low: Lowering, near: Value, above: Value, below: Value, positive: Value, rounding: str) -> Value:
    """One step towards where the rounding wants a value that lies above or below the exact one."""
    emit = low.emit
    bits = vector(f"i{bits_of(near.type)}")
    whole = emit.cast("bitcast", near, bits)
    one = emit.constant(bits, 1)
    inwards, outwards = emit.binary("sub", whole, one), emit.binary("add", whole, one)
    down, up = emit.select(positive, inwards, outwards), emit.select(positive, outwards, inwards)
    negative = low.invert(positive)
    if rounding == "rm":
        chosen = emit.select(above, down, whole)
    elif rounding == "rp":
        chosen = emit.select(below, up, whole)
    else:
        chosen = emit.select(emit.binary("and", above, positive), down, whole)
        chosen = emit.select(emit.binary("and", below, negative), up, chosen)
    return emit.cast("bitcast", chosen, near.type)


def _directed(low: Lowering, value: Value, rounding: str) -> Value:
    """A float64 as float32 with a directed rounding."""
    emit = low.emit
    near = emit.cast("fptrunc", value, F32)
    back = emit.cast("fpext", near, F64)
    above, below = emit.compare("fcmp ogt", back, value), emit.compare("fcmp olt", back, value)
    sign = emit.compare("icmp sge", emit.cast("bitcast", value, I64), emit.constant(I64, 0))
    # a nearest value of 0 or infinity has its step in the bits as well, by the sign of the exact value
    zero = emit.compare("fcmp oeq", near, emit.constant(F32, "0.0"))
    magnitude = emit.call(F32, "llvm.fabs.v32f32", near)
    signed = emit.cast(
        "bitcast",
        emit.binary(
            "or",
            emit.cast("bitcast", magnitude, I32),
            emit.select(sign, emit.constant(I32, 0), emit.constant(I32, 0x80000000)),
        ),
        F32,
    )
    near = emit.select(zero, signed, near)
    return _stepped(low, near, above, below, sign, rounding)


def _float_to_integer(low: Lowering, value: Value, source: str, to: str, statement: Statement) -> Value:
    emit = low.emit
    word = next((one for one in statement.words if one in _TO_INTEGER), None)
    if word is None:
        low.refuse(statement)
    wide = floats.as_float(low, value, source)
    whole = emit.call(wide.type, f"llvm.{_TO_INTEGER[word]}.v32f{bits_of(wide.type)}", wide)
    type_ = vector(f"i{to[1:]}")
    name = f"llvm.fpto{'s' if is_signed(to) else 'u'}i.sat.v32i{to[1:]}.v32f{bits_of(wide.type)}"
    made = emit.call(type_, name, whole)
    if source == "f64" or to[1:] == "64":  # what is no number becomes the highest bit; 0 in the other cases
        nan = emit.compare("fcmp uno", wide, wide)
        made = emit.select(nan, emit.constant(type_, 1 << int(to[1:]) - 1), made)
    return made


def _float_to_float(low: Lowering, value: Value, source: str, to: str, statement: Statement) -> Value:
    emit = low.emit
    words = statement.words
    whole = next((one for one in words if one in _TO_INTEGER), None)
    rounding = floats.rounding_of(statement)
    wide = floats.as_float(low, value, source)
    if whole is not None:
        wide = emit.call(wide.type, f"llvm.{_TO_INTEGER[whole]}.v32f{bits_of(wide.type)}", wide)
        if source == to and to in {"f16", "bf16"}:
            return floats.narrowed(low, wide, to)
    if to == source:
        made = floats.canonical(low, wide if to in {"f32", "f64"} else value, to)
    elif to == "f64":
        made = emit.cast("fpext", wide, F64)
    elif to == "f32":
        if source != "f64":  # the bits of bfloat16 are the upper half of float32's, and stay
            made = wide if source == "bf16" else floats.canonical(low, wide, "f32")
        else:
            near = emit.cast("fptrunc", wide, F32) if rounding == "rn" else _directed(low, wide, rounding)
            made = _with_nan_of(low, near, wide, to)
    else:
        single = floats.odd_float(low, wide) if source == "f64" else wide
        made = floats.narrowed(low, single, to, rounding)
        made = _with_nan_of(low, made, wide, to) if source == "f64" else made
    if "ftz" in words and to == "f32":
        tiny = floats.is_tiny(low, wide, to, rounding) if source == "f64" else None
        made = floats.flushed(low, made, to, tiny)
    if "sat" in words:
        made = floats.saturated(low, made, to)
    if "relu" in words:
        made = floats.clamped_below(low, made, to)
    return made


def _with_nan_of(low: Lowering, value: Value, wide: Value, to: str) -> Value:
    """What a float64 was made, where it is NaN a quiet one with its sign and the first bits of its fraction."""
    emit, bits = low.emit, bits_of(value.type)
    fraction = {"f16": 10, "bf16": 7, "f32": 23}[to]
    type_ = vector(f"i{bits}")
    whole = emit.cast("bitcast", wide, I64)
    upper = emit.cast("trunc", emit.binary("lshr", whole, emit.constant(I64, 52 - fraction)), type_)
    sign = emit.cast("trunc", emit.binary("lshr", whole, emit.constant(I64, 64 - bits)), type_)
    sign = emit.binary("and", sign, emit.constant(type_, 1 << bits - 1))
    quiet = (1 << bits - 1) - (1 << fraction - 1)
    digits = emit.binary("and", upper, emit.constant(type_, (1 << fraction) - 1))
    nan = emit.binary("or", digits, emit.binary("or", sign, emit.constant(type_, quiet)))
    is_nan = emit.compare("fcmp uno", wide, wide)
    return emit.cast("bitcast", emit.select(is_nan, nan, emit.cast("bitcast", value, type_)), value.type)


def _pack(low: Lowering, statement: Statement, to: str, source: str, modifiers: list[str]) -> None:
    """Two float32 as a packed pair, the first operand in the upper half."""
    single = to.removesuffix("x2")
    if source != "f32" or single not in {"f16", "bf16"} or len(statement.operands) != 3 or "satfinite" in modifiers:
        low.refuse(statement)
    halves = []
    for operand in statement.operands[1:3]:
        value = floats.narrowed(low, low.read(operand, F32, statement), single, floats.rounding_of(statement))
        halves.append(floats.clamped_below(low, value, single) if "relu" in modifiers else value)
    low.write(statement.operands[0], floats.packed(low, halves[1], halves[0]), statement)


def _to_tf32(low: Lowering, statement: Statement, modifiers: list[str]) -> None:
    """A float32 whose last 13 bits are rounded away: to nearest, ties away from zero or to even."""
    emit = low.emit
    value = low.read(statement.operands[1], F32, statement)
    whole = emit.cast("bitcast", value, I32)
    if "rna" in modifiers:
        more = emit.constant(I32, 0x1000)
    elif "rn" in modifiers:
        last = emit.binary("and", emit.binary("lshr", whole, emit.constant(I32, 13)), emit.constant(I32, 1))
        more = emit.binary("add", last, emit.constant(I32, 0xFFF))
    elif "rz" in modifiers:
        more = emit.constant(I32, 0)
    else:
        low.refuse(statement)
    exponent = emit.constant(I32, 0x7F800000)
    last_bits = emit.constant(I32, 0xFFFFE000)

    def is_special(one: Value) -> Value:
        return emit.compare("icmp eq", emit.binary("and", one, exponent), exponent)

    rounded = emit.binary("and", emit.binary("add", whole, more), last_bits)
    rounded = emit.select(is_special(whole), emit.binary("and", whole, last_bits), rounded)
    if "satfinite" in modifiers:  # a NaN that .rna cut off loses as much as infinity does
        rounded = emit.select(is_special(rounded), emit.binary("sub", rounded, emit.constant(I32, 0x2000)), rounded)
    if "relu" in modifiers:
        negative = emit.compare("icmp slt", whole, emit.constant(I32, 0))
        rounded = emit.select(negative, emit.constant(I32, 0), rounded)
    if "rna" not in modifiers:
        nan = emit.compare("fcmp uno", value, value)
        rounded = emit.select(nan, emit.constant(I32, 0x7FFFE000), rounded)
    low.write(statement.operands[0], rounded, statement)


def _pack_integers(low: Lowering, statement: Statement) -> None:
    """Two integers cut off at the bounds of a narrow type, the second below the first, and both below the third."""
    to = statement.words[3]
    emit, bits = low.emit, int(to[1:])
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed(to) else (0, (1 << bits) - 1)
    value = emit.constant(I32, 0)
    if len(statement.operands) > 3:
        upper = low.read(statement.operands[3], I32, statement)
        value = emit.binary("shl", upper, emit.constant(I32, 2 * bits))
    for place, operand in enumerate(statement.operands[2:0:-1]):
        one = low.read(operand, I32, statement)
        for word, bound in (("slt", least), ("sgt", most)):
            limit = emit.constant(I32, bound)
            one = emit.select(emit.compare(f"icmp {word}", one, limit), limit, one)
        one = emit.binary("and", one, emit.constant(I32, (1 << bits) - 1))
        value = emit.binary("or", value, emit.binary("shl", one, emit.constant(I32, place * bits)))
    low.write(statement.operands[0], value, statement)


@lowers("mov")
def _move(low: Lowering, statement: Statement) -> None:
    """A value, or several registers as one and the reverse."""
    target, source = statement.operands
    kind = statement.words[-1]
    type_ = low.type_of(kind, statement)
    if target.startswith("{"):
        parts = _names(target)
        value = low.read(source, type_, statement)
        bits = bits_of(type_) // len(parts)
        for place, part in enumerate(parts):
            moved = low.emit.binary("lshr", value, low.emit.constant(value.type, bits * place))
            low.write(part, low.emit.cast("trunc", moved, vector(f"i{bits}")), statement)
        return
    if source.startswith("{"):
        parts = _names(source)
        bits = bits_of(type_) // len(parts)
        whole = low.emit.constant(type_, 0)
        for place, part in enumerate(parts):
            piece = low.fit(low.read(part, vector(f"i{bits}"), statement), type_)
            whole = low.emit.binary("or", whole, low.emit.binary("shl", piece, low.emit.constant(type_, bits * place)))
        low.write(target, whole, statement)
        return
    low.write(target, low.read(source, type_, statement), statement)


def _names(words: str) -> list[str]:
    return [one.strip() for one in words.strip("{} ").split(",")]
