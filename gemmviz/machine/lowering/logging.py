"""Code that writes down what a statement does: see machine.log."""

from __future__ import annotations

from gemmviz.machine import layout
from gemmviz.machine.emitter import WIDE_VECTORS, Emitter, Value, i32, i64, vector
from gemmviz.machine.layout import Fault
from gemmviz.machine.log import SLOT_BYTES, As, Logged, LoggedValue
from gemmviz.machine.lowering.context import I64, Lowering
from gemmviz.machine.lowering.memory import is_constant, is_local, is_near_shared, is_reserved, shared_base
from gemmviz.machine.ptx.parse import Statement

_WRITE, _COMPARE = "write_slot", "compare_slot"


def write_log(low: Lowering, statement: Statement, logged: Logged) -> None:
    """Fill a slot for each value; there is room. Without lanes that take part nothing is kept."""
    if not logged.values:
        return
    emit = low.emit
    lanes = low.active
    if logged.guard:
        guard = low.register(logged.guard, statement)
        lanes = emit.binary("and", lanes, low.invert(guard) if logged.negated else guard)
    bits = emit.bits(lanes)
    place = emit.at(low.state, layout.LOG_NEXT)
    slot = emit.load("ptr", place)
    name = _WRITE if logged.varies else _COMPARE
    emit.defined.setdefault(name, _slot_function(name, varies=logged.varies).text())
    for number, value in enumerate(logged.values):
        head = emit.binary("shl", emit.cast("zext", bits, "i64"), i64(32))
        head = emit.binary("or", head, i64(logged.first + number))
        emit.call("void", name, low.state, emit.at(slot, number * SLOT_BYTES), head, number_of(low, statement, value))
    nobody = emit.compare("icmp eq", bits, i32(0))
    size = emit.select(nobody, i64(0), i64(len(logged.values) * SLOT_BYTES))
    emit.store(emit.at(slot, size), place)


def need_room(low: Lowering, number: int, slots: int, statement: Statement) -> None:
    """Ask the host for more room where the warp's log has none for so many slots; the split comes back to block
    `number` then.
    """
    emit = low.emit
    begin = emit.cast("ptrtoint", emit.load("ptr", emit.at(low.state, layout.LOG_NEXT)), "i64")
    end = emit.cast("ptrtoint", emit.load("ptr", emit.at(low.state, layout.LOG_END)), "i64")
    room = emit.binary("sub", end, begin)
    with emit.when(emit.compare("icmp ult", room, i64(slots * SLOT_BYTES)), likely=False):
        emit.store(i32(number), emit.at(low.split, layout.PC))
        emit.store(i32(slots), emit.at(low.state, layout.LOG_SLOTS))
        low.fault(Fault.LOG_FULL, emit.bits(low.active), statement)
        emit.label(emit.fresh("never"))


def _slot_function(name: str, *, varies: bool) -> Emitter:
    """void write_slot(state, slot, head, numbers): fill a slot, unless no lane takes part; LOG_CHANGED says whether it
    differs from what lay there. Unless the numbers vary, what is the same is not written again: most blocks write down
    what the one before them did.
    """
    emit = Emitter(f"internal void @{name}", f"ptr %state, ptr %slot, i64 %head, {I64} %numbers", WIDE_VECTORS)
    emit.label("entry")
    slot, head, numbers = Value("ptr", "%slot"), Value("i64", "%head"), Value(I64, "%numbers")
    lanes = emit.cast("trunc", emit.binary("lshr", head, i64(32)), "i32")
    with emit.when(emit.compare("icmp ne", lanes, i32(0)), likely=True):
        is_new = emit.compare("icmp ne", emit.load("i64", slot, 8), head)
        if not varies:
            before = emit.load(I64, emit.at(slot, 8), 8)
            differs = emit.binary("and", emit.bits(emit.compare("icmp ne", before, numbers)), lanes)
            is_new = emit.binary("or", is_new, emit.compare("icmp ne", differs, i32(0)))
        with emit.when(is_new, likely=False):
            emit.store(i64(1), emit.at(Value("ptr", "%state"), layout.LOG_CHANGED), 8)
            emit.store(head, slot, 8)
            if not varies:
                emit.store(numbers, emit.at(slot, 8), 8)
        if varies:
            emit.store(numbers, emit.at(slot, 8), 8)
    emit.do("ret void")
    return emit


def number_of(low: Lowering, statement: Statement, value: LoggedValue) -> Value:
    """What each lane writes down of an operand."""
    emit = low.emit
    if value.kind is As.SIGNED:
        number = low.fit(low.read(value.operand, vector("i32"), statement), I64, signed=True)
    elif value.kind is As.NUMBER or not value.operand.startswith("["):
        number = low.read(value.operand, I64, statement)
    else:
        number = low.address(value.operand, statement)
    none = emit.constant(I64, -1)
    if value.kind is As.GENERIC:
        offset = emit.binary("sub", number, emit.splat(shared_base(low)))
        elsewhere = is_local(low, number)
        if low.symbols.uses_reserved:
            elsewhere = emit.binary("or", elsewhere, is_reserved(low, number))
        if low.symbols.constants[1]:
            elsewhere = emit.binary("or", elsewhere, is_constant(low, number))
        number = emit.select(is_near_shared(low, number), offset, emit.select(elsewhere, none, number))
    if value.only_if:
        number = emit.select(_holds(low, statement, value), number, none)
    return number


def _holds(low: Lowering, statement: Statement, value: LoggedValue) -> Value:
    register = statement.scope.register(value.only_if)
    if register is not None and register.bits == 1:
        holds = low.register(value.only_if, statement)
        return low.invert(holds) if value.negated else holds
    count = low.read(value.only_if, vector("i32"), statement)
    return low.emit.compare("icmp ne", count, low.emit.constant(vector("i32"), 0))
