"""What a block does by which its threads and other blocks can be put in order: fences, and accesses that are strong in
the sense of the PTX ISA's memory consistency model (atomic, volatile, relaxed, acquire, release).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag, auto

import numpy as np
from numpy.typing import NDArray


class Does(IntFlag):
    """What a step does. OF_GRID: other blocks take part, too, as its scope is the GPU or the system."""

    READS = auto()
    WRITES = auto()
    STRONG = auto()
    ACQUIRES = auto()
    RELEASES = auto()
    FENCE = auto()
    OF_GRID = auto()


@dataclass(frozen=True, slots=True)
class StepKind:
    """An instruction that makes such steps: its line, from 1, its opcode, and what it does."""

    line: int
    text: str
    does: Does


@dataclass(frozen=True, slots=True, eq=False)
class StrongSteps:
    """The steps of a block, columns of shape (n,).

    `kind` counts in `kinds`; `event` is the place among what the warp wrote down, `epoch` and `sync` are the barriers
    of the block and of the warp that were passed before. `address` is an offset in shared memory, or the full address
    on the machine; `order` is the place among the steps of all blocks; `wrote` whether the step wrote (an atomicCAS may
    not). `slot_event`, shape (warps, slots): the event of each request of the trace, -1 where a warp has none.
    """

    kinds: tuple[StepKind, ...]
    kind: NDArray[np.int64]
    warp: NDArray[np.int64]
    lane: NDArray[np.int64]
    event: NDArray[np.int64]
    epoch: NDArray[np.int64]
    sync: NDArray[np.int64]
    address: NDArray[np.int64]
    order: NDArray[np.int64]
    wrote: NDArray[np.bool_]
    slot_event: NDArray[np.int64]
