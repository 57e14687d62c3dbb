"""Limits of time that hold on any machine.

A limit in seconds says something about one machine at a quiet moment. On a slower one, or while its cores, caches and
clock are shared with others, the same code takes longer and is no worse. So three things are done:

1. What is measured is processor time of the thread that works (`own_s`), which stands still while others have the
   core. Where time by the clock is what was promised, the limit is `clock_limit_s`.
2. What can be repeated is repeated until it is in time, at most MOST_ROUNDS times, and each step counts with its
   shortest time (`slowest_s`, `least`): anything else on a machine can only add to it. A step that is slow by its own
   doing is slow every time.
3. The limit grows with how slow the machine is now (`limit_s`; `slowest_s` does so for each round): a fixed piece of
   work, the yardstick, is timed just then, and compared with what it took on the machine whose figures are in
   docs/RECORD.md. It never shrinks: what a faster machine could do is not asked of the code.

The yardstick is about half interpreter (dictionaries, attributes, calls, text) and half NumPy (a sort, a sum, an index
in 256 KiB), as the window's own work is. It knows nothing of Qt or of the program, so slow code does not move it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

import numpy as np

THEN_S = 0.0088
"""The yardstick on that machine (2 cores of an Intel Xeon at 2.6 GHz) at a quiet moment: the best of 2 000."""

MOST_ROUNDS = 8

MEASURED = 8
"""How often the yardstick is timed, for its best."""


class _Point:
    __slots__ = ("x", "y")

    def __init__(self, x: int, y: int) -> None:
        self.x, self.y = x, y


NUMBERS = np.random.default_rng(7).integers(0, 1 << 30, 1 << 15)  # 256 KiB


def yardstick() -> int:
    """The fixed piece of work: the same steps each time, nothing remembered."""
    found = 0
    named: dict[str, int] = {}
    for number in range(6_000):
        point = _Point(number * 7919 % 1031, number)
        named[f"{point.x} at {point.y % 64}"] = point.x + point.y
        found += max(point.x, point.y)
    for turn in range(3):
        order = np.argsort(NUMBERS ^ turn, kind="stable")
        found += int(NUMBERS[order][:: turn + 1].sum())
    return found + len(named)


def slowness() -> float:
    """How many times as long as on that machine the same work takes here and now; never less than 1."""
    return max(1.0, min(own_s(yardstick) for _ in range(MEASURED)) / THEN_S)


def limit_s(seconds: float) -> float:
    """A limit of processor time that was set for that machine, for this one as it is now.

    Ask right after what is measured: how busy a machine is changes.
    """
    return seconds * slowness()


def clock_limit_s(seconds: float) -> float:
    """The same by the clock, which goes on while others have the cores: how long the yardstick took on an average."""
    begin = time.perf_counter()
    for _ in range(MEASURED):
        yardstick()
    return seconds * max(1.0, (time.perf_counter() - begin) / MEASURED / THEN_S)


def own_s(work: Callable[[], object]) -> float:
    """Processor time of this thread for a piece of work."""
    before = time.thread_time()
    work()
    return time.thread_time() - before


def own_steps_s(steps: Iterable[object]) -> list[float]:
    """Processor time of this thread for each step of what is done step by step."""
    took, last = [], time.thread_time()
    for _ in steps:
        took.append(time.thread_time() - last)
        last = time.thread_time()
    return took


def least(rounds: Sequence[Sequence[float]]) -> list[float]:
    """The shortest time of each step over rounds of the same steps.

    Raises ValueError where a round has more steps than another: then they were not the same.
    """
    return [min(times) for times in zip(*rounds, strict=True)]


def slowest_s(rounds: Callable[[], Sequence[float]], seconds: float) -> float:
    """The shortest time of the slowest step, as it would be on that machine: each round is divided by how slow this one
    was around it. There are as many rounds of the same steps as it takes to be below `seconds`.

    Raises ValueError where a round has more steps than another.
    """
    found: list[list[float]] = []
    before = slowness()
    while len(found) < MOST_ROUNDS and not (found and max(least(found)) < seconds):
        times, after = rounds(), slowness()
        found.append([took / max(before, after) for took in times])
        before = after
    return max(least(found))
