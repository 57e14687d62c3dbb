"""What recorders share whose device writes a log of a kernel's PTX: sites, arrays, and traces out of the logs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import Argument, Buffer, OpenDevice, Source, address_of
from gemmviz.backends.compile_limit import compile_limit_s
from gemmviz.backends.kernel_source import kernel_source
from gemmviz.backends.launch_arguments import launch_arguments
from gemmviz.catalogue.kernel import Kernel, Plan
from gemmviz.compiler.nvidia.line_accesses import AssembledCode
from gemmviz.compiler.opencl.translation import with_shared_arrays
from gemmviz.domain.kernels.call import Call, size_of
from gemmviz.domain.operands import Operands
from gemmviz.domain.recordings.access import BlockTrace, MappedArray, SharedSnapshot, Space
from gemmviz.domain.recordings.executed import Executed
from gemmviz.domain.recordings.machine_accesses import MachineAccesses
from gemmviz.domain.recordings.repeated_waits import RepeatedWait
from gemmviz.domain.recordings.variables import VariableValues
from gemmviz.domain.shape import Shape
from gemmviz.domain.stored import begun, stored, values_of
from gemmviz.machine.memory import ALIGNMENT
from gemmviz.machine.ptx.variables import variable_name
from gemmviz.trace.hazards.findings import ANY
from gemmviz.trace.model.rules import BANKS, WORD_BYTES
from gemmviz.trace.ptx.decoding.cluster import BlockLogs
from gemmviz.trace.ptx.decoding.decode import Arrays, as_one_warp
from gemmviz.trace.ptx.decoding.expand import Expander
from gemmviz.trace.ptx.decoding.repeats import Repeats
from gemmviz.trace.ptx.probing.block_order import may_order_blocks
from gemmviz.trace.ptx.probing.module_arrays import ModuleArray
from gemmviz.trace.ptx.probing.probes import Probed
from gemmviz.trace.ptx.probing.shapes import (
    shared_elements,
    shared_shape,
    template_values,
    variable_elements,
    variable_shape,
)
from gemmviz.trace.ptx.probing.sites import Sites, names_in_source, pointers_of, sites_of
from gemmviz.trace.ptx.probing.strong_accesses import strong_probes
from gemmviz.trace.recorded_code import RecordedCode
from gemmviz.trace.recorder import BlocksSeen, Follow, Indices, See
from gemmviz.trace.refusal import RecordingRefusal
from gemmviz.trace.repeats import Recorded, whole_trace
from gemmviz.trace.stored_values import StoredValues
from gemmviz.trace.virtual_addresses import MATRIX_BASE, SHARED_BASE, VARIABLE_BASE, VARIABLE_STEP

_ROW_OF_BANKS = BANKS * WORD_BYTES
_THREADS = 2
"""Threads that look at the blocks of a batch."""
_FOLLOW_EVERY_S = 0.05


class PtxRecorder(ABC):
    """Records one kernel at one size from the PTX that a compiler made of it. Calls come from one thread.

    `call` has the numbers that the launches are given; `written` is the source's text where the code was compiled as it
    is written. With `follows_order` the device writes down in which order blocks come to strong accesses and fences.
    """

    def __init__(
        self,
        device: OpenDevice,
        source: Source,
        plan: Plan,
        shape: Shape,
        operands: Operands,
        probed: Probed,
        code: AssembledCode,
        limit_s: float,
        call: Call,
        written: str = "",
        *,
        follows_order: bool = False,
    ) -> None:
        self._device, self._plan, self._shape, self._limit_s = device, plan, shape, limit_s
        self.call = call
        self._launch, self._source, self._probed, self._code = plan.launch, source, probed, code
        self._sites = sites_of(probed, written, pointers_of(call), names_in_source(call, source))
        maps = {one.matrix: one for one in plan.tensor_maps}
        strong = strong_probes(probed, self._sites) if follows_order else ()
        self._expander = Expander(probed.probes, self._sites, maps, strong)
        self._begun = begun(call, shape, plan.partial_sums, operands)
        self._result = self._begun[call.result].copy()
        self._buffers = self._uploaded(operands)

    @cached_property
    def instrumented(self) -> RecordedCode:
        hidden = frozenset({ANY}) if self._sites.hides_shared else frozenset()
        ordered = may_order_blocks(self._probed, self._sites)
        follows = bool(self._expander.strong)
        mbarriers = self._probed.has_mbarriers
        return RecordedCode(
            self._sites.sites, self._sites.skipped, hidden, self._code.text, ordered, follows, mbarriers
        )

    @property
    def sites(self) -> Sites:
        """The sites with the probes that make them."""
        return self._sites

    @property
    def machine(self) -> MachineAccesses | None:
        """What each line accesses in the PTX and in the machine code of it; None where that is not known."""
        return self._code.accesses()

    @property
    def c(self) -> NDArray[np.float32]:
        """What the blocks of the last `batches` have left in the result, shape (partial sums, M, N)."""
        values = values_of(self._result, self.call.storage(self.call.result))
        return values.astype(np.float32, copy=False)

    @property
    def executed(self) -> tuple[Executed, ...]:
        """What the blocks of the last `batches` executed; () where nobody counts."""
        return ()

    @property
    def repeated_waits(self) -> tuple[RepeatedWait, ...]:
        """Requests of loops that wait that the blocks of the last `batches` left out; () where none is left out."""
        return ()

    @property
    def printed(self) -> str:
        """What the blocks of the last `batches` printed; "" where nobody sees it."""
        return ""

    @property
    def grid(self) -> tuple[int, int, int]:
        """Blocks in x, y and z."""
        return self._launch.grid

    @property
    def arrays(self) -> tuple[MappedArray, ...]:
        """Every array with its place in the virtual addresses; on a GPU shared ones once a block was recorded."""
        return self._arrays().mapped

    def block_of(self, index: int) -> tuple[int, int, int]:
        """The x, y, z of a block by its linear index."""
        return self._launch.block_at(index)

    def blocks(self, indices: Indices) -> Iterator[BlockTrace]:
        """The traces of blocks, given by linear index (x fastest), one after the other.

        Raises:
            RecordingRefusal, KernelTimeoutError, LaunchError: as `batches`.
        """
        for batch in self.batches(indices):
            yield from map(whole_trace, batch)

    def batches(self, indices: Indices) -> Iterator[list[Recorded]]:
        """The traces of blocks, given by linear index, some at a time.

        Raises:
            RecordingRefusal: a block's events do not fit, or are never the same number twice.
            KernelTimeoutError: the kernel did not end.
            LaunchError: it failed on the device.
        """
        repeats = Repeats(self._expander, self._launch.threads_per_block, indices.size)
        for chosen, logs in self._logs(indices):
            arrays = self._arrays()
            placed = zip(map(self.block_of, chosen.tolist()), logs, strict=True)
            yield [repeats.trace_of(block, one, arrays) for block, one in placed]
        self._bring_result()

    def for_each(self, indices: Indices, see: See, follow: Follow) -> None:
        """Record blocks, given by linear index, and let `see` look at each, in several threads and in any order; only
        the first is seen before all others. What it raises ends the recording. `follow` is called at times, in the
        thread that called; what it raises ends the recording, too.

        Raises:
            RecordingRefusal, KernelTimeoutError, LaunchError: as `batches`.
        """
        seen = 0
        with ThreadPoolExecutor(_THREADS) as pool:
            for batch in self.batches(indices):
                places = range(seen, seen + len(batch))
                if not seen:
                    first = pool.submit(see, 0, batch[0])
                    while wait([first], _FOLLOW_EVERY_S).not_done:
                        follow(BlocksSeen(0))
                    first.result()
                    follow(BlocksSeen(1))
                for done, _ in zip(
                    places[not seen :], pool.map(see, places[not seen :], batch[not seen :]), strict=True
                ):
                    follow(BlocksSeen(done + 1))
                seen += len(batch)

    def requests(self, indices: Indices) -> Iterator[BlockTrace]:
        """The requests of blocks, each block's in one warp and in no order between warps: enough to count them.

        Raises:
            RecordingRefusal, KernelTimeoutError, LaunchError: as `batches`.
        """
        for _, logs in self._logs(indices):
            yield from (as_one_warp(self._expander, one, self._arrays()) for one in logs)

    def with_variables(self, block: int) -> tuple[BlockTrace, VariableValues]:
        """The trace of a block, given by linear index, and what the variables of its threads held; nothing of these
        where nobody looks.

        Raises:
            RecordingRefusal, KernelTimeoutError, LaunchError: as `batches`.
        """
        return next(self.blocks(np.array([block], np.int32))), VariableValues()

    def stored_values(self, indices: Indices, sites: frozenset[int], follow: Follow) -> StoredValues | None:
        """None: the device writes down addresses alone."""
        del indices, sites, follow
        return None

    def snapshots(self, block: int) -> tuple[SharedSnapshot, ...]:
        """What each shared array of a block, given by linear index, holds at each barrier and at the end; none where
        nobody looks.

        Raises:
            TagRefusal: the matrices have more elements than there are tags.
        """
        del block
        return ()

    @abstractmethod
    def _logs(self, indices: Indices) -> Iterator[tuple[Indices, Sequence[BlockLogs]]]:
        """The logs of some blocks at a time."""

    @abstractmethod
    def _shared_places(self) -> dict[str, int]:
        """Where each shared variable that is known by now lies, in bytes from where shared memory begins."""

    @abstractmethod
    def _variable_places(self) -> dict[str, int]:
        """The address of each variable of the module that is recorded, by its symbol."""

    def _arguments(self) -> list[Argument]:
        """What a launch is given."""
        return [*launch_arguments(self.call, self._buffers, self._plan.tensor_maps)]

    def _arrays(self) -> Arrays:
        matrices = self.call.matrices
        mapped = [self._matrix(name, (i + 1) * MATRIX_BASE) for i, name in enumerate(matrices)]
        real = [address_of(self._buffers[name]) for name in matrices]
        text = with_shared_arrays(self._source)
        names = [*self._plan.defines, *template_values(text, self._source.entry)]
        places = self._shared_places()
        for number, symbol in enumerate(self._probed.module.shared):
            if symbol.name in places:
                size = symbol.nbytes if symbol.nbytes is not None else self._launch.dynamic_shared_bytes
                real.append(places[symbol.name])
                base = (16 + number) * SHARED_BASE + real[-1] % _ROW_OF_BANKS
                name = variable_name(symbol.name)
                of_maps = self.call.storage("A").element.nbytes if self._plan.tensor_maps else 0
                wanted = of_maps or shared_elements(text, name)
                element = next(nbytes for nbytes in (wanted, 4, 2, 1) if size % nbytes == 0)
                rows, columns = shared_shape(text, names, name, size // element)
                mapped.append(MappedArray(name, Space.SHARED, base, rows, columns, element))
        at = self._variable_places()
        for number, variable in enumerate(self._sites.variables):
            real.append(at[variable.symbol])
            base = VARIABLE_BASE + number * VARIABLE_STEP + real[-1] % ALIGNMENT
            mapped.append(_variable(variable, base, text, names))
        return Arrays(tuple(mapped), tuple(real))

    def _matrix(self, name: str, base: int) -> MappedArray:
        storage, (rows, columns) = self.call.storage(name), size_of(name, self._shape)
        sums = self._plan.partial_sums if name == self.call.result else 1
        return MappedArray(name, Space.GLOBAL, base, rows * sums, columns, storage.element.nbytes, storage.layout)

    def _uploaded(self, operands: Operands) -> dict[str, Buffer]:
        """The matrices as they begin, in the device's memory."""
        arrays = {
            "A": stored(operands.a, self.call.storage("A")),
            "B": stored(operands.b, self.call.storage("B")),
            **self._begun,
        }
        return {name: self._upload(array) for name, array in arrays.items()}

    def _begin_c(self) -> None:
        """Make the matrices that a launch may change what they are before it."""
        for name, array in self._begun.items():
            self._device.upload(array, self._buffers[name])

    def _bring_result(self) -> None:
        self._device.download(self._buffers[self.call.result], self._result)

    def _upload(self, array: NDArray[np.generic]) -> Buffer:
        buffer = self._device.allocate(max(array.nbytes, 16))
        if array.nbytes:
            self._device.upload(np.ascontiguousarray(array), buffer)
        return buffer


def _variable(one: ModuleArray, base: int, text: str, names: Sequence[tuple[str, int]]) -> MappedArray:
    """A variable of the module; its source is `text`, whose numbers have `names`."""
    word = variable_name(one.symbol)
    wanted = one.element_bytes if one.element_bytes > 1 else variable_elements(text, word, one.alignment)
    element = next(nbytes for nbytes in (wanted, 4, 2, 1) if one.nbytes % nbytes == 0)
    rows, columns = variable_shape(text, names, word, one.nbytes // element)
    return MappedArray(one.name, Space.GLOBAL, base, rows, columns, element)


def source_of(kernel: Kernel, plan: Plan, limit_s: float) -> Source:
    """What is compiled of a kernel whose launches may take `limit_s`."""
    return replace(kernel_source(kernel, plan), limit_s=compile_limit_s(limit_s))


def checked(recorder: PtxRecorder, kernel: Kernel) -> PtxRecorder:
    """The recorder of a kernel, if it has something to record.

    Raises:
        RecordingRefusal: it has not.
    """
    if not recorder.instrumented.sites:
        raise RecordingRefusal(
            f"{kernel.id} has nothing to record: its code accesses no memory that gemmviz can see. The compiler leaves "
            "out what has no effect and what follows an endless loop. `gemmviz run` tells whether the kernel ends"
        )
    return recorder
