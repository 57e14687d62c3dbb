"""A driver of CUDA that is an array: memory, streams, events and launches as PyCUDA and the driver's library have them.

A kernel does what the test says under its symbol. Time passes by launches only: each takes `launch_ms`.
"""

from __future__ import annotations

import ctypes
import threading
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from gemmviz.backends.cuda.driver import CudaLibrary
from gemmviz.domain.spec import Launch

ATTRIBUTES = {
    "MAX_THREADS_PER_BLOCK": 1024,
    "MAX_BLOCK_DIM_X": 1024,
    "MAX_BLOCK_DIM_Y": 1024,
    "MAX_BLOCK_DIM_Z": 64,
    "MAX_GRID_DIM_X": 2**31 - 1,
    "MAX_GRID_DIM_Y": 65535,
    "MAX_GRID_DIM_Z": 65535,
    "MAX_SHARED_MEMORY_PER_BLOCK": 49152,
    "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": 232448,
    "MULTIPROCESSOR_COUNT": 132,
    "L2_CACHE_SIZE": 600_000,
    "CLOCK_RATE": 1_980_000,
    "MEMORY_CLOCK_RATE": 3_201_000,
    "GLOBAL_MEMORY_BUS_WIDTH": 6144,
    "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR": 233472,
    "MAX_REGISTERS_PER_BLOCK": 65536,
    "MAX_REGISTERS_PER_MULTIPROCESSOR": 65536,
    "MAX_THREADS_PER_MULTIPROCESSOR": 2048,
    "MAX_BLOCKS_PER_MULTIPROCESSOR": 32,
    "RESERVED_SHARED_MEMORY_PER_BLOCK": 1024,
}
MEMORY_BYTES = 2**22
UUID = "GPU-00112233-4455-6677-8899-aabbccddeeff"
LAUNCH = Launch((2, 1, 1), (4, 1, 1))


class FakeError(Exception):
    """PyCUDA's Error."""


class FakeMemoryError(FakeError):
    """PyCUDA's MemoryError, which is an Error."""


class FakeDriver:
    """What of `pycuda.driver` the backend uses. `log` names calls in order; `sticky` is the message of a fault that
    every later call repeats; `endless` means that the last event never comes. `alive` counts events, streams and
    modules that nobody gave back, `leaked` names those that PyCUDA could not give back: they were collected while the
    context was not current, and in another thread than its own.
    """

    Error = FakeError
    MemoryError = FakeMemoryError

    def __init__(self) -> None:
        self.memory = np.zeros(MEMORY_BYTES, np.uint8)
        self.log: list[str] = []
        self.kernels: dict[str, Callable[[FakeDriver, bytes], None]] = {}
        self.sticky = ""
        self.endless = False
        self.depth = 0
        self.now_ms = 0.0
        self.launch_ms = 2.0
        self.most_threads = 1024
        self.next = 256
        self.freed: list[int] = []
        self.alive: Counter[str] = Counter()
        self.leaked: list[str] = []
        self.contexts_of: list[int] = []
        """The threads that asked for the context."""
        self.variables: dict[str, int] = {}
        """Where a module's variables lie in the memory, by their names."""
        self.device_attribute = SimpleNamespace(**{name: name for name in ATTRIBUTES})
        self.function_attribute = SimpleNamespace(MAX_THREADS_PER_BLOCK=0, MAX_DYNAMIC_SHARED_SIZE_BYTES=8)
        self.host_alloc_flags = SimpleNamespace(DEVICEMAP=2)
        self.Context = SimpleNamespace(pop=self._pop)
        self.Device = FakeDevices(self)
        self.Stream = lambda: FakeStream(self)
        self.Event = lambda: FakeEvent(self)

    def check(self) -> None:
        assert self.depth == 1, "no context is current"
        if self.sticky:
            raise FakeError(f"cuAnything failed: {self.sticky}")

    def init(self) -> None:
        self.log.append("init")

    def refuse(self, words: str) -> None:
        """Refuse a launch."""
        raise FakeError(f"cuLaunchKernel failed: {words}")

    def get_driver_version(self) -> int:
        return 13000

    def push(self) -> None:
        self.depth += 1

    def _pop(self) -> None:
        self.depth -= 1
        assert self.depth >= 0

    def mem_alloc(self, nbytes: int) -> FakeAllocation:
        self.check()
        if self.next + nbytes > MEMORY_BYTES:
            raise FakeMemoryError("cuMemAlloc failed: out of memory")
        at, self.next = self.next, self.next + -(-nbytes // 256) * 256
        return FakeAllocation(self, at)

    def mem_get_info(self) -> tuple[int, int]:
        return MEMORY_BYTES - self.next, MEMORY_BYTES

    def memset_d8_async(self, at: int, value: int, count: int, _: FakeStream) -> None:
        self.check()
        self.memory[at : at + count] = value

    def memset_d32_async(self, at: int, value: int, count: int, _: FakeStream) -> None:
        self.check()
        self.memory[at : at + 4 * count].view(np.uint32)[:] = value
        self.log.append(f"flush {4 * count}")

    def memcpy_htod_async(self, at: int, host: np.ndarray, _: FakeStream) -> None:
        self.check()
        self.memory[at : at + host.nbytes] = host.reshape(-1).view(np.uint8)

    def memcpy_dtoh_async(self, host: np.ndarray, at: int, _: FakeStream) -> None:
        self.memcpy_dtoh(host, at)

    def memcpy_dtoh(self, host: np.ndarray, at: int) -> None:
        self.check()
        host.reshape(-1).view(np.uint8)[:] = self.memory[at : at + host.nbytes]

    def pagelocked_empty(self, shape: Any, dtype: Any, mem_flags: int = 0) -> np.ndarray:
        del mem_flags
        self.check()
        return np.empty(shape, dtype).view(Pinned)

    def module_from_buffer(self, cubin: bytes) -> FakeModule:
        assert cubin.startswith(b"\x7fELF")
        return FakeModule(self)


class Pinned(np.ndarray):
    """Page-locked memory; its base knows where the device finds it."""

    @property
    def base(self) -> Any:
        return SimpleNamespace(get_device_pointer=lambda: 64)


class FakeDevices:
    """`pycuda.driver.Device`, of which there is one."""

    def __init__(self, driver: FakeDriver) -> None:
        self._driver = driver

    def count(self) -> int:
        return 1

    def __call__(self, ordinal: int) -> SimpleNamespace:
        assert ordinal == 0
        context = SimpleNamespace(push=self._driver.push)
        return SimpleNamespace(
            name=lambda: "Fake GPU",
            compute_capability=lambda: (9, 0),
            total_memory=lambda: MEMORY_BYTES,
            get_attribute=lambda name: ATTRIBUTES[name],
            retain_primary_context=lambda: self._retained(context),
        )

    def _retained(self, context: SimpleNamespace) -> SimpleNamespace:
        self._driver.contexts_of.append(threading.get_ident())
        return context


class OfContext:
    """What PyCUDA destroys when it is collected, in the context it was made in."""

    kind = ""

    def __init__(self, driver: FakeDriver) -> None:
        driver.check()
        self._driver = driver
        driver.alive[self.kind] += 1

    def __del__(self) -> None:
        driver = self._driver
        if driver.depth or threading.get_ident() in driver.contexts_of[-1:]:
            driver.alive[self.kind] -= 1
        else:
            driver.leaked.append(self.kind)


class FakeModule(OfContext):
    kind = "module"

    def get_function(self, symbol: str) -> FakeFunction:
        return FakeFunction(self._driver, symbol, self)

    def get_global(self, name: str) -> tuple[int, int]:
        self._driver.check()
        if name not in self._driver.variables:
            raise FakeError("cuModuleGetGlobal failed: named symbol not found")
        return self._driver.variables[name], 8


class FakeStream(OfContext):
    handle = 77
    kind = "stream"

    def synchronize(self) -> None:
        self._driver.check()


class FakeEvent(OfContext):
    kind = "event"
    at_ms = 0.0

    def record(self, _: FakeStream) -> None:
        self._driver.check()
        self.at_ms = self._driver.now_ms
        self._driver.log.append("event")

    def query(self) -> bool:
        if self._driver.sticky:
            raise FakeError(f"cuEventQuery failed: {self._driver.sticky}")
        return not self._driver.endless

    def time_till(self, later: FakeEvent) -> float:
        return later.at_ms - self.at_ms


class FakeAllocation:
    def __init__(self, driver: FakeDriver, at: int) -> None:
        self._driver = driver
        self._at = at

    def __int__(self) -> int:
        return self._at

    def free(self) -> None:
        self._driver.check()
        assert not self._driver.endless, "giving back would wait for ever"
        self._driver.freed.append(self._at)


class FakeFunction:
    def __init__(self, driver: FakeDriver, symbol: str, module: FakeModule) -> None:
        self._driver = driver
        self._symbol = symbol
        self.module = module

    def get_attribute(self, attribute: int) -> int:
        assert attribute == self._driver.function_attribute.MAX_THREADS_PER_BLOCK
        return self._driver.most_threads

    def set_attribute(self, attribute: int, value: int) -> None:
        self._driver.log.append(f"attribute {attribute} = {value}")

    def _launch_kernel(self, grid: Any, block: Any, packed: bytes, shared_bytes: int, stream: FakeStream) -> None:
        driver, symbol = self._driver, self._symbol
        driver.check()
        driver.log.append(f"{symbol} {grid} {block} {shared_bytes}")
        driver.now_ms += driver.launch_ms if symbol != "hold" else 0.0
        del self, stream  # PyCUDA's own is not Python's: the traceback of its error keeps no arguments
        if symbol in driver.kernels:
            driver.kernels[symbol](driver, packed)


class FakeLibrary:
    """The driver's own library: every call succeeds and is kept in `calls`. `code` is what the next ones return; a
    launch hands over parameters of `sizes` bytes; a module's variable lies at `variable`.
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, list[Any]]] = []
        self.handed: list[bytes] = []
        self.sizes = (8, 128, 8, 4, 4, 4)
        self.code = 0
        self.variable = 0

    def __getattr__(self, name: str) -> Callable[..., int]:
        def call(*arguments: Any) -> int:
            self.calls.append((name, [getattr(one, "value", one) for one in arguments]))
            if name == "cuDeviceGetUuid_v2":
                arguments[0]._obj[:] = range(0, 256, 17)
            if name == "cuTensorMapEncodeTiled":
                ctypes.memset(arguments[0], 0xAB, 128)
            if name == "cuLaunchKernelEx":
                self.handed = [ctypes.string_at(at, size) for at, size in zip(arguments[2], self.sizes, strict=False)]
            if name == "cuModuleGetFunction":
                arguments[0]._obj.value = 0x1234
            if name == "cuModuleGetGlobal_v2":
                arguments[0]._obj.value = self.variable
            if name == "cuGetErrorString":
                arguments[1]._obj.value = b"invalid argument"
                return 0
            return self.code

        return call

    def last(self, name: str) -> list[Any]:
        return [arguments for called, arguments in self.calls if called == name][-1]


def fake_library() -> tuple[FakeLibrary, CudaLibrary]:
    library = FakeLibrary()
    return library, CudaLibrary(library)
