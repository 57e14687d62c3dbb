"""Where the threads of a block stand that cannot go on: at which line, and what they wait for there."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine import layout
from gemmviz.machine.layout import SplitCondition
from gemmviz.machine.ptx.parse import Statement
from gemmviz.machine.ptx.places import Place

if TYPE_CHECKING:
    from gemmviz.machine.program import Program

_MOST = 4
"""Groups of threads that are told apart."""
_NOT_STARTED = "have not started"
_BEHIND = "wait behind a branch or loop for others of the warp that are still in it"


def whereabouts(program: Program, states: NDArray[np.uint8]) -> str:
    """ "threads 0 to 31 wait at a barrier in line 20, threads 32 to 63 run in line 24"; "" if no thread is left.

    `states` has the state of each warp, shape (warps, bytes).
    """
    threads: dict[str, list[int]] = {}
    for warp, row in enumerate(states):
        alive = idle = layout.word_at(row, layout.ALIVE)
        if alive and layout.word_at(row, layout.BUDGET) == layout.NOT_STARTED & 0xFFFFFFFF:
            threads.setdefault(_NOT_STARTED, []).extend(_threads(warp, alive))
            continue
        runs = False
        for number in range(layout.word_at(row, layout.USED_SPLITS)):
            split = row[layout.SPLITS + layout.SPLIT_BYTES * number :]
            lanes = alive & layout.word_at(split, layout.MASK)
            condition = layout.word_at(split, layout.CONDITION)
            if lanes and condition in (
                SplitCondition.RUNS,
                SplitCondition.WAITS_AT_BARRIER,
                SplitCondition.WAITS_FOR_LANES,
            ):
                barrier = (
                    layout.word_at(split, layout.BARRIER) if condition == SplitCondition.WAITS_AT_BARRIER else None
                )
                there = _doing(program, layout.word_at(split, layout.PC), barrier)
                if condition == SplitCondition.WAITS_FOR_LANES:
                    missing = (
                        alive & layout.word_at(split, layout.WANTED) & ~layout.word_at(split, layout.ARRIVED_LANES)
                    )
                    statement = program.pieces[layout.word_at(split, layout.PC)][0]
                    there = f"wait in {_named_place(statement)} for {named_threads(_threads(warp, missing))}"
                threads.setdefault(there, []).extend(_threads(warp, lanes))
                idle &= ~lanes
                runs |= condition == SplitCondition.RUNS
        if idle and runs:
            threads.setdefault(_BEHIND, []).extend(_threads(warp, idle))
    told = [
        f"{named_threads(sorted(who))} {there if len(who) > 1 else _of_one(there)}"
        for there, who in list(threads.items())[:_MOST]
    ]
    return ", ".join([*told, "and others elsewhere"] if len(threads) > _MOST else told)


def lane_wait(program: Program, states: NDArray[np.uint8]) -> Statement | None:
    """The first `*.sync` instruction in which lanes wait for others; None if there is none."""
    for row in states:
        for number in range(layout.word_at(row, layout.USED_SPLITS)):
            split = row[layout.SPLITS + layout.SPLIT_BYTES * number :]
            if layout.word_at(split, layout.CONDITION) == SplitCondition.WAITS_FOR_LANES:
                return program.pieces[layout.word_at(split, layout.PC)][0]
    return None


def barrier_wait(program: Program, states: NDArray[np.uint8], number: int) -> Place | None:
    """Where the first lanes wait that have come to barrier `number` of the block; None if there are none."""
    for row in states:
        for place in range(layout.word_at(row, layout.USED_SPLITS)):
            split = row[layout.SPLITS + layout.SPLIT_BYTES * place :]
            is_here = layout.word_at(split, layout.BARRIER) == number
            if is_here and layout.word_at(split, layout.CONDITION) == SplitCondition.WAITS_AT_BARRIER:
                before = program.barriers_before.get(layout.word_at(split, layout.PC), ())
                return next((one.place for one in before if one.place.line), None)
    return None


def _of_one(doing: str) -> str:
    """ "runs in line 24", of what several threads do: "run in line 24"."""
    verb, *rest = doing.split(" ")
    if verb == "have":
        return " ".join(["has", *rest])
    return " ".join([f"{verb}s", *rest])


def _named_place(statement: Statement) -> str:
    """ "shfl.sync.bfly.b32 in line 20"."""
    return statement.opcode + (f" in line {statement.place.line}" if statement.place.line else "")


def _threads(warp: int, lanes: int) -> list[int]:
    return [warp * LANES + lane for lane in range(LANES) if lanes >> lane & 1]


def _doing(program: Program, block: int, barrier: int | None) -> str:
    """What lanes do in a block of code; `barrier` is the number of the block's barrier at which they wait, 0 the one of
    `__syncthreads`.
    """
    if barrier is not None:
        lines = sorted({one.place.line for one in program.barriers_before.get(block, ()) if one.place.line})
        where = f" in line {' or '.join(map(str, lines))}" if lines else ""
        return f"wait at {f'barrier {barrier}' if barrier else 'a barrier'}{where}"
    piece = program.pieces[block] if block < len(program.pieces) else ()
    awaited = next((one for one in piece if one.opcode.startswith(("mbarrier.try_wait", "mbarrier.test_wait"))), None)
    if awaited is not None:
        return f"wait for an mbarrier in line {awaited.place.line}"
    place = running_place(program, block)
    return f"run in line {place.line}" if place is not None else "run"


def running_place(program: Program, block: int) -> Place | None:
    """Where lanes are that run in a block of code; None where no line is known."""
    piece = program.pieces[block] if block < len(program.pieces) else ()
    return next((one.place for one in piece if one.place.line), None)


def named_threads(threads: list[int]) -> str:
    """The numbers of threads in words: "threads 0 to 31 and 64 to 95"."""
    cuts = [0, *(i + 1 for i, (a, b) in enumerate(pairwise(threads)) if b != a + 1), len(threads)]
    parts = [threads[a:b] for a, b in pairwise(cuts)]
    words = [f"{part[0]} to {part[-1]}" if len(part) > 1 else str(part[0]) for part in parts[:_MOST]]
    more = f" and {len(threads) - sum(map(len, parts[:_MOST]))} more" if len(parts) > _MOST else ""
    return f"{'threads' if len(threads) > 1 else 'thread'} {', '.join(words)}{more}"
