"""Proof that threads are in a loop that they can never leave.

A loop is a set of blocks of code from each of which every other one can be reached, calls and returns among the ways.
What decides its way through them, whether it faults, and so whether it ends, are the conditions of its branches and the
addresses of its accesses. Where all registers that these are computed from are themselves computed in the loop, or come
from outside it, and nothing among that is read from memory or from other threads, then a thread that comes to the same
place of the loop with the same values twice goes on for ever: each time the same follows. What a thread reads from its
own local memory, which nobody else writes, is such a value like that of a register. Loops in which anything else
decides are not judged, neither are those that call a function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import LANES
from gemmviz.machine import layout
from gemmviz.machine.faults import EndlessLoopError
from gemmviz.machine.flow import EXIT, registers_in, used, written
from gemmviz.machine.layout import SplitCondition
from gemmviz.machine.local_accesses import Bytes, LocalAccesses
from gemmviz.machine.placement import FunctionFrame, PlacedBlock
from gemmviz.machine.ptx.parse import Statement
from gemmviz.machine.ptx.places import Place
from gemmviz.machine.whereabouts import named_threads

_MOST_LOOKS = 32
"""In a row; a loop that takes more turns than these for one round is not found."""
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
_OTHERS_DECIDE = frozenset({"call", "brx", "mbarrier", "shfl", "vote", "match", "redux", "elect", "activemask"})


@dataclass(frozen=True, slots=True)
class ClosedLoop:
    """A loop whose way follows from `registers`, as the register file names them, and from bytes of the threads' own
    `memory`; `line` is its first, 0 where none is known.
    """

    registers: frozenset[str]
    memory: frozenset[Bytes]
    line: int


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

    def values(self, loop: ClosedLoop, state: NDArray[np.uint8], memory: NDArray[np.uint8]) -> NDArray[np.int64]:
        """What the state of a warp and the local memory of its threads, one behind the other, hold of what decides a
        loop, shape (numbers, 32).
        """
        rows = []
        for name in sorted(loop.registers & self._registers.keys()):
            place, bits = self._registers[name]
            if bits == 1:
                mask = int(state[place : place + 4].view(np.uint32)[0])
                rows.append(np.array([mask >> lane & 1 for lane in range(LANES)], np.int64))
            else:
                nbytes = max(bits, 8) // 8
                words = state[place : place + nbytes * LANES].reshape(LANES, nbytes)
                rows += [words[:, byte].astype(np.int64) for byte in range(nbytes)]
        own = memory[: LANES * self._local_bytes].reshape(LANES, self._local_bytes)
        for one in sorted(loop.memory, key=lambda some: some.begin):
            rows += list(own[:, one.begin : one.end].T.astype(np.int64))
        return np.array(rows, np.int64).reshape(-1, LANES)


class LoopWatch:
    """Looks for a while at the warps of the block that runs, each time that every warp has had a turn; `block` is what
    the compiled code knows of the block, `memory` the local memory of its threads, one behind the other.
    """

    def __init__(self, loops: ClosedLoops, block: NDArray[np.uint8], memory: NDArray[np.uint8]) -> None:
        self._memory = memory
        self._loops, self._asks = loops, block[layout.LOOKS : layout.LOOKS + 4].view(np.int32)
        self._left, self._index = 0, (-1, -1, -1)
        self._seen: dict[int, tuple[int, int, NDArray[np.int64], int]] = {}
        """Of each warp: the block of code and the lanes that it was at, their values, and instructions it had issued.
        """

    def begin(self) -> None:
        """Begin to look; another thread than the one that runs the block may call this."""
        self._left = _MOST_LOOKS
        self._asks[0] = 1

    def look(self, states: NDArray[np.uint8], index: tuple[int, int, int]) -> None:
        """Look at the warps of the block of that index, whose states have the shape (warps, bytes).

        Raises:
            EndlessLoopError: threads are in a loop that they can never leave.
        """
        if index != self._index:
            self._seen.clear()
        self._index, self._left = index, self._left - 1
        found = self._found(states)
        if found is not None:
            line, threads = found
            them = f"{named_threads(threads)} leave{'s'[: len(threads) == 1]} it"
            words = f"a loop that never ends: nothing changes any more that decides when {them}"
            raise EndlessLoopError(words, Place(line, 0), index)
        if self._left <= 0:
            self._asks[0] = 0
            self._seen.clear()

    def _found(self, states: NDArray[np.uint8]) -> tuple[int, list[int]] | None:
        """The line of an endless loop and the threads that are in it."""
        found: dict[int, list[int]] = {}
        for warp, state in enumerate(states):
            alone = _alone(state)
            loop = self._loops.by_block.get(alone[0]) if alone is not None else None
            if alone is None or loop is None:
                self._seen.pop(warp, None)
                continue
            place, lanes = alone
            issued = int(state[layout.INSTRUCTIONS : layout.INSTRUCTIONS + 8].view(np.int64)[0])
            values = self._loops.values(loop, state, self._memory[warp * self._loops.warp_bytes :])
            before = self._seen.get(warp)
            if before is None:
                self._seen[warp] = place, lanes, values, issued
            elif before[0] == place and before[3] < issued:
                same = (before[2] == values).all(axis=0)
                both = lanes & before[1]
                threads = [warp * LANES + lane for lane in range(LANES) if both >> lane & 1 and same[lane]]
                if threads:
                    found.setdefault(loop.line, []).extend(threads)
        return next(iter(found.items()), None)


def _alone(state: NDArray[np.uint8]) -> tuple[int, int] | None:
    """Where a warp is and with which lanes, if one split of it can run and no other waits for anything but that one."""
    alive = _word(state, layout.ALIVE)
    running = None
    for number in range(_word(state, layout.USED_SPLITS)):
        split = state[layout.SPLITS + layout.SPLIT_BYTES * number :]
        condition = _word(split, layout.CONDITION)
        if condition in (SplitCondition.FREE, SplitCondition.WAITS_FOR_CHILDREN):
            continue
        if condition != SplitCondition.RUNS or running is not None:
            return None
        running = _word(split, layout.PC), alive & _word(split, layout.MASK)
    return running


def _word(row: NDArray[np.uint8], offset: int) -> int:
    return int(row[offset : offset + 4].view(np.uint32)[0])


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
    """The loop of some blocks; None where something else than registers and own memory decides its way."""
    statements = [(one, block.frame) for block in blocks for one in block.statements]
    if any(one.words[0] in _OTHERS_DECIDE for one, _ in statements) or any(not one.statements for one in blocks):
        return None
    sets: dict[str, list[tuple[Statement, FunctionFrame]]] = {}
    waiting: list[str] = []
    for one, frame in statements:
        for name in written(one):
            sets.setdefault(frame.prefix + name, []).append((one, frame))
        waiting += [frame.prefix + name for name in _deciding(one)]
    found: set[str] = set()
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
                return None
            if read not in memory:
                memory.add(read)
                stores = _stores_to(read, statements, local)
                if any(store.words[0] != "st" for store, _ in stores):
                    return None
                waiting += [of.prefix + other for store, of in stores for other in used(store)]
    line = min((one.place.line for one, _ in statements if one.place.line), default=0)
    return ClosedLoop(frozenset(found), frozenset(memory), line)


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
