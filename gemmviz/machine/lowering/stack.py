"""Memory that a thread takes while it runs: PTX ISA, "Stack Manipulation Instructions".

It lies behind the thread's variables in local memory. A function's end gives back what the function took.
"""

from __future__ import annotations

from gemmviz.domain.figures import count
from gemmviz.machine.emitter import Emitter, Value
from gemmviz.machine.layout import STACK_ALIGNMENT, STACK_BYTES, Fault
from gemmviz.machine.lowering.context import I64, Lowering, RegisterFile
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.placement import FunctionFrame
from gemmviz.machine.ptx.parse import Statement

STACK_WORDS = (
    f"a thread's stack has {count(STACK_BYTES)} bytes in all, as CUDA gives it unless the host asks for more by "
    "cudaDeviceSetLimit(cudaLimitStackSize, ...), which gemmviz does not"
)
_TAKEN = "bytes taken"
"""The register that says how many bytes of its stack each thread has taken."""


@lowers("alloca")
def _allocate(low: Lowering, statement: Statement) -> None:
    """An alignment beyond 16 is refused: a thread's memory begins at a multiple of 16."""
    target, size, *alignment = statement.operands
    if alignment and low.immediate(alignment[0], statement) > STACK_ALIGNMENT:
        low.refuse(statement, f"aligned to more than {STACK_ALIGNMENT} bytes")
    emit, active, taken = low.emit, low.lanes(statement), _taken(low)
    nbytes = low.fit(low.read(size, low.type_of(statement.words[-1], statement), statement), I64)
    left = emit.binary("sub", emit.constant(I64, STACK_BYTES), taken)
    emit.store(nbytes, low.scratch, 64)  # a fault tells of them
    low.fault_if(emit.binary("and", active, emit.compare("icmp ugt", nbytes, left)), Fault.STACK_OVERFLOW, statement)
    rounded = emit.binary("add", nbytes, emit.constant(I64, STACK_ALIGNMENT - 1))
    rounded = emit.binary("and", rounded, emit.constant(I64, -STACK_ALIGNMENT))
    _take(low, emit.select(active, emit.binary("add", taken, rounded), taken))
    low.write(target, _address(low, taken), statement)


@lowers("stacksave")
def _save(low: Lowering, statement: Statement) -> None:
    low.write(statement.operands[0], _address(low, _taken(low)), statement)


@lowers("stackrestore")
def _restore(low: Lowering, statement: Statement) -> None:
    saved = low.fit(low.read(statement.operands[0], low.type_of(statement.words[-1], statement), statement), I64)
    taken = low.emit.binary("sub", saved, low.emit.constant(I64, low.symbols.stack or 0))
    _take(low, low.emit.select(low.lanes(statement), taken, _taken(low)))


def keep_stack(low: Lowering, frame: FunctionFrame, lanes: Value) -> None:
    """Note what lanes of a mask have taken when they come to a function."""
    if low.symbols.stack is not None:
        place = low.emit.at(low.state, _before(low.registers, frame))
        kept = low.emit.load(I64, place, 64)
        low.emit.store(low.emit.select(low.emit.mask(lanes), _taken(low), kept), place, 64)


def release_stack(low: Lowering, lanes: Value) -> None:
    """Give back what lanes of a mask took in the function that they leave."""
    if low.symbols.stack is not None:
        before = low.emit.load(I64, low.emit.at(low.state, _before(low.registers, low.frame)), 64)
        _take(low, low.emit.select(low.emit.mask(lanes), before, _taken(low)))


def clear_stack(emit: Emitter, state: Value, registers: RegisterFile, lanes: Value) -> None:
    """Give back all that lanes of a mask have taken."""
    place = emit.at(state, registers.place(_TAKEN, 64))
    emit.store(emit.select(emit.mask(lanes), emit.constant(I64, 0), emit.load(I64, place, 64)), place, 64)


def _taken(low: Lowering) -> Value:
    return low.emit.load(I64, low.emit.at(low.state, low.registers.place(_TAKEN, 64)), 64)


def _take(low: Lowering, taken: Value) -> None:
    low.emit.store(taken, low.emit.at(low.state, low.registers.place(_TAKEN, 64)), 64)


def _address(low: Lowering, taken: Value) -> Value:
    return low.emit.binary("add", taken, low.emit.constant(I64, low.symbols.stack or 0))


def _before(registers: RegisterFile, frame: FunctionFrame) -> int:
    return registers.place(f"{frame.prefix}{_TAKEN} before", 64)
