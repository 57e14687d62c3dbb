"""Code that writes down the values of variables where they have changed: see machine.watched."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.machine import layout
from gemmviz.machine.emitter import WIDE_VECTORS, Emitter, Value, i32, i64
from gemmviz.machine.log import SLOT_BYTES
from gemmviz.machine.lowering.context import I64, Lowering
from gemmviz.machine.lowering.memory import local_base
from gemmviz.machine.ptx.parse import Statement
from gemmviz.machine.watched import WatchedValue

_WRITE, _READ = "write_change", "read_local"
_LEAST_BYTES = 4


def write_changes(low: Lowering, statement: Statement, watched: Sequence[WatchedValue]) -> None:
    """Fill a slot for each value that differs from what its lanes wrote down last; there is room for all."""
    if not watched:
        return
    emit = low.emit
    registers = {
        one.number: low.read(one.operand, I64, statement) for one in watched if not one.is_in_memory
    }  # read here, because what is read within the branch is not known behind it
    warp = emit.load("i32", emit.at(low.state, layout.WARP_NUMBER))
    active = emit.bits(low.active)
    _define(emit, _WRITE, _write_function())
    with emit.when(emit.compare("icmp ult", warp, low.block_field(layout.WATCHED_WARPS))):
        base = local_base(low)
        for one in watched:
            value = registers.get(one.number)
            if value is None:
                value = _in_memory(low, statement, one, base, active)
            known = emit.at(low.state, low.registers.place(f"known {one.number}", 1))
            last = emit.at(low.state, low.registers.place(f"last {one.number}", 64))
            emit.call("void", _WRITE, low.state, i64(one.number), value, active, known, last)


def _in_memory(low: Lowering, statement: Statement, one: WatchedValue, base: Value, active: Value) -> Value:
    """What lies in the memory of each active lane's variables."""
    emit = low.emit
    name = f"{_READ}{one.nbytes}"
    _define(emit, name, _read_function(name, one.nbytes))
    address = emit.binary("add", base, low.address(one.operand, statement))
    return emit.call(I64, name, address, active)


def _define(emit: Emitter, name: str, function: Emitter) -> None:
    emit.defined.setdefault(name, function.text())
    emit.declared.update(function.declared)


def _write_function() -> Emitter:
    """void write_change(state, number, values, active lanes, mask of lanes that are known, their last values)."""
    emit = Emitter(
        f"internal void @{_WRITE}",
        f"ptr %state, i64 %number, {I64} %value, i32 %active, ptr %known, ptr %last",
        f"noinline {WIDE_VECTORS}",
    )
    emit.label("entry")
    value, active = Value(I64, "%value"), Value("i32", "%active")
    known, last = Value("ptr", "%known"), Value("ptr", "%last")
    before, old = emit.load("i32", known, 64), emit.load(I64, last, 64)
    differs = emit.bits(emit.compare("icmp ne", value, old))
    is_new = emit.binary("or", differs, emit.binary("xor", before, i32(-1)))
    lanes = emit.binary("and", is_new, active)
    with emit.when(emit.compare("icmp ne", lanes, i32(0))):
        place = emit.at(Value("ptr", "%state"), layout.LOG_NEXT)
        slot = emit.load("ptr", place)
        head = emit.binary("shl", emit.cast("zext", lanes, "i64"), i64(32))
        emit.store(emit.binary("or", head, Value("i64", "%number")), slot, 8)
        emit.store(value, emit.at(slot, 8), 8)
        emit.store(emit.at(slot, SLOT_BYTES), place)
        emit.store(i64(1), emit.at(Value("ptr", "%state"), layout.LOG_CHANGED))
        emit.store(emit.select(emit.mask(lanes), value, old), last, 64)
        emit.store(emit.binary("or", before, lanes), known, 64)
    emit.do("ret void")
    return emit


def _read_function(name: str, nbytes: int) -> Emitter:
    """The bytes at each active lane's address as i64; of less than a word with the word in the upper half."""
    emit = Emitter(f"internal {I64} @{name}", f"{I64} %address, i32 %active", f"noinline {WIDE_VECTORS}")
    emit.label("entry")
    room = emit.stack(I64)
    emit.store(Value(I64, "zeroinitializer"), room, 64)
    addresses = emit.stack(I64)
    emit.store(Value(I64, "%address"), addresses, 64)
    with emit.for_each_lane(Value("i32", "%active")) as lane:
        offset = emit.binary("mul", lane, i64(8))
        address = emit.load("i64", emit.at(addresses, offset))
        value = emit.load(f"i{8 * nbytes}", emit.cast("inttoptr", address, "ptr"), 1)
        whole = emit.cast("zext", value, "i64")
        if nbytes < _LEAST_BYTES:
            first = emit.binary("and", address, i64(-_LEAST_BYTES))
            word = emit.load("i32", emit.cast("inttoptr", first, "ptr"), 4)
            whole = emit.binary("or", whole, emit.binary("shl", emit.cast("zext", word, "i64"), i64(32)))
        emit.store(whole, emit.at(room, offset))
    emit.do(f"ret {emit.load(I64, room, 64)}")
    return emit
