"""A deadlock in words: how many threads wait at a barrier or for an mbarrier, where, and which arrivals are missing;
and what mbarriers lack where a deadlock is likely and cannot be proven.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine import layout
from gemmviz.machine.faults import DeadlockError, WaitsForBlocksError
from gemmviz.machine.layout import SplitCondition
from gemmviz.machine.loops.endless_loops import ReadMemory
from gemmviz.machine.loops.standstill import LoopingSplit, looping_splits
from gemmviz.machine.lowering.mbarriers import MbarrierState
from gemmviz.machine.ptx.places import Place
from gemmviz.machine.ptx.variables import variable_name
from gemmviz.machine.whereabouts import barrier_wait, lane_wait, running_place, whereabouts
from gemmviz.machine.work import Index

if TYPE_CHECKING:
    from gemmviz.machine.program import Program

_MOST = 4
"""Mbarriers that are named."""


def deadlock(
    program: Program,
    block: NDArray[np.uint8],
    states: NDArray[np.uint8],
    shared: NDArray[np.uint8],
    index: Index,
    absent: str,
) -> DeadlockError | WaitsForBlocksError:
    """Who waits where in the block of that index, in which no thread can go on.

    `block` is what the compiled code knows of it, `states` has the state of each warp, shape (warps, bytes), `shared`
    is its shared memory. `absent` says which blocks neither run nor have run ("is not recorded"), "" for none.
    """
    barriers = block[layout.BARRIERS :][: layout.BARRIER_BYTES * layout.BARRIER_COUNT].view(np.int32).reshape(-1, 4)
    number = int(np.argmax(barriers[:, 0] > 0))
    arrived, asked = int(barriers[number, 0]), int(barriers[number, 1])
    alive = int(block[layout.ALIVE_THREADS : layout.ALIVE_THREADS + 4].view(np.int32)[0])
    barrier = f"barrier {number}" if number else "a barrier"  # that of __syncthreads() has no number in the source
    who = f"{arrived} of {asked or alive} threads wait at {barrier}, and no other can go on"
    place = barrier_wait(program, states, number) if arrived else None
    looping = looping_splits(program.loops, states)
    looping_place = running_place(program, looping[0].place) if looping else None
    if absent and any(one.loop.reads is ReadMemory.GLOBAL for one in looping):
        words = f"the block waits for a value that a block which {absent} may set"
        return WaitsForBlocksError(
            f"{words}: {whereabouts(program, states)}", looping_place or program.barrier_place, index
        )
    objects, first = _mbarriers(program, looping, states, shared)
    if objects:
        who, place = f"{', '.join(objects)}, and no thread can go on", first
    elif looping:
        who, place = "no thread can go on", looping_place
    elif not arrived:
        waits = lane_wait(program, states)
        who, place = "no thread can go on", waits.place if waits else None
    words = f"deadlock: {who}: {whereabouts(program, states)}"
    return DeadlockError(words, place or program.barrier_place, index)


def _mbarriers(
    program: Program, looping: Sequence[LoopingSplit], states: NDArray[np.uint8], shared: NDArray[np.uint8]
) -> tuple[list[str], Place | None]:
    """The mbarriers that threads wait for in loops, each in words, and where the first of these waits."""
    places: dict[int, Place] = {}
    for split in looping:
        if split.loop.mbarrier is None:
            continue
        row = states[split.warp]
        tested = row[layout.AWAITED : layout.AWAITED + 8 * LANES].view(np.int64)
        for lane in (lane for lane in range(LANES) if split.lanes >> lane & 1):
            places.setdefault(int(tested[lane]) - int(shared.ctypes.data), split.loop.mbarrier)
    return _told(program, list(places), shared), next(iter(places.values()), None)


def tested_mbarriers(program: Program, states: NDArray[np.uint8], shared: NDArray[np.uint8]) -> str:
    """Which mbarriers threads have tested last that are in a loop with such tests, and what these lack: "the mbarrier
    tested last: 40 of 64 arrivals have come at …". With the reason, if a clock that the loop reads leaves open whether
    it ends. "" where no thread is in such a loop.
    """
    offsets: dict[int, None] = {}
    reads_clock = False
    for row in states:
        alive = layout.word_at(row, layout.ALIVE)
        tested = row[layout.AWAITED : layout.AWAITED + 8 * LANES].view(np.int64) - int(shared.ctypes.data)
        for number in range(layout.word_at(row, layout.USED_SPLITS) if alive else 0):
            split = row[layout.SPLITS + layout.SPLIT_BYTES * number :]
            place, lanes = layout.word_at(split, layout.PC), alive & layout.word_at(split, layout.MASK)
            if layout.word_at(split, layout.CONDITION) != SplitCondition.RUNS or place not in program.loops.testing:
                continue
            offsets.update(dict.fromkeys(int(tested[lane]) for lane in range(LANES) if lanes >> lane & 1))
            reads_clock |= program.loops.testing[place]
    told = _told(program, list(offsets), shared)
    if not told:
        return ""
    why = "; whether more will come cannot be proven, because the loop reads a clock" if reads_clock else ""
    return f"the {'mbarriers' if len(told) > 1 else 'mbarrier'} tested last: {', '.join(told)}{why}"


def _told(program: Program, offsets: Sequence[int], shared: NDArray[np.uint8]) -> list[str]:
    """The first of the mbarriers at some offsets, each in words, and how many more there are."""
    known = [offset for offset in offsets if 0 <= offset <= shared.nbytes - 8]
    more = [f"{len(known) - _MOST} more mbarriers are waited for"] if len(known) > _MOST else []
    return [_mbarrier_words(program, offset, shared) for offset in known[:_MOST]] + more


def _mbarrier_words(program: Program, offset: int, shared: NDArray[np.uint8]) -> str:
    """ "200 of 256 arrivals have come at the mbarrier bar (its phase has parity 0)"."""
    state = MbarrierState.of(int(shared[offset : offset + 8].view(np.uint64)[0]))
    begins = {begin: name for name, begin in program.shared_places.items() if begin <= offset}
    begin = max(begins, default=None)
    name = f"byte {offset} of shared memory"
    if begin is not None:
        name = variable_name(begins[begin]) + (f" + {offset - begin} bytes" if offset > begin else "")
    missing = f" and {state.missing_bytes} bytes are missing" if state.missing_bytes else ""
    arrived = f"{state.arrived} of {state.expected} arrivals have come{missing} at the mbarrier {name}"
    return f"{arrived}, whose phase has parity {state.phase}"
