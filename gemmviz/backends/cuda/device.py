"""Kernels on NVIDIA GPUs, by CUDA through PyCUDA. Only a process that runs kernels comes here."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import (
    Argument,
    BackendError,
    Buffer,
    Compiled,
    DeviceLostError,
    LaunchError,
    OpenDevice,
    Pending,
    Progress,
    RecorderFactory,
    Source,
    TrialRun,
)
from gemmviz.backends.cuda import faults as cuda_faults
from gemmviz.backends.cuda.buffer import CudaBuffer
from gemmviz.backends.cuda.build import Built, build
from gemmviz.backends.cuda.devices import (
    GUARD_BYTES,
    Cuda,
    CudaMissingError,
    find_devices,
    load_cuda,
    missing_words,
    ordinals,
)
from gemmviz.backends.cuda.driver import CudaCallError
from gemmviz.backends.cuda.from_ptx import build_from_ptx
from gemmviz.backends.cuda.gauges import GaugeReader, find_nvml
from gemmviz.backends.cuda.hold import MOST_BEHIND, SHORT_MS, SOURCE, Hold
from gemmviz.backends.cuda.launch import CudaCompiled, CudaPending, Events, Queue, compiled_for, variable_of
from gemmviz.backends.cuda.library_call import CudaCall, call_of
from gemmviz.backends.cuda.nvcc import Nvcc, find_nvcc
from gemmviz.backends.cuda.ptx import Rewrite, reassemble
from gemmviz.compiler.languages import compiling_words, is_compiled_by_others
from gemmviz.domain.device import CUDA, Device
from gemmviz.domain.kernels.capability import compute_capability, target_of
from gemmviz.domain.runs.gauges import Reading
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import CodeForm, Language
from gemmviz.resources import cache_folder

_ONES = 0xFFFFFFFF

_ABANDONED: list[object] = []
"""Devices that are of no more use: giving back anything of theirs would wait for a kernel that never ends, so nothing
of them may be collected before the process ends."""


class CudaDevice:
    """One GPU with its primary context, which is current only inside a call, and one stream."""

    def __init__(self, device: Device, cuda: Cuda, context: Any, gauges: GaugeReader) -> None:
        self.device = device
        self._cuda = cuda
        self._driver = cuda.driver
        self._gauges = gauges
        self._context = context
        self._nvcc: Nvcc | None = None
        self._hold: Hold | None = None
        self._flush: CudaBuffer | None = None
        self._flush_value = 0
        self._buffers: set[CudaBuffer] = set()
        self._kept: list[CudaCompiled | CudaCall] = []
        """A module that is collected is unloaded, and that waits for kernels: for ever behind one that never ends."""
        self._is_lost = self._is_released = False
        with self._active():
            self._queue = Queue(cuda, cuda.driver.Stream())

    @contextmanager
    def _active(self) -> Iterator[None]:
        """Make the context current. PyCUDA ends the process where one still is when the interpreter ends."""
        self._context.push()
        try:
            yield
        finally:
            with suppress(self._driver.Error):  # after a fault every call fails
                self._driver.Context.pop()

    def compile(self, source: Source, launch: Launch, trial: TrialRun, progress: Progress) -> Compiled:
        """Machine code for this GPU, from the cache where it was made before; dynamic shared memory is opted into."""
        del trial
        if source.language is Language.LIBRARY:
            with self._active():
                self._kept.append(call_of(source, self._queue.stream))
            return self._kept[-1]
        return self._loaded(self._built(source, CodeForm.AS_COMPILED, progress), launch)

    def compile_as(self, source: Source, form: CodeForm, launch: Launch) -> CudaCompiled:
        """A kernel in one of its forms."""
        return self._loaded(self._built(source, form), launch)

    def _built(self, source: Source, form: CodeForm, progress: Progress | None = None) -> Built:
        target = target_of(compute_capability(self.device.gpu_facts), source.requires)
        if is_compiled_by_others(source.language):
            if progress is not None:
                progress(compiling_words(source.language, target))
            return build_from_ptx(source, target, cache_folder("cuda"))
        self._nvcc = self._nvcc or find_nvcc()
        if progress is not None:
            progress(f"compiling with nvcc {self._nvcc.release} for {target}")
        return build(source, target, self._nvcc, cache_folder("cuda"), form)

    def reassembled(self, compiled: Compiled, rewrite: Rewrite, launch: Launch) -> Compiled:
        """A compiled kernel with its PTX rewritten."""
        assert isinstance(compiled, CudaCompiled)
        return self._loaded(reassemble(compiled.built, rewrite, cache_folder("cuda")), launch)

    def _loaded(self, built: Built, launch: Launch) -> CudaCompiled:
        with self._active():
            compiled = compiled_for(self._cuda, built, launch, self.device)
            self._kept.append(compiled)
        return compiled

    def allocate(self, nbytes: int) -> CudaBuffer:
        """Memory between two guard zones of ones, which read as NaN."""
        with self._active():
            try:
                whole = self._driver.mem_alloc(nbytes + 2 * GUARD_BYTES)
            except self._driver.MemoryError as error:
                free, _ = self._driver.mem_get_info()
                raise cuda_faults.no_memory(nbytes, int(free), self.device) from error
            except self._driver.Error as error:
                raise BackendError(
                    f"{self.device.name} cannot allocate {nbytes} bytes: {cuda_faults.words_of(error)}"
                ) from error
            buffer = CudaBuffer(whole, nbytes, self._give_back)
            self._buffers.add(buffer)
            del whole  # the traceback of an error would keep it until no context is current
            for at in (buffer.address - GUARD_BYTES, buffer.address + nbytes):
                self._driver.memset_d8_async(at, 0xFF, GUARD_BYTES, self._queue.stream)
            self._queue.stream.synchronize()
        return buffer

    def _give_back(self, buffer: CudaBuffer) -> None:
        if self._is_lost or buffer not in self._buffers:
            return
        self._buffers.discard(buffer)
        with self._active():
            buffer.whole.free()

    def upload(self, host: NDArray[Any], into: Buffer) -> None:
        assert isinstance(into, CudaBuffer)
        with self._active(), self._transfers():
            self._driver.memcpy_htod_async(into.address, host, self._queue.stream)
            self._queue.stream.synchronize()

    def download(self, buffer: Buffer, into: NDArray[Any]) -> None:
        assert isinstance(buffer, CudaBuffer)
        with self._active(), self._transfers():
            self._driver.memcpy_dtoh_async(into, buffer.address, self._queue.stream)
            self._queue.stream.synchronize()

    @contextmanager
    def _transfers(self) -> Iterator[None]:
        try:
            yield
        except self._driver.Error as error:
            raise self._lose(cuda_faults.lost(error)) from error

    def pinned(self, like: NDArray[Any]) -> NDArray[Any] | None:
        with self._active():
            try:
                locked: NDArray[Any] = self._driver.pagelocked_empty(like.shape, like.dtype)
            except self._driver.Error:
                return None
        np.copyto(locked, like)
        return locked

    def gauge(self) -> Reading | None:
        return self._gauges.read()

    def overrun_bytes(self, buffer: Buffer) -> tuple[int, int]:
        assert isinstance(buffer, CudaBuffer)
        found = []
        with self._active(), self._transfers():
            for at in (int(buffer.whole), buffer.address + buffer.nbytes):
                zone = np.empty(GUARD_BYTES, np.uint8)
                self._driver.memcpy_dtoh(zone, at)
                found.append(int(np.count_nonzero(zone != 0xFF)))
        return found[0], found[1]

    def launch(self, compiled: Compiled, launch: Launch, arguments: Sequence[Argument], count: int = 1) -> Pending:
        """Enqueue `count` launches between two events. Short ones are held back until they are all enqueued."""
        assert isinstance(compiled, CudaCompiled | CudaCall)
        with self._active():
            hold = self._holder() if compiled.last_ms < SHORT_MS else None
            try:
                pair = self._queue.enqueue(compiled, launch, arguments, count, hold, MOST_BEHIND)
            except LaunchError:
                raise
            except self._driver.Error as error:
                fault = cuda_faults.fault_of_a_launch(error, self.device)
                raise (self._lose(fault) if isinstance(fault, DeviceLostError) else fault) from error
        return CudaPending(self._driver, pair, compiled, count, self._lose, self._finish)

    def _finish(self, events: Events) -> None:
        with self._active():
            self._queue.forget(events)

    def point(self, compiled: Compiled, variable: str, at: Buffer) -> None:
        """Let a pointer of the kernel's module point to a buffer."""
        assert isinstance(compiled, CudaCompiled)
        assert isinstance(at, CudaBuffer)
        self.upload(np.array([at.address], np.uint64), self.variable(compiled, variable, 8))

    def variable(self, compiled: Compiled, symbol: str, nbytes: int) -> CudaBuffer:
        """A variable of the kernel's module, by its symbol, as memory that lies as long as the kernel is kept."""
        assert isinstance(compiled, CudaCompiled)
        with self._active():
            try:
                place = variable_of(self._cuda, compiled, symbol)
            except (self._driver.Error, CudaCallError) as error:
                raise BackendError(
                    f"the compiled kernel has no variable {symbol}: {cuda_faults.words_of(error)}"
                ) from error
        return CudaBuffer(place - GUARD_BYTES, nbytes, _keep)

    def _holder(self) -> Hold:
        if self._hold is None:
            nothing = Launch((1, 1, 1), (1, 1, 1))
            self._nvcc = self._nvcc or find_nvcc()
            target = target_of(compute_capability(self.device.gpu_facts))
            built = build(SOURCE, target, self._nvcc, cache_folder("cuda"))
            self._hold = Hold(self._driver, compiled_for(self._cuda, built, nothing, self.device).function)
        return self._hold

    def _lose(self, error: DeviceLostError, pending: object = None) -> DeviceLostError:
        """Remember that nothing more can be done here, and let nothing of it be collected."""
        self._is_lost = True
        _ABANDONED.extend((self, pending))
        return error

    def flush_caches(self) -> None:
        """Write twice the L2 cache."""
        if self._flush is None:
            self._flush = self.allocate(max(2 * self.device.cache_bytes, 2**20) // 4 * 4)
        self._flush_value = (self._flush_value + 1) % _ONES
        with self._active(), self._transfers():
            words = self._flush.nbytes // 4
            self._driver.memset_d32_async(self._flush.address, self._flush_value, words, self._queue.stream)
            self._queue.stream.synchronize()

    def release(self) -> None:
        """Give back all that was made here, with the context current: PyCUDA gives back nothing that is collected
        elsewhere in another thread than the context's.
        """
        if self._is_lost or self._is_released:
            return
        self._is_released = True
        for buffer in list(self._buffers):
            self._give_back(buffer)
        self._flush = None
        with self._active():
            with suppress(self._driver.Error):
                self._queue.stream.synchronize()
            for one in self._kept:
                one.close()
            if self._hold is not None:
                self._hold.close()
            self._queue.close()
        self._kept.clear()


class _ThreadContexts(threading.local):
    """Primary contexts of one thread by CUDA's number of the GPU; making one anew for each request would take long.

    PyCUDA takes a context for that of the thread that asked for it: what is collected while it is not current is given
    back in that thread alone.
    """

    def __init__(self) -> None:
        self.by_ordinal: dict[int, Any] = {}


class CudaBackend:
    """Every NVIDIA GPU that CUDA shows."""

    name = CUDA
    languages = frozenset({*(one for one in Language if one.runs_on_cuda), Language.LIBRARY})

    def __init__(self) -> None:
        self._contexts = _ThreadContexts()

    def devices(self) -> tuple[Device, ...]:
        return tuple(find_devices())

    def missing(self) -> str:
        return missing_words()

    def open(self, device: Device) -> OpenDevice:
        try:
            cuda = load_cuda()
        except CudaMissingError as error:
            raise BackendError(str(error)) from error
        ordinal = next((number for number, uuid in ordinals(cuda) if uuid == device.gpu_facts.uuid), None)
        if ordinal is None:
            raise BackendError(f"the device {device.id} ({device.name}) is gone")
        try:
            contexts = self._contexts.by_ordinal
            if ordinal not in contexts:
                contexts[ordinal] = cuda.driver.Device(ordinal).retain_primary_context()
            return CudaDevice(device, cuda, contexts[ordinal], GaugeReader(find_nvml(), device.gpu_facts.uuid))
        except cuda.driver.Error as error:
            raise BackendError(f"{device.name} cannot be opened: {cuda_faults.words_of(error)}") from error

    def recording(self) -> RecorderFactory:
        from gemmviz.backends.cuda.recorder import cuda_recorder_for

        return cuda_recorder_for


def _keep(buffer: CudaBuffer) -> None:
    """A variable goes with its module."""
    del buffer
