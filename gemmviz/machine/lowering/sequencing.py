"""Code that writes down in which order the lanes of all blocks come to their strong accesses and fences.

Such a statement runs while its warp holds the lock of the launch, so that its number is its place in the order of
accesses to any address. Who cannot get the lock because the launch ends goes on without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine import layout
from gemmviz.machine.emitter import WIDE_VECTORS, Emitter, Value, bits_of, i32, i64, vector
from gemmviz.machine.log import CHANGED, NUMBER, SEQUENCED_SLOTS, SLOT_BYTES, WROTE, Logged
from gemmviz.machine.lowering.context import I64, Lowering
from gemmviz.machine.lowering.logging import number_of
from gemmviz.machine.lowering.waiting_rounds import TAKE_OUT_ROUND
from gemmviz.machine.ptx.parse import Statement

_TAKE, _GIVE, _WRITE = "take_turn", "give_turn", "write_sequenced"
_NUMBERS = Value(I64, "<" + ", ".join(f"i64 {NUMBER * lane}" for lane in range(LANES)) + ">")


@contextmanager
def sequenced(low: Lowering, statement: Statement, logged: Logged | None) -> Iterator[None]:
    """Where the place of a statement is written down: what is written inside runs as one step of the launch's order,
    and fills its slots; there is room.
    """
    emit = low.emit
    if logged is None or logged.sequenced is None:
        yield
        return
    one = logged.sequenced
    for name, function in ((_TAKE, _take), (_GIVE, _give), (_WRITE, _write)):
        if name not in emit.defined:
            emit.defined[name] = function().text()
    lanes = low.lanes(statement)
    none = emit.constant(I64, 0)
    address = none if one.address is None else number_of(low, statement, one.address)
    kind = statement.words[-1]
    compared, operand = (
        low.read(name, _integers(low, kind, statement), statement) if name else None
        for name in (one.compared, one.operand)
    )
    first = emit.call("i64", _TAKE, low.block)
    yield
    emit.call("void", _GIVE, low.block)
    value = low.fit(low.register(one.target, statement), I64) if one.target else none
    wrote = emit.constant(I64, WROTE * one.writes)
    if compared is not None:
        found = low.fit(low.register(one.target, statement), compared.type)
        wrote = emit.cast("zext", emit.compare("icmp eq", found, compared), I64)
    changed = wrote
    if operand is not None:
        old = low.fit(low.register(one.target, statement), operand.type)
        changed = emit.binary("and", wrote, emit.cast("zext", _changes(low, statement, old, operand), I64))
    flags = emit.binary("or", wrote, emit.binary("shl", changed, emit.constant(I64, CHANGED.bit_length() - 1)))
    order = emit.binary("add", emit.binary("add", emit.splat(first), _NUMBERS), flags)
    head = emit.binary("or", emit.binary("shl", emit.cast("zext", emit.bits(lanes), "i64"), i64(32)), i64(one.first))
    repeats = Value("i1", str(bool(one.target)).lower())
    emit.call("void", _WRITE, low.state, head, i64(SLOT_BYTES * len(logged.values)), address, value, order, repeats)


def _integers(low: Lowering, kind: str, statement: Statement) -> str:
    return vector(f"i{bits_of(low.type_of(kind, statement))}")


def _changes(low: Lowering, statement: Statement, old: Value, operand: Value) -> Value:
    """Whether an atomic operation on integers leaves another value than `old`, as a mask of lanes."""
    emit = low.emit
    made = operand
    for word in statement.words[1:]:
        if word in ("add", "and", "or", "xor"):
            made = emit.binary(word, old, operand)
        elif word in ("min", "max"):
            sign = "s" if statement.words[-1].startswith("s") else "u"
            made = emit.call(old.type, f"llvm.{sign}{word}.v{LANES}i{bits_of(old.type)}", old, operand)
        elif word in ("inc", "dec"):  # 0 with the bound 0 is all that they leave as it was
            return emit.compare("icmp ne", emit.binary("or", old, operand), emit.constant(old.type, 0))
    return emit.compare("icmp ne", made, old)


def _take() -> Emitter:
    """i64 take_turn(block): wait for the lock, and NUMBER times the number of the warp's first lane."""
    emit = Emitter(f"internal i64 @{_TAKE}", "ptr %block", "noinline")
    emit.label("entry")
    block = Value("ptr", "%block")
    order, cancel = emit.load("ptr", emit.at(block, layout.ORDER)), emit.load("ptr", emit.at(block, layout.CANCEL))
    emit.jump("again")
    emit.label("again")
    pair = emit.op("{ i64, i1 }", f"cmpxchg {order}, i64 0, i64 1 seq_cst seq_cst")
    emit.branch(emit.op("i1", f"extractvalue {pair}, 1"), "taken", "busy", likely=True)
    emit.label("busy")
    emit.branch(emit.compare("icmp ne", emit.load("i32", cancel, volatile=True), i32(0)), "taken", "again")
    emit.label("taken")
    place = emit.at(order, 8)
    number = emit.load("i64", place)
    emit.store(emit.binary("add", number, i64(NUMBER * LANES)), place)
    emit.do(f"ret {number}")
    return emit


def _give() -> Emitter:
    """void give_turn(block): free the lock."""
    emit = Emitter(f"internal void @{_GIVE}", "ptr %block", "noinline")
    emit.label("entry")
    order = emit.load("ptr", emit.at(Value("ptr", "%block"), layout.ORDER))
    emit.do(f"store atomic i64 0, {order} seq_cst, align 8")
    emit.do("ret void")
    return emit


def _write() -> Emitter:
    """void write_sequenced(state, head, before, addresses, values, orders, repeats): fill the three slots behind the
    `before` bytes that the statement has written down already; where it `repeats`, a round of a loop that waits may be
    taken out then.
    """
    emit = Emitter(
        f"internal void @{_WRITE}",
        f"ptr %state, i64 %head, i64 %before, {I64} %addresses, {I64} %values, {I64} %orders, i1 %repeats",
        f"noinline {WIDE_VECTORS}",
    )
    emit.label("entry")
    state, head = Value("ptr", "%state"), Value("i64", "%head")
    columns = [Value(I64, f"%{name}") for name in ("addresses", "values", "orders")]
    lanes = emit.cast("trunc", emit.binary("lshr", head, i64(32)), "i32")
    emit.branch(emit.compare("icmp eq", lanes, i32(0)), "done", "some")
    emit.label("some")
    emit.store(i64(1), emit.at(state, layout.LOG_CHANGED), 8)
    place = emit.at(state, layout.LOG_NEXT)
    slot = emit.load("ptr", place)
    for number, column in enumerate(columns):
        emit.store(emit.binary("add", head, i64(number)), emit.at(slot, number * SLOT_BYTES), 8)
        emit.store(column, emit.at(slot, number * SLOT_BYTES + 8), 8)
    emit.store(emit.at(slot, SEQUENCED_SLOTS * SLOT_BYTES), place)
    with emit.when(Value("i1", "%repeats")):
        nbytes = emit.binary("add", Value("i64", "%before"), i64(SEQUENCED_SLOTS * SLOT_BYTES))
        emit.call("void", TAKE_OUT_ROUND, state, nbytes)
    emit.jump("done")
    emit.label("done")
    emit.do("ret void")
    return emit
