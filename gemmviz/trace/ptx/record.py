"""Run a kernel whose PTX records itself: count, allocate exactly, run again for some blocks at a time, decode.

The whole grid runs each time and only chosen blocks write, so that C is what it always is and blocks that depend on
each other do not notice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import Argument, Boxes, Buffer, OpenDevice, Source, Trial
from gemmviz.backends.compile_limit import compile_limit_s
from gemmviz.backends.cuda_buffer import address_of
from gemmviz.backends.cuda_ptx import Reassembles
from gemmviz.catalogue.kernel import Kernel, Plan
from gemmviz.compiler.source import SOURCE_NAME
from gemmviz.domain.access import LANES, BlockTrace, MappedArray, SharedSnapshot, Site, SkippedAccess, Space
from gemmviz.domain.operands import Operands, as_bfloat16
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element
from gemmviz.trace.findings import ANY
from gemmviz.trace.function_edits import MATRICES
from gemmviz.trace.model.rules import BANKS, WORD_BYTES
from gemmviz.trace.ptx.accesses import What
from gemmviz.trace.ptx.cells import (
    CELL,
    SLOT_BYTES,
    Counts,
    block_table,
    counting_cells,
    in_batches,
    logs_of,
    recording_cells,
)
from gemmviz.trace.ptx.cluster import BlockLogs, block_logs, with_neighbours
from gemmviz.trace.ptx.decode import Arrays, as_one_warp, block_trace
from gemmviz.trace.ptx.expand import Expander
from gemmviz.trace.ptx.instrument import BLOCKS, CELLS, InstrumentedPtx, instrument_ptx
from gemmviz.trace.ptx.log import WORDS, WarpLog
from gemmviz.trace.ptx.shapes import shared_shape
from gemmviz.trace.ptx.sites import Sites, sites_of, variable_name
from gemmviz.trace.recorder import MAX_BYTES, RecordingRefusal
from gemmviz.trace.recording_text import MATRIX_BASE, SHARED_BASE

BATCH_BYTES = 2**27
"""Slots of so many bytes are recorded between two looks at them."""

_TRIES = 4
_ROW_OF_BANKS = BANKS * WORD_BYTES


@dataclass(frozen=True, slots=True)
class RecordedPtx:
    """What is known of the PTX that records itself; see trace.recorder.RecordedCode."""

    sites: tuple[Site, ...]
    skipped: tuple[SkippedAccess, ...]
    hidden: frozenset[str]
    text: str
    unsure: frozenset[int] = frozenset()
    past_barriers: str = ""
    keeps_barriers: bool = True


class PtxRecorder:
    """Records one kernel at one size as nvcc compiled it. `c` is what the whole grid computed, (partial sums, M, N)."""

    def __init__(
        self, device: Reassembles, source: Source, plan: Plan, shape: Shape, operands: Operands, limit_s: float = 60.0
    ) -> None:
        self._device, self._plan, self._shape, self._limit_s = device, plan, shape, limit_s
        self._launch = plan.launch
        self._source = source
        made: list[InstrumentedPtx] = []

        def rewrite(ptx: str, symbol: str) -> str:
            made.append(instrument_ptx(ptx, symbol, SOURCE_NAME))
            return made[-1].text

        trial = Trial(shape, plan.launch, plan.partial_sums * shape.m * shape.n, limit_s)
        compiled = device.compile(source, plan.launch, trial, _unsaid)
        self._compiled = device.reassembled(compiled, rewrite, plan.launch)
        self._made = made[-1]
        self._sites = sites_of(self._made)
        self._expander = Expander(self._made.probes, self._sites, {one.matrix: one for one in plan.tensor_maps})
        self._waits = any(probe.found.what is What.WAIT for probe in self._made.probes)
        self.c = np.full((plan.partial_sums, shape.m, shape.n), np.nan, np.float32)
        self._buffers = {"A": self._operand(operands.a), "B": self._operand(operands.b), "C": self._upload(self.c)}
        self._symbols: dict[str, int] = {}

    @cached_property
    def instrumented(self) -> RecordedPtx:
        hidden = frozenset({ANY}) if self._sites.skipped else frozenset()
        return RecordedPtx(self._sites.sites, self._sites.skipped, hidden, self._made.text)

    @property
    def grid(self) -> tuple[int, int, int]:
        """Blocks in x, y and z."""
        return self._launch.grid

    @property
    def arrays(self) -> tuple[MappedArray, ...]:
        """Every array with its place in the virtual addresses; shared ones once a block was recorded."""
        return self._arrays().mapped

    def block_of(self, index: int) -> tuple[int, int, int]:
        """The x, y, z of a block by its linear index."""
        return self._launch.block_at(index)

    def blocks(self, indices: NDArray[np.int32]) -> Iterator[BlockTrace]:
        """The traces of blocks, given by linear index (x fastest), one after the other.

        Raises:
            RecordingRefusal, KernelTimeoutError, LaunchError: as `batches`.
        """
        for batch in self.batches(indices):
            yield from batch

    def batches(self, indices: NDArray[np.int32]) -> Iterator[list[BlockTrace]]:
        """The traces of blocks, given by linear index, as many at a time as fit BATCH_BYTES.

        Raises:
            RecordingRefusal: a block's events do not fit, or are never the same number twice.
            KernelTimeoutError: the kernel did not end.
            LaunchError: it failed on the device.
        """
        threads = self._launch.threads_per_block
        for chosen, logs in self._logs(indices):
            arrays = self._arrays()
            yield [
                block_trace(self._expander, one, arrays, self.block_of(int(block)), threads)
                for block, one in zip(chosen, logs, strict=True)
            ]
        self._device.download(self._buffers["C"], self.c)

    def requests(self, indices: NDArray[np.int32]) -> Iterator[BlockTrace]:
        """The requests of blocks, each block's in one warp and in no order between warps: enough to count them.

        Raises:
            RecordingRefusal, KernelTimeoutError, LaunchError: as `batches`.
        """
        for _, logs in self._logs(indices):
            yield from (as_one_warp(self._expander, one, self._arrays()) for one in logs)

    def snapshots(self, block: int) -> tuple[SharedSnapshot, ...]:
        """None: what shared memory holds is not looked at in compiled code."""
        del block
        return ()

    def _logs(self, indices: NDArray[np.int32]) -> Iterator[tuple[NDArray[np.int32], list[BlockLogs]]]:
        """The logs of some blocks at a time, with those of the blocks beside them in their clusters."""
        every = with_neighbours(indices, self._launch)
        counts = dict(zip(every.tolist(), self._count(every), strict=True))
        slots = np.array([counts[index].sum() for index in indices.tolist()], np.int64)
        largest = int(slots.max(initial=0)) * SLOT_BYTES
        if largest > MAX_BYTES:
            raise RecordingRefusal(
                f"the events of one block take {largest / 2**30:.1f} GiB, at most {MAX_BYTES / 2**30:.0f} GiB are "
                "recorded: choose a smaller K or a smaller block"
            )
        for part in in_batches(slots, BATCH_BYTES):
            chosen = with_neighbours(indices[part], self._launch)
            recorded = self._record(chosen, np.array([counts[index] for index in chosen.tolist()]))
            if not self._symbols:
                self._symbols = self._expander.requests(recorded[0][0], 0).symbols
            logs = dict(zip(chosen.tolist(), recorded, strict=True))
            yield indices[part], [block_logs(index, logs, self._launch) for index in indices[part].tolist()]

    def _count(self, indices: NDArray[np.int32]) -> Counts:
        warps = -(-self._launch.threads_per_block // LANES)
        return self._run(indices, counting_cells(indices.size, warps)).reshape(-1, warps)

    def _record(self, indices: NDArray[np.int32], counts: Counts) -> list[list[WarpLog]]:
        """The logs of blocks. Where lanes go apart, and how often they look whether a wait is over, may differ from run
        to run: then there is more room the next time, and from the start for a kernel that waits.
        """
        room = counts
        for trial in range(_TRIES):
            if trial or self._waits:
                room = room + room // 4 + 64
            words = np.zeros(WORDS * int(room.sum()), np.uint64)
            log = self._upload(words)
            try:
                filled = self._run(indices, recording_cells(room, address_of(log))).reshape(room.shape)
                if (filled <= room).all():
                    self._device.download(log, words)
                    return logs_of(words, room, filled)
            finally:
                log.release()
            room = np.maximum(room, filled)
        raise RecordingRefusal(
            "the kernel makes a different number of accesses each time it runs, so it cannot be recorded"
        )

    def _run(self, indices: NDArray[np.int32], cells: NDArray[np.void]) -> Counts:
        """Run the grid; how many slots each cell's warp wanted."""
        held = {BLOCKS: self._upload(block_table(self._launch.blocks, indices)), CELLS: self._upload(cells)}
        try:
            for variable, buffer in held.items():
                self._device.point(self._compiled, variable, buffer)
            maps = {one.matrix: Boxes(self._buffers[one.matrix], one) for one in self._plan.tensor_maps}
            shape = self._shape
            arguments: list[Argument] = [maps.get(name, self._buffers[name]) for name in MATRICES]
            arguments += [shape.m, shape.n, shape.k]
            self._device.launch(self._compiled, self._launch, arguments).wait(self._limit_s)
            done = np.zeros(cells.size, CELL)
            self._device.download(held[CELLS], done)
        finally:
            for buffer in held.values():
                buffer.release()
        return done["count"].astype(np.int64)

    def _arrays(self) -> Arrays:
        shape, sums = self._shape, self.c.shape[0]
        nbytes = (self._plan.operands.nbytes, self._plan.operands.nbytes, 4)
        sizes = ((shape.m, shape.k), (shape.k, shape.n), (shape.m * sums, shape.n))
        mapped = [
            MappedArray(name, Space.GLOBAL, (i + 1) * MATRIX_BASE, *sizes[i], nbytes[i])
            for i, name in enumerate(MATRICES)
        ]
        real = [address_of(self._buffers[name]) for name in MATRICES]
        element = self._plan.operands.nbytes if self._plan.tensor_maps else 4
        for number, symbol in enumerate(self._made.module.shared):
            if symbol.name in self._symbols:
                size = symbol.nbytes if symbol.nbytes is not None else self._launch.dynamic_shared_bytes
                real.append(self._symbols[symbol.name])
                base = (16 + number) * SHARED_BASE + real[-1] % _ROW_OF_BANKS
                name = variable_name(symbol.name)
                rows, columns = shared_shape(self._source.text, self._plan.defines, name, size // element)
                mapped.append(MappedArray(name, Space.SHARED, base, rows, columns, element))
        return Arrays(tuple(mapped), tuple(real))

    def _operand(self, matrix: NDArray[np.float32]) -> Buffer:
        return self._upload(as_bfloat16(matrix) if self._plan.operands is Element.BFLOAT16 else matrix)

    def _upload(self, array: NDArray[np.generic]) -> Buffer:
        buffer = self._device.allocate(max(array.nbytes, 16))
        if array.nbytes:
            self._device.upload(np.ascontiguousarray(array), buffer)
        return buffer

    @property
    def sites(self) -> Sites:
        """The sites with the probes that make them."""
        return self._sites


def _unsaid(words: str) -> None:
    del words


def ptx_recorder_for(
    device: OpenDevice, kernel: Kernel, plan: Plan, shape: Shape, operands: Operands, limit_s: float
) -> PtxRecorder:
    """A recorder for what nvcc makes of a kernel of the catalogue, or of a person's own.

    Raises:
        RecordingRefusal: the device does not run by CUDA, or there is nothing to record.
        CompileError: the kernel is at fault.
    """
    if not kernel.has_accesses or not isinstance(device, Reassembles):
        raise RecordingRefusal(f"{kernel.id}: compiled code is recorded only on NVIDIA GPUs with CUDA")
    source = Source(
        kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines, kernel.requires, compile_limit_s(limit_s)
    )
    recorder = PtxRecorder(device, source, plan, shape, operands, limit_s)
    if not recorder.instrumented.sites:
        raise RecordingRefusal(f"{kernel.id} has nothing to record: it accesses no memory that gemmviz can see")
    return recorder
