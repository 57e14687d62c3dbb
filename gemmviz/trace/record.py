"""Run a kernel that records itself: count, allocate exactly, run block by block, decode."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import Argument, Buffer, Compiled, CompileError, OpenDevice, Source
from gemmviz.backends.compile_limit import compile_limit_s
from gemmviz.backends.cuda import CudaDevice
from gemmviz.backends.machine_device import MachineDevice
from gemmviz.backends.numba_cache import look_through_once
from gemmviz.backends.opencl import OpenClDevice
from gemmviz.catalogue.kernel import Kernel, Plan
from gemmviz.domain.access import LANES, BlockTrace, MappedArray, SharedSnapshot, Space
from gemmviz.domain.executed import Executed
from gemmviz.domain.initial_c import initial_c
from gemmviz.domain.operands import Operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import CodeForm, InitialC
from gemmviz.trace.function_edits import MATRICES
from gemmviz.trace.instrument import KERNEL, Instrumented
from gemmviz.trace.layout import Layout, lay_out, slots_needed
from gemmviz.trace.native_recording import CudaRecording
from gemmviz.trace.opencl_recording import OpenClRecording
from gemmviz.trace.ptx.machine_recorder import machine_recorder_for
from gemmviz.trace.ptx.record import ptx_recorder_for
from gemmviz.trace.recorder import MAX_BYTES, AnyRecorder, RecordingRefusal
from gemmviz.trace.recording_device import RecordingDevice
from gemmviz.trace.recording_text import A_BYTES, COUNTING, GRID_X, HEADER, MATRIX_BASE, SLOTS, WANT_SNAPSHOTS
from gemmviz.trace.shared_copies import snapshots_of
from gemmviz.trace.tags import decode, tagged

__all__ = ["MAX_BYTES", "Recorder", "RecordingRefusal", "recorder_for"]


class Recorder:
    """Records one kernel at one size.

    `c` is what the blocks of the last `batches` computed, shape (partial sums, M, N).
    """

    def __init__(
        self, device: RecordingDevice, source: Source, launch: Launch, shape: Shape, operands: Operands,
        partial_sums: int = 1, limit_s: float = 60.0, c_begins: InitialC = InitialC.UNDEFINED,
    ) -> None:  # fmt: skip
        self._recording = device
        self._device = device.opened
        self._launch = launch
        self._shape = shape
        self._limit_s = limit_s
        self._job = device.prepare(source, launch)
        self.c_begins = c_begins
        self.c = initial_c((partial_sums, shape.m, shape.n), c_begins)
        self._buffers = {
            "a": self._upload(operands.a), "b": self._upload(operands.b), "c": self._upload(self.c),
            "nowhere": self._upload(np.zeros(64, np.uint8)),
            "snapshots": self._upload(np.zeros(1, np.uint32)),
        }  # fmt: skip
        self._shapes: list[tuple[int, int, int]] = [(0, 0, 4)] * len(self._job.instrumented.shared)
        self._trips = np.zeros(self._job.instrumented.numbering.loops, np.int64)

    @property
    def instrumented(self) -> Instrumented:
        return self._job.instrumented

    @property
    def executed(self) -> tuple[Executed, ...]:
        """Nothing: instructions are not counted."""
        return ()

    @property
    def grid(self) -> tuple[int, int, int]:
        """Blocks in x, y and z."""
        return self._launch.grid

    @property
    def arrays(self) -> tuple[MappedArray, ...]:
        """Every array with its place in the virtual addresses."""
        shape, sums = self._shape, self.c.shape[0]
        sizes = ((shape.m, shape.k), (shape.k, shape.n), (shape.m * sums, shape.n))
        matrices = [
            MappedArray(name, Space.GLOBAL, (i + 1) * MATRIX_BASE, *sizes[i]) for i, name in enumerate(MATRICES)
        ]
        return (*matrices, *self._shared_arrays())

    def blocks(self, indices: NDArray[np.int32]) -> Iterator[BlockTrace]:
        """The traces of blocks, given by linear index (x fastest), one after the other; each lives until the next.

        Raises:
            RecordingRefusal, KernelTimeoutError, LaunchError: as `batches`.
        """
        for batch in self.batches(indices):
            yield from batch

    def batches(self, indices: NDArray[np.int32]) -> Iterator[list[BlockTrace]]:
        """The traces of blocks, given by linear index, as many at a time as fit the device, until the next.

        Raises:
            RecordingRefusal: a block's events do not fit.
            KernelTimeoutError: the kernel did not end.
        """
        self._count(indices)
        self._device.upload(initial_c(self.c.shape, self.c_begins), self._buffers["c"])
        layout, warps = self._layout(), -(-self._launch.threads_per_block // LANES)
        block_bytes = 8 * LANES * warps * max(layout.slots, 1)
        batch = max(1, self._recording.batch_bytes // block_bytes)
        arrays, sites = self.arrays, tuple(self._job.instrumented.sites)
        ended_by = [self._job.instrumented.barriers[barrier] for barrier in layout.barriers.tolist()]
        log = self._recording.log((min(batch, indices.size), warps, layout.slots, LANES))
        told = self._upload(self._told(layout))
        try:
            for first in range(0, indices.size, batch):
                chosen = np.ascontiguousarray(indices[first : first + batch])
                log.begin(chosen.size)
                self._run(self._job.recording, chosen, told, log.buffer)
                events = log.take_back(chosen.size)
                yield [
                    BlockTrace(
                        block=self.block_of(int(block)), threads=self._launch.threads_per_block, sites=sites,
                        arrays=arrays, slot_site=layout.site_of_slot, slot_epoch=layout.epochs(events[number]),
                        addresses=events[number], ended_by=ended_by,
                    )
                    for number, block in enumerate(chosen)
                ]  # fmt: skip
            self._device.download(self._buffers["c"], self.c)
        finally:  # also where nobody asks for the next batch
            log.release()
            told.release()

    def snapshots(self, block: int) -> tuple[SharedSnapshot, ...]:
        """What each shared array of a block, given by linear index, holds at each barrier and at the end.

        Two more runs of the block, on tagged inputs. Empty for a kernel without shared memory, and for one that is
        recorded past its barriers.

        Raises:
            TagRefusal: the matrices have more elements than there are tags.
        """
        self._count(np.array([block], np.int32))
        arrays = [array for array in self._shared_arrays() if array.nbytes >= 4]
        words = sum(array.nbytes // 4 for array in arrays)
        if not words or not self.instrumented.keeps_barriers:
            return ()
        layout = self._layout()
        most = layout.barrier_slots.size + 1
        runs = [self._tagged_run(block, layout, most * words, backwards) for backwards in (False, True)]
        epochs = runs[0][1]  # barriers that this block came to, and its end
        origins, matrices = decode(runs[0][0][: epochs * words], runs[1][0][: epochs * words], self._shape)
        places, at = [], 0
        for array in arrays:
            places.append((array, slice(at, at + array.nbytes // 4)))
            at += array.nbytes // 4
        return snapshots_of(origins.reshape(epochs, words), matrices.reshape(epochs, words), places)

    def _tagged_run(self, block: int, layout: Layout, words: int, backwards: bool) -> tuple[NDArray[np.uint32], int]:
        """The copies of shared memory, one behind the other, and how many barrier intervals they are of."""
        operands = tagged(self._shape, backwards)
        kept = self._buffers
        copies = np.zeros(max(words, 4), np.uint32)
        self._buffers = {
            **kept, "a": self._upload(operands.a), "b": self._upload(operands.b),
            "c": self._upload(initial_c(self.c.shape, self.c_begins)), "snapshots": self._upload(copies),
        }  # fmt: skip
        told = self._told(layout)
        told[WANT_SNAPSHOTS] = 1
        log = self._recording.log((1, -(-self._launch.threads_per_block // LANES), layout.slots, LANES))
        both = self._upload(told), self._upload(np.zeros(4, np.int32))
        try:
            log.begin(1)
            self._run(self._job.recording, np.array([block], np.int32), both[0], log.buffer, both[1])
            self._device.download(self._buffers["snapshots"], copies)
            reached = int(layout.reached(log.take_back(1)[0]).sum())
        finally:
            for name in ("a", "b", "c", "snapshots"):
                self._buffers[name].release()
            for buffer in (*both, log):
                buffer.release()
            self._buffers = kept
        return copies[:words], reached + 1

    def block_of(self, index: int) -> tuple[int, int, int]:
        """The x, y, z of a block by its linear index."""
        return self._launch.block_at(index)

    def _upload(self, array: NDArray[np.generic]) -> Buffer:
        buffer = self._device.allocate(max(array.nbytes, 16))
        if array.nbytes:
            self._device.upload(np.ascontiguousarray(array), buffer)
        return buffer

    def _count(self, indices: NDArray[np.int32]) -> None:
        loops, shared = self._job.instrumented.numbering.loops, len(self._job.instrumented.shared)
        trips = np.zeros(loops + 3 * shared + 4, np.int32)
        buffer = self._upload(trips)
        told = self._upload(self._told(None))
        nothing = self._device.allocate(16)
        self._run(self._job.counting, indices, told, nothing, buffer)
        self._device.download(buffer, trips)
        for one in (buffer, told, nothing):
            one.release()
        self._trips = trips[:loops].astype(np.int64)
        self._shapes = [(int(e), int(c), int(b) or 4) for e, c, b in trips[loops : loops + 3 * shared].reshape(-1, 3)]

    def _layout(self) -> Layout:
        job = self._job.instrumented
        slots = slots_needed(job.functions, KERNEL, self._trips)
        warps = -(-self._launch.threads_per_block // LANES)
        nbytes = 8 * LANES * warps * slots
        if nbytes > MAX_BYTES:
            raise RecordingRefusal(
                f"the events of one block take {nbytes / 2**30:.1f} GiB, at most {MAX_BYTES / 2**30:.0f} GiB are "
                "recorded: choose a smaller K or a smaller block"
            )
        return lay_out(job.functions, KERNEL, self._trips, job.numbering.offsets, job.site_of_offset)

    def _told(self, layout: Layout | None) -> NDArray[np.int64]:
        shape, job = self._shape, self._job.instrumented
        header = np.zeros(HEADER, np.int64)
        header[SLOTS] = layout.slots if layout is not None else COUNTING
        header[GRID_X : GRID_X + 3] = self._launch.grid
        header[A_BYTES : A_BYTES + 3] = (4 * shape.m * shape.k, 4 * shape.k * shape.n, self.c.nbytes)
        offsets, strides = np.zeros(job.numbering.offsets, np.int64), np.zeros(job.numbering.loops, np.int64)
        if layout is not None:
            offsets, strides = layout.offsets[: offsets.size], layout.strides[: strides.size]
        words = np.array([array.nbytes // 4 for array in self._shared_arrays()], np.int64)
        return np.concatenate([header, offsets, strides, words])

    def _run(
        self, compiled: Compiled, blocks: NDArray[np.int32], told: Buffer, log: Buffer, trips: Buffer | None = None
    ) -> None:
        chosen = self._upload(np.ascontiguousarray(blocks, np.int32))
        b, shape = self._buffers, self._shape
        spare = trips if trips is not None else b["nowhere"]
        arguments: list[Argument] = [
            b["a"], b["b"], b["c"], shape.m, shape.n, shape.k, b["a"], b["b"], b["c"], told, log, chosen, spare,
            b["snapshots"], b["nowhere"],
        ]  # fmt: skip
        launch = Launch((int(blocks.size), 1, 1), self._launch.block, self._launch.dynamic_shared_bytes)
        self._device.launch(compiled, launch, arguments).wait(self._limit_s)
        chosen.release()

    def _shared_arrays(self) -> list[MappedArray]:
        found = []
        for array, (elements, columns, nbytes) in zip(self._job.instrumented.shared, self._shapes, strict=True):
            rows = elements // max(columns, 1)
            found.append(MappedArray(array.name, Space.SHARED, array.base, rows, columns, nbytes))
        return found


def recorder_for(
    device: OpenDevice, kernel: Kernel, plan: Plan, shape: Shape, operands: Operands, limit_s: float,
    form: CodeForm | None = None,
) -> AnyRecorder:  # fmt: skip
    """A recorder for a kernel of the catalogue, or a person's own.

    A `form` other than the usual one is recorded by the PTX machine and, as compiled, by a GPU. What runs by CUDA
    alone, and what on a GPU is beyond the dialect that can be instrumented, is recorded from its compiled code.

    Raises:
        RecordingRefusal: the device or the kernel's language cannot be recorded, or there is nothing to record.
        CompileError: the kernel is at fault.
    """
    look_through_once()
    if isinstance(device, MachineDevice):
        return machine_recorder_for(device, kernel, plan, shape, operands, limit_s, form or CodeForm.AS_COMPILED)
    recording = _recording_on(device)
    if kernel.runs_on_host or recording is None:
        raise RecordingRefusal(
            f"{kernel.id} runs on the CPU as Python and has no accesses to record: choose a GPU kernel"
        )
    is_cuda = isinstance(device, CudaDevice)
    if is_cuda and (kernel.needs_cuda or form is CodeForm.AS_COMPILED):
        return ptx_recorder_for(device, kernel, plan, shape, operands, limit_s)
    source = Source(
        kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines, kernel.requires, compile_limit_s(limit_s)
    )
    try:
        recorder = Recorder(recording, source, plan.launch, shape, operands, plan.partial_sums, limit_s, plan.c_begins)
    except (CompileError, RecordingRefusal):
        if not is_cuda:
            raise
        return ptx_recorder_for(device, kernel, plan, shape, operands, limit_s)
    if not recorder.instrumented.sites:
        raise RecordingRefusal(f"{kernel.id} has nothing to record: it accesses no memory that gemmviz can see")
    return recorder


def _recording_on(device: OpenDevice) -> RecordingDevice | None:
    if isinstance(device, CudaDevice):
        return CudaRecording(device)
    return OpenClRecording(device) if isinstance(device, OpenClDevice) else None
