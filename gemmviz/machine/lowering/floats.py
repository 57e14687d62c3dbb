"""Floating-point instructions, bit for bit: PTX ISA, "Floating Point" and "Half Precision Floating Point".

Approximate functions are computed correctly rounded or nearly so, well within the bounds that the PTX ISA gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gemmviz.machine.emitter import Value, bits_of, vector
from gemmviz.machine.lowering import integers
from gemmviz.machine.lowering.context import I32, Lowering
from gemmviz.machine.lowering.float_formats import (
    F32,
    F64,
    FLOATS,
    as_double,
    as_float,
    canonical,
    clamped_below,
    flushed,
    half_of,
    narrowed,
    odd_float,
    odd_sum,
    packed,
    rounded_call,
    rounding_of,
    saturated,
)
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.ptx.parse import Statement

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
    if "approx" in statement.words:  # a times 1 / b, which is 0 for what is larger than 2^126
        a, b = given
        bits = low.emit.cast("bitcast", b, I32)
        sign = low.emit.binary("and", bits, low.emit.constant(I32, 0x80000000))
        infinity = low.emit.binary("or", sign, low.emit.constant(I32, 0x7F800000))
        magnitude = low.emit.binary("xor", bits, sign)
        is_number = low.emit.compare("icmp ult", magnitude, low.emit.constant(I32, 0x7F800000))
        is_large = low.emit.compare("icmp ugt", magnitude, low.emit.constant(I32, 0x7E800000))
        chosen = low.emit.select(low.emit.binary("and", is_large, is_number), infinity, bits)
        given = [a, low.emit.cast("bitcast", chosen, F32)]
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


def extreme(word: str) -> Operation:
    """`min` or `max` of two numbers."""

    def operation(low: Lowering, given: Sequence[Value], kind: str, statement: Statement) -> Value:
        if len(statement.operands) > 3:
            low.refuse(statement)
        emit = low.emit
        bits = bits_of(given[0].type)
        type_, high = vector(f"i{bits}"), 1 << bits - 1
        sign = None
        if "xorsign" in statement.words:  # of the numbers without their signs; the product's sign is put on the result
            whole_a, whole_b = (emit.cast("bitcast", one, type_) for one in given)
            sign = emit.binary("and", emit.binary("xor", whole_a, whole_b), emit.constant(type_, high))
            given = [_sign("abs")(low, [one], kind, statement) for one in given]
        wide_a, wide_b = (as_float(low, one, kind) for one in given)
        whole_a, whole_b = (emit.cast("bitcast", one, type_) for one in given)
        order = emit.compare("fcmp olt" if word == "min" else "fcmp ogt", wide_a, wide_b)
        value = emit.select(order, whole_a, whole_b)
        equal = emit.compare("fcmp oeq", wide_a, wide_b)  # -0 is less than 0
        value = emit.select(equal, emit.binary("or" if word == "min" else "and", whole_a, whole_b), value)
        nan_a, nan_b = (emit.compare("fcmp uno", one, one) for one in (wide_a, wide_b))
        value = emit.select(nan_b, whole_a, emit.select(nan_a, whole_b, value))
        if sign is not None:
            value = emit.binary("or", value, sign)
        nan = emit.binary("or" if "NaN" in statement.words else "and", nan_a, nan_b)
        return canonical(low, emit.cast("bitcast", value, given[0].type), kind, nan)

    return operation


lowers("min")(_both(integers.least_greatest, extreme("min"), 2))
lowers("max")(_both(integers.least_greatest, extreme("max"), 2))


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
