"""Which OpenCL devices are there, as plain facts."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from typing import Any

from gemmviz.backends.opencl.pocl_cache import compiler_cache
from gemmviz.backends.opencl.pocl_processor import help_pocl
from gemmviz.domain.device import OPENCL, Device, DeviceKind

POCL_PLATFORM = "Portable Computing Language"
GUARD_BYTES = 4096
"""Before and behind each array lies a guard zone of this size; it counts for what a device gives in one piece."""

_NO_GRID_LIMIT = (2**31 - 1,) * 3
_ORDER = {DeviceKind.GPU: 0, DeviceKind.ACCELERATOR: 1, DeviceKind.CPU: 2}


def find_devices() -> list[tuple[Device, Any]]:
    """Every OpenCL device with its handle, GPUs first; empty without an OpenCL loader or platform."""
    found = list(_find())
    found.sort(key=lambda pair: _ORDER[pair[0].kind])
    return found


def is_pocl(device: Device) -> bool:
    """Whether the device is the CPU by way of PoCL."""
    return device.vendor.startswith("PoCL")


def _find() -> Iterator[tuple[Device, Any]]:
    compiler_cache()  # PoCL finds no device without a folder that it can write
    os.environ.setdefault("PYOPENCL_NO_CACHE", "1")  # its SQLite file, once damaged, ends every launch with an error
    try:
        import pyopencl as cl
    except ImportError:
        return
    try:
        platforms = cl.get_platforms()
    except cl.Error:  # the loader says "no platform" by an error
        return
    pocl_seen = False
    for p, platform in enumerate(platforms):
        try:
            handles = platform.get_devices()
        except cl.Error:
            continue
        for d, handle in enumerate(handles):
            pocl = platform.name == POCL_PLATFORM
            if pocl:
                help_pocl(handle.int_ptr, platform.version)
            first_pocl = pocl and not pocl_seen
            pocl_seen = pocl_seen or pocl
            identifier = "pocl" if first_pocl else f"opencl:{p}.{d}"
            yield _describe(identifier, platform, handle, pocl), handle


def processor_name(name: str, version: str) -> str:
    """A device's name without what PoCL puts before the processor's: its driver, and the target of its compiler.

    PoCL's version ends with that target: `OpenCL 3.0 PoCL HSTR: cpu-x86_64-pc-linux-gnu-skylake-avx512`.
    """
    plain = name.strip().removeprefix("pthread-").removeprefix("cpu-")
    dashes = (place for place, letter in enumerate(plain) if letter == "-")
    target = next((place for place in dashes if version.strip().endswith(f"-{plain[:place]}")), -1)
    return plain[target + 1 :]


def _describe(identifier: str, platform: Any, handle: Any, pocl: bool) -> Device:
    import pyopencl as cl

    kinds = {cl.device_type.GPU: DeviceKind.GPU, cl.device_type.CPU: DeviceKind.CPU}
    kind = next((word for flag, word in kinds.items() if handle.type & flag), DeviceKind.ACCELERATOR)
    name = processor_name(handle.name, handle.version)
    block = [*handle.max_work_item_sizes, 1, 1, 1][:3]
    return Device(
        id=identifier,
        backend=OPENCL,
        name=f"{name} (PoCL)" if pocl else name,
        kind=kind,
        vendor=f"PoCL on {handle.vendor.strip()}" if pocl else handle.vendor.strip(),
        driver=f"{platform.version.strip()}, driver {handle.driver_version.strip()}",
        compute_units=int(handle.max_compute_units),
        max_threads_per_block=int(handle.max_work_group_size),
        max_block=(int(block[0]), int(block[1]), int(block[2])),
        max_grid=_NO_GRID_LIMIT,
        shared_bytes_per_block=int(handle.local_mem_size),
        global_bytes=int(handle.global_mem_size),
        max_allocation_bytes=int(handle.max_mem_alloc_size) - 2 * GUARD_BYTES,
        cache_bytes=int(handle.global_mem_cache_size),
        clock_mhz=int(handle.max_clock_frequency),
        capabilities=(OPENCL,),
        embedded=pocl and importlib.util.find_spec("pocl_binary_distribution") is not None,
    )
