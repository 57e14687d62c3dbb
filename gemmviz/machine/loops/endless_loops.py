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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import LANES
from gemmviz.machine import layout
from gemmviz.machine.calls import CALL_REGISTERS
from gemmviz.machine.flow import EXIT, registers_in, used, written
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
_OTHERS_DECIDE = frozenset({"brx", "shfl", "vote", "match", "redux", "elect", "activemask"})
_QUIET = _COMPUTED | {"ld", "bra", "call", "ret", "exit", "trap", "nanosleep", "fence", "membar", "isspacep"}


class ReadMemory(IntEnum):
    """Memory beside that of its own which decides how a thread goes on: none, the block's, or also that of all."""

    NONE = 0
    SHARED = 1
    GLOBAL = 2


@dataclass(frozen=True, slots=True)
class ClosedLoop:
    """A loop whose way follows from `registers`, as the register file names them, and from bytes of the threads' own
    `memory`; `line` is its first, 0 where none is known.

    `reads` says what else decides. `is_quiet`: nothing in it changes what other threads see. `mbarrier` is where it
    tests an mbarrier, None where it tests none.
    """

    registers: frozenset[str]
    memory: frozenset[Bytes]
    line: int
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

    @property
    def warp_bytes(self) -> int:
        """The local memory of a warp's threads."""
        return LANES * self._local_bytes

    @cached_property
    def by_block(self) -> dict[int, ClosedLoop]:
        """The loop that each block of code is in."""
        found: dict[int, ClosedLoop] = {}
        local = LocalAccesses(self._blocks, self._local_bytes)
        for numbers in _loops(_successors(self._blocks)):
            loop = _closed([self._blocks[number] for number in numbers], local)
            if loop is not None:
                found.update(dict.fromkeys(numbers, loop))
        return found

    @cached_property
    def testing(self) -> dict[int, bool]:
        """The blocks of code from which a test of an mbarrier can be reached that leads back to them, and whether a
        clock is read on the way. Which function returns to where is not told apart.
        """
        found: dict[int, bool] = {}
        for numbers in _loops(_successors(self._blocks)):
            statements = [one for number in numbers for one in self._blocks[number].statements]
            if any(map(is_mbarrier_test, statements)):
                found.update(dict.fromkeys(numbers, any(map(_reads_clock, statements))))
        return found

    def values(self, loop: ClosedLoop, state: NDArray[np.uint8], memory: NDArray[np.uint8]) -> NDArray[np.int64]:
        """What the state of a warp and the local memory of its threads, one behind the other, hold of what decides a
        loop, shape (numbers, 32).
        """
        rows = []
        for name in sorted(loop.registers & self._registers.keys()):
            place, bits = self._registers[name]
            if bits == 1:
                mask = layout.word_at(state, place)
                rows.append(np.array([mask >> lane & 1 for lane in range(LANES)], np.int64))
            else:
                nbytes = max(bits, 8) // 8
                words = state[place : place + nbytes * LANES].reshape(LANES, nbytes)
                rows += [words[:, byte].astype(np.int64) for byte in range(nbytes)]
        own = memory[: LANES * self._local_bytes].reshape(LANES, self._local_bytes)
        for one in sorted(loop.memory, key=lambda some: some.begin):
            rows += list(own[:, one.begin : one.end].T.astype(np.int64))
        return np.array(rows, np.int64).reshape(-1, LANES)


def _successors(blocks: Sequence[PlacedBlock]) -> list[set[int]]:
    """The blocks to which each may go on, into functions and back to all places that call them."""
    successors = [{one for one in block.successors if one != EXIT} for block in blocks]
    behind: dict[str, set[int]] = {}
    for number, block in enumerate(blocks):
        called = [block.calls] if block.calls else [(one.frame, one.first) for one in block.targets or ()]
        for frame, _first in called:
            behind.setdefault(frame.prefix, set()).update(successors[number])
    for number, block in enumerate(blocks):
        successors[number] |= {block.calls[1]} if block.calls else {one.first for one in block.targets or ()}
        if not block.statements:  # the end of a function
            successors[number] |= behind.get(block.frame.prefix, set())
    return successors


def _loops(successors: Sequence[set[int]]) -> Iterator[list[int]]:
    """The strongly connected parts of a graph that have a way round (Tarjan, 1972)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    on_path: set[int] = set()
    for root in range(len(successors)):
        if root in index:
            continue
        work = [(root, iter(sorted(successors[root])))]
        index[root] = low[root] = len(index)
        path.append(root)
        on_path.add(root)
        while work:
            node, rest = work[-1]
            for one in rest:
                if one not in index:
                    index[one] = low[one] = len(index)
                    path.append(one)
                    on_path.add(one)
                    work.append((one, iter(sorted(successors[one]))))
                    break
                if one in on_path:
                    low[node] = min(low[node], index[one])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = path.index(node)
                    part, path[at:] = path[at:], []
                    on_path.difference_update(part)
                    if len(part) > 1 or node in successors[node]:
                        yield part


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
    line = min((one.place.line for one, _ in statements if one.place.line), default=0)
    place = tests[0].place if tests else None
    return ClosedLoop(frozenset(found), frozenset(memory), line, reads, is_quiet, place)


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
