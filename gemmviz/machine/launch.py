"""Runs the blocks of a grid on all cores, until they have ended, one is at fault, or somebody cancels."""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import prod

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import LANES
from gemmviz.machine import layout
from gemmviz.machine.faults import DeadlockError, KernelFaultError, LaunchCancelledError, MachineError
from gemmviz.machine.host_calls import assertion_words, print_words
from gemmviz.machine.layout import Fault, Status
from gemmviz.machine.memory import GAP, Array, aligned
from gemmviz.machine.placement import call_parts
from gemmviz.machine.program import Program
from gemmviz.machine.ptx.parse import Statement

Argument = Array | int | float | bytes
Index = tuple[int, int, int]
MOST_PRINTED = 1 << 20
"""Characters that a kernel may print in one launch."""
_LOOK_EVERY_S = 0.05


@dataclass(slots=True)
class Outcome:
    """What a launch did: instructions issued by all warps, seconds it took, and what the kernel printed."""

    instructions: int = 0
    seconds: float = 0.0
    printed: str = ""


@dataclass(slots=True)
class Launch:
    """A kernel with its arguments. `arrays` are all memory that it may touch, its arguments among them."""

    program: Program
    grid: Index
    block: Index
    arguments: Sequence[Argument]
    arrays: Sequence[Array] = ()
    dynamic_shared_bytes: int = 0
    module: Array | None = None
    """The module's variables, as `module_memory` made them; by default as they are in the text."""
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)

    def run(self, limit_s: float | None = None, cancelled: threading.Event | None = None) -> Outcome:
        """Run every block of the grid.

        Raises:
            KernelFaultError: the kernel did something wrong; it names line, block and thread.
            LaunchCancelledError: `limit_s` seconds passed first, or somebody set `cancelled`.
        """
        _check(self)
        begin = time.monotonic()
        work = _Work(self)
        total = prod(self.grid)
        count = max(1, min(self.threads, total))
        with ThreadPoolExecutor(count) as pool:
            running = [pool.submit(work.run) for _ in range(count)]
            try:
                while not all(one.done() for one in running):
                    if limit_s is not None and time.monotonic() - begin > limit_s:
                        work.stop(LaunchCancelledError(f"the kernel did not end within {limit_s:g} s"))
                    if cancelled is not None and cancelled.is_set():
                        work.stop(LaunchCancelledError("the launch was cancelled"))
                    work.changed.wait(_LOOK_EVERY_S)
                    work.changed.clear()
            finally:
                work.cancel[0] = 1
        for one in running:
            one.result()
        if work.error is not None:
            raise work.error
        return Outcome(work.instructions, time.monotonic() - begin, "".join(work.printed))


def module_memory(program: Program) -> Array:
    """The global and constant variables of a kernel's module with their initial values."""
    made = Array(max(16, len(program.module_image)), "the module's variables")
    image = np.frombuffer(program.module_image, np.uint8)
    made.bytes[: image.size] = image
    for offset, place in program.module_addresses:
        made.bytes[offset : offset + 8].view(np.int64)[0] = made.address + place
    return made


def _check(launch: Launch) -> None:
    program = launch.program
    if len(launch.arguments) != len(program.parameters):
        raise MachineError(f"{program.entry} takes {len(program.parameters)} parameters, not {len(launch.arguments)}")
    if not all(0 < size < 2**31 for size in (*launch.grid, *launch.block)) or prod(launch.block) > 1024:
        raise MachineError(f"a grid of {launch.grid} blocks of {launch.block} threads cannot be launched")


class _Work:
    """The blocks that are left, and what came of those that ran."""

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.total = prod(launch.grid)
        self.chunk = max(1, min(64, self.total // (8 * launch.threads)))
        self.next = 0
        self.lock = threading.Lock()
        self.changed = threading.Event()
        self.cancel = np.zeros(1, np.int32)
        self.error: Exception | None = None
        self.instructions = 0
        self.printed: list[str] = []
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
        self.changed.set()

    def run(self) -> None:
        """Take blocks until none is left."""
        try:
            runner = _Runner(self)
            while (first := self._take()) is not None and not self.cancel[0]:
                runner.run(first, min(self.chunk, self.total - first))
            with self.lock:
                self.instructions += runner.instructions()
        except Exception as error:  # noqa: BLE001 - it is raised again by the thread that waits
            self.stop(error)
        self.changed.set()

    def _take(self) -> int | None:
        with self.lock:
            first = self.next
            self.next += self.chunk
        return first if first < self.total else None

    def write(self, words: str) -> None:
        """Keep what a kernel prints, up to MOST_PRINTED characters."""
        with self.lock:
            if sum(map(len, self.printed)) < MOST_PRINTED:
                self.printed.append(words)


def _bytes_of(value: Argument, nbytes: int) -> bytes:
    if isinstance(value, Array):
        return value.address.to_bytes(8, "little").ljust(nbytes, b"\0")[:nbytes]
    if isinstance(value, float):
        return (np.float32(value) if nbytes == 4 else np.float64(value)).tobytes()
    if isinstance(value, int):
        return (value & (1 << 8 * nbytes) - 1).to_bytes(nbytes, "little")
    return value.ljust(nbytes, b"\0")[:nbytes]


class _Runner:
    """What one thread of this process runs blocks with."""

    def __init__(self, work: _Work) -> None:
        launch, program = work.launch, work.launch.program
        self.work, self.launch, self.program = work, launch, program
        threads = prod(launch.block)
        self.warps = -(-threads // LANES)
        self.shared = aligned(max(64, program.static_shared_bytes + launch.dynamic_shared_bytes))
        self.local = aligned(max(64, self.warps * LANES * program.local_bytes))
        self.states = aligned(self.warps * program.state_bytes)
        self.block = aligned(program.block_bytes)
        self.status = np.zeros(1, np.int32)
        lanes = np.arange(self.warps * LANES)
        x, y, _z = launch.block
        self.alive = (
            np.packbits((lanes < threads).reshape(-1, LANES), axis=1, bitorder="little").view(np.int32).ravel().copy()
        )
        table = self.states.reshape(self.warps, -1)
        for place, index in enumerate((lanes % x, lanes // x % y, lanes // (x * y))):
            begin = layout.TIDS + 128 * place
            table[:, begin : begin + 128].view(np.int32)[:] = index.reshape(-1, LANES)
        table[:, layout.WARP_NUMBER : layout.WARP_NUMBER + 4].view(np.int32)[:, 0] = np.arange(self.warps)
        self._fill_block()

    def _fill_block(self) -> None:
        launch, program, work = self.launch, self.program, self.work
        places = [(one.address, one.nbytes) for one in [*launch.arrays, work.module]]
        places += [(one.address, one.nbytes) for one in launch.arguments if isinstance(one, Array)]
        for memory in (self.shared, self.local, work.parameters):
            places.append((memory.ctypes.data, memory.nbytes))
        self.ranges = np.array(places, np.int64)
        shared_bytes = program.static_shared_bytes + launch.dynamic_shared_bytes
        for offset, value in (
            (layout.SHARED_MEMORY, self.shared.ctypes.data), (layout.PARAMETERS, work.parameters.ctypes.data),
            (layout.RANGES, self.ranges.ctypes.data), (layout.RANGE_COUNT, len(places)),
            (layout.CANCEL, work.cancel.ctypes.data), (layout.LOCAL_MEMORY, self.local.ctypes.data),
            (layout.MODULE_MEMORY, work.module.address), (layout.LOCAL_BYTES, program.local_bytes),
        ):  # fmt: skip
            self.block[offset : offset + 8].view(np.int64)[0] = value
        for offset, value in (
            *((layout.BLOCK_SHAPE + 4 * place, size) for place, size in enumerate(launch.block)),
            *((layout.GRID_SHAPE + 4 * place, size) for place, size in enumerate(launch.grid)),
            (layout.WARPS, self.warps), (layout.DYNAMIC_SHARED_BYTES, launch.dynamic_shared_bytes),
            (layout.SHARED_BYTES, shared_bytes),
        ):  # fmt: skip
            self.block[offset : offset + 4].view(np.int32)[0] = value

    def instructions(self) -> int:
        """Instructions that the warps of this thread's blocks have issued."""
        table = self.states.reshape(self.warps, -1)
        return int(table[:, layout.INSTRUCTIONS : layout.INSTRUCTIONS + 8].view(np.int64).sum())

    def run(self, first: int, count: int) -> None:
        """Run blocks `first` to `first + count`, or up to the one at which the launch has to end."""
        pointers = [one.ctypes.data for one in (self.block, self.states)]
        while count > 0:
            ended = self.program.run_blocks(
                *pointers, self.warps, self.program.state_bytes, first, count, self.alive.ctypes.data,
                self.status.ctypes.data,
            )  # fmt: skip
            status = Status(int(self.status[0]))
            first, count = first + ended, count - ended
            while status is Status.FAULT:
                self._answer()
                status = Status(self.program.run_block(*pointers, self.warps, self.program.state_bytes))
                if status is Status.ENDED:
                    first, count = first + 1, count - 1
            if status is Status.CANCELLED:
                return
            if status is Status.DEADLOCK:
                raise self._deadlock()

    # Faults and requests

    def _of_block(self, offset: int) -> int:
        return int(self.block[offset : offset + 4].view(np.int32)[0])

    def _block_index(self) -> Index:
        x, y, z = (self._of_block(layout.BLOCK_INDEX + 4 * place) for place in range(3))
        return x, y, z

    def _thread(self, warp: int, lane: int) -> Index:
        row = self.states.reshape(self.warps, -1)[warp]
        x, y, z = (int(row[layout.TIDS + 128 * place + 4 * lane :][:4].view(np.int32)[0]) for place in range(3))
        return x, y, z

    def _answer(self) -> None:
        """Do what a warp asks of the host, or raise its fault."""
        warp = self._of_block(layout.FAULT_WARP)
        row = self.states.reshape(self.warps, -1)[warp]
        kind = Fault(int(row[layout.FAULT : layout.FAULT + 4].view(np.int32)[0]))
        site = self.program.sites[int(row[layout.FAULT_SITE : layout.FAULT_SITE + 4].view(np.int32)[0])]
        lanes = int(row[layout.FAULT_LANES : layout.FAULT_LANES + 4].view(np.uint32)[0])
        address = int(row[layout.FAULT_ADDRESS : layout.FAULT_ADDRESS + 8].view(np.int64)[0])
        if kind is Fault.HOST_CALL:
            for lane in (number for number in range(LANES) if lanes >> number & 1):
                self._call(site, warp, lane)
            return
        lane = (lanes & -lanes).bit_length() - 1
        words = self._fault_words(kind, site, address)
        raise KernelFaultError(words, site.place, self._block_index(), self._thread(warp, lane))

    def _fault_words(self, kind: Fault, site: Statement, address: int) -> str:
        shared = self.program.static_shared_bytes + self.launch.dynamic_shared_bytes
        words = {
            Fault.MISALIGNED: f"{site.opcode} of an address that is not aligned to its size",
            Fault.TRAP: "the kernel ended itself by a trap",
            Fault.TOO_MANY_SPLITS: "branches divide the warp into more parts than the machine can follow",
            Fault.NOT_CONVERGED: f"{site.opcode} names lanes of the warp that a branch keeps elsewhere",
            Fault.SHARED_OUT_OF_BOUNDS: f"{site.opcode} at byte {address} of shared memory, which has {shared}",
            Fault.LOCAL_OUT_OF_BOUNDS: f"{site.opcode} outside the thread's local memory",
            Fault.BAD_BARRIER: "a barrier of a number above 15",
        }
        return words.get(kind) or f"{site.opcode} {self._where(address)}"

    def _where(self, address: int) -> str:
        """An address outside every array, by the nearest one."""
        arrays = [one for one in [*self.launch.arrays, *self.launch.arguments] if isinstance(one, Array)]
        if not arrays:
            return "outside all memory"

        def distance(one: Array) -> int:
            return max(one.address - address, address - one.address - one.nbytes, 0)

        nearest = min(arrays, key=distance)
        name = nearest.name or "an array"
        if distance(nearest) > GAP:
            return f"outside every array; the nearest is {name}"
        offset = address - nearest.address
        if offset < 0:
            return f"{-offset} bytes in front of {name}"
        return f"at byte {offset} of {name}, which has {nearest.nbytes}"

    def _call(self, site: Statement, warp: int, lane: int) -> None:
        results, name, arguments = call_parts(site)
        local = self.local[(warp * LANES + lane) * self.program.local_bytes :]
        places = self.program.locals_of[id(site)]

        def given(place: int) -> int:
            offset = places[site.scope.variable(arguments[place])]
            return int(local[offset : offset + 8].view(np.int64)[0])

        if name == "__assertfail":
            message, file, function = (self._string(given(place)) for place in (0, 1, 3))
            words = assertion_words(message, file, function, given(2) & 0xFFFFFFFF)
            raise KernelFaultError(words, site.place, self._block_index(), self._thread(warp, lane))
        words = print_words(self._string(given(0)), lambda offset: self._argument(given(1) + offset), self._string)
        self.work.write(words)
        if results:
            offset = places[site.scope.variable(results[0])]
            local[offset : offset + 4].view(np.int32)[0] = len(words)

    def _argument(self, address: int) -> int:
        return int(np.frombuffer(self._bytes(address, 8), np.int64)[0])

    def _string(self, address: int) -> str:
        """The text at an address of the machine, as far as memory reaches."""
        whole = self._bytes(address, None)
        return whole.split(b"\0", 1)[0].decode(errors="replace")

    def _bytes(self, address: int, nbytes: int | None) -> bytes:
        """So many bytes at an address, or all to the end of its memory; zeros where there is none."""
        for first, size in self.ranges:
            if first <= address < first + size:
                most = int(first + size - address)
                found = ctypes.string_at(address, most if nbytes is None else min(nbytes, most))
                return found.ljust(nbytes or 0, b"\0")
        return bytes(nbytes or 1)

    def _deadlock(self) -> DeadlockError:
        """Who waits where."""
        for row in self.states.reshape(self.warps, -1):
            if int(row[layout.ALIVE : layout.ALIVE + 4].view(np.int32)[0]):
                break
        barriers = self.block[layout.BARRIERS :][: 16 * 16].view(np.int32).reshape(16, 4)
        number = int(np.argmax(barriers[:, 0] > 0))
        arrived, asked = int(barriers[number, 0]), int(barriers[number, 1])
        alive = self._of_block(layout.ALIVE_THREADS)
        words = f"deadlock: {arrived} of {asked or alive} threads wait at barrier {number}, and no other can go on"
        place = self.program.barrier_place
        return DeadlockError(words, place, self._block_index())
