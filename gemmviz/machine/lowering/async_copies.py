"""Asynchronous copies to shared memory: PTX ISA, "cp.async"."""

from __future__ import annotations

from gemmviz.machine.emitter import Value, vector
from gemmviz.machine.lowering.context import I64, Lowering
from gemmviz.machine.lowering.lanes_memory import gather, scatter
from gemmviz.machine.lowering.mbarriers import arrive_once
from gemmviz.machine.lowering.memory import further, host_address
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.ptx.parse import Statement

_WITHOUT_BULK = (
    "where cuda::memcpy_async makes this copy, compile for a GPU without it, of compute capability 8.0 to 8.9, for "
    "instance with the device machine:sm_80"
)
"""What is said of bulk copies, which libcu++ makes of the same source for targets from 9.0 on only."""


@lowers("cp")
def _asynchronous_copy(low: Lowering, statement: Statement) -> None:
    """`cp.async`: the bytes arrive at once, which is one of the orders that a GPU may choose."""
    words = statement.words
    if words[:2] != ("cp", "async") or "bulk" in words:
        low.refuse(statement, _WITHOUT_BULK if "bulk" in words and "tensor" not in words else "")
    if "commit_group" in words or "wait_group" in words or "wait_all" in words:
        return
    if words[2:4] == ("mbarrier", "arrive"):
        if "noinc" in words:  # else the barrier expects one arrival more, which comes at once
            arrive_once(low, statement)
        return
    if len(statement.operands) not in {3, 4} or "cache_hint" in words:
        low.refuse(statement)
    target, source, size, *rest = statement.operands
    width = low.immediate(size, statement)
    emit, active = low.emit, low.lanes(statement)
    into = host_address(low, statement, target, "shared", width, active)
    given = _given_bytes(low, statement, rest, width)
    reads = emit.binary("and", active, emit.compare("icmp ne", given, emit.constant(I64, 0)))
    begin = host_address(low, statement, source, "", width, reads)
    for place in range(0, width, 4):
        there = emit.binary("and", reads, emit.compare("icmp ugt", given, emit.constant(I64, place)))
        value = gather(low, vector("i32"), further(low, begin, place), there, 4)
        left = emit.binary("sub", given, emit.constant(I64, place))  # bytes of this word that are copied
        value = _first_bytes(low, value, left)
        scatter(low, value, further(low, into, place), active, 4)


def _given_bytes(low: Lowering, statement: Statement, rest: list[str], width: int) -> Value:
    """How many bytes of the source are copied: all, as many as an operand says, or none where a predicate holds."""
    emit = low.emit
    whole = emit.constant(I64, width)
    if not rest:
        return whole
    register = statement.scope.register(rest[0].lstrip("!"))
    if register is None or register.bits != 1:
        return low.fit(low.read(rest[0], vector("i32"), statement), I64)
    ignored = low.register(rest[0].lstrip("!"), statement)
    ignored = low.invert(ignored) if rest[0].startswith("!") else ignored
    return emit.select(ignored, emit.constant(I64, 0), whole)


def _first_bytes(low: Lowering, value: Value, count: Value) -> Value:
    """The lower bytes of a word, the others 0."""
    emit = low.emit
    ones = emit.constant(value.type, -1)
    kept = emit.constant(value.type, 0)
    for nbytes in (1, 2, 3):
        is_so = emit.compare("icmp eq", count, emit.constant(I64, nbytes))
        kept = emit.select(is_so, emit.constant(value.type, (1 << 8 * nbytes) - 1), kept)
    whole = emit.compare("icmp sge", count, emit.constant(I64, 4))
    return emit.binary("and", value, emit.select(whole, ones, kept))
