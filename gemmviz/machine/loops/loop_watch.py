"""Looks at a block while it runs: whether threads can never leave a loop, and whether no thread can go on."""

from __future__ import annotations

import time

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


class LoopWatch:
    """Looks for a while at the warps of the block that runs, each time that every warp has had a turn; `block` is what
    the compiled code knows of the block, `memory` the local memory of its threads, one behind the other.
    """

    def __init__(self, loops: ClosedLoops, block: NDArray[np.uint8], memory: NDArray[np.uint8]) -> None:
        self._memory = memory
        self._loops, self._asks = loops, block[layout.LOOKS : layout.LOOKS + 4].view(np.int32)
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
        self._index, self._left = index, self._left - 1
        found = self._found(states)
        if found is not None:
            line, threads = found
            them = f"{named_threads(threads)} leave{'s'[: len(threads) == 1]} it"
            words = f"a loop that never ends: nothing changes any more that decides when {them}"
            raise EndlessLoopError(words, Place(line, 0), index)
        is_stuck = self._standstill.look(states, ReadMemory.GLOBAL if is_alone else ReadMemory.SHARED)
        if self._left <= 0:
            self._asks[0] = 0
            self._seen.clear()
            self._standstill.clear()
        return is_stuck

    def _found(self, states: NDArray[np.uint8]) -> tuple[int, list[int]] | None:
        """The line of an endless loop and the threads that are in it."""
        found: dict[int, list[int]] = {}
        for warp, state in enumerate(states):
            alone = _alone(state)
            loop = self._loops.at(state, *alone) if alone is not None else None
            if alone is None or loop is None or loop.reads is not ReadMemory.NONE:
                self._seen.pop(warp, None)
                continue
            place, lanes = alone
            issued = int(state[layout.INSTRUCTIONS : layout.INSTRUCTIONS + 8].view(np.int64)[0])
            values = self._loops.values(loop, state, self._memory[warp * self._loops.warp_bytes :])
            before = self._seen.get(warp)
            if before is None:
                self._seen[warp] = loop, place, lanes, values, issued
            elif before[0] is loop and before[1] == place and before[4] < issued:
                same = (before[3] == values).all(axis=0)
                both = lanes & before[2]
                threads = [warp * LANES + lane for lane in range(LANES) if both >> lane & 1 and same[lane]]
                if threads:
                    found.setdefault(loop.line, []).extend(threads)
        return next(iter(found.items()), None)


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
