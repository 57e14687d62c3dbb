"""Floating-point instructions, bit for bit: PTX ISA, "Floating Point" and "Half Precision Floating Point".

Approximate functions are computed correctly rounded or nearly so, well within the bounds that the PTX ISA gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from gemmviz.machine.emitter import WIDE_VECTORS, Emitter, Value, bits_of, vector
from gemmviz.machine.lowering import integers
from gemmviz.machine.lowering.context import I32, I64, Lowering
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
    is_tiny,
    narrowed,
    odd_float,
    odd_sum,
    packed,
    quieted,
    quieted_result,
    rounded_call,
    rounding_of,
    saturated,
)
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.ptx.parse import Statement

Operation = Callable[[Lowering, Sequence[Value], str, Statement], Value]
_LONG = frozenset({"add", "sub", "mul", "mad", "fma", "div", "rcp", "sqrt"})
"""Operations on float64, which keep NaN, and on float32 with .ftz, which take more instructions than the CPU's one."""


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
    """An operation with the statement's .ftz, .sat and .relu. Long ones are a function, so that LLVM has less to do."""
    is_long = kind == "f64" or (kind == "f32" and "ftz" in statement.words)
    if not is_long or statement.words[0] not in _LONG:
        return _inline(low, operation, given, kind, statement)
    name = "_".join(statement.words)
    if name not in low.emit.defined:
        arguments = [Value(one.type, f"%a{number}") for number, one in enumerate(given)]
        emit = Emitter(f"internal {given[0].type} @{name}", ", ".join(map(str, arguments)), f"noinline {WIDE_VECTORS}")
        emit.label("entry")
        emit.do(f"ret {_inline(replace(low, emit=emit), operation, arguments, kind, statement)}")
        low.emit.declared |= emit.declared
        low.emit.defined |= emit.defined
        low.emit.defined[name] = emit.text()
    return low.emit.call(given[0].type, name, *given)


def _inline(low: Lowering, operation: Operation, given: Sequence[Value], kind: str, statement: Statement) -> Value:
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
            value = rounded_call(low, name, given, rounding)
            if kind == "f32" and "ftz" in statement.words and name in {"fmul", "fma"}:
                value = _without_tiny(low, value, name, given, rounding)
            return quieted_result(low, value, [*given[1:], given[0]]) if kind == "f64" else canonical(low, value, kind)
        if rounding != "rn":
            low.refuse(statement)
        a, b, *rest = (as_double(low, one, kind) for one in given)
        if name == "fma" or name == "fmul":
            value = low.emit.binary("fmul", a, b)
            value = odd_sum(low, value, rest[0]) if rest else value
        else:
            b = b if name == "fadd" else low.emit.op(F64, f"fneg {b}")
            value = odd_sum(low, a, b)
        odd = odd_float(low, value)
        made = narrowed(low, odd, kind)
        return flushed(low, made, kind, is_tiny(low, odd, kind, rounding)) if "ftz" in statement.words else made

    return operation


def _without_tiny(low: Lowering, value: Value, name: str, given: Sequence[Value], rounding: str) -> Value:
    """A float32 result, 0 where `is_tiny` says so. Only the least normal number is in doubt; few results are that."""
    emit = low.emit
    magnitude = emit.binary("and", emit.cast("bitcast", value, I32), emit.constant(I32, 0x7FFFFFFF))
    doubtful = emit.compare("icmp eq", magnitude, emit.constant(I32, 0x00800000))
    before = emit.block
    with emit.when(emit.compare("icmp ne", emit.bits(doubtful), Value("i32", "0")), likely=False):
        exact, b, *rest = (as_double(low, one, "f32") for one in given)
        scale = None
        if name == "fdiv":
            scale = emit.call(F64, "llvm.fabs.v32f64", b)
        else:
            exact = emit.binary("fmul", exact, b)
            exact = odd_sum(low, exact, rest[0]) if rest else exact
        tiny = emit.binary("and", doubtful, is_tiny(low, exact, "f32", rounding, scale))
        certain, inside = flushed(low, value, "f32", tiny), emit.block
    return emit.phi(F32, (value, before), (certain, inside))


def _both(
    integer: Callable[[Lowering, Statement], None], operation: Operation, count: int
) -> Callable[[Lowering, Statement], None]:
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
    rounding = rounding_of(statement)
    value = rounded_call(low, "fdiv", given, rounding)
    if {"ftz", rounding} <= set(statement.words):
        value = _without_tiny(low, value, "fdiv", given, rounding)
    return quieted_result(low, value, given) if kind == "f64" else canonical(low, value, kind)


lowers("div")(_both(integers.divide, _quotient, 2))
lowers("rem")(integers.divide)


@lowers("rcp")
def _reciprocal(low: Lowering, statement: Statement) -> None:
    def operation(low: Lowering, given: Sequence[Value], kind: str, statement: Statement) -> Value:
        one = low.emit.constant(given[0].type, "1.0")
        if _is_gross(statement):
            return _upper_word(low, low.emit.binary("fdiv", one, _without_lower_word(low, given[0])))
        rounding = rounding_of(statement)
        value = rounded_call(low, "fdiv", [one, given[0]], rounding)
        if kind == "f32" and {"ftz", rounding} <= set(statement.words):
            value = _without_tiny(low, value, "fdiv", [one, given[0]], rounding)
        return quieted_result(low, value, given) if kind == "f64" else canonical(low, value, kind)

    elementwise(low, statement, operation, 1)


@lowers("sqrt")
def _root(low: Lowering, statement: Statement) -> None:
    def operation(low: Lowering, given: Sequence[Value], kind: str, statement: Statement) -> Value:
        value = rounded_call(low, "sqrt", given, rounding_of(statement))
        return quieted_result(low, value, given) if kind == "f64" else canonical(low, value, kind)

    elementwise(low, statement, operation, 1)


def _is_gross(statement: Statement) -> bool:
    """Whether an approximation in float64 is of the upper 32 bits only, in its operand and its result."""
    return statement.words[-1] == "f64" and {"approx", "ftz"} <= set(statement.words)


def _without_lower_word(low: Lowering, value: Value) -> Value:
    """The upper 32 bits of a float64; a NaN with nothing in them is infinity."""
    whole = low.emit.cast("bitcast", value, I64)
    return low.emit.cast("bitcast", low.emit.binary("and", whole, low.emit.constant(I64, -(1 << 32))), F64)


def _upper_word(low: Lowering, value: Value) -> Value:
    """A result as the upper 32 bits of a float64; NaN is the canonical one of float32."""
    emit = low.emit
    nan = emit.compare("fcmp uno", value, value)
    whole = emit.cast("bitcast", _without_lower_word(low, value), I64)
    return emit.cast("bitcast", emit.select(nan, emit.constant(I64, 0x7FFFFFFF << 32), whole), F64)


def _by_double(function: Callable[[Lowering, Value], Value]) -> Operation:
    """An approximate function of float32 or narrower, computed in float64."""

    def operation(low: Lowering, given: Sequence[Value], kind: str, statement: Statement) -> Value:
        if _is_gross(statement):
            return _upper_word(low, function(low, _without_lower_word(low, given[0])))
        value = function(low, as_double(low, given[0], kind))
        if kind == "f64":
            return quieted(low, value, given)
        single = low.emit.cast("fptrunc", value, F32)
        return canonical(low, single if kind == "f32" else narrowed(low, single, kind), kind)

    return operation


def _library(name: str) -> Callable[[Lowering, Value], Value]:
    return lambda low, value: low.emit.call(F64, f"llvm.{name}.v32f64", value)


def _inverse_root(low: Lowering, value: Value) -> Value:
    root = low.emit.call(F64, "llvm.sqrt.v32f64", value)
    return low.emit.binary("fdiv", low.emit.constant(F64, "1.0"), root)


_APPROXIMATE = {
    "rsqrt": _inverse_root,
    "sin": _library("sin"),
    "cos": _library("cos"),
    "lg2": _library("log2"),
    "ex2": _library("exp2"),
    "tanh": _library("tanh"),
}


@lowers(*_APPROXIMATE)
def _approximate(low: Lowering, statement: Statement) -> None:
    elementwise(low, statement, _by_double(_APPROXIMATE[statement.words[0]]), 1)


def extreme(word: str) -> Operation:
    """`min` or `max` of two numbers, or of three: the extreme of the first two, and of that and the third."""

    def operation(low: Lowering, given: Sequence[Value], kind: str, statement: Statement) -> Value:
        if len(given) == 2:
            if "abs" in statement.words and "xorsign" not in statement.words:
                low.refuse(statement)
            return of_two(low, given, kind, statement)
        if kind != "f32" or "xorsign" in statement.words:
            low.refuse(statement)
        if "abs" in statement.words:
            given = [_sign("abs")(low, [one], kind, statement) for one in given]
        return of_two(low, [of_two(low, given[:2], kind, statement), given[2]], kind, statement)

    def of_two(low: Lowering, given: Sequence[Value], kind: str, statement: Statement) -> Value:
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
        if kind == "f64":
            made = emit.cast("bitcast", value, F64)
            return emit.select(nan, quieted(low, made, [given[1]]), made)
        return canonical(low, emit.cast("bitcast", value, given[0].type), kind, nan)

    return operation


lowers("min")(_both(integers.least_greatest, extreme("min"), 3))
lowers("max")(_both(integers.least_greatest, extreme("max"), 3))


def _sign(word: str) -> Operation:
    """`neg` or `abs`, which leave the sign of a NaN as it is."""

    def operation(low: Lowering, given: Sequence[Value], kind: str, _statement: Statement) -> Value:
        bits = bits_of(given[0].type)
        type_, high = vector(f"i{bits}"), 1 << bits - 1
        whole = low.emit.cast("bitcast", given[0], type_)
        if word == "neg":
            whole = low.emit.binary("xor", whole, low.emit.constant(type_, high))
        else:
            whole = low.emit.binary("and", whole, low.emit.constant(type_, high - 1))
        value = low.emit.cast("bitcast", whole, given[0].type)
        return quieted(low, value, given) if kind == "f64" else canonical(low, value, kind)

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
    value = emit.binary(
        "or",
        emit.binary("and", sign, emit.constant(type_, high)),
        emit.binary("and", magnitude, emit.constant(type_, high - 1)),
    )
    low.write(statement.operands[0], value, statement)


@lowers("testp")
def _test(low: Lowering, statement: Statement) -> None:
    property_, kind = statement.words[1], statement.words[-1]
    classes = {
        "finite": 0x1F8,
        "infinite": 0x204,
        "number": 0x3FC,
        "notanumber": 0x3,
        "normal": 0x168,
        "subnormal": 0x90,
    }
    value = low.read(statement.operands[1], low.type_of(kind, statement), statement)
    wanted = Value("i32", str(classes[property_]))
    found = low.emit.call(vector("i1"), f"llvm.is.fpclass.v32f{bits_of(value.type)}", value, wanted)
    low.write(statement.operands[0], found, statement)
