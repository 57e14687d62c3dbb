"""A device a kernel can run on, as plain facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gemmviz.domain.session.field_ranges import ArchitectureName, DeviceLimit

HOST = "host"
"""The backend of kernels that run on the CPU as Python."""
OPENCL, CUDA = "opencl", "cuda"
"""Backends, and the capabilities of their devices."""
EMULATOR = "machine"
"""The backend of the PTX machine, which executes a GPU's code on the CPU. A person's choice of it is kept as this."""


class DeviceKind(StrEnum):
    """What sort of processor a device is."""

    GPU = "gpu"
    CPU = "cpu"
    ACCELERATOR = "accelerator"


@dataclass(frozen=True, slots=True)
class GpuFacts:
    """What the interface of a GPU's vendor tells about it, and OpenCL does not; all zero on any other device.

    `architecture` is its name in the vendor's compilers: "sm_90", "gfx942". A *unit* is a compute unit, of an NVIDIA
    GPU a streaming multiprocessor. A warp of `warp_width` threads has its registers in one of its `parts_per_unit`
    parts. Registers are handed out to a warp in pieces of `register_piece`, shared memory to a block in pieces of
    `shared_piece_bytes`. `static_shared_bytes` is what a block gets without opting in to more; `reserved_shared_bytes`
    the driver takes from each block. Clocks are the highest.
    """

    uuid: str = ""
    architecture: ArchitectureName = ""
    warp_width: DeviceLimit = 0
    parts_per_unit: DeviceLimit = 0
    register_piece: DeviceLimit = 0
    shared_piece_bytes: DeviceLimit = 0
    static_shared_bytes: DeviceLimit = 0
    shared_bytes_per_unit: DeviceLimit = 0
    reserved_shared_bytes: DeviceLimit = 0
    registers_per_block: DeviceLimit = 0
    registers_per_unit: DeviceLimit = 0
    threads_per_unit: DeviceLimit = 0
    blocks_per_unit: DeviceLimit = 0
    memory_clock_mhz: DeviceLimit = 0
    memory_bus_bits: DeviceLimit = 0

    @property
    def memory_gb_per_s(self) -> float:
        """Bandwidth of the device's memory by its data sheet's rule: two transfers in each clock over the whole bus."""
        return 2.0 * self.memory_clock_mhz * self.memory_bus_bits / 8e3


NO_GPU_FACTS = GpuFacts()


@dataclass(frozen=True, slots=True)
class Device:
    """One device and its limits.

    `id` is what `--device` takes and is stable while the machine's drivers are. `capabilities` are the words
    a kernel's `requires` may name (`capability.py`). A `shared_bytes_per_block` of 0 means the device has no shared
    memory; where a block must opt in to the last of it, it is the most a block can get.
    """

    id: str
    backend: str
    name: str
    kind: DeviceKind
    vendor: str
    driver: str
    compute_units: DeviceLimit
    max_threads_per_block: DeviceLimit
    max_block: tuple[DeviceLimit, DeviceLimit, DeviceLimit]
    max_grid: tuple[DeviceLimit, DeviceLimit, DeviceLimit]
    shared_bytes_per_block: DeviceLimit
    global_bytes: DeviceLimit
    max_allocation_bytes: DeviceLimit
    cache_bytes: DeviceLimit
    clock_mhz: DeviceLimit
    capabilities: tuple[str, ...] = ()
    embedded: bool = False
    """True for the device that `pip install gemmviz` itself brings."""
    gpu_facts: GpuFacts = NO_GPU_FACTS

    @property
    def is_emulated(self) -> bool:
        """Whether the PTX machine executes kernels there. Its times are an emulation's: no chart or ratio has them."""
        return self.backend == EMULATOR

    @property
    def is_pocl(self) -> bool:
        """Whether PoCL runs kernels there, on the CPU."""
        return self.kind is DeviceKind.CPU and (self.embedded or "pocl" in self.name.casefold())

    @property
    def is_native_gpu(self) -> bool:
        """Whether kernels run there by the interface of the GPU's vendor, such as CUDA, and not by OpenCL."""
        return self.gpu_facts != NO_GPU_FACTS and not self.is_emulated

    @property
    def choice(self) -> str:
        """What a person's choice of the device is kept as: its id, of the PTX machine without the target."""
        return EMULATOR if self.is_emulated else self.id

    @property
    def place_name(self) -> str:
        """Its name as that of a place where figures come from: "NVIDIA H200", "PTX machine (sm_90a code on a CPU)"."""
        if not self.is_emulated:
            return self.name
        return f"{self.short_name} ({self.id.removeprefix(f'{EMULATOR}:')} code on a CPU)"

    @property
    def short_name(self) -> str:
        """For where there is little room: a GPU by its model, since its id says nothing to a person; else the id."""
        if self.is_emulated:
            return "PTX machine"
        return self.name.removeprefix("NVIDIA ") if self.kind is DeviceKind.GPU else self.id

    @property
    def distinct_name(self) -> str:
        """What tells it from every other device, for a person: "PTX machine, sm_90a", "H200 (cuda:1)", "pocl"."""
        if self.is_emulated:
            return f"{self.short_name}, {self.id.removeprefix(f'{EMULATOR}:')}"
        return self.id if self.short_name == self.id else f"{self.short_name} ({self.id})"
