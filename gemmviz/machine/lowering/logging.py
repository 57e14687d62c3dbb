"""Code that writes down what a statement does: see machine.log."""

from __future__ import annotations

from gemmviz.machine import layout
from gemmviz.machine.emitter import Value, vector
from gemmviz.machine.log import SLOT_BYTES, As, Logged
from gemmviz.machine.log import Value as LoggedValue
from gemmviz.machine.lowering.context import I64, Lowering
from gemmviz.machine.lowering.memory import is_local, is_near_shared, shared_base
from gemmviz.machine.ptx.parse import Statement


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
    for number, value in enumerate(logged.values):
        head = emit.binary("shl", emit.cast("zext", bits, "i64"), Value("i64", "32"))
        head = emit.binary("or", head, Value("i64", str(logged.first + number)))
        emit.store(head, emit.at(slot, number * SLOT_BYTES), 8)
        emit.store(_number(low, statement, value), emit.at(slot, number * SLOT_BYTES + 8), 8)
    nobody = emit.compare("icmp eq", bits, Value("i32", "0"))
    size = emit.select(nobody, Value("i64", "0"), Value("i64", str(len(logged.values) * SLOT_BYTES)))
    emit.store(emit.at(slot, size), place)


def _number(low: Lowering, statement: Statement, value: LoggedValue) -> Value:
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
        local = is_local(low, number)
        number = emit.select(is_near_shared(low, number), offset, emit.select(local, none, number))
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
