"""Comparisons and choices: PTX ISA, "Comparison and Selection Instructions"."""

from __future__ import annotations

from gemmviz.machine.emitter import MASK, Value, bits_of
from gemmviz.machine.lowering import float_formats as floats
from gemmviz.machine.lowering.context import I32, Lowering
from gemmviz.machine.lowering.integers import is_signed
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.ptx.parse import Statement

_ORDER = {"eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
          "lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}  # fmt: skip
_FLOAT = {
    "eq": "oeq", "ne": "one", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "equ": "ueq", "neu": "une",
    "ltu": "ult", "leu": "ule", "gtu": "ugt", "geu": "uge", "num": "ord", "nan": "uno",
}  # fmt: skip


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


@lowers("setp")
def _set_predicate(low: Lowering, statement: Statement) -> None:
    words = [word for word in statement.words[1:] if word != "ftz"]
    comparison, *combination, kind = words
    if kind.endswith("x2"):
        low.refuse(statement)
    type_ = low.type_of(kind, statement)
    a, b = (low.read(one, type_, statement) for one in statement.operands[1:3])
    holds = compared(low, comparison, a, b, kind, statement)
    targets = statement.operands[0].split("|")
    results = [holds, low.invert(holds)]
    if combination:
        words_of = statement.operands[3]
        other = low.read(words_of.lstrip("!"), MASK, statement)
        other = low.invert(other) if words_of.startswith("!") else other
        results = [low.emit.binary(combination[0], one, other) for one in results]
    for target, value in zip(targets, results, strict=False):
        low.write(target, value, statement)


@lowers("set")
def _set(low: Lowering, statement: Statement) -> None:
    words = [word for word in statement.words[1:] if word != "ftz"]
    comparison, *combination, to, kind = words
    if combination or kind.endswith("x2"):
        low.refuse(statement)
    a, b = (low.read(one, low.type_of(kind, statement), statement) for one in statement.operands[1:3])
    holds = compared(low, comparison, a, b, kind, statement)
    ones = 0x3F800000 if to == "f32" else -1
    if bits_of(low.type_of(to, statement)) != 32:
        low.refuse(statement)
    value = low.emit.select(holds, low.emit.constant(I32, ones), low.emit.constant(I32, 0))
    low.write(statement.operands[0], value, statement)


@lowers("selp")
def _select(low: Lowering, statement: Statement) -> None:
    type_ = low.type_of(statement.words[-1], statement)
    a, b = (low.read(one, type_, statement) for one in statement.operands[1:3])
    choice = statement.operands[3]
    mask = low.read(choice.lstrip("!"), MASK, statement)
    mask = low.invert(mask) if choice.startswith("!") else mask
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
