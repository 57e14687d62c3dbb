"""Recording on OpenCL devices: thread loops in OpenCL C, events in memory that device and host share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.array_sizes import check_arrays
from gemmviz.backends.base import Buffer, CompileError, Source
from gemmviz.backends.compile_limit import within_limit
from gemmviz.backends.dialect.opencl_source import as_cuda
from gemmviz.backends.opencl import ClCompiled, OpenClDevice
from gemmviz.backends.opencl_build import Build, check_as_written
from gemmviz.backends.opencl_shared import ClShared
from gemmviz.compiler.includes import included_files
from gemmviz.domain.access import INACTIVE
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language
from gemmviz.trace.instrument import Instrumented, instrument
from gemmviz.trace.recorder import RecordingRefusal
from gemmviz.trace.recording_device import Prepared

BATCH_BYTES = 2**26
"""The host's caches see little of more, and nothing is copied that a larger batch would spare."""


class ClEvents:
    """Events in memory that is handed to and fro."""

    def __init__(self, shared: ClShared) -> None:
        self._shared = shared

    @property
    def buffer(self) -> Buffer:
        return self._shared

    def begin(self, blocks: int) -> None:
        self._shared.array[:blocks] = INACTIVE
        self._shared.hand_over()

    def take_back(self, blocks: int) -> NDArray[np.int64]:
        events: NDArray[np.int64] = self._shared.take_back()[:blocks]
        return events

    def release(self) -> None:
        """Nothing: the memory goes with the last view of it."""


class OpenClRecording:
    """Records on an OpenCL device, one work-item per block."""

    def __init__(self, opened: OpenClDevice) -> None:
        self.opened = opened

    @property
    def batch_bytes(self) -> int:
        return BATCH_BYTES

    def prepare(self, source: Source, launch: Launch) -> Prepared:
        included_files(source)
        instrumented = within_limit(lambda: self._instrumented(source, launch), source.limit_s)
        built = []
        for words in ("counting", "recording"):
            head = "#define GV_COUNTING\n" if words == "counting" else ""
            recipe = Build(head + instrumented.text, f"PoCL, {words}", threads_are_loops=True, pocl_method="loopvec")
            try:
                built.append(ClCompiled(recipe.words, 0, self.opened.build(recipe, source), recipe, source.limit_s))
            except CompileError as error:
                check_as_written(self.opened, source)  # the kernel itself may be at fault; its own errors say so best
                raise RecordingRefusal(
                    f"{error}; it compiles unchanged, but not with the code that a recording adds"
                ) from error
        return Prepared(instrumented, *built)

    def _instrumented(self, source: Source, launch: Launch) -> Instrumented:
        text = as_cuda(source.text) if source.language is Language.OPENCL else source.text
        check_arrays(source, launch, self.opened.device)
        return instrument(source.path, text, source.entry, launch)

    def log(self, shape: tuple[int, int, int, int]) -> ClEvents:
        return ClEvents(self.opened.share(shape, np.int64))
