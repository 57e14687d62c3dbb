"""Proof that no thread of a block can go on, where some of them test an mbarrier or read shared memory in a loop.

Each thread waits at a barrier or for lanes of its warp, or is in a loop that changes nothing that others see. So shared
memory stays as it is, no barrier becomes full, and a thread that comes to the same place of its loop with the same
values a second time goes on for ever. No other block has access to the block's shared memory, and nothing writes there
later: asynchronous copies arrive at once. Loops that read memory of all blocks are judged where no other block runs or
will begin.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine import layout
from gemmviz.machine.layout import SplitCondition
from gemmviz.machine.loops.endless_loops import ClosedLoop, ClosedLoops, ReadMemory

_WAIT = frozenset({SplitCondition.WAITS_AT_BARRIER, SplitCondition.WAITS_FOR_LANES})
_PASSIVE = frozenset({SplitCondition.FREE, SplitCondition.WAITS_FOR_CHILDREN})


@dataclass(frozen=True, slots=True, eq=False)
class LoopingSplit:
    """A split in a quiet loop: its warp, its number there, the block of code where it is, and a mask of its lanes."""

    warp: int
    number: int
    place: int
    lanes: int
    loop: ClosedLoop


class StandstillWatch:
    """Compares states of a block, each taken when every warp has had a turn; `memory` is the local memory of its
    threads, one behind the other.
    """

    def __init__(self, loops: ClosedLoops, memory: NDArray[np.uint8]) -> None:
        self._loops, self._memory = loops, memory
        self._kept: tuple[tuple[int, ...], bytes] | None = None
        self._age, self._most_age = 0, 1

    def clear(self) -> None:
        """Forget the states seen so far."""
        self._kept = None

    def look(self, states: NDArray[np.uint8], most: ReadMemory) -> bool:
        """Whether no thread can go on in the block whose warps' states, shape (warps, bytes), these are. `most` is the
        memory that nobody but the block can change: with GLOBAL no other block runs.

        A state is compared with one that is the older the longer it takes (Brent, 1980). The splits of a warp have
        their turns one after the other, so each has had one after as many turns as there are splits.
        """
        state = self._state(states, most)
        if state is None:
            self._kept = None
            return False
        key, values, splits = state
        if self._kept is None:
            self._kept, self._age, self._most_age = (key, values), 0, 2 * splits
            return False
        self._age += 1
        if self._age > splits and self._kept == (key, values):
            return True
        if self._age >= self._most_age:
            self._kept, self._age, self._most_age = (key, values), 0, 2 * self._most_age
        return False

    def _state(self, states: NDArray[np.uint8], most: ReadMemory) -> tuple[tuple[int, ...], bytes, int] | None:
        """Who waits or is in which loop, and what decides the loops, as it can be compared; the most splits of a warp
        that can run. None where a thread does something else, or none is in a loop.
        """
        looping = looping_splits(self._loops, states)
        if not looping or any(one.loop.reads > most for one in looping):
            return None
        key: list[int] = []
        values: list[bytes] = []
        for one in looping:
            key += [one.warp, one.number, one.place, one.lanes, id(one.loop)]
            held = self._loops.values(one.loop, states[one.warp], self._memory[one.warp * self._loops.warp_bytes :])
            lanes = [lane for lane in range(LANES) if one.lanes >> lane & 1]
            values.append(held[:, lanes].tobytes())
        warps = [one.warp for one in looping]
        return tuple(key), b"".join(values), max(map(warps.count, set(warps)))


def looping_splits(loops: ClosedLoops, states: NDArray[np.uint8]) -> list[LoopingSplit]:
    """The splits of a block in quiet loops where all other threads wait; else none."""
    found: list[LoopingSplit] = []
    for warp, state in enumerate(states):
        alive = layout.word_at(state, layout.ALIVE)
        for number in range(layout.word_at(state, layout.USED_SPLITS) if alive else 0):
            split = state[layout.SPLITS + layout.SPLIT_BYTES * number :]
            condition, lanes = layout.word_at(split, layout.CONDITION), alive & layout.word_at(split, layout.MASK)
            if condition in _PASSIVE or condition in _WAIT or not lanes:
                continue
            place = layout.word_at(split, layout.PC)
            loop = loops.at(state, place, lanes) if condition == SplitCondition.RUNS else None
            if loop is None or not loop.is_quiet:
                return []
            found.append(LoopingSplit(warp, number, place, lanes, loop))
    return found
