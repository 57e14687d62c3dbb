"""Floating-point instructions, bit for bit: PTX ISA, "Floating Point" and "Half Precision Floating Point".

Narrow formats are computed in double precision, rounded to odd on the way, so that the last rounding is the only one
that counts: Boldo and Melquiond, "When double rounding is odd", 2005. Approximate functions are computed correctly
rounded or nearly so, well within the bounds that the PTX ISA gives for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gemmviz.machine.emitter import Value, bits_of, element_of, vector
from gemmviz.machine.lowering import integers
from gemmviz.machine.lowering.context import I32, I64, Lowering
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.ptx.parse import Statement

I16, F16, F32, F64 = vector("i16"), vector("half"), vector("float"), vector("double")
FLOATS = frozenset({"f16", "f16x2", "bf16", "bf16x2", "f32", "f64"})
_NAN = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF}
"""What a GPU gives for every result that is no number."""
ROUNDINGS = {"rz": 0, "rn": 1, "rp": 2, "rm": 3}
"""By the numbers of `llvm.set.rounding`."""

Operation = Callable[[Lowering, Sequence[Value], str, Statement], Value]


def is_float(statement: Statement) -> bool:
    """Whether a statement computes with floating-point numbers."""
    return statement.words[-1] in FLOATS


def elementwise(low: Lowering, statement: Statement, operation: Operation, count: int) -> None:
    """Apply an operation to operands 1 to `count`, in both halves where the type is packed."""
    kind = statement.words[-1]
    single = kind.removesuffix("x2")
    if kind == single:
        given = [low.read(one, low.type_of(kind, statement), statement) for one in statement.operands[1 : count + 1]]
        low.write(statement.operands[0], _modified(low, operation, given, single, statement), statement)
        return
    words = [low.read(one, I32, statement) for one in statement.operands[1 : count + 1]]
    halves = []
    for part in range(2):
        pieces = [half_of(low, word, part, single) for word in words]
        halves.append(_modified(low, operation, pieces, single, statement))
    low.write(statement.operands[0], packed(low, *halves), statement)


def half_of(low: Lowering, word: Value, part: int, kind: str) -> Value:
    """The lower (0) or upper (1) half of a packed pair."""
    moved = low.emit.binary("lshr", word, low.emit.constant(I32, 16 * part)) if part else word
    narrow = low.emit.cast("trunc", moved, I16)
    return low.emit.cast("bitcast", narrow, F16) if kind == "f16" else narrow


def packed(low: Lowering, lower: Value, upper: Value) -> Value:
    """Two 16-bit values as one of 32 bits."""
    upper = low.emit.binary("shl", low.fit(upper, I32), low.emit.constant(I32, 16))
    return low.emit.binary("or", low.fit(lower, I32), upper)


def _modified(low: Lowering, operation: Operation, given: Sequence[Value], kind: str, statement: Statement) -> Value:
    """An operation with the statement's .ftz, .sat and .relu."""
    words = statement.words
    if "ftz" in words:
        given = [flushed(low, one, kind) for one in given]
    value = operation(low, given, kind, statement)
    if "ftz" in words:
        value = flushed(low, value, kind)
    if "sat" in words:
        value = saturated(low, value, kind)
    if "relu" in words:
        value = clamped_below(low, value, kind)
    return value


def flushed(low: Lowering, value: Value, kind: str) -> Value:
    """Subnormal numbers as zeros of their sign."""
    fields = {"f16": (16, 0x7C00), "bf16": (16, 0x7F80), "f32": (32, 0x7F800000)}
    if kind not in fields:
        return value
    bits, exponent = fields[kind]
    emit, type_ = low.emit, vector(f"i{bits}")
    whole = emit.cast("bitcast", value, type_)
    tiny = emit.compare("icmp eq", emit.binary("and", whole, emit.constant(type_, exponent)), emit.constant(type_, 0))
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
    """The value, with the NaN that a GPU gives in the place of any other; float64 keeps its own."""
    if kind not in _NAN:
        return value
    emit = low.emit
    if is_nan is None:
        wide = as_float(low, value, kind)
        is_nan = emit.compare("fcmp uno", wide, wide)
    bits = vector(f"i{bits_of(value.type)}")
    chosen = emit.select(is_nan, emit.constant(bits, _NAN[kind]), emit.cast("bitcast", value, bits))
    return emit.cast("bitcast", chosen, value.type)


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


def odd_sum(low: Lowering, a: Value, b: Value) -> Value:
    """The sum of two float64, rounded to odd."""
    emit = low.emit
    total = emit.binary("fadd", a, b)
    part = emit.binary("fsub", total, a)
    error = emit.binary("fadd", emit.binary("fsub", a, emit.binary("fsub", total, part)), emit.binary("fsub", b, part))
    inexact = emit.compare("fcmp one", error, emit.constant(F64, "0.0"))
    same_sign = emit.compare(
        "icmp sge", emit.binary("xor", emit.cast("bitcast", error, I64), emit.cast("bitcast", total, I64)),
        emit.constant(I64, 0),
    )  # fmt: skip
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
    """A float32 in a 16-bit format, rounded to nearest or towards zero."""
    emit = low.emit
    if kind == "f16" and rounding == "rn":
        return canonical(low, emit.cast("fptrunc", value, F16), "f16")
    whole = emit.cast("bitcast", value, I32)
    nan = emit.compare("fcmp uno", value, value)
    if kind == "bf16":
        upper = emit.binary("lshr", whole, emit.constant(I32, 16))
        if rounding == "rn":
            more = emit.binary("and", upper, emit.constant(I32, 1))
            more = emit.binary("add", more, emit.constant(I32, 0x7FFF))
            upper = emit.binary("lshr", emit.binary("add", whole, more), emit.constant(I32, 16))
        return canonical(low, emit.cast("trunc", upper, I16), "bf16", nan)
    # towards zero: to nearest, then back where that went too far
    near = emit.cast("fptrunc", value, F16)
    back = emit.cast("fpext", near, F32)
    beyond = emit.compare(
        "fcmp ogt", emit.call(F32, "llvm.fabs.v32f32", back), emit.call(F32, "llvm.fabs.v32f32", value)
    )
    bits = emit.cast("bitcast", near, I16)
    bits = emit.select(beyond, emit.binary("sub", bits, emit.constant(I16, 1)), bits)
    return canonical(low, emit.cast("bitcast", bits, F16), "f16", nan)


# Arithmetic


def _arithmetic(name: str) -> Operation:
    def operation(low: Lowering, given: Sequence[Value], kind: str, statement: Statement) -> Value:
        rounding = rounding_of(statement)
        if kind in {"f32", "f64"}:
            return canonical(low, rounded_call(low, name, given, rounding), kind)
        if rounding != "rn":
            low.refuse(statement)
        a, b, *rest = (as_double(low, one, kind) for one in given)
        if name == "fma" or name == "fmul":
            value = low.emit.binary("fmul", a, b)
            value = odd_sum(low, value, rest[0]) if rest else value
        else:
            b = b if name == "fadd" else low.emit.op(F64, f"fneg {b}")
            value = odd_sum(low, a, b)
        return narrowed(low, odd_float(low, value), kind)

    return operation


def _both(integer: Callable[[Lowering, Statement], None], operation: Operation, count: int) -> Callable[
    [Lowering, Statement], None
]:  # fmt: skip
    def lower(low: Lowering, statement: Statement) -> None:
        if is_float(statement):
            elementwise(low, statement, operation, count)
        else:
            integer(low, statement)

    return lower


lowers("add")(_both(integers.add_sub, _arithmetic("fadd"), 2))
lowers("sub")(_both(integers.add_sub, _arithmetic("fsub"), 2))
lowers("mul")(_both(integers.multiply, _arithmetic("fmul"), 2))
lowers("mad")(_both(integers.multiply_add, _arithmetic("fma"), 3))


@lowers("fma")
def _fused(low: Lowering, statement: Statement) -> None:
    elementwise(low, statement, _arithmetic("fma"), 3)


def _quotient(low: Lowering, given: Sequence[Value], kind: str, statement: Statement) -> Value:
    if kind not in {"f32", "f64"}:
        low.refuse(statement)
    return canonical(low, rounded_call(low, "fdiv", given, rounding_of(statement)), kind)


lowers("div")(_both(integers.divide, _quotient, 2))
lowers("rem")(integers.divide)


@lowers("rcp")
def _reciprocal(low: Lowering, statement: Statement) -> None:
    def operation(low: Lowering, given: Sequence[Value], kind: str, statement: Statement) -> Value:
        one = low.emit.constant(given[0].type, "1.0")
        return canonical(low, rounded_call(low, "fdiv", [one, given[0]], rounding_of(statement)), kind)

    elementwise(low, statement, operation, 1)


@lowers("sqrt")
def _root(low: Lowering, statement: Statement) -> None:
    def operation(low: Lowering, given: Sequence[Value], kind: str, statement: Statement) -> Value:
        return canonical(low, rounded_call(low, "sqrt", given, rounding_of(statement)), kind)

    elementwise(low, statement, operation, 1)


def _by_double(function: Callable[[Lowering, Value], Value]) -> Operation:
    """An approximate function of float32 or narrower, computed in float64."""

    def operation(low: Lowering, given: Sequence[Value], kind: str, _statement: Statement) -> Value:
        value = function(low, as_double(low, given[0], kind))
        if kind == "f64":
            return value
        single = low.emit.cast("fptrunc", value, F32)
        return canonical(low, single if kind == "f32" else narrowed(low, single, kind), kind)

    return operation


def _library(name: str) -> Callable[[Lowering, Value], Value]:
    return lambda low, value: low.emit.call(F64, f"llvm.{name}.v32f64", value)


def _inverse_root(low: Lowering, value: Value) -> Value:
    root = low.emit.call(F64, "llvm.sqrt.v32f64", value)
    return low.emit.binary("fdiv", low.emit.constant(F64, "1.0"), root)


_APPROXIMATE = {
    "rsqrt": _inverse_root, "sin": _library("sin"), "cos": _library("cos"), "lg2": _library("log2"),
    "ex2": _library("exp2"), "tanh": _library("tanh"),
}  # fmt: skip


@lowers(*_APPROXIMATE)
def _approximate(low: Lowering, statement: Statement) -> None:
    elementwise(low, statement, _by_double(_APPROXIMATE[statement.words[0]]), 1)


def _extreme(word: str) -> Operation:
    def operation(low: Lowering, given: Sequence[Value], kind: str, statement: Statement) -> Value:
        if "xorsign" in statement.words or len(statement.operands) > 3:
            low.refuse(statement)
        emit = low.emit
        wide_a, wide_b = (as_float(low, one, kind) for one in given)
        bits = vector(f"i{bits_of(given[0].type)}")
        whole_a, whole_b = (emit.cast("bitcast", one, bits) for one in given)
        if "abs" in statement.words:
            low.refuse(statement)
        order = emit.compare("fcmp olt" if word == "min" else "fcmp ogt", wide_a, wide_b)
        value = emit.select(order, whole_a, whole_b)
        equal = emit.compare("fcmp oeq", wide_a, wide_b)  # -0 is less than 0
        value = emit.select(equal, emit.binary("or" if word == "min" else "and", whole_a, whole_b), value)
        nan_a, nan_b = (emit.compare("fcmp uno", one, one) for one in (wide_a, wide_b))
        value = emit.select(nan_b, whole_a, emit.select(nan_a, whole_b, value))
        nan = emit.binary("or" if "NaN" in statement.words else "and", nan_a, nan_b)
        return canonical(low, emit.cast("bitcast", value, given[0].type), kind, nan)

    return operation


lowers("min")(_both(integers.least_greatest, _extreme("min"), 2))
lowers("max")(_both(integers.least_greatest, _extreme("max"), 2))


def _sign(word: str) -> Operation:
    def operation(low: Lowering, given: Sequence[Value], _kind: str, _statement: Statement) -> Value:
        bits = bits_of(given[0].type)
        type_, high = vector(f"i{bits}"), 1 << bits - 1
        whole = low.emit.cast("bitcast", given[0], type_)
        if word == "neg":
            whole = low.emit.binary("xor", whole, low.emit.constant(type_, high))
        else:
            whole = low.emit.binary("and", whole, low.emit.constant(type_, high - 1))
        return low.emit.cast("bitcast", whole, given[0].type)

    return operation


lowers("neg")(_both(integers.negate, _sign("neg"), 1))
lowers("abs")(_both(integers.negate, _sign("abs"), 1))


@lowers("copysign")
def _copy_sign(low: Lowering, statement: Statement) -> None:
    kind = statement.words[-1]
    bits = {"f32": 32, "f64": 64}[kind]
    type_ = vector(f"i{bits}")
    sign, magnitude = (low.read(one, type_, statement) for one in statement.operands[1:3])
    emit = low.emit
    high = 1 << bits - 1
    value = emit.binary("or", emit.binary("and", sign, emit.constant(type_, high)),
                        emit.binary("and", magnitude, emit.constant(type_, high - 1)))  # fmt: skip
    low.write(statement.operands[0], value, statement)


@lowers("testp")
def _test(low: Lowering, statement: Statement) -> None:
    property_, kind = statement.words[1], statement.words[-1]
    classes = {"finite": 0x1F8, "infinite": 0x204, "number": 0x3FC, "notanumber": 0x3, "normal": 0x108,
               "subnormal": 0x90}  # fmt: skip
    value = low.read(statement.operands[1], low.type_of(kind, statement), statement)
    wanted = Value("i32", str(classes[property_]))
    found = low.emit.call(vector("i1"), f"llvm.is.fpclass.v32f{bits_of(value.type)}", value, wanted)
    low.write(statement.operands[0], found, statement)
