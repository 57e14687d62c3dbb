"""Runs the blocks of a grid on all cores, until they have ended, one is at fault, or somebody cancels."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from math import prod

import numpy as np

from gemmviz.domain.figures import count
from gemmviz.domain.processes.large_stacks import large_stacks
from gemmviz.machine.faults import KernelFaultError, LaunchCancelledError, MachineError
from gemmviz.machine.memory import Array
from gemmviz.machine.program import Program
from gemmviz.machine.runner import Runner
from gemmviz.machine.whereabouts import running_place
from gemmviz.machine.work import LaunchPlan, Look, Work

FollowSlots = Callable[[int, int], None]
"""Called with how many blocks were looked at, and how many slots those that run have written so far."""
MOST_LOCAL = 512 * 1024
"""Bytes of local memory of a thread on any GPU (CUDA C++ Programming Guide, technical specifications per compute
capability).
"""
MOST_SHARED = 1 << 20
"""Bytes of shared memory of a block that no GPU exceeds; each device has its own limit below it."""
_LOOK_EVERY_S = 0.05


@dataclass(slots=True)
class LaunchOutcome:
    """What a launch did: instructions issued by all warps, seconds it took, and what the kernel printed."""

    instructions: int = 0
    seconds: float = 0.0
    printed: str = ""


@dataclass(slots=True)
class MachineLaunch(LaunchPlan):
    """A launch that can be run as a whole, or some of its blocks recorded."""

    def run(self, limit_s: float | None = None, cancelled: threading.Event | None = None) -> LaunchOutcome:
        """Run every block of the grid.

        Raises:
            KernelFaultError: the kernel did something wrong; it names line, block and thread.
            LaunchCancelledError: `limit_s` seconds passed first, or somebody set `cancelled`.
        """
        begin = time.monotonic()
        work = Work(self, self._module())
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
        follow: FollowSlots | None = None,
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
        work = Work(self, self._module(), blocks, look, most_bytes, copies_shared, watched_warps, before)
        self._run(work, limit_s, None, follow, at_once)
        return "".join(work.printed)

    def _module(self) -> Array:
        return self.module or module_memory(self.program)

    def _run(
        self,
        work: Work,
        limit_s: float | None,
        cancelled: threading.Event | None,
        follow: FollowSlots | None = None,
        at_once: int = 0,
    ) -> None:
        _check(self)
        threads = max(1, min(max(self.threads, at_once), work.total))
        pool = ThreadPoolExecutor(threads)
        with large_stacks():  # code that LLVM leaves as it is keeps every value of a large kernel on the stack
            running = [pool.submit(_run_blocks, work) for _ in range(threads)]
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


def _run_blocks(work: Work) -> None:
    """Take blocks until none is left."""
    try:
        runner = Runner(work)
        with work.lock:
            work.runners.append(runner)
        while (first := work.take()) is not None and not work.cancel[0]:
            if work.blocks is None and work.launch.order is not None:
                for block in work.launch.order[first : first + work.chunk]:
                    runner.run(block, 1)
            elif work.blocks is None:
                runner.run(first, min(work.chunk, work.total - first))
            else:
                runner.record(work.blocks[first])
            with work.lock:
                work.seen += min(work.chunk, work.total - first)
        with work.lock:
            work.instructions += runner.instructions()
    except Exception as error:  # noqa: BLE001 - it is raised again by the thread that waits
        work.stop(error)


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
    if launch.dynamic_shared_bytes < 0:
        raise MachineError(f"{launch.dynamic_shared_bytes} bytes of dynamic shared memory: a launch takes 0 or more")
    shared_bytes = program.static_shared_bytes + launch.dynamic_shared_bytes
    if shared_bytes > MOST_SHARED:
        raise MachineError(f"{shared_bytes} bytes of shared memory per block are too many: no GPU has that many")
    order, blocks = launch.order, prod(launch.grid)
    if order is not None and (len({*order}) != len(order) or not {*order} <= {*range(blocks)}):
        raise MachineError(f"an order of blocks has to have blocks from 0 to {blocks - 1}, each at most once")
    if program.local_bytes > MOST_LOCAL:
        words = (
            f"a thread needs {count(program.local_bytes)} bytes of local memory for its arrays, and a GPU gives it "
            f"{count(MOST_LOCAL)} at most: make them smaller"
        )
        raise KernelFaultError(words, running_place(program, 0) or program.barrier_place, (0, 0, 0))
