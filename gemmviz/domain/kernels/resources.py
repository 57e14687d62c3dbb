"""What a compiled kernel takes of a GPU, and how many of its blocks a unit holds at once because of it.

A *unit* is a compute unit (`GpuFacts`). Occupancy here is the theoretical one: what fits, not what was there.
"""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.device import GpuFacts
from gemmviz.domain.session.field_ranges import Count
from gemmviz.domain.spec import Launch


@dataclass(frozen=True, slots=True)
class Resources:
    """Per thread: registers, bytes of local memory, bytes the compiler stores to and loads from it because registers
    ran out. Per block: bytes of static shared memory. `registers` is 0 where nobody told.
    """

    registers: Count = 0
    local_bytes: Count = 0
    spill_store_bytes: Count = 0
    spill_load_bytes: Count = 0
    static_shared_bytes: Count = 0

    @property
    def are_known(self) -> bool:
        return self.registers > 0

    @property
    def words(self) -> str:
        """What a thread takes: "128 registers, no spills"."""
        spills = f"{self.spill_store_bytes} bytes spilled" if self.spill_store_bytes else "no spills"
        return f"{self.registers} registers, {spills}"


NO_RESOURCES = Resources()


@dataclass(frozen=True, slots=True)
class Occupancy:
    """`blocks` of a kernel on a unit at once, their `warps` of at most `most_warps`, and what allows no more."""

    blocks: Count
    warps: Count
    most_warps: Count
    limited_by: tuple[str, ...]

    @property
    def fraction(self) -> float:
        return self.warps / self.most_warps if self.most_warps else 0.0


def occupancy(resources: Resources, launch: Launch, device: GpuFacts) -> Occupancy | None:
    """The theoretical occupancy; None where device or compiler do not tell what it takes.

    As NVIDIA's calculator counts (cuda_occupancy.h): shared memory by block, registers by warp within the part of a
    unit the warp lives in, each in pieces.
    """
    limits = block_limits(resources, launch, device)
    if not limits:
        return None
    warps = warps_of(launch, device)
    most_warps = device.threads_per_unit // device.warp_width
    blocks = min(limits.values())
    return Occupancy(blocks, blocks * warps, most_warps, tuple(name for name, most in limits.items() if most == blocks))


def warps_of(launch: Launch, device: GpuFacts) -> int:
    """The warps of a block."""
    return -(-launch.threads_per_block // device.warp_width)


def block_limits(resources: Resources, launch: Launch, device: GpuFacts) -> dict[str, int]:
    """How many blocks fit on a unit by each of what limits them; {} where device or compiler do not tell."""
    pieces = (device.warp_width, device.parts_per_unit, device.register_piece, device.shared_piece_bytes)
    if not (resources.are_known and device.threads_per_unit and all(pieces)):
        return {}
    warps = warps_of(launch, device)
    most_warps = device.threads_per_unit // device.warp_width
    limits = {
        "warps": most_warps // warps,
        "blocks": device.blocks_per_unit,
        "registers": _by_registers(resources.registers, warps, device),
    }
    shared = shared_bytes_of(resources, launch)
    if shared:
        limits["shared memory"] = _by_shared_memory(shared, device)
    return limits


def shared_bytes_of(resources: Resources, launch: Launch) -> int:
    """What a block takes: dynamic shared memory, and static by header or compiler, whichever says more."""
    return launch.dynamic_shared_bytes + max(launch.static_shared_bytes, resources.static_shared_bytes)


def registers_of_a_warp(registers: int, device: GpuFacts) -> int:
    """What a warp gets for so many registers of a thread."""
    piece = device.register_piece
    return -(-registers * device.warp_width // piece) * piece


def _by_registers(registers: int, warps: int, device: GpuFacts) -> int:
    of_a_warp, parts = registers_of_a_warp(registers, device), device.parts_per_unit
    if of_a_warp * (-(-warps // parts) * parts) > device.registers_per_block:
        return 0
    return device.registers_per_unit // parts // of_a_warp * parts // warps


def _by_shared_memory(shared: int, device: GpuFacts) -> int:
    piece = device.shared_piece_bytes
    of_a_block = -(-(shared + device.reserved_shared_bytes) // piece) * piece
    return device.shared_bytes_per_unit // of_a_block
