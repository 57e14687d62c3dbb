"""Where the threads of a block stand that cannot go on: at which line, and what they wait for there."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import LANES
from gemmviz.machine import layout
from gemmviz.machine.layout import Condition
from gemmviz.machine.program import Program

_MOST = 4
"""Groups of threads that are told apart."""


def whereabouts(program: Program, states: NDArray[np.uint8]) -> str:
    """ "threads 0 to 31 wait at a barrier in line 20, threads 32 to 63 run in line 24"; "" if no thread is left.

    `states` has the state of each warp, shape (warps, bytes).
    """
    threads: dict[str, list[int]] = {}
    for warp, row in enumerate(states):
        alive = _word(row, layout.ALIVE)
        for number in range(_word(row, layout.USED_SPLITS)):
            split = row[layout.SPLITS + layout.SPLIT_BYTES * number :]
            lanes = alive & _word(split, layout.MASK)
            condition = _word(split, layout.CONDITION)
            if lanes and condition in (Condition.RUNS, Condition.WAITS_AT_BARRIER):
                there = _doing(program, _word(split, layout.PC), condition == Condition.WAITS_AT_BARRIER)
                threads.setdefault(there, []).extend(warp * LANES + i for i in range(LANES) if lanes >> i & 1)
    told = [f"{_named(sorted(who))} {there}" for there, who in list(threads.items())[:_MOST]]
    return ", ".join([*told, "and others elsewhere"] if len(threads) > _MOST else told)


def _doing(program: Program, block: int, waits: bool) -> str:
    if waits:
        lines = sorted({one.place.line for one in program.barriers_before.get(block, ()) if one.place.line})
        return "wait at a barrier" + (f" in line {' or '.join(map(str, lines))}" if lines else "")
    piece = program.pieces[block] if block < len(program.pieces) else ()
    awaited = next((one for one in piece if one.opcode.startswith(("mbarrier.try_wait", "mbarrier.test_wait"))), None)
    if awaited is not None:
        return f"wait for an mbarrier in line {awaited.place.line}"
    line = next((one.place.line for one in piece if one.place.line), 0)
    return f"run in line {line}" if line else "run"


def _named(threads: list[int]) -> str:
    """ "threads 0 to 31 and 64 to 95"."""
    cuts = [0, *(i + 1 for i, (a, b) in enumerate(pairwise(threads)) if b != a + 1), len(threads)]
    parts = [threads[a:b] for a, b in pairwise(cuts)]
    words = [f"{part[0]} to {part[-1]}" if len(part) > 1 else str(part[0]) for part in parts[:_MOST]]
    more = f" and {len(threads) - sum(map(len, parts[:_MOST]))} more" if len(parts) > _MOST else ""
    return f"{'threads' if len(threads) > 1 else 'thread'} {', '.join(words)}{more}"


def _word(row: NDArray[np.uint8], offset: int) -> int:
    return int(row[offset : offset + 4].view(np.uint32)[0])
