"""Kernels that are Python functions: the CPU side of every comparison."""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import (
    Argument,
    BackendError,
    Compiled,
    EntryError,
    KernelTimeoutError,
    LaunchError,
    OpenDevice,
    Pending,
    Progress,
    Source,
    TrialRun,
)
from gemmviz.backends.compile_limit import compile_limit_s
from gemmviz.backends.numba_cache import look_through_once
from gemmviz.backends.process_memory import ProcessBuffer, ProcessMemory
from gemmviz.backends.python_file import load_module
from gemmviz.domain.device import HOST, Device, DeviceKind
from gemmviz.domain.kernels.resources import NO_RESOURCES, Resources
from gemmviz.domain.processes.cores import core_count
from gemmviz.domain.processes.host_memory import available_memory_bytes
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language

_CACHE_BYTES = 2**25
_FLUSHED_BYTES = 2 * _CACHE_BYTES
_LOOK_EVERY_S = 0.05


def cpu_name() -> str:
    """The processor's own name where the system tells it, else its architecture."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine() or "CPU"


class HostBuffer(ProcessBuffer):
    """Memory of the process as matrices."""

    def floats(self, *shape: int) -> NDArray[np.float32]:
        return self.memory.view(np.float32).reshape(shape)


@dataclass(frozen=True, slots=True)
class HostCompiled:
    """A Python function `(a, b, c, threads)` that fills c."""

    build: str
    static_shared_bytes: int
    function: Any
    threads: int
    resources: Resources = NO_RESOURCES


class HostPending:
    """A call under way on the device's own thread, so that the caller can be interrupted. `compiling_s` says how many
    seconds of it the function was being compiled until now: a limit does not count them.
    """

    def __init__(self, future: Future[float], compiling_s: Callable[[], float]) -> None:
        self._future, self._compiling_s = future, compiling_s

    def wait(self, limit_s: float | None = None) -> float:
        begin = time.monotonic()
        while True:
            try:
                return self._future.result(_LOOK_EVERY_S)
            except FutureTimeoutError as error:
                if self._future.done():
                    raise LaunchError("the CPU kernel timed itself out") from error
                if limit_s is not None and time.monotonic() - begin > limit_s + min(
                    self._compiling_s(), compile_limit_s(limit_s)
                ):
                    raise KernelTimeoutError(f"the CPU kernel did not end within {limit_s:g} s") from error
            except BackendError:
                raise
            except Exception as error:
                raise LaunchError(f"the CPU kernel failed: {type(error).__name__}: {error}") from error


class HostDevice(ProcessMemory):
    """The processor this program runs on."""

    def __init__(self, device: Device) -> None:
        look_through_once()
        self.device = device
        self._thread = ThreadPoolExecutor(1, "cpu-kernel")
        self._flush: NDArray[np.uint8] | None = None

    def compile(self, source: Source, launch: Launch, trial: TrialRun, progress: Progress) -> Compiled:
        """Import the kernel's module; Numba compiles at the first call or takes it from its cache."""
        del launch, trial, progress
        module = load_module(source)
        function = getattr(module, source.entry, None)
        if not callable(function):
            raise EntryError(f"{source.path}: the entry {source.entry!r} is not a function of the file")
        threads = dict(source.defines)["THREADS"]
        describe = getattr(module, "describe", None)
        count = "1 thread" if threads == 1 else f"{threads} threads"
        words = str(describe(threads)) if describe is not None else f"Numba, {count}"
        return HostCompiled(words, 0, function, threads)

    def allocate(self, nbytes: int) -> HostBuffer:
        try:
            return HostBuffer(np.empty(nbytes, np.uint8))
        except MemoryError as error:
            raise BackendError(f"the host cannot allocate {nbytes} bytes") from error

    def launch(self, compiled: Compiled, launch: Launch, arguments: Sequence[Argument], count: int = 1) -> Pending:
        del launch
        assert isinstance(compiled, HostCompiled)
        a, b, c, m, n, k = arguments
        assert isinstance(a, HostBuffer)
        assert isinstance(b, HostBuffer)
        assert isinstance(c, HostBuffer)
        assert isinstance(m, int)
        assert isinstance(n, int)
        assert isinstance(k, int)
        views = (a.floats(m, k), b.floats(k, n), c.floats(m, n))

        def run() -> float:
            begin = time.perf_counter_ns()
            for _ in range(count):
                compiled.function(*views, compiled.threads)
            return (time.perf_counter_ns() - begin) / 1e6

        compiling_s = _compiling_from_now_on()
        return HostPending(self._thread.submit(run), compiling_s)

    def flush_caches(self) -> None:
        if self._flush is None:
            self._flush = np.zeros(_FLUSHED_BYTES, np.uint8)
        self._flush += 1

    def release(self) -> None:
        self._flush = None
        self._thread.shutdown(wait=False, cancel_futures=True)


def _compiling_from_now_on() -> Callable[[], float]:
    """What tells how many seconds Numba has compiled since now."""
    if "numba" not in sys.modules:
        return lambda: 0.0
    from gemmviz.backends.numba_compiling import compile_clock  # the window loads this file, and no Numba

    clock = compile_clock()
    before_s = clock.seconds
    return lambda: clock.seconds - before_s


class HostBackend:
    """The CPU by Python functions."""

    name = HOST
    languages = frozenset({Language.PYTHON})

    def devices(self) -> tuple[Device, ...]:
        memory = available_memory_bytes() or 2**63 - 1
        return (
            Device(
                id=HOST,
                backend=self.name,
                name=cpu_name(),
                kind=DeviceKind.CPU,
                vendor=platform.machine(),
                driver=f"Python {platform.python_version()}",
                compute_units=core_count(),
                max_threads_per_block=1,
                max_block=(1, 1, 1),
                max_grid=(1, 1, 1),
                shared_bytes_per_block=0,
                global_bytes=memory,
                max_allocation_bytes=memory,
                cache_bytes=_CACHE_BYTES,
                clock_mhz=0,
                capabilities=(HOST,),
            ),
        )

    def missing(self) -> str:
        return ""

    def open(self, device: Device) -> OpenDevice:
        return HostDevice(device)

    def recording(self) -> None:
        """It records no kernels: Python functions have no accesses that a GPU would make."""
