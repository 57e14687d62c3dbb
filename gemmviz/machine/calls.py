"""Compiled code for calls: the functions that a pointer may point to, and a thread's way in and back.

Each function has one set of registers, so a thread may be in it once. Lanes that call different functions by one
pointer run apart, a function at a time, and meet behind the call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gemmviz.domain.kernels.mangled_names import plain_name
from gemmviz.machine.emitter import Value, i32, vector
from gemmviz.machine.layout import Fault
from gemmviz.machine.lowering.context import I32, I64, Lowering, RegisterFile
from gemmviz.machine.lowering.lanes_memory import gather, scatter
from gemmviz.machine.lowering.memory import further, local_base
from gemmviz.machine.placement import Copy, FunctionFrame, Target
from gemmviz.machine.ptx.calls import call_parts, is_by_pointer
from gemmviz.machine.ptx.parse import Statement

CALL_REGISTERS = ("return", "inside")
"""Registers of each function beside those of its text: where its lanes go on behind it, and which lanes are in it."""


def keep_pointers(low: Lowering, call: Statement) -> None:
    """Write down where each lane's pointer points, until the lanes have called one function after the other."""
    place = low.emit.at(low.state, _pointers(low, call))
    pointers = low.read(call_parts(call)[1], I64, call)
    low.emit.store(low.emit.select(low.active, pointers, low.emit.load(I64, place, 64)), place, 64)


def _pointers(low: Lowering, call: Statement) -> int:
    return low.registers.place(f"{low.frame.prefix}pointers {call.start}", 64)


def targets_of(
    low: Lowering, mask: Value, call: Statement, targets: Sequence[Target]
) -> Iterator[tuple[Target, Value]]:
    """What is written for each function runs where the first lane of `mask` points to it; with a mask of the lanes that
    do. The code faults where a pointer points to none.
    """
    emit = low.emit
    pointers = emit.load(I64, emit.at(low.state, _pointers(low, call)), 64)
    emit.store(pointers, low.scratch, 64)  # a fault tells of them
    pointer, lanes = first_of(low, pointers, mask)
    labels = [emit.fresh("target") for _ in targets]
    cases = " ".join(f"i64 {one.address}, label %{label}" for one, label in zip(targets, labels, strict=True))
    unknown = emit.fresh("unknown")
    emit.do(f"switch {pointer}, label %{unknown} [ {cases} ]")
    emit.label(unknown)
    low.fault(Fault.NO_FUNCTION, lanes, call)
    for one, label in zip(targets, labels, strict=True):
        emit.label(label)
        yield one, lanes


def first_of(low: Lowering, values: Value, mask: Value) -> tuple[Value, Value]:
    """The value of the first lane of a mask, and a mask of its lanes that have the same."""
    emit = low.emit
    first = emit.call("i32", "llvm.cttz.i32", mask, Value("i1", "false"))
    value = emit.extract(values, emit.binary("and", first, i32(31)))
    return value, emit.binary("and", mask, emit.bits(emit.compare("icmp eq", values, emit.splat(value))))


def copy_values(low: Lowering, lanes: Value, copies: Sequence[Copy]) -> None:
    """Copy bytes within the local memory of each lane of a mask."""
    active = low.emit.mask(lanes)
    base = local_base(low) if copies else None
    for one in copies:
        done = 0
        while base is not None and done < one.nbytes:
            width = next(width for width in (8, 4, 2, 1) if width <= one.nbytes - done)
            value = gather(low, vector(f"i{8 * width}"), further(low, base, one.source + done), active, 1)
            scatter(low, value, further(low, base, one.target + done), active, 1)
            done += width


def enter(low: Lowering, frame: FunctionFrame, lanes: Value, call: Statement) -> None:
    """Note that lanes of a mask are in a function; the code faults where one is in it already."""
    emit = low.emit
    place = emit.at(low.state, _inside(low.registers, frame))
    inside = emit.load("i32", place)
    again = emit.binary("and", inside, lanes)
    with emit.when(emit.compare("icmp ne", again, i32(0)), likely=False):
        low.fault(Fault.CALLS_ITSELF, again, call)
        emit.label(emit.fresh("never"))
    emit.store(emit.binary("or", inside, lanes), place)


def leave(low: Lowering, frame: FunctionFrame, lanes: Value) -> None:
    """Note that lanes of a mask are not in a function."""
    place = low.emit.at(low.state, _inside(low.registers, frame))
    others = low.emit.binary("xor", lanes, i32(-1))
    low.emit.store(low.emit.binary("and", low.emit.load("i32", place), others), place)


def _inside(registers: RegisterFile, frame: FunctionFrame) -> int:
    return registers.place(f"{frame.prefix}{CALL_REGISTERS[1]}", 1)


def set_return(low: Lowering, frame: FunctionFrame, lanes: Value, block: int) -> None:
    """Let the lanes of a mask go on at a block when they return from a function."""
    emit = low.emit
    place = emit.at(low.state, _return_place(low.registers, frame))
    emit.store(emit.select(emit.mask(lanes), emit.constant(I32, block), emit.load(I32, place, 64)), place, 64)


def return_blocks(low: Lowering) -> Value:
    """The blocks at which the lanes go on behind the function that they are in."""
    return low.emit.load(I32, low.emit.at(low.state, _return_place(low.registers, low.frame)), 64)


def _return_place(registers: RegisterFile, frame: FunctionFrame) -> int:
    return registers.place(f"{frame.prefix}{CALL_REGISTERS[0]}", 32)


def call_fault_words(kind: Fault, site: Statement, address: int, functions: Mapping[int, str]) -> str:
    """What is wrong with a call; `address` is the pointer where it is by one, and `functions` are the names of the
    functions that have one.
    """
    name = functions.get(address, "") if is_by_pointer(site) else call_parts(site)[1]
    if kind is Fault.CALLS_ITSELF:
        return f"{plain_name(name)} comes to call itself, which is not implemented: write it as a loop"
    held = f"a call by a pointer that holds {address & (1 << 64) - 1:#x}"
    if name:
        return f"{held}, the address of {plain_name(name)}, whose parameters or results are not those of the call"
    return f"{held}, which is the address of no function"
