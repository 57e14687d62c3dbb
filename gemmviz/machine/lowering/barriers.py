"""Barriers of a block: PTX ISA, "bar", "barrier" and "bar.warp.sync"."""

from __future__ import annotations

from gemmviz.machine import layout
from gemmviz.machine.emitter import MASK, Value
from gemmviz.machine.layout import Fault, SplitCondition
from gemmviz.machine.lowering.context import I32, Lowering
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.ptx.parse import Statement

WAITS = frozenset({"sync", "red"})
"""What a barrier does that holds up the lanes."""


def is_barrier_of_block(statement: Statement) -> bool:
    """Whether a statement is a barrier of the block at which lanes wait."""
    words = statement.words
    return (
        words[0] in {"bar", "barrier"} and "warp" not in words and "cluster" not in words and bool(WAITS & set(words))
    )


@lowers("bar", "barrier")
def _barrier(low: Lowering, statement: Statement) -> None:
    """The lanes arrive. Waiting, and the result of `red`, belong to the end of the block of code."""
    words = statement.words
    if "warp" in words:  # the lanes have waited for each other by now (`lane_waits`)
        return
    if "cluster" in words or not {"sync", "red", "arrive"} & set(words):
        low.refuse(statement)
    if statement.guard:
        low.refuse(statement, "it stands under a predicate")
    emit = low.emit
    operands = list(statement.operands)
    if "red" in words:
        operands.pop(0)
        predicate = operands.pop()
        votes = low.read(predicate.lstrip("!"), MASK, statement)
        votes = low.invert(votes) if predicate.startswith("!") else votes
        for_it, against = (
            emit.call("i32", "llvm.ctpop.i32", emit.bits(emit.binary("and", low.active, one)))
            for one in (votes, low.invert(votes))
        )
        counted = emit.binary("or", for_it, emit.binary("shl", against, Value("i32", str(layout.VOTES_AGAINST))))
    else:
        counted = Value("i32", "0")
    number = _first_lane(low, operands[0], statement)
    expected = _first_lane(low, operands[1], statement) if len(operands) > 1 else Value("i32", "0")
    wrong = emit.compare("icmp uge", number, Value("i32", str(layout.BARRIER_COUNT)))
    low.fault_if(emit.binary("and", low.active, emit.splat(wrong)), Fault.BAD_BARRIER, statement)
    place = emit.at(low.block, layout.BARRIERS)
    place = emit.at(
        place, emit.binary("mul", emit.cast("zext", number, "i64"), Value("i64", str(layout.BARRIER_BYTES)))
    )
    lanes = emit.call("i32", "llvm.ctpop.i32", emit.bits(low.active))
    for offset, more in ((layout.ARRIVED, lanes), (layout.VOTES, counted)):
        where = emit.at(place, offset)
        emit.store(emit.binary("add", emit.load("i32", where), more), where)
    emit.store(expected, emit.at(place, layout.EXPECTED))
    if WAITS & set(words):
        emit.store(number, emit.at(low.split, layout.BARRIER))
        emit.store(Value("i32", str(int(SplitCondition.WAITS_AT_BARRIER))), emit.at(low.split, layout.CONDITION))


def _first_lane(low: Lowering, operand: str, statement: Statement) -> Value:
    """An operand that is the same in all lanes, from the first active one."""
    emit = low.emit
    value = low.read(operand, I32, statement)
    first = emit.call("i32", "llvm.cttz.i32", emit.bits(low.active), Value("i1", "false"))
    return emit.extract(value, emit.binary("and", first, Value("i32", "31")))


def take_result(low: Lowering, statement: Statement) -> None:
    """Give the target of a `bar.red` the result, once the lanes go on."""
    emit = low.emit
    number = emit.load("i32", emit.at(low.split, layout.BARRIER))
    place = emit.at(low.block, layout.BARRIERS)
    place = emit.at(
        place, emit.binary("mul", emit.cast("zext", number, "i64"), Value("i64", str(layout.BARRIER_BYTES)))
    )
    votes = emit.load("i32", emit.at(place, layout.RESULT))
    for_it = emit.binary("and", votes, Value("i32", str((1 << layout.VOTES_AGAINST) - 1)))
    against = emit.binary("lshr", votes, Value("i32", str(layout.VOTES_AGAINST)))
    if "popc" in statement.words:
        found = for_it
    elif "or" in statement.words:
        found = emit.compare("icmp ne", for_it, Value("i32", "0"))
    else:
        found = emit.compare("icmp eq", against, Value("i32", "0"))
    low.write(statement.operands[0], emit.splat(found), statement)
