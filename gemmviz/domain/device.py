"""A device a kernel can run on, as plain facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class DeviceKind(StrEnum):
    """What sort of processor a device is."""

    GPU = "gpu"
    CPU = "cpu"
    ACCELERATOR = "accelerator"


@dataclass(frozen=True, slots=True)
class Device:
    """One device and its limits.

    `id` is what `--device` takes and is stable while the machine's drivers are. `capabilities` are the words
    a kernel's `requires` may name. A `shared_bytes_per_block` of 0 means the device has no shared memory.
    """

    id: str
    backend: str
    name: str
    kind: DeviceKind
    vendor: str
    driver: str
    compute_units: int
    max_threads_per_block: int
    max_block: tuple[int, int, int]
    max_grid: tuple[int, int, int]
    shared_bytes_per_block: int
    global_bytes: int
    max_allocation_bytes: int
    cache_bytes: int
    clock_mhz: int
    capabilities: tuple[str, ...] = ()
    embedded: bool = False
    """True for the device that `pip install gemmviz` itself brings."""
