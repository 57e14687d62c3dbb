"""Loads and stores of all lanes at once: one function of the module for each width, called by every access.

LLVM makes some seventy blocks of machine code of a masked gather or scatter, and its time grows faster than the blocks
of a function: written out at each access, the code of a kernel with 170 accesses took five times as long.
"""

from __future__ import annotations

from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine.emitter import MASK, WIDE_VECTORS, Emitter, Value, bits_of, vector
from gemmviz.machine.lowering.context import I64, Lowering

_EVERY_LANE = Value("i32", "-1")


def gather(low: Lowering, type_: str, address: Value, active: Value, align: int) -> Value:
    """What lies at the addresses of the active lanes; 0 in the others."""
    name = f"gather_{bits_of(type_)}_{align}"
    if name not in low.emit.defined:
        _define(low.emit, _gather_function(name, type_, align))
    return low.emit.call(type_, name, address, low.emit.bits(active))


def scatter(low: Lowering, value: Value, address: Value, active: Value, align: int) -> None:
    """Write each active lane's value to its address; of several at one address the highest lane's stays."""
    name = f"scatter_{bits_of(value.type)}_{align}"
    if name not in low.emit.defined:
        _define(low.emit, _scatter_function(name, value.type, align))
    low.emit.call("void", name, value, address, low.emit.bits(active))


def _define(emit: Emitter, function: Emitter) -> None:
    emit.declared |= function.declared
    emit.defined[function.name] = function.text()


def _gather_function(name: str, type_: str, align: int) -> Emitter:
    """`type_` name(addresses, active): neighbours from one load, else each active lane's own."""
    emit = Emitter(f"internal {type_} @{name}", f"{I64} %address, i32 %active", f"noinline {WIDE_VECTORS}")
    emit.label("entry")
    address, active = Value(I64, "%address"), Value("i32", "%active")
    with emit.when(_are_neighbours(emit, address, active, bits_of(type_) // 8)):
        emit.do(f"ret {emit.load(type_, _first_of(emit, address), align)}")
        emit.label(emit.fresh("never"))
    intrinsic = f"llvm.masked.gather.v{LANES}i{bits_of(type_)}.v{LANES}p0"
    pointers, none = emit.cast("inttoptr", address, vector("ptr")), Value(type_, "zeroinitializer")
    with emit.when(emit.compare("icmp eq", active, _EVERY_LANE)):
        every = emit.constant(MASK, "true")
        emit.do(f"ret {emit.call(type_, intrinsic, pointers, Value('i32', str(align)), every, none)}")
        emit.label(emit.fresh("never"))
    emit.do(f"ret {emit.call(type_, intrinsic, pointers, Value('i32', str(align)), emit.mask(active), none)}")
    return emit


def _scatter_function(name: str, type_: str, align: int) -> Emitter:
    """void name(values, addresses, active): to neighbours with one store, else each active lane's own."""
    arguments = f"{type_} %value, {I64} %address, i32 %active"
    emit = Emitter(f"internal void @{name}", arguments, f"noinline {WIDE_VECTORS}")
    emit.label("entry")
    value, address, active = Value(type_, "%value"), Value(I64, "%address"), Value("i32", "%active")
    with emit.when(_are_neighbours(emit, address, active, bits_of(type_) // 8)):
        emit.store(value, _first_of(emit, address), align)
        emit.do("ret void")
        emit.label(emit.fresh("never"))
    intrinsic = f"llvm.masked.scatter.v{LANES}i{bits_of(type_)}.v{LANES}p0"
    pointers = emit.cast("inttoptr", address, vector("ptr"))
    with emit.when(emit.compare("icmp eq", active, _EVERY_LANE)):
        emit.call("void", intrinsic, value, pointers, Value("i32", str(align)), emit.constant(MASK, "true"))
        emit.do("ret void")
        emit.label(emit.fresh("never"))
    emit.call("void", intrinsic, value, pointers, Value("i32", str(align)), emit.mask(active))
    emit.do("ret void")
    return emit


def _are_neighbours(emit: Emitter, address: Value, active: Value, width: int) -> Value:
    """Whether every lane is active and each lane's element lies behind that of the lane before it."""
    steps = ", ".join(f"i64 {width * lane}" for lane in range(LANES))
    first = emit.extract(address, Value("i64", "0"))
    apart = emit.compare("icmp ne", address, emit.binary("add", emit.splat(first), Value(I64, f"<{steps}>")))
    is_every = emit.compare("icmp eq", active, _EVERY_LANE)
    return emit.binary("and", is_every, emit.compare("icmp eq", emit.bits(apart), Value("i32", "0")))


def _first_of(emit: Emitter, address: Value) -> Value:
    return emit.cast("inttoptr", emit.extract(address, Value("i64", "0")), "ptr")
