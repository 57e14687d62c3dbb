"""Comparisons and choices: PTX ISA, "Comparison and Selection Instructions"."""

from __future__ import annotations

from gemmviz.machine.emitter import Value, bits_of, vector
from gemmviz.machine.lowering import float_formats as floats
from gemmviz.machine.lowering.context import Lowering
from gemmviz.machine.lowering.integers import is_signed, predicate
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.ptx.parse import Statement

_ORDER = {
    "eq": "eq",
    "ne": "ne",
    "lt": "lt",
    "le": "le",
    "gt": "gt",
    "ge": "ge",
    "lo": "lt",
    "ls": "le",
    "hi": "gt",
    "hs": "ge",
}
_FLOAT = {
    "eq": "oeq",
    "ne": "one",
    "lt": "olt",
    "le": "ole",
    "gt": "ogt",
    "ge": "oge",
    "equ": "ueq",
    "neu": "une",
    "ltu": "ult",
    "leu": "ule",
    "gtu": "ugt",
    "geu": "uge",
    "num": "ord",
    "nan": "uno",
}

_TRUE = {"f16": 0x3C00, "bf16": 0x3F80, "f32": 0x3F800000}
"""What `set` gives where the comparison holds: 1.0; all ones in integers."""


def compared(low: Lowering, word: str, a: Value, b: Value, kind: str, statement: Statement) -> Value:
    """The lanes in which a comparison holds."""
    if kind in floats.FLOATS:
        if word not in _FLOAT:
            low.refuse(statement)
        if "ftz" in statement.words:
            a, b = (floats.flushed(low, one, kind) for one in (a, b))
        a, b = (floats.as_float(low, one, kind) for one in (a, b))
        return low.emit.compare(f"fcmp {_FLOAT[word]}", a, b)
    if word not in _ORDER:
        low.refuse(statement)
    order = _ORDER[word]
    sign = "" if order in {"eq", "ne"} else "s" if is_signed(kind) else "u"
    return low.emit.compare(f"icmp {sign}{order}", a, b)


def _holds(low: Lowering, word: str, kind: str, statement: Statement) -> list[Value]:
    """The lanes in which operands 1 and 2 compare so; for packed numbers those of the lower and of the upper half."""
    type_ = low.type_of(kind, statement)
    a, b = (low.read(one, type_, statement) for one in statement.operands[1:3])
    single = kind.removesuffix("x2")
    if single == kind:
        return [compared(low, word, a, b, kind, statement)]
    halves = ([floats.half_of(low, one, part, single) for one in (a, b)] for part in range(2))
    return [compared(low, word, one, two, single, statement) for one, two in halves]


def _combined(low: Lowering, holds: list[Value], combination: list[str], statement: Statement) -> list[Value]:
    """Results of comparisons combined with the predicate behind them, by `and`, `or` or `xor`."""
    if not combination:
        return holds
    other = predicate(low, statement.operands[3], statement)
    return [low.emit.binary(combination[0], one, other) for one in holds]


@lowers("setp")
def _set_predicate(low: Lowering, statement: Statement) -> None:
    words = [word for word in statement.words[1:] if word != "ftz"]
    comparison, *combination, kind = words
    holds = _holds(low, comparison, kind, statement)
    if len(holds) == 1:
        holds.append(low.invert(holds[0]))
    targets = statement.operands[0].split("|")
    for target, value in zip(targets, _combined(low, holds, combination, statement), strict=False):
        low.write(target, value, statement)


@lowers("set")
def _set(low: Lowering, statement: Statement) -> None:
    words = [word for word in statement.words[1:] if word != "ftz"]
    comparison, *combination, to, kind = words
    holds = _combined(low, _holds(low, comparison, kind, statement), combination, statement)
    single = to.removesuffix("x2")
    type_ = vector(f"i{bits_of(low.type_of(single, statement))}")
    true = low.emit.constant(type_, _TRUE.get(single, -1))
    values = [low.emit.select(one, true, low.emit.constant(type_, 0)) for one in holds]
    value = floats.packed(low, *values) if len(values) == 2 else values[0]
    low.write(statement.operands[0], value, statement)


@lowers("selp")
def _select(low: Lowering, statement: Statement) -> None:
    type_ = low.type_of(statement.words[-1], statement)
    a, b = (low.read(one, type_, statement) for one in statement.operands[1:3])
    mask = predicate(low, statement.operands[3], statement)
    low.write(statement.operands[0], low.emit.select(mask, a, b), statement)


@lowers("slct")
def _select_by_sign(low: Lowering, statement: Statement) -> None:
    to, kind = statement.words[-2:]
    type_ = low.type_of(to, statement)
    a, b = (low.read(one, type_, statement) for one in statement.operands[1:3])
    c = low.read(statement.operands[3], low.type_of(kind, statement), statement)
    if kind == "f32":
        c = floats.flushed(low, c, kind) if "ftz" in statement.words else c
        holds = low.emit.compare("fcmp oge", c, low.emit.constant(c.type, "0.0"))
    else:
        holds = low.emit.compare("icmp sge", c, low.emit.constant(c.type, 0))
    low.write(statement.operands[0], low.emit.select(holds, a, b), statement)
