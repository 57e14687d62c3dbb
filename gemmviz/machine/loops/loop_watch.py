"""Looks at a block while it runs: whether threads can never leave a loop, and whether no thread can go on."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine import layout
from gemmviz.machine.faults import EndlessLoopError
from gemmviz.machine.layout import SplitCondition
from gemmviz.machine.loops.endless_loops import ClosedLoop, ClosedLoops, ReadMemory
from gemmviz.machine.loops.standstill import StandstillWatch
from gemmviz.machine.ptx.places import Place
from gemmviz.machine.whereabouts import named_threads

_FIRST_PAUSE_S, _LAST_PAUSE_S = 0.1, 6.0
"""How long a block runs before it is looked at, and the longest pause between two rounds of looks."""
_FIRST_LOOKS, _MOST_LOOKS = 8, 32
"""In a row, the first time and at most; a loop that takes more turns than these for one round is not found."""
_MOST_STEPS = 256
"""Backward branches after which an endless loop is named by the line of the outermost one that it may be."""


@dataclass(slots=True)
class _Round:
    """A warp that is in an endless loop of some threads, followed from one backward branch to the next until it is
    where it was: `visited` are the blocks of code that it jumped back to.
    """

    warp: int
    threads: list[int]
    loop: ClosedLoop
    place: int
    values: NDArray[np.uint8]
    visited: set[int] = field(default_factory=set)
    steps: int = 0


class LoopWatch:
    """Looks for a while at the warps of the block that runs, each time that every warp has had a turn; `block` is what
    the compiled code knows of the block, `memory` the local memory of its threads, one behind the other.
    """

    def __init__(self, loops: ClosedLoops, block: NDArray[np.uint8], memory: NDArray[np.uint8]) -> None:
        self._memory = memory
        self._loops, self._asks = loops, block[layout.LOOKS : layout.LOOKS + 4].view(np.int32)
        self._gives_way = block[layout.FAULT_WARP : layout.FAULT_WARP + 4].view(np.int32)
        self._round: _Round | None = None
        self._left, self._looks, self._index = 0, _FIRST_LOOKS, (-1, -1, -1)
        self._pause_s = self._next = 0.0
        self._standstill = StandstillWatch(loops, memory)
        self._seen: dict[int, tuple[ClosedLoop, int, int, NDArray[np.uint8], int]] = {}
        """Of each warp: the loop, the block of code and the lanes that it was at, their values, and instructions it had
        issued.
        """

    def rest(self) -> None:
        """Do not look at a block that begins until it has run for a while."""
        self._left, self._asks[0] = 0, 0
        self._pause_s, self._looks = _FIRST_PAUSE_S, _FIRST_LOOKS
        self._next = time.monotonic() + self._pause_s

    def begin(self) -> None:
        """Begin to look if it is time to: looks cost more than what they look at, so they come ever more rarely, and
        few of them at first. Another thread than the one that runs the block may call this.
        """
        now = time.monotonic()
        if self._left > 0 or now < self._next:
            return
        self._pause_s = min(2 * self._pause_s, _LAST_PAUSE_S)
        self._next = now + self._pause_s
        self._left = self._looks
        self._looks = min(2 * self._looks, _MOST_LOOKS)
        self._asks[0] = 1

    def look(self, states: NDArray[np.uint8], index: tuple[int, int, int], *, is_alone: bool) -> bool:
        """Look at the warps of the block of that index, whose states have the shape (warps, bytes); whether none of its
        threads can go on. `is_alone`: no other block runs, or will before this one has ended.

        Raises:
            EndlessLoopError: threads are in a loop that they can never leave.
        """
        if index != self._index:
            self._seen.clear()
            self._standstill.clear()
            self._round = None
        self._index, self._left = index, self._left - 1
        self._round = self._round or self._found(states)
        if self._round is not None:
            self._follow(self._round, states[self._round.warp])
            return False
        is_stuck = self._standstill.look(states, ReadMemory.GLOBAL if is_alone else ReadMemory.SHARED)
        if self._left <= 0:
            self._asks[0] = 0
            self._seen.clear()
            self._standstill.clear()
        return is_stuck

    def _follow(self, followed: _Round, state: NDArray[np.uint8]) -> None:
        """Let a warp in an endless loop take one backward branch more.

        Raises:
            EndlessLoopError: it has been all the way round.
        """
        place, _lanes = _alone(state) or (-1, 0)
        if place >= 0:
            followed.visited.add(place)
        is_round = followed.steps > 0 and place == followed.place
        if is_round:
            chosen = [thread % LANES for thread in followed.threads if thread // LANES == followed.warp]
            values = self._values(followed.loop, state, followed.warp)
            is_round = bool((values == followed.values)[:, chosen].all())
        if is_round or place < 0 or followed.steps == _MOST_STEPS:
            visited = frozenset(followed.visited) if is_round else None
            words = f"a loop that never ends: it repeats with the same values in {named_threads(followed.threads)}"
            raise EndlessLoopError(words, Place(self._loops.line_of(followed.place, visited), 0), self._index)
        followed.steps += 1
        state[layout.BUDGET : layout.BUDGET + 4].view(np.int32)[0] = 0
        self._gives_way[0] = followed.warp

    def _values(self, loop: ClosedLoop, state: NDArray[np.uint8], warp: int) -> NDArray[np.uint8]:
        return self._loops.values(loop, state, self._memory[warp * self._loops.warp_bytes :])

    def _found(self, states: NDArray[np.uint8]) -> _Round | None:
        """An endless loop, the threads that are in it, and the first of their warps."""
        found: dict[int, _Round] = {}
        for warp, state in enumerate(states):
            alone = _alone(state)
            loop = self._loops.at(state, *alone) if alone is not None else None
            if alone is None or loop is None or loop.reads is not ReadMemory.NONE:
                self._seen.pop(warp, None)
                continue
            place, lanes = alone
            issued = int(state[layout.INSTRUCTIONS : layout.INSTRUCTIONS + 8].view(np.int64)[0])
            values = self._values(loop, state, warp)
            before = self._seen.get(warp)
            if before is None:
                self._seen[warp] = loop, place, lanes, values, issued
            elif before[0] is loop and before[1] == place and before[4] < issued:
                same = (before[3] == values).all(axis=0)
                both = lanes & before[2]
                threads = [warp * LANES + lane for lane in range(LANES) if both >> lane & 1 and same[lane]]
                if threads:
                    found.setdefault(id(loop), _Round(warp, [], loop, place, values)).threads.extend(threads)
        return next(iter(found.values()), None)


def _alone(state: NDArray[np.uint8]) -> tuple[int, int] | None:
    """Where a warp is and with which lanes, if one split of it can run and no other waits for anything but that one."""
    alive = layout.word_at(state, layout.ALIVE)
    running = None
    for number in range(layout.word_at(state, layout.USED_SPLITS)):
        split = state[layout.SPLITS + layout.SPLIT_BYTES * number :]
        condition = layout.word_at(split, layout.CONDITION)
        if condition in (SplitCondition.FREE, SplitCondition.WAITS_FOR_CHILDREN):
            continue
        if condition != SplitCondition.RUNS or running is not None:
            return None
        running = layout.word_at(split, layout.PC), alive & layout.word_at(split, layout.MASK)
    return running
