"""Integer arithmetic: PTX ISA, "Integer Arithmetic Instructions" and "Extended-Precision"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gemmviz.machine import layout
from gemmviz.machine.emitter import MASK, Value, bits_of, vector
from gemmviz.machine.lowering.context import I32, I64, Lowering
from gemmviz.machine.lowering.float_formats import half_of, packed
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.ptx.parse import Statement

WIDTHS = {"16": 16, "32": 32, "64": 64}


def is_signed(word: str) -> bool:
    """Whether a PTX type is a signed integer."""
    return word.startswith("s")


def operands(low: Lowering, statement: Statement, type_: str, places: Sequence[int]) -> list[Value]:
    return [low.read(statement.operands[place], type_, statement) for place in places]


def predicate(low: Lowering, operand: str, statement: Statement) -> Value:
    """The lanes for which a predicate holds, or does not with `!` before it."""
    mask = low.read(operand.lstrip("!"), MASK, statement)
    return low.invert(mask) if operand.startswith("!") else mask


def _in_halves(low: Lowering, kind: str, a: Value, b: Value, operation: Callable[[Value, Value], Value]) -> Value:
    """An operation on two numbers, or on both halves of packed ones."""
    if not kind.endswith("x2"):
        return operation(a, b)
    lower, upper = (operation(half_of(low, a, part, kind), half_of(low, b, part, kind)) for part in range(2))
    return packed(low, lower, upper)


def add_sub(low: Lowering, statement: Statement) -> None:
    """`add`, `sub` of integers, with saturation and carry."""
    word, *modifiers, kind = statement.words
    type_ = low.type_of(kind, statement)
    a, b = operands(low, statement, type_, (1, 2))
    if "sat" in modifiers:
        value = low.emit.call(type_, f"llvm.s{word}.sat.v32i32", a, b)
    elif "cc" in modifiers:
        value = _with_carry(low, word, a, b, None, statement, sets=True)
    else:
        value = _in_halves(low, kind, a, b, lambda one, two: low.emit.binary(word, one, two))
    low.write(statement.operands[0], value, statement)


def _carry(low: Lowering) -> Value:
    return low.emit.mask(low.emit.load("i32", low.emit.at(low.state, layout.CARRY)))


def _set_carry(low: Lowering, carry: Value, statement: Statement) -> None:
    place = low.emit.at(low.state, layout.CARRY)
    old = low.emit.mask(low.emit.load("i32", place))
    low.emit.store(low.emit.bits(low.emit.select(low.lanes(statement), carry, old)), place)


def _with_carry(
    low: Lowering, word: str, a: Value, b: Value, carry_in: Value | None, statement: Statement, sets: bool
) -> Value:
    """a + b + carry or a - b - borrow, and whether it went beyond the type.

    The flag is 1 for a carry of an addition and 0 for a borrow of a subtraction: NVIDIA's division of 128-bit integers
    reads it by `addc` behind `subc.cc`. The PTX ISA only says what pairs of the same kind do.
    """
    emit, is_sum = low.emit, word == "add"
    value = emit.binary(word, a, b)
    out = emit.compare("icmp ult", *((value, a) if is_sum else (a, b)))
    if carry_in is not None:
        more = emit.cast("zext", carry_in if is_sum else low.invert(carry_in), a.type)
        again = emit.binary(word, value, more)
        out = emit.binary("or", out, emit.compare("icmp ult", *((again, value) if is_sum else (value, more))))
        value = again
    if sets:
        _set_carry(low, out if is_sum else low.invert(out), statement)
    return value


@lowers("addc", "subc")
def _add_with_carry(low: Lowering, statement: Statement) -> None:
    word, *modifiers, kind = statement.words
    a, b = operands(low, statement, low.type_of(kind, statement), (1, 2))
    value = _with_carry(low, word[:3], a, b, _carry(low), statement, sets="cc" in modifiers)
    low.write(statement.operands[0], value, statement)


def product(low: Lowering, statement: Statement) -> tuple[Value, str]:
    """The product of operands 1 and 2 by `.lo`, `.hi` or `.wide`, and the word that said so."""
    kind = statement.words[-1]
    mode = next((word for word in ("wide", "hi", "lo") if word in statement.words), "lo")
    type_ = low.type_of(kind, statement)
    a, b = operands(low, statement, type_, (1, 2))
    if mode == "lo":
        return low.emit.binary("mul", a, b), mode
    bits = bits_of(type_)
    word, wide = "sext" if is_signed(kind) else "zext", vector(f"i{2 * bits}")
    whole = low.emit.binary("mul", low.emit.cast(word, a, wide), low.emit.cast(word, b, wide))
    if mode == "wide":
        return whole, mode
    upper = low.emit.binary("lshr", whole, low.emit.constant(wide, bits))
    return low.emit.cast("trunc", upper, type_), mode


def multiply(low: Lowering, statement: Statement) -> None:
    """`mul` of integers."""
    low.write(statement.operands[0], product(low, statement)[0], statement)


def multiply_add(low: Lowering, statement: Statement) -> None:
    """`mad` of integers, with carry."""
    value, _mode = product(low, statement)
    third = low.read(statement.operands[3], value.type, statement)
    if "sat" in statement.words:
        made = low.emit.call(I32, "llvm.sadd.sat.v32i32", value, third)
    elif "cc" in statement.words:
        made = _with_carry(low, "add", value, third, None, statement, sets=True)
    else:
        made = low.emit.binary("add", value, third)
    low.write(statement.operands[0], made, statement)


@lowers("madc")
def _multiply_add_carry(low: Lowering, statement: Statement) -> None:
    value, _mode = product(low, statement)
    third = low.read(statement.operands[3], value.type, statement)
    made = _with_carry(low, "add", value, third, _carry(low), statement, sets="cc" in statement.words)
    low.write(statement.operands[0], made, statement)


@lowers("mul24", "mad24")
def _multiply_24(low: Lowering, statement: Statement) -> None:
    word, mode, kind = statement.words[0], statement.words[1], statement.words[-1]
    emit, eight = low.emit, low.emit.constant(I64, 40)
    if mode not in {"lo", "hi"}:
        low.refuse(statement)
    shift = "ashr" if is_signed(kind) else "lshr"
    a, b = (
        emit.binary(shift, emit.binary("shl", low.fit(low.read(one, I32, statement), I64), eight), eight)
        for one in statement.operands[1:3]
    )
    whole = emit.binary("mul", a, b)
    if mode == "hi":
        whole = emit.binary("lshr", whole, emit.constant(I64, 16))
    value = emit.cast("trunc", whole, I32)
    if word == "mad24":
        third = low.read(statement.operands[3], I32, statement)
        saturates = "sat" in statement.words
        value = emit.call(I32, "llvm.sadd.sat.v32i32", value, third) if saturates else emit.binary("add", value, third)
    low.write(statement.operands[0], value, statement)


@lowers("sad")
def _sum_of_differences(low: Lowering, statement: Statement) -> None:
    kind = statement.words[-1]
    type_ = low.type_of(kind, statement)
    a, b, c = operands(low, statement, type_, (1, 2, 3))
    emit = low.emit
    less = emit.compare("icmp slt" if is_signed(kind) else "icmp ult", a, b)
    difference = emit.select(less, emit.binary("sub", b, a), emit.binary("sub", a, b))
    low.write(statement.operands[0], emit.binary("add", c, difference), statement)


def divide(low: Lowering, statement: Statement) -> None:
    """`div`, `rem` of integers. By zero a GPU gives all ones for both; nothing ends."""
    word, kind = statement.words[0], statement.words[-1]
    type_ = low.type_of(kind, statement)
    a, b = operands(low, statement, type_, (1, 2))
    emit, signed = low.emit, is_signed(kind)
    zero, one, ones = (emit.constant(type_, value) for value in (0, 1, -1))
    by_zero = emit.compare("icmp eq", b, zero)
    divisor = emit.select(by_zero, one, b)
    if signed:  # the least number by -1 is itself, and leaves nothing; the CPU would trap
        lowest = emit.constant(type_, -(1 << bits_of(type_) - 1))
        beyond = emit.binary("and", emit.compare("icmp eq", a, lowest), emit.compare("icmp eq", b, ones))
        divisor = emit.select(beyond, one, divisor)
    value = emit.binary(("s" if signed else "u") + word, a, divisor)
    if signed and word == "rem":
        value = emit.select(beyond, zero, value)
    value = emit.select(by_zero, ones, value)
    low.write(statement.operands[0], value, statement)


def least_greatest(low: Lowering, statement: Statement) -> None:
    """`min`, `max` of integers; `.relu`, which may stand on either side of the type, puts 0 in the place of negative
    results.
    """
    word, *modifiers = statement.words
    kind = next((one for one in reversed(modifiers) if one != "relu"), "")
    if not set(modifiers) <= {"relu", kind} or len(statement.operands) != 3:
        low.refuse(statement)
    emit, sign = low.emit, "s" if is_signed(kind) else "u"

    def chosen(a: Value, b: Value) -> Value:
        value = emit.select(emit.compare(f"icmp {sign}{'lt' if word == 'min' else 'gt'}", a, b), a, b)
        if "relu" in modifiers:
            zero = emit.constant(a.type, 0)
            value = emit.select(emit.compare("icmp slt", value, zero), zero, value)
        return value

    a, b = operands(low, statement, low.type_of(kind, statement), (1, 2))
    low.write(statement.operands[0], _in_halves(low, kind, a, b, chosen), statement)


def negate(low: Lowering, statement: Statement) -> None:
    """`neg`, `abs` of integers."""
    type_ = low.type_of(statement.words[-1], statement)
    a = low.read(statement.operands[1], type_, statement)
    zero = low.emit.constant(type_, 0)
    value = low.emit.binary("sub", zero, a)
    if statement.words[0] == "abs":
        value = low.emit.select(low.emit.compare("icmp slt", a, zero), value, a)
    low.write(statement.operands[0], value, statement)
