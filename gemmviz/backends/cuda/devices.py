"""Which NVIDIA GPUs are there, as plain facts; and what is missing where there is none."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gemmviz.backends.cuda.driver import CudaCallError, CudaLibrary, find_library
from gemmviz.backends.cuda.gauges import driver_version, find_nvml
from gemmviz.domain.device import CUDA, Device, DeviceKind
from gemmviz.domain.kernels.capability import nvidia_facts

GUARD_BYTES = 4096
"""Before and behind each array lies a guard zone of this size."""

_INSTALL = "`pip install 'gemmviz[cuda]'` (needs nvcc and a C++ compiler)"
_NOR_PYCUDA = ", nor PyCUDA (`pip install 'gemmviz[cuda]'`)"
_NO_DRIVER = "no CUDA GPU: NVIDIA's driver is not installed (https://www.nvidia.com/drivers)"


class CudaMissingError(Exception):
    """CUDA cannot be used; the message says what is missing and how to get it."""


@dataclass(frozen=True, slots=True)
class Cuda:
    """PyCUDA's driver module, ready for use, and the driver's own library."""

    driver: Any
    library: CudaLibrary


def load_cuda() -> Cuda:
    """The driver, initialised in this process.

    Raises:
        CudaMissingError: PyCUDA, the driver or a GPU is not there.
    """
    library = find_library()
    try:
        import pycuda.driver as driver
    except ImportError as error:
        raise CudaMissingError(why_not_imported(error, has_driver=library is not None)) from error
    if library is None:
        raise CudaMissingError("no CUDA GPU: NVIDIA's driver is not installed: https://www.nvidia.com/drivers has it")
    try:
        driver.init()
    except driver.Error as error:
        reason = str(error).partition(" failed: ")[2] or str(error)
        raise CudaMissingError(
            f"no CUDA GPU: the driver finds none ({reason}). See that one is there and `nvidia-smi` shows it"
        ) from error
    return Cuda(driver, CudaLibrary(library))


def why_not_imported(error: ImportError, *, has_driver: bool) -> str:
    if not has_driver:
        return _NO_DRIVER + (_NOR_PYCUDA if isinstance(error, ModuleNotFoundError) else "")
    if isinstance(error, ModuleNotFoundError):
        return f"no CUDA GPU: PyCUDA is missing: {_INSTALL}"
    return f"no CUDA GPU: PyCUDA cannot be imported ({error}): {_INSTALL}"


def missing_words(platform: str = sys.platform) -> str:
    """What is missing for kernels to run by CUDA, in one sentence; "" where nothing is, or CUDA does not exist."""
    if platform == "darwin":
        return ""
    try:
        load_cuda()
    except CudaMissingError as error:
        return str(error)
    return ""


def find_devices() -> list[Device]:
    """Every GPU that CUDA shows to this process; empty where something is missing."""
    try:
        cuda = load_cuda()
    except CudaMissingError:
        return []
    version = driver_version(find_nvml())
    return [describe(cuda, ordinal, uuid, version) for ordinal, uuid in ordinals(cuda)]


def ordinals(cuda: Cuda) -> Iterator[tuple[int, str]]:
    """CUDA's number of each GPU, which depends on the environment, and its UUID, which does not."""
    for ordinal in range(int(cuda.driver.Device.count())):
        try:
            yield ordinal, cuda.library.uuid(ordinal)
        except CudaCallError:
            yield ordinal, f"GPU-{ordinal}"


def describe(cuda: Cuda, ordinal: int, uuid: str, version: str = "") -> Device:
    """One GPU, by a driver of that version. Its id has the first digits of the UUID."""
    handle = cuda.driver.Device(ordinal)

    def ask(name: str) -> int:
        attribute = getattr(cuda.driver.device_attribute, name, None)  # older PyCUDA does not know the newest
        return int(handle.get_attribute(attribute)) if attribute is not None else 0

    major, minor = handle.compute_capability()
    memory = int(handle.total_memory())
    static_shared = ask("MAX_SHARED_MEMORY_PER_BLOCK")
    return Device(
        id=f"cuda:{uuid.removeprefix('GPU-')[:8]}",
        backend=CUDA,
        name=str(handle.name()),
        kind=DeviceKind.GPU,
        vendor="NVIDIA",
        driver=", driver ".join(filter(None, (f"CUDA {_version(int(cuda.driver.get_driver_version()))}", version))),
        compute_units=ask("MULTIPROCESSOR_COUNT"),
        max_threads_per_block=ask("MAX_THREADS_PER_BLOCK"),
        max_block=(ask("MAX_BLOCK_DIM_X"), ask("MAX_BLOCK_DIM_Y"), ask("MAX_BLOCK_DIM_Z")),
        max_grid=(ask("MAX_GRID_DIM_X"), ask("MAX_GRID_DIM_Y"), ask("MAX_GRID_DIM_Z")),
        shared_bytes_per_block=max(static_shared, ask("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")),
        global_bytes=memory,
        max_allocation_bytes=memory - 2 * GUARD_BYTES,
        cache_bytes=ask("L2_CACHE_SIZE"),
        clock_mhz=ask("CLOCK_RATE") // 1000,
        capabilities=(CUDA,),
        gpu_facts=nvidia_facts(
            (int(major), int(minor)),
            uuid=uuid,
            static_shared_bytes=static_shared,
            shared_bytes_per_unit=ask("MAX_SHARED_MEMORY_PER_MULTIPROCESSOR"),
            reserved_shared_bytes=ask("RESERVED_SHARED_MEMORY_PER_BLOCK"),
            registers_per_block=ask("MAX_REGISTERS_PER_BLOCK"),
            registers_per_unit=ask("MAX_REGISTERS_PER_MULTIPROCESSOR"),
            threads_per_unit=ask("MAX_THREADS_PER_MULTIPROCESSOR"),
            blocks_per_unit=ask("MAX_BLOCKS_PER_MULTIPROCESSOR"),
            memory_clock_mhz=ask("MEMORY_CLOCK_RATE") // 1000,
            memory_bus_bits=ask("GLOBAL_MEMORY_BUS_WIDTH"),
        ),
    )


def _version(number: int) -> str:
    """13000 is 13.0."""
    return f"{number // 1000}.{number % 1000 // 10}"
