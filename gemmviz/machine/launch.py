"""Runs the blocks of a grid on all cores, until they have ended, one is at fault, or somebody cancels."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import count
from math import prod

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.processes.cores import core_count
from gemmviz.domain.processes.large_stacks import large_stacks
from gemmviz.machine.faults import KernelFaultError, LaunchCancelledError, MachineError
from gemmviz.machine.log import BlockRecord
from gemmviz.machine.memory import Array, aligned
from gemmviz.machine.program import Program
from gemmviz.machine.runner import Runner
from gemmviz.machine.whereabouts import running_place

Argument = Array | int | float | bytes
Index = tuple[int, int, int]
Look = Callable[[BlockRecord], None]
Follow = Callable[[int, int], None]
"""Called with how many blocks were looked at, and how many slots those that run have written so far."""
MOST_LOCAL = 512 * 1024
"""Bytes of local memory of a thread on any GPU (CUDA C++ Programming Guide, technical specifications per compute
capability).
"""
MOST_PRINTED = 1 << 20
"""Characters that a kernel may print in one launch."""
_LOOK_EVERY_S = 0.05
_FIRST_ORDERS = count(0, 1 << 40)
"""Where each launch begins to number its sequenced accesses."""


@dataclass(slots=True)
class LaunchOutcome:
    """What a launch did: instructions issued by all warps, seconds it took, and what the kernel printed."""

    instructions: int = 0
    seconds: float = 0.0
    printed: str = ""


@dataclass(slots=True)
class MachineLaunch:
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
    order: Sequence[int] | None = None
    """Every block once, by its number (x fastest), in the order in which they are begun; None is ascending."""

    def run(self, limit_s: float | None = None, cancelled: threading.Event | None = None) -> LaunchOutcome:
        """Run every block of the grid.

        Raises:
            KernelFaultError: the kernel did something wrong; it names line, block and thread.
            LaunchCancelledError: `limit_s` seconds passed first, or somebody set `cancelled`.
        """
        begin = time.monotonic()
        work = Work(self)
        self._run(work, limit_s, cancelled)
        return LaunchOutcome(work.instructions, time.monotonic() - begin, "".join(work.printed))

    def record(
        self,
        blocks: Sequence[int],
        look: Look,
        most_bytes: int,
        limit_s: float | None = None,
        *,
        copies_shared: bool = False,
        watched_warps: int = 0,
        follow: Follow | None = None,
        before: int = 0,
        at_once: int = 0,
    ) -> str:
        """Run some blocks of the grid, by their numbers (x fastest), and let `look` see what each wrote down; what they
        printed.

        The program was compiled with a log, of which a block may fill `most_bytes`. `look` is called as soon as a block
        has ended, by the thread that ran it: several blocks may be looked at, at once and in any order. What it raises
        ends the launch. `follow` is called at times, by the thread that called; what it raises ends the launch, too.
        `limit_s` is the time that each block may take. `copies_shared`: with copies of each block's shared memory. So
        many warps write down the values that the program watches. So many blocks of the grid ran `before`, and so many
        run `at_once` at least.

        Raises:
            LogTooLongError: a block wrote down more.
            KernelFaultError: as `run`.
            WaitsForBlocksError: a block waits for one that neither runs nor ran before.
            LaunchCancelledError: a block took longer than `limit_s` seconds.
        """
        work = Work(self, blocks, look, most_bytes, copies_shared, watched_warps, before)
        self._run(work, limit_s, None, follow, at_once)
        return "".join(work.printed)

    def _run(
        self,
        work: Work,
        limit_s: float | None,
        cancelled: threading.Event | None,
        follow: Follow | None = None,
        at_once: int = 0,
    ) -> None:
        _check(self)
        threads = max(1, min(max(self.threads, at_once), work.total))
        pool = ThreadPoolExecutor(threads)
        with large_stacks():  # code that LLVM leaves as it is keeps every value of a large kernel on the stack
            running = [pool.submit(work.run) for _ in range(threads)]
        try:
            while wait(running, _LOOK_EVERY_S).not_done:
                if limit_s is not None and time.monotonic() - work.began() > limit_s:
                    work.is_too_late |= work.error is None
                    work.stop(LaunchCancelledError(f"the kernel did not end within {limit_s:g} s"))
                if cancelled is not None and cancelled.is_set():
                    work.stop(LaunchCancelledError("the launch was cancelled"))
                if not work.cancel[0]:
                    work.look_for_endless_loops()
                if follow is not None:
                    follow(work.seen, work.slots())
        finally:
            work.cancel[0] = 1
            while work.has_running_blocks() and wait(running, _LOOK_EVERY_S).not_done:
                pass
            pool.shutdown(wait=False)  # who only looks at what a block wrote down may do so for long
        for one in running:
            one.result()
        if work.error is not None and limit_s is not None and work.is_too_late and work.waiting_words:
            raise LaunchCancelledError(f"{work.error}: {work.waiting_words}") from work.error
        if work.error is not None:
            raise work.error


def module_memory(program: Program) -> Array:
    """The global and constant variables of a kernel's module with their initial values."""
    made = Array(max(16, len(program.module_image)), "the module's variables")
    begin_module(program, made)
    return made


def begin_module(program: Program, memory: Array) -> None:
    """Give the variables of a kernel's module, which lie in `memory`, their initial values."""
    image = np.frombuffer(program.module_image, np.uint8)
    memory.bytes[: image.size] = image
    for offset, place in program.module_addresses:
        memory.bytes[offset : offset + 8].view(np.int64)[0] = memory.address + place


def _check(launch: MachineLaunch) -> None:
    program = launch.program
    if len(launch.arguments) != len(program.parameters):
        raise MachineError(f"{program.entry} takes {len(program.parameters)} parameters, not {len(launch.arguments)}")
    if not all(0 < size < 2**31 for size in (*launch.grid, *launch.block)) or prod(launch.block) > 1024:
        raise MachineError(f"a grid of {launch.grid} blocks of {launch.block} threads cannot be launched")
    if launch.order is not None and sorted(launch.order) != list(range(prod(launch.grid))):
        raise MachineError(f"an order of blocks has to have each of the {prod(launch.grid)} blocks once")
    if program.local_bytes > MOST_LOCAL:
        words = (
            f"a thread needs {program.local_bytes:,} bytes of local memory for its arrays, and a GPU gives it "
            f"{MOST_LOCAL:,} at most: make them smaller"
        )
        raise KernelFaultError(words, running_place(program, 0) or program.barrier_place, (0, 0, 0))


class Work:
    """The blocks that are left, and what came of those that ran."""

    def __init__(
        self,
        launch: MachineLaunch,
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
        self.total = prod(launch.grid) if blocks is None else len(blocks)
        self.lacks_blocks = self.is_recorded and before + self.total < prod(launch.grid)
        self.chunk = max(1, min(64, self.total // (8 * launch.threads))) if blocks is None else 1
        self.next = 0
        self.seen = 0
        """Blocks that have ended, and were looked at where they are recorded."""
        self.runners: list[Runner] = []
        self.lock = threading.Lock()
        self._began = time.monotonic()
        self.cancel = np.zeros(1, np.int32)
        self.order = np.array([0, next(_FIRST_ORDERS)], np.int64)
        """The lock of sequenced accesses and the next number among them, larger than those of launches before."""
        self.error: Exception | None = None
        self.instructions = 0
        self.printed: list[str] = []
        self.is_too_late = False
        self.waiting_words = ""
        self.module = launch.module or module_memory(launch.program)
        self.parameters = self._buffer()

    def _buffer(self) -> NDArray[np.uint8]:
        made = aligned(max(64, self.launch.program.parameter_bytes))
        for parameter, value in zip(self.launch.program.parameters, self.launch.arguments, strict=True):
            made[parameter.offset : parameter.offset + parameter.nbytes] = np.frombuffer(
                _bytes_of(value, parameter.nbytes), np.uint8
            )
        return made

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
    def is_last(self) -> bool:
        """Whether all blocks but one have ended."""
        return self.seen >= self.total - 1

    def has_running_blocks(self) -> bool:
        """Whether a thread runs a block; that of a launch that is not recorded may do so until it has ended."""
        return not self.is_recorded or any(one.began is not None for one in self.runners)

    def slots(self) -> int:
        """How many slots the blocks that are being recorded have written so far."""
        with self.lock:
            return sum(runner.slots for runner in self.runners)

    def run(self) -> None:
        """Take blocks until none is left."""
        try:
            runner = Runner(self)
            with self.lock:
                self.runners.append(runner)
            while (first := self._take()) is not None and not self.cancel[0]:
                if self.blocks is None and self.launch.order is not None:
                    for block in self.launch.order[first : first + self.chunk]:
                        runner.run(block, 1)
                elif self.blocks is None:
                    runner.run(first, min(self.chunk, self.total - first))
                else:
                    runner.record(self.blocks[first])
                with self.lock:
                    self.seen += min(self.chunk, self.total - first)
            with self.lock:
                self.instructions += runner.instructions()
        except Exception as error:  # noqa: BLE001 - it is raised again by the thread that waits
            self.stop(error)

    def _take(self) -> int | None:
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
            if sum(map(len, self.printed)) < MOST_PRINTED:
                self.printed.append(words)


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
