"""Run a kernel whose PTX records itself: count, allocate exactly, run again for some blocks at a time, decode.

The whole grid runs each time and only chosen blocks write, so that C is what it always is and blocks that depend on
each other do not notice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import BackendError, OpenDevice, Source, address_of
from gemmviz.backends.cuda.ptx import Reassembles
from gemmviz.backends.launch_arguments import fitted_call
from gemmviz.backends.machine.backend import MachineBackend
from gemmviz.backends.machine.recorder import MachineRecorder
from gemmviz.backends.ptx_recorder import PtxRecorder, checked, source_of
from gemmviz.catalogue.kernel import Kernel, Plan
from gemmviz.compiler.languages import is_compiled_by_others
from gemmviz.compiler.source import SOURCE_NAME
from gemmviz.domain.operands import Operands
from gemmviz.domain.recordings.access import SharedSnapshot
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Language
from gemmviz.machine.log import SLOT_BYTES, SLOT_WORDS
from gemmviz.machine.ptx.function_copies import with_copies
from gemmviz.machine.ptx.parse import parse
from gemmviz.trace.ptx.decoding.cells import (
    CELL,
    Counts,
    block_table,
    counting_cells,
    in_batches,
    logs_of,
    recording_cells,
)
from gemmviz.trace.ptx.decoding.cluster import BlockLogs, block_logs, with_neighbours
from gemmviz.trace.ptx.decoding.log import Words, read_log
from gemmviz.trace.ptx.probing.accesses import What
from gemmviz.trace.ptx.probing.instrument import BLOCKS, CELLS, InstrumentedPtx, instrument_ptx
from gemmviz.trace.ptx.probing.split_vectors import vector_accesses
from gemmviz.trace.refusal import MAX_BYTES, RecordingRefusal

BATCH_BYTES = 2**27
"""Slots of so many bytes are recorded between two looks at them."""

_TRIES = 4


class CudaRecorder(PtxRecorder):
    """Records on a GPU, with PTX that writes down what it does. `c` is what the whole grid computed."""

    def __init__(
        self,
        device: Reassembles,
        source: Source,
        plan: Plan,
        shape: Shape,
        operands: Operands,
        limit_s: float,
        form: CodeForm,
    ) -> None:
        made: list[InstrumentedPtx] = []
        vectors = None
        if form is CodeForm.AS_WRITTEN:
            optimised = device.compile_as(source, CodeForm.AS_COMPILED, plan.launch)
            is_opencl = source.language is Language.OPENCL
            text = _placed(optimised.ptx, source.language)
            vectors = vector_accesses(parse(text, SOURCE_NAME), source.text, is_opencl=is_opencl)

        def rewrite(ptx: str, symbol: str) -> str:
            made.append(instrument_ptx(_placed(ptx, source.language), symbol, SOURCE_NAME, vectors))
            return made[-1].text

        compiled = device.compile_as(source, form, plan.launch)
        call = fitted_call(plan.call, compiled, source)
        self._compiled = device.reassembled(compiled, rewrite, plan.launch)
        self._form, self._operands = form, operands
        probed = made[-1].probed
        self._pointing = device
        self._waits = any(probe.found.what is What.WAIT for probe in probed.probes)
        self._symbols: dict[str, int] = {}
        written = source.text if form is CodeForm.AS_WRITTEN else ""
        code = replace(compiled.code, text=made[-1].text)
        code = code if form is CodeForm.AS_COMPILED else replace(code, cubin=b"")
        super().__init__(device, source, plan, shape, operands, probed, code, limit_s, call, written)
        self._variables = {
            one.symbol: device.variable(self._compiled, one.symbol, one.nbytes) for one in self._sites.variables
        }
        self._first_values = {symbol: np.zeros(buffer.nbytes, np.uint8) for symbol, buffer in self._variables.items()}
        for symbol, values in self._first_values.items():
            device.download(self._variables[symbol], values)

    def snapshots(self, block: int) -> tuple[SharedSnapshot, ...]:
        """What each shared array of a block, recorded as written, holds at each barrier and at the end.

        The PTX machine finds it out, as a GPU does not stop at barriers: none where that cannot run the block.

        Raises:
            TagRefusal: the matrices have more elements than there are tags.
        """
        machine = MachineBackend()
        if self._form is not CodeForm.AS_WRITTEN or machine.missing():
            return ()
        opened = machine.open(machine.device_for(""))
        try:
            return MachineRecorder(
                opened, self._source, self._plan, self._shape, self._operands, self._limit_s, self._form
            ).snapshots(block)
        except BackendError:
            return ()
        finally:
            opened.release()

    def _shared_places(self) -> dict[str, int]:
        return self._symbols

    def _variable_places(self) -> dict[str, int]:
        return {symbol: address_of(buffer) for symbol, buffer in self._variables.items()}

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
                self._symbols = self._expander.requests(read_log(recorded[0][0]), 0).symbols
            logs = dict(zip(chosen.tolist(), recorded, strict=True))
            yield indices[part], [block_logs(index, logs, self._launch) for index in indices[part].tolist()]

    def _count(self, indices: NDArray[np.int32]) -> Counts:
        warps = -(-self._launch.threads_per_block // LANES)
        return self._run(indices, counting_cells(indices.size, warps)).reshape(-1, warps)

    def _record(self, indices: NDArray[np.int32], counts: Counts) -> list[list[Words]]:
        """The logs of blocks. Where lanes go apart, and how often they look whether a wait is over, may differ from run
        to run: then there is more room the next time, and from the start for a kernel that waits.
        """
        room = counts
        for trial in range(_TRIES):
            if trial or self._waits:
                room = room + room // 4 + 64
            words = np.zeros(SLOT_WORDS * int(room.sum()), np.uint64)
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
        """Run the grid as if for the first time; how many slots each cell's warp wanted."""
        self._begin_c()
        for symbol, values in self._first_values.items():
            self._device.upload(values, self._variables[symbol])
        held = {BLOCKS: self._upload(block_table(self._launch.blocks, indices)), CELLS: self._upload(cells)}
        try:
            for variable, buffer in held.items():
                self._pointing.point(self._compiled, variable, buffer)
            self._device.launch(self._compiled, self._launch, self._arguments()).wait(self._limit_s)
            done = np.zeros(cells.size, CELL)
            self._device.download(held[CELLS], done)
        finally:
            for buffer in held.values():
                buffer.release()
        return done["count"].astype(np.int64)


def _placed(ptx: str, language: Language) -> str:
    """PTX whose functions are called from one line each, as the PTX machine runs them: each access has its line."""
    return ptx if is_compiled_by_others(language) else with_copies(ptx, SOURCE_NAME)


def cuda_recorder_for(
    device: OpenDevice,
    kernel: Kernel,
    plan: Plan,
    shape: Shape,
    operands: Operands,
    limit_s: float,
    form: CodeForm = CodeForm.AS_COMPILED,
) -> PtxRecorder:
    """A recorder for what nvcc makes of a kernel of the catalogue, or of a person's own.

    Raises:
        RecordingRefusal: there is nothing to record.
        CompileError: the kernel is at fault.
    """
    assert isinstance(device, Reassembles)
    source = source_of(kernel, plan, limit_s)
    return checked(CudaRecorder(device, source, plan, shape, operands, limit_s, form), kernel)
