"""Runs blocks one after the other, and answers what their warps ask of the host."""

from __future__ import annotations

import ctypes
import time
from math import prod
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain import figures
from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine import layout
from gemmviz.machine.calls import call_fault_words
from gemmviz.machine.deadlocks import deadlock, tested_mbarriers
from gemmviz.machine.faults import KernelFaultError, OutsideAccess, WaitsForBlocksError
from gemmviz.machine.host_calls import assertion_words, print_words, trap_words
from gemmviz.machine.layout import Fault, Status
from gemmviz.machine.log import SLOT_BYTES, BlockRecord, LogRoom, LogTooLongError
from gemmviz.machine.loops.loop_watch import LoopWatch
from gemmviz.machine.lowering.memory import access_bytes, element_bytes
from gemmviz.machine.lowering.stack import STACK_WORDS
from gemmviz.machine.memory import GAP, OUTSIDE, VARIABLE_GAP, Array, aligned, beyond, distance, outside_words
from gemmviz.machine.ptx.calls import call_parts
from gemmviz.machine.ptx.parse import Statement
from gemmviz.machine.ptx.pointer_origins import array_meant
from gemmviz.machine.ptx.variables import variable_name
from gemmviz.machine.watched import NOT_WRITTEN, fill_unwritten
from gemmviz.machine.whereabouts import whereabouts
from gemmviz.machine.work import Index, Work


class Runner:
    """What one thread of this process runs blocks with."""

    def __init__(self, work: Work) -> None:
        launch, program = work.launch, work.launch.program
        self.work, self.launch, self.program = work, launch, program
        threads = prod(launch.block)
        self.warps = -(-threads // LANES)
        shared_bytes = max(64, program.static_shared_bytes + launch.dynamic_shared_bytes)
        guard = layout.SHARED_GUARD
        room = aligned(shared_bytes + 2 * guard + 64 + layout.RESERVED_BYTES)
        self.shared = room[guard : guard + shared_bytes]
        begin = 2 * guard + -(-(program.static_shared_bytes + launch.dynamic_shared_bytes) // 64) * 64
        self.reserved = room[begin : begin + layout.RESERVED_BYTES]
        self.local = aligned(max(64, self.warps * LANES * program.local_bytes))
        if work.watched_warps:
            self.local.view(np.uint32)[: self.local.size // 4] = NOT_WRITTEN
        self.states = aligned(self.warps * program.state_bytes)
        self.block = aligned(program.block_bytes)
        self.status = np.zeros(1, np.int32)
        lanes = np.arange(self.warps * LANES)
        x, y, _z = launch.block
        self.alive = (
            np.packbits((lanes < threads).reshape(-1, LANES), axis=1, bitorder="little").view(np.int32).ravel().copy()
        )
        table = self._table = self.states.reshape(self.warps, -1)
        for place, index in enumerate((lanes % x, lanes // x % y, lanes // (x * y))):
            begin = layout.TIDS + 128 * place
            table[:, begin : begin + 128].view(np.int32)[:] = index.reshape(-1, LANES)
        table[:, layout.WARP_NUMBER : layout.WARP_NUMBER + 4].view(np.int32)[:, 0] = np.arange(self.warps)
        fill_unwritten(program.registers, launch.unwritten, table, self.local)
        words = table.view(np.int64)
        self._log_places = words[:, layout.LOG_NEXT // 8 : layout.LOG_END // 8 + 1]
        self._log_begin = words[:, layout.LOG_BEGIN // 8]
        self._changed = words[:, layout.LOG_CHANGED // 8]
        self._counts = self._counters(words)
        self._left_out = self._rounds(words)
        self.room = LogRoom(self.warps, work.most_bytes)
        self.copies: list[NDArray[np.uint8]] = []
        self.began: float | None = None
        """When the block that is being recorded began; None while none runs."""
        self._earlier_slots = self._told_slots = 0  # in full pieces of the log; as they were told last
        self.watch = LoopWatch(program.loops, self.block, self.local)
        self._opened: KernelFaultError | None = None
        """Why no thread could go on when a barrier of the block was opened first."""
        self._fill_block()

    def _fill_block(self) -> None:
        launch, program, work = self.launch, self.program, self.work
        places = [(one.address, one.nbytes) for one in launch.arrays]
        places += [(one.address, one.nbytes) for one in launch.arguments if isinstance(one, Array)]
        for memory in (self.shared, self.local, work.parameters, self.reserved):
            places.append((memory.ctypes.data, memory.nbytes))
        places += [(work.module.address + begin, nbytes) for begin, nbytes in program.module_places.values()]
        self.ranges = np.array(places, np.int64)
        shared_bytes = program.static_shared_bytes + launch.dynamic_shared_bytes
        for offset, value in (
            (layout.SHARED_MEMORY, self.shared.ctypes.data),
            (layout.PARAMETERS, work.parameters.ctypes.data),
            (layout.RANGES, self.ranges.ctypes.data),
            (layout.RANGE_COUNT, len(places)),
            (layout.CANCEL, work.cancel.ctypes.data),
            (layout.LOCAL_MEMORY, self.local.ctypes.data),
            (layout.ORDER, work.order.ctypes.data),
            (layout.MODULE_MEMORY, work.module.address),
            (layout.LOCAL_BYTES, program.local_bytes),
        ):
            self.block[offset : offset + 8].view(np.int64)[0] = value
        for offset, value in (
            *((layout.BLOCK_SHAPE + 4 * place, size) for place, size in enumerate(launch.block)),
            *((layout.GRID_SHAPE + 4 * place, size) for place, size in enumerate(launch.grid)),
            (layout.WARPS, self.warps),
            (layout.DYNAMIC_SHARED_BYTES, launch.dynamic_shared_bytes),
            (layout.SHARED_BYTES, shared_bytes),
            (layout.PAUSES, -1 if work.copies_shared else 0),
            (layout.WATCHED_WARPS, work.watched_warps),
        ):
            self.block[offset : offset + 4].view(np.int32)[0] = value

    def instructions(self) -> int:
        """Instructions that the warps of this thread's blocks have issued."""
        return int(self._table[:, layout.INSTRUCTIONS : layout.INSTRUCTIONS + 8].view(np.int64).sum())

    @property
    def slots(self) -> int:
        """How many slots the block that is recorded has written so far, roughly, 1 at least; 0 while none runs."""
        latest = int((self._log_places[:, 0] - self._log_begin).sum()) // SLOT_BYTES
        self._told_slots = max(self._told_slots, self._earlier_slots + latest)
        return max(self._told_slots, 1) if self.began is not None else 0

    def record(self, block: int) -> None:
        """Run one block and show what it wrote down."""
        self._counts[:], self._changed[:], self._left_out[:] = 0, 0, 0
        self._log_places[:] = self.room.begin()
        self._log_begin[:] = self._log_places[:, 0]
        self.copies = []
        self._earlier_slots = self._told_slots = 0
        self._opened = None
        self.block[layout.SINK : layout.SINK + layout.SINK_BYTES] = 0
        self.began = time.monotonic()
        self.run(block, 1)
        self.began = None
        if self.work.cancel[0]:  # what a block wrote down until then may be much, and is of no use
            return
        if self.work.copies_shared:
            self._copy_shared()
        made = self.room.take(self._log_places[:, 0])
        counts, address = self._counts.sum(axis=0), int(self.shared.ctypes.data)
        is_like_last = made.is_in_place and not self._changed.any()
        self.work.look(
            BlockRecord(
                block,
                made.words,
                made.begins,
                made.sizes,
                self.room.number,
                is_like_last,
                self.copies,
                counts,
                address,
                made.grown,
                self._left_out.sum(axis=0),
            )
        )

    def _counters(self, table: NDArray[np.int64]) -> NDArray[np.int64]:
        """How often each warp ran each piece of code, and the sum of the lanes that did, shape (warps, pieces, 2)."""
        begin = self.program.counters
        if begin is None:
            return np.zeros((self.warps, 0, 2), np.int64)
        end = begin + layout.COUNTER_BYTES * len(self.program.pieces)
        return table[:, begin // 8 : end // 8].reshape(self.warps, -1, 2)

    def _rounds(self, table: NDArray[np.int64]) -> NDArray[np.int64]:
        """How often each warp left out each sequenced statement, shape (warps, statements)."""
        begin, count = self.program.left_out or (0, 0)
        return table[:, begin // 8 : begin // 8 + count]

    def _copy_shared(self) -> None:
        self.copies.append(self.shared[: self._of_block(layout.SHARED_BYTES)].copy())

    def _more_room(self, warp: int) -> None:
        """Give a warp room for more slots.

        Raises:
            LogTooLongError: the block has more than it may have; it says where the block's threads are.
        """
        row = self._table[warp]
        place = row[layout.LOG_NEXT : layout.LOG_END + 8].view(np.int64)
        slots = int(row[layout.LOG_SLOTS : layout.LOG_SLOTS + 4].view(np.int32)[0])
        try:
            written = int(place[0] - self._log_begin[warp]) // SLOT_BYTES
            place[:] = self.room.more(warp, slots, int(place[0]))
            self._log_begin[warp] = place[0]
            self._earlier_slots += written
        except LogTooLongError as error:
            where = f"in block {self._block_index()} {self._whereabouts()}"
            raise LogTooLongError(error.nbytes, where) from error

    def run(self, first: int, count: int) -> None:
        """Run blocks `first` to `first + count`, or up to the one at which the launch has to end."""
        pointers = [one.ctypes.data for one in (self.block, self.states)]
        self.watch.rest()
        while count > 0:
            ended = self.program.run_blocks(
                *pointers,
                self.warps,
                self.program.state_bytes,
                first,
                count,
                self.alive.ctypes.data,
                self.status.ctypes.data,
            )
            status = Status(int(self.status[0]))
            first, count = first + ended, count - ended
            asks = {Status.FAULT, Status.PAUSED, Status.LOOKED_AT}
            while status in asks or (status is Status.DEADLOCK and self._opens_barrier()):
                if status is Status.LOOKED_AT:
                    is_stuck = self.watch.look(self._table, self._block_index(), is_alone=self.work.is_alone)
                    if is_stuck and not self._opens_barrier():
                        raise self._deadlock()
                elif status is Status.PAUSED:
                    self._copy_shared()
                elif status is Status.FAULT:
                    self._answer()
                if self.work.cancel[0]:
                    status = Status.CANCELLED
                    break
                status = Status(self.program.run_block(*pointers, self.warps, self.program.state_bytes))
                if status is Status.ENDED:
                    first, count = first + 1, count - 1
            if status is Status.CANCELLED:
                self.work.stands(self._block_index(), self._whereabouts())
                return
            if status is Status.DEADLOCK:
                raise self._deadlock()

    def _opens_barrier(self) -> bool:
        """Where a block is recorded and nothing else can go on, let the threads pass that wait at the block's barrier:
        who looks at the record sees which of them came. Whether there are such threads.
        """
        arrived, expected = self.block[layout.BARRIERS : layout.BARRIERS + 8].view(np.int32)
        if not self.work.is_recorded or not arrived or expected:
            return False
        self._opened = self._opened or self._deadlock()
        self.block[layout.BARRIERS :][layout.EXPECTED : layout.EXPECTED + 4].view(np.int32)[0] = arrived
        return True

    # Faults and requests

    def _of_block(self, offset: int) -> int:
        return int(self.block[offset : offset + 4].view(np.int32)[0])

    def _block_index(self) -> Index:
        x, y, z = (self._of_block(layout.BLOCK_INDEX + 4 * place) for place in range(3))
        return x, y, z

    def _thread(self, warp: int, lane: int) -> Index:
        row = self._table[warp]
        x, y, z = (int(row[layout.TIDS + 128 * place + 4 * lane :][:4].view(np.int32)[0]) for place in range(3))
        return x, y, z

    def _answer(self) -> None:
        """Do what a warp asks of the host, or raise its fault."""
        warp = self._of_block(layout.FAULT_WARP)
        row = self._table[warp]
        kind = Fault(int(row[layout.FAULT : layout.FAULT + 4].view(np.int32)[0]))
        if kind is Fault.LOG_FULL:
            self._more_room(warp)
            return
        site = self.program.sites[int(row[layout.FAULT_SITE : layout.FAULT_SITE + 4].view(np.int32)[0])]
        lanes = layout.word_at(row, layout.FAULT_LANES)
        address = int(row[layout.FAULT_ADDRESS : layout.FAULT_ADDRESS + 8].view(np.int64)[0])
        if kind is Fault.HOST_CALL:
            for lane in (number for number in range(LANES) if lanes >> number & 1):
                self._call(site, warp, lane)
            return
        lane = (lanes & -lanes).bit_length() - 1
        own = int(self.local.ctypes.data) + (warp * LANES + lane) * self.program.local_bytes
        words, outside = self._fault_words(kind, site, address, own)
        who = self._block_index(), self._thread(warp, lane)
        raise KernelFaultError(words, site.place, *who, is_access=kind.is_access, outside=outside)

    def _fault_words(self, kind: Fault, site: Statement, address: int, own: int) -> tuple[str, OutsideAccess | None]:
        """What is wrong, and which memory was not hit; the thread's own memory begins at the address `own`."""
        shared = self.program.static_shared_bytes + self.launch.dynamic_shared_bytes
        words = {
            Fault.MISALIGNED: f"{site.opcode} of an address that is not aligned to its size",
            Fault.TRAP: trap_words(text for piece in self.program.pieces for one in piece for text in one.operands),
            Fault.TOO_MANY_SPLITS: "branches divide the warp into more parts than the machine can follow",
            Fault.NOT_NAMED: f"{site.opcode} by a lane that its own mask leaves out",
            Fault.SHARED_OUT_OF_BOUNDS: f"{site.opcode} at byte {address} of shared memory, which has {shared}",
            Fault.LOCAL_OUT_OF_BOUNDS: f"{site.opcode} {self._in_local(address)}",
            Fault.BAD_BARRIER: "a barrier of a number above 15",
            Fault.NO_MBARRIER: f"{site.opcode} of an mbarrier that nothing has initialised",
            Fault.COMPLETES_PHASE: f"{site.opcode} completes the phase of an mbarrier, which noComplete denies",
            Fault.STACK_OVERFLOW: f"alloca of {figures.count(address)} bytes: {STACK_WORDS}",
            Fault.TOO_MANY_ARRIVALS: f"{site.opcode} at an mbarrier at which all that it expects have arrived already",
        }
        if kind in {Fault.NO_FUNCTION, Fault.CALLS_ITSELF}:
            return call_fault_words(kind, site, address, self.program.functions), None
        if kind is Fault.LOCAL_ARRAY_OUT_OF_BOUNDS:
            array, offset = self.program.local_arrays[site.start], address if "local" in site.words else address - own
            bounds, width = (array.begin, array.end - array.begin), element_bytes(site)
            where = beyond(array.name, bounds, offset, access_bytes(site), width)
            return f"{site.opcode} {where} in local memory", None
        if kind in words:
            return words[kind], OutsideAccess.SHARED if kind is Fault.SHARED_OUT_OF_BOUNDS else None
        where, outside = self._of_variable(site, address), None
        if not where:
            where, outside = self._where(site, address, own)
        return f"{site.opcode} {where}", outside

    def _in_local(self, offset: int) -> str:
        return f"at byte {offset} of the thread's local memory, which has {self.program.local_bytes}"

    def _where(self, site: Statement, address: int, own: int) -> tuple[str, OutsideAccess | None]:
        """An address outside every array, by the one whose pointer it comes from, else by the nearest one, in bytes and
        in elements of the access; near the memory of threads by that of the thread itself, which begins at `own`.
        """
        arrays = [one for one in [*self.launch.arrays, *self.launch.arguments] if isinstance(one, Array)]
        if (meant := array_meant(site, self.program.function, self.work.values, arrays)) is not None:
            return outside_words(meant, address, access_bytes(site), element_bytes(site))
        first = int(self.local.ctypes.data)
        is_local = bool(self.program.local_bytes) and first - GAP < address < first + self.local.nbytes + GAP
        if not arrays:
            return (self._in_local(address - own), None) if is_local else ("outside all memory", OutsideAccess.FAR)
        nearest = min(arrays, key=lambda one: distance(one, address))
        if distance(nearest, address) > GAP:
            return (self._in_local(address - own), None) if is_local else (OUTSIDE, OutsideAccess.FAR)
        among = len({one.address for one in arrays})
        return outside_words(nearest, address, access_bytes(site), element_bytes(site), among)

    def _of_variable(self, site: Statement, address: int) -> str:
        """An address near a variable of the module, as an element of it; "" of any other address."""
        first, places = self.work.module.address, self.program.module_places

        def distance(name: str) -> int:
            begin, nbytes = places[name]
            return max(first + begin - address, address - (first + begin + nbytes) + 1, 0)

        nearest = min(places, key=distance, default=None)
        if nearest is None or distance(nearest) > VARIABLE_GAP:
            return ""
        begin, nbytes = places[nearest]
        offset, name = address - first - begin, variable_name(nearest)
        width = element_bytes(site)
        if offset % width or nbytes % width:
            return f"at byte {offset} of {name}, which has {nbytes}"
        return f"of {name}[{offset // width}], but {name} has {nbytes // width} elements of {width} bytes"

    def _call(self, site: Statement, warp: int, lane: int) -> None:
        results, name, arguments = call_parts(site)
        local = self.local[(warp * LANES + lane) * self.program.local_bytes :]
        places = self.program.locals_of[id(site)]

        def given(place: int) -> int:
            offset = places[site.scope.variable(arguments[place])]
            return int(local[offset : offset + 8].view(np.int64)[0])

        if name == "__assertfail":
            message, file, function = (self._string(given(place)) for place in (0, 1, 3))
            line = given(2) & 0xFFFFFFFF
            is_own = line == site.place.line and PurePath(file).name == self.program.source_name
            words = assertion_words(message, function, "" if is_own else f"{file}, line {line}")
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

    def _whereabouts(self) -> str:
        found = whereabouts(self.program, self._table), tested_mbarriers(self.program, self._table, self.shared)
        return "; ".join(filter(None, found))

    def _deadlock(self) -> KernelFaultError:
        """Why no thread can go on; where barriers were opened since, why none could before."""
        index, absent = self._block_index(), self.work.absent
        found = deadlock(self.program, self.block, self._table, self.shared, index, absent)
        return found if self._opened is None or isinstance(found, WaitsForBlocksError) else self._opened
