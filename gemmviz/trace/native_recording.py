"""Recording on an NVIDIA GPU by CUDA: the kernel's own threads and barriers, events in the GPU's memory."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.backends.base import Compiled, CompileError, Source, Trial
from gemmviz.backends.compile_limit import within_limit
from gemmviz.backends.cuda import CudaDevice
from gemmviz.backends.cuda_log import CudaLog
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.trace.native_instrument import instrument_native
from gemmviz.trace.recorder import RecordingRefusal
from gemmviz.trace.recording_device import Prepared

BATCH_BYTES = 2**28
"""Enough blocks at once to give every multiprocessor some."""


class CudaRecording:
    """Records on a GPU."""

    def __init__(self, opened: CudaDevice) -> None:
        self.opened = opened

    @property
    def batch_bytes(self) -> int:
        return BATCH_BYTES

    def prepare(self, source: Source, launch: Launch) -> Prepared:
        instrumented = within_limit(
            lambda: instrument_native(source.path, source.text, source.entry, launch), source.limit_s
        )
        recording = replace(source, text=instrumented.text)
        try:
            compiled = self._compiled(recording, launch)
        except CompileError as error:
            self._compiled(source, launch)  # the kernel itself may be at fault, and its own errors say so best
            raise RecordingRefusal(
                f"{error}; it compiles unchanged, but not with the code that a recording adds"
            ) from error
        return Prepared(instrumented, compiled, compiled)

    def _compiled(self, source: Source, launch: Launch) -> Compiled:
        return self.opened.compile(source, launch, Trial(Shape(1, 1, 1), launch, 1), lambda _: None)

    def log(self, shape: tuple[int, int, int, int]) -> CudaLog:
        return CudaLog(self.opened, shape)
