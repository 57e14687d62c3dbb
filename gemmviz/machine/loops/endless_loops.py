"""Proof that threads are in a loop that they can never leave.

A loop is a set of blocks of code from each of which every other one can be reached, calls and returns among the ways.
What decides its way through them, whether it faults, and so whether it ends, are the conditions of its branches and the
addresses of its accesses. Where all registers that these are computed from are themselves computed in the loop, or come
from outside it, and nothing among that is read from memory or from other threads, then a thread that comes to the same
place of the loop with the same values twice goes on for ever: each time the same follows. What a thread reads from its
own local memory, which nobody else writes, is such a value like that of a register; so is the place to which a function
returns. Loops in which anything else decides are not judged, neither are those that call a function by a pointer. Where
memory of others decides, too (by loads or tests of mbarriers), a loop is judged together with all that the other
threads of the block do (`standstill`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine.calls import CALL_REGISTERS
from gemmviz.machine.flow import registers_in, used, written
from gemmviz.machine.loops.code_graph import connected_parts, innermost_part, part_with, successors_of
from gemmviz.machine.loops.local_accesses import ALL, Bytes, LocalAccesses
from gemmviz.machine.placement import FunctionFrame, PlacedBlock
from gemmviz.machine.ptx.parse import Statement
from gemmviz.machine.ptx.places import Place

_LEAVES = frozenset({"bra", "exit", "ret", "trap"})
_INTEGER = frozenset(
    {
        "add",
        "sub",
        "mul",
        "mad",
        "div",
        "rem",
        "min",
        "max",
        "neg",
        "abs",
        "sad",
        "mul24",
        "mad24",
        "setp",
        "set",
        "selp",
        "slct",
        "cvt",
        "cvta",
        "mov",
    }
)
_LOGIC = frozenset(
    {
        "and",
        "or",
        "xor",
        "not",
        "cnot",
        "shl",
        "shr",
        "shf",
        "lop3",
        "prmt",
        "bfe",
        "bfi",
        "bfind",
        "brev",
        "clz",
        "popc",
    }
)
_FLOATING = frozenset({"fma", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh", "copysign", "testp"})
_COMPUTED = _INTEGER | _LOGIC | _FLOATING
"""Instructions whose result follows from their operands alone, unless they carry (`.cc`)."""
_SAME_EACH_TIME = ("%tid.", "%ntid.", "%ctaid.", "%nctaid.", "%laneid", "%lanemask_")
"""Special registers that keep their value while a thread lives."""
_CLOCKS = ("%clock", "%globaltimer")
_OTHERS_DECIDE = frozenset({"brx", "shfl", "vote", "match", "redux", "elect", "activemask", "alloca", "stackrestore"})
_QUIET = _COMPUTED | {"ld", "bra", "call", "ret", "exit", "trap", "nanosleep", "fence", "membar", "isspacep"}


class ReadMemory(IntEnum):
    """Memory beside that of its own which decides how a thread goes on: none, the block's, or also that of all."""

    NONE = 0
    SHARED = 1
    GLOBAL = 2


@dataclass(frozen=True, slots=True)
class ClosedLoop:
    """A loop whose way follows from `registers`, as the register file names them, and from bytes of the threads' own
    `memory`.

    `reads` says what else decides. `is_quiet`: nothing in it changes what other threads see. `mbarrier` is where it
    tests an mbarrier, None where it tests none.
    """

    registers: frozenset[str]
    memory: frozenset[Bytes]
    reads: ReadMemory
    is_quiet: bool
    mbarrier: Place | None


class ClosedLoops:
    """The loops of a kernel's code that can be judged. `registers` has the place and the bits of each register;
    `local_bytes` is the local memory of a thread.
    """

    def __init__(
        self, blocks: Sequence[PlacedBlock], registers: dict[str, tuple[int, int]], local_bytes: int = 0
    ) -> None:
        self._blocks, self._registers, self._local_bytes = blocks, registers, local_bytes
        self._known: dict[tuple[int, tuple[int, ...] | None], ClosedLoop | None] = {}
        self._places: dict[ClosedLoop, tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]] = {}

    @property
    def warp_bytes(self) -> int:
        """The local memory of a warp's threads."""
        return LANES * self._local_bytes

    def at(self, state: NDArray[np.uint8], place: int, lanes: int) -> ClosedLoop | None:
        """The loop that some lanes of a warp are in at a block of code, whose functions return to where the warp's
        `state` says; where lanes differ in that, functions may return to any of their callers. None where they are in
        none that can be judged. It is the same object each time for the same place and returns.
        """
        part = self._part_of.get(place)
        if part is None:
            return None
        returns = self._returns(state, place, lanes)
        key = place, returns
        if key not in self._known:
            nodes = part_with(self._blocks, (place, returns), part) if returns is not None else None
            numbers = part if nodes is None else sorted({number for number, _ in nodes})
            loop = _closed([self._blocks[number] for number in numbers], self._local) if numbers else None
            self._known.update(dict.fromkeys(nodes or (), loop))
            self._known[key] = loop
        return self._known[key]

    def _returns(self, state: NDArray[np.uint8], place: int, lanes: int) -> tuple[int, ...] | None:
        """The blocks at which lanes go on when the functions that they are in return, the innermost first; None where
        lanes differ in that.
        """
        found = [place]
        chosen = [lane for lane in range(LANES) if lanes >> lane & 1]
        while prefix := self._blocks[found[-1]].frame.prefix:
            begin, bits = self._registers.get(f"{prefix}{CALL_REGISTERS[0]}", (0, 0))
            if bits != 32 or len(found) > len(self._blocks):
                return None
            behind = np.unique(state[begin : begin + 4 * LANES].view(np.int32)[chosen])
            if behind.size != 1 or not 0 <= int(behind[0]) < len(self._blocks):
                return None
            found.append(int(behind[0]))
        return tuple(found[1:])

    def line_of(self, place: int, visited: frozenset[int] | None) -> int:
        """The first line of the innermost loop that has all the blocks that were visited; of the outermost that has a
        place where these are not known. 0 where no line is known.
        """
        part = self._part_of[place]
        if visited is not None:
            part = innermost_part(self._successors, part, visited)
        lines = [one.place.line for number in part for one in self._blocks[number].statements]
        return min(filter(None, lines), default=0)

    @cached_property
    def _successors(self) -> list[set[int]]:
        return successors_of(self._blocks)

    @cached_property
    def _parts(self) -> list[list[int]]:
        return list(connected_parts(self._successors))

    @cached_property
    def _part_of(self) -> dict[int, list[int]]:
        """The part that each block of code is in."""
        return {number: part for part in self._parts for number in part}

    @cached_property
    def _local(self) -> LocalAccesses:
        return LocalAccesses(self._blocks, self._local_bytes)

    @cached_property
    def testing(self) -> dict[int, bool]:
        """The blocks of code from which a test of an mbarrier can be reached that leads back to them, and whether a
        clock is read on the way. Which function returns to where is not told apart.
        """
        found: dict[int, bool] = {}
        for numbers in self._parts:
            statements = [one for number in numbers for one in self._blocks[number].statements]
            if any(map(is_mbarrier_test, statements)):
                found.update(dict.fromkeys(numbers, any(map(_reads_clock, statements))))
        return found

    def values(self, loop: ClosedLoop, state: NDArray[np.uint8], memory: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """What the state of a warp and the local memory of its threads, one behind the other, hold of what decides a
        loop, a byte or a predicate in each row, shape (rows, 32).
        """
        if loop not in self._places:
            self._places[loop] = self._places_of(loop)
        of_state, of_predicates, of_memory = self._places[loop]
        predicates = np.unpackbits(state[of_predicates], axis=1, bitorder="little")
        own = memory[: LANES * self._local_bytes].reshape(LANES, self._local_bytes)
        return np.concatenate((state[of_state], predicates, own[:, of_memory].T))

    def _places_of(self, loop: ClosedLoop) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Where in the state of a warp each byte of the registers that decide a loop lies for each lane, shape (bytes,
        32), and each of their predicates, shape (predicates, 4); and where each byte in the memory of a thread.
        """
        registers = [self._registers[name] for name in sorted(loop.registers & self._registers.keys())]
        of_bytes, of_predicates = list[range](), list[range]()
        for place, bits in registers:
            if bits == 1:
                of_predicates.append(range(place, place + 4))
            else:
                nbytes = max(bits, 8) // 8
                of_bytes += [range(first, first + nbytes * LANES, nbytes) for first in range(place, place + nbytes)]
        of_memory = [
            byte
            for one in sorted(loop.memory, key=lambda some: some.begin)
            for byte in range(self._local_bytes)[one.begin : one.end]
        ]
        return (
            np.array(of_bytes, np.intp).reshape(-1, LANES),
            np.array(of_predicates, np.intp).reshape(-1, 4),
            np.array(of_memory, np.intp),
        )


def _closed(blocks: Sequence[PlacedBlock], local: LocalAccesses) -> ClosedLoop | None:
    """The loop of some blocks; None where something else than registers, own memory and shared memory that it does not
    change decides its way.
    """
    statements = [(one, block.frame) for block in blocks for one in block.statements]
    if any(one.words[0] in _OTHERS_DECIDE for one, _ in statements) or any(map(_calls_otherwise, blocks)):
        return None
    tests = [one for one, _ in statements if is_mbarrier_test(one)]
    is_quiet = all(_is_quiet(one, frame, local) for one, frame in statements)
    if any(one.words[0] == "mbarrier" for one, _ in statements) and not is_quiet:
        return None
    reads = ReadMemory.SHARED if tests else ReadMemory.NONE
    sets: dict[str, list[tuple[Statement, FunctionFrame]]] = {}
    waiting: list[str] = []
    for one, frame in statements:
        for name in written(one):
            sets.setdefault(frame.prefix + name, []).append((one, frame))
        waiting += [frame.prefix + name for name in _deciding(one)]
    found = {block.frame.prefix + name for block in blocks if not block.statements for name in CALL_REGISTERS}
    memory: set[Bytes] = set()
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        for one, frame in sets.get(name, ()):
            waiting += [frame.prefix + other for other in used(one)]
            if _follows_from_operands(one):
                continue
            read = local.read(one, frame)
            if read is None:
                of_others = _read_of_others(one) if is_quiet else ReadMemory.NONE
                if of_others is ReadMemory.NONE:
                    return None
                reads = max(reads, of_others)
                if "shared" in one.words or "global" in one.words:
                    continue
                read = ALL
            if read not in memory:
                memory.add(read)
                stores = _stores_to(read, statements, local)
                if any(store.words[0] != "st" for store, _ in stores):
                    return None
                waiting += [of.prefix + other for store, of in stores for other in used(store)]
    place = tests[0].place if tests else None
    return ClosedLoop(frozenset(found), frozenset(memory), reads, is_quiet, place)


def is_mbarrier_test(statement: Statement) -> bool:
    """Whether a statement asks whether a phase of an mbarrier is over."""
    return statement.words[0] == "mbarrier" and statement.words[1] in ("test_wait", "try_wait")


def _reads_clock(statement: Statement) -> bool:
    return any(one.strip().startswith(_CLOCKS) for one in statement.operands)


def _read_of_others(statement: Statement) -> ReadMemory:
    """The memory that a statement reads beside its thread's own; NONE where its result comes from elsewhere."""
    if is_mbarrier_test(statement) or (statement.words[0] == "ld" and "shared" in statement.words):
        return ReadMemory.SHARED
    return ReadMemory.GLOBAL if statement.words[0] == "ld" else ReadMemory.NONE


def _calls_otherwise(block: PlacedBlock) -> bool:
    """Whether a block ends with a call that is by a pointer, of the host, or of some of its lanes."""
    last = block.statements[-1] if block.statements else None
    return last is not None and last.words[0] == "call" and (block.calls is None or bool(last.guard))


def _is_quiet(statement: Statement, frame: FunctionFrame, local: LocalAccesses) -> bool:
    """Whether a statement changes nothing that other threads see."""
    if statement.words[0] != "st":
        return statement.words[0] in _QUIET or is_mbarrier_test(statement)
    return not {"local", "param"}.isdisjoint(statement.words) or local.may_write(statement, frame) not in (None, ALL)


def _stores_to(
    memory: Bytes, statements: Sequence[tuple[Statement, FunctionFrame]], local: LocalAccesses
) -> list[tuple[Statement, FunctionFrame]]:
    """The statements that may write some bytes of their thread's own memory."""
    return [
        (one, frame)
        for one, frame in statements
        if (writes := local.may_write(one, frame)) is not None and writes.meets(memory)
    ]


def _deciding(statement: Statement) -> list[str]:
    """The registers of a statement that decide which way a thread takes, and whether the statement faults."""
    touches = any("[" in operand for operand in statement.operands)
    is_barrier = statement.words[0] in ("bar", "barrier")
    found = (
        registers_in(statement.guard, statement)
        if statement.guard and (touches or is_barrier or statement.words[0] in _LEAVES)
        else []
    )
    for operand in statement.operands:
        if "[" in operand or is_barrier:
            found += registers_in(operand, statement)
    return found


def _follows_from_operands(statement: Statement) -> bool:
    words = statement.words
    if words[0] not in _COMPUTED or "cc" in words:
        return False
    specials = [
        one
        for operand in statement.operands
        for one in operand.strip("{} ").split(",")
        if one.strip().startswith("%") and statement.scope.register(one.strip().partition("|")[0]) is None
    ]
    return all(one.strip().startswith(_SAME_EACH_TIME) for one in specials)
