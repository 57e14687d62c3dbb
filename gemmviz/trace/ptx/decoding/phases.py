"""Epochs of a block's warps: what must have happened before what, by the barriers between them.

Each warp has a clock (Lamport, 1978). At a barrier all that come take the latest clock among them, plus one. After a
wait for an mbarrier a warp takes the latest of its own clock and of those of the arrivals that completed it, plus one.
So an access has a later epoch than all that a barrier put before it, and with block-wide barriers alone an epoch is the
number of barriers passed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray


class WarpStep(Enum):
    """What a warp does that has to do with others."""

    MEET = auto()
    ARRIVE = auto()
    WAIT = auto()


@dataclass(frozen=True, slots=True)
class Sync:
    """One step of a warp at its event number `event`; `key` names the barrier, `parity` what a WAIT waited for, -1 the
    turn of the warp's own latest arrival.
    """

    event: int
    step: WarpStep
    key: int
    parity: int = 0


def epochs(syncs: Sequence[Sequence[Sync]], events: Sequence[int]) -> list[NDArray[np.int32]]:
    """The epoch of every event of every warp, shapes (events[warp],); that of a MEET is the one that it ends."""
    if (
        all(sync.step is WarpStep.MEET for steps in syncs for sync in steps)
        and len({_keys(steps) for steps in syncs}) == 1
    ):
        return [_counted(steps, count) for steps, count in zip(syncs, events, strict=True)]
    return _Clocks(syncs, events).run()


def _keys(steps: Sequence[Sync]) -> tuple[int, ...]:
    return tuple(sync.key for sync in steps)


def _counted(steps: Sequence[Sync], events: int) -> NDArray[np.int32]:
    """The barriers passed before each event of a warp, where all warps pass the same."""
    passed = np.zeros(events, np.int32)
    passed[[sync.event for sync in steps]] = 1
    return (np.cumsum(passed) - passed).astype(np.int32)


class _Clocks:
    def __init__(self, syncs: Sequence[Sequence[Sync]], events: Sequence[int]) -> None:
        self._syncs = syncs
        self._epoch = [np.zeros(count, np.int32) for count in events]
        self._clock = [0] * len(syncs)
        self._next = [0] * len(syncs)
        self._done: dict[tuple[int, WarpStep], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        self._all: dict[tuple[int, WarpStep], dict[int, int]] = defaultdict(lambda: defaultdict(int))
        self._round: dict[tuple[int, int], tuple[int, int]] = {}
        for warp, steps in enumerate(syncs):
            for sync in steps:
                self._all[sync.key, sync.step][warp] += 1

    def run(self) -> list[NDArray[np.int32]]:
        waiting = True
        while waiting:
            moved = [self._advance(warp, forced=False) for warp in range(len(self._syncs))]
            left = [warp for warp, steps in enumerate(self._syncs) if self._next[warp] < len(steps)]
            waiting = bool(left)
            if left and not any(moved):
                self._advance(left[0], forced=True)  # what it waits for was not recorded: another block's arrival
        return self._epoch

    def _advance(self, warp: int, forced: bool) -> bool:
        """Let a warp go on as far as it can; whether it did."""
        moved = False
        while self._next[warp] < len(self._syncs[warp]):
            sync = self._syncs[warp][self._next[warp]]
            if not self._take(warp, sync, forced):
                break
            forced, moved = False, True
            self._next[warp] += 1
        return moved

    def _take(self, warp: int, sync: Sync, forced: bool) -> bool:
        if sync.step is WarpStep.ARRIVE:
            self._done[sync.key, sync.step][warp].append(self._clock[warp])
            return True
        if sync.step is WarpStep.WAIT:
            return self._wait(warp, sync, forced)
        mine = self._done[sync.key, sync.step][warp]
        which = self._met(warp, sync)
        if len(mine) == which:
            mine.append(self._clock[warp])
        latest = self._latest(sync.key, WarpStep.MEET, which, forced)
        if latest is None:
            return False
        self._round[warp, sync.key] = (which + 1, 0)
        self._epoch[warp][sync.event] = latest
        self._set(warp, sync.event, max(latest, self._clock[warp]) + 1)
        return True

    def _met(self, warp: int, sync: Sync) -> int:
        return self._round.get((warp, sync.key), (0, 0))[0]

    def _wait(self, warp: int, sync: Sync, forced: bool) -> bool:
        """A barrier's first turn is waited for with parity 0; parity 1 before that is over from the start. To look
        again at the same turn changes nothing.
        """
        if sync.parity < 0:
            return self._wait_for(warp, sync, len(self._done[sync.key, WarpStep.ARRIVE][warp]) - 1, forced)
        turn, parity = self._round.get((warp, -1 - sync.key), (-2 if sync.parity else -1, -1))
        if parity == sync.parity:
            return True
        turn += 1
        if not self._wait_for(warp, sync, turn, forced):
            return False
        self._round[warp, -1 - sync.key] = (turn, sync.parity)
        return True

    def _wait_for(self, warp: int, sync: Sync, turn: int, forced: bool) -> bool:
        if turn >= 0:
            latest = self._latest(sync.key, WarpStep.ARRIVE, turn, forced)
            if latest is None:
                return False
            self._set(warp, sync.event, max(self._clock[warp], latest) + 1)
        return True

    def _latest(self, key: int, step: WarpStep, which: int, forced: bool) -> int | None:
        """The latest clock of turn `which` of a barrier; None while some warp has yet to come to it."""
        found = -1
        for warp, count in self._all[key, step].items():
            if count > which:
                done = self._done[key, step][warp]
                if len(done) > which:
                    found = max(found, done[which])
                elif not forced:
                    return None
        return found

    def _set(self, warp: int, event: int, clock: int) -> None:
        self._clock[warp] = clock
        self._epoch[warp][event + 1 :] = clock
