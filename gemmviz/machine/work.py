"""What the threads of a launch share: the kernel with its arguments, the blocks that are left, and what came of those
that ran.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.processes.cores import core_count
from gemmviz.machine.log import BlockRecord
from gemmviz.machine.loops.loop_watch import LoopWatch
from gemmviz.machine.memory import Array, aligned
from gemmviz.machine.program import Program

Argument = Array | int | float | bytes
Index = tuple[int, int, int]
Look = Callable[[BlockRecord], None]
MOST_PRINTED = 1 << 20
"""Characters that a kernel may print in one launch."""
_FIRST_ORDERS = count(0, 1 << 40)
"""Where each launch begins to number its sequenced accesses."""


@dataclass(slots=True)
class LaunchPlan:
    """A kernel with its arguments. `arrays` are all memory that it may touch, its arguments among them."""

    program: Program
    grid: Index
    block: Index
    arguments: Sequence[Argument]
    arrays: Sequence[Array] = ()
    dynamic_shared_bytes: int = 0
    module: Array | None = None
    """The module's variables, as `module_memory` made them; by default as they are in the text."""
    threads: int = field(default_factory=core_count)
    unwritten: Collection[str] = ()
    """Registers, and LOCAL, of which all bits are set when the first block of each thread begins; others hold 0."""
    order: Sequence[int] | None = None
    """The blocks that run, each once, by their numbers (x fastest), in the order in which they begin; None is every
    block, ascending. With one thread each ends before the next begins, and a block that waits for a later one is at
    fault.
    """


class BlockRunner(Protocol):
    """A thread that runs blocks, as the others see it."""

    watch: LoopWatch

    @property
    def began(self) -> float | None:
        """When the block that is being recorded began; None while none runs."""

    @property
    def slots(self) -> int:
        """How many slots the block that is recorded has written so far."""


class Work:
    """The blocks that are left, and what came of those that ran."""

    def __init__(
        self,
        launch: LaunchPlan,
        module: Array,
        blocks: Sequence[int] | None = None,
        look: Look | None = None,
        most_bytes: int = 0,
        copies_shared: bool = False,
        watched_warps: int = 0,
        before: int = 0,
    ) -> None:
        self.launch = launch
        self.look: Look = look or _unseen
        self.is_recorded = look is not None
        self.blocks, self.most_bytes, self.copies_shared = blocks, most_bytes, copies_shared
        self.watched_warps = watched_warps
        chosen = blocks if blocks is not None else launch.order
        self.total = prod(launch.grid) if chosen is None else len(chosen)
        self._is_partial = self.is_recorded and before + self.total < prod(launch.grid)
        self._is_one_by_one = blocks is None and launch.threads == 1
        is_in_chunks = blocks is None and not (self._is_one_by_one and launch.order is not None)
        self.chunk = max(1, min(64, self.total // (8 * launch.threads))) if is_in_chunks else 1
        self.next = 0
        self.seen = 0
        """Blocks that have ended, and were looked at where they are recorded."""
        self.runners: list[BlockRunner] = []
        self.lock = threading.Lock()
        self._began = time.monotonic()
        self.cancel = np.zeros(1, np.int32)
        self.order = np.array([0, next(_FIRST_ORDERS)], np.int64)
        """The lock of sequenced accesses and the next number among them, larger than those of launches before."""
        self.error: Exception | None = None
        self.instructions = 0
        self.printed: list[str] = []
        self._printed_characters = 0
        self.is_too_late = False
        self.waiting_words = ""
        self.module = module
        self.parameters = self._buffer()

    def _buffer(self) -> NDArray[np.uint8]:
        made = aligned(max(64, self.launch.program.parameter_bytes))
        for parameter, value in zip(self.launch.program.parameters, self.launch.arguments, strict=True):
            made[parameter.offset : parameter.offset + parameter.nbytes] = np.frombuffer(
                _bytes_of(value, parameter.nbytes), np.uint8
            )
        return made

    @property
    def values(self) -> list[int]:
        """What each parameter of the kernel holds, as a whole number: the address that a pointer is."""
        ends = ((one.offset, one.offset + one.nbytes) for one in self.launch.program.parameters)
        return [int.from_bytes(self.parameters[begin:end].tobytes(), "little") for begin, end in ends]

    def stop(self, error: Exception) -> None:
        """Let no block go on; the first reason counts."""
        with self.lock:
            self.error = self.error or error
        self.cancel[0] = 1

    def began(self) -> float:
        """When what a time limit is about began: the launch, or of the blocks that are being recorded the first."""
        if not self.is_recorded:
            return self._began
        return min((begin for one in self.runners if (begin := one.began) is not None), default=time.monotonic())

    @property
    def is_alone(self) -> bool:
        """Whether no other block runs, or will before a block that runs has ended."""
        return self._is_one_by_one or self.seen >= self.total - 1

    @property
    def absent(self) -> str:
        """Which blocks have not run, nor will while one waits for them: "is not recorded"; "" where there are none."""
        if self._is_partial:
            return "is not recorded"
        return "starts later" if self._is_one_by_one and self.seen < self.total - 1 else ""

    def has_running_blocks(self) -> bool:
        """Whether a thread runs a block; that of a launch that is not recorded may do so until it has ended."""
        return not self.is_recorded or any(one.began is not None for one in self.runners)

    def slots(self) -> int:
        """How many slots the blocks that are being recorded have written so far."""
        with self.lock:
            return sum(runner.slots for runner in self.runners)

    def take(self) -> int | None:
        """The place of the next blocks, `chunk` or as many as are left; None if there are none."""
        with self.lock:
            first = self.next
            self.next += self.chunk
        return first if first < self.total else None

    def look_for_endless_loops(self) -> None:
        """Let each thread whose block runs for long look whether it can end."""
        with self.lock:
            for runner in self.runners:
                runner.watch.begin()

    def stands(self, block: Index, words: str) -> None:
        """Keep where the threads of a block stand that had to end."""
        with self.lock:
            self.waiting_words = self.waiting_words or f"in block {block} {words}"

    def write(self, words: str) -> None:
        """Keep what a kernel prints, up to MOST_PRINTED characters."""
        with self.lock:
            if self._printed_characters < MOST_PRINTED:
                self.printed.append(words)
                self._printed_characters += len(words)


def _unseen(record: BlockRecord) -> None:
    del record


def _bytes_of(value: Argument, nbytes: int) -> bytes:
    if isinstance(value, Array):
        return value.address.to_bytes(8, "little").ljust(nbytes, b"\0")[:nbytes]
    if isinstance(value, float):
        return (np.float32(value) if nbytes == 4 else np.float64(value)).tobytes()
    if isinstance(value, int):
        return (value & (1 << 8 * nbytes) - 1).to_bytes(nbytes, "little")
    return value.ljust(nbytes, b"\0")[:nbytes]
