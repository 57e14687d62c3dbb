"""What limits a kernel's occupancy, in words and with the arithmetic, as `resources.occupancy` counts."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain import figures
from gemmviz.domain.device import GpuFacts
from gemmviz.domain.kernels.resources import (
    Occupancy,
    Resources,
    block_limits,
    occupancy,
    registers_of_a_warp,
    shared_bytes_of,
    warps_of,
)
from gemmviz.domain.spec import Launch

_SHORT = {"registers": "regs", "shared memory": "shared"}


def limit_words(resources: Resources, launch: Launch, device: GpuFacts) -> tuple[str, ...]:
    """A sentence for each limit, the tightest first: "registers: …: 2 blocks"; () where nobody knows."""
    limits = block_limits(resources, launch, device)
    if not limits:
        return ()
    said = {
        "warps": _warps(launch, device),
        "blocks": f"a multiprocessor runs at most {device.blocks_per_unit}",
        "registers": _registers(resources, launch, device),
        "shared memory": _shared(resources, launch, device),
    }
    tightest_first = sorted(limits, key=lambda name: limits[name])
    return tuple(f"{name}: {said[name]}: {_blocks(limits[name])}" for name in tightest_first)


def occupancy_words(found: Occupancy | None) -> str:
    """ "25 % (registers)"; "" where nobody knows."""
    return f"{100 * found.fraction:.3g} % ({', '.join(found.limited_by)})" if found is not None else ""


def limited_by_words(resources: Resources, launch: Launch, device: GpuFacts) -> str:
    """ "registers", or "registers and warps" where two allow equally few; "" where nobody knows."""
    found = occupancy(resources, launch, device)
    return " and ".join(found.limited_by) if found is not None else ""


def limited_by_short(resources: Resources, launch: Launch, device: GpuFacts) -> str:
    """The same where there is little room: "registers", "regs, warps"."""
    found = occupancy(resources, launch, device)
    names = found.limited_by if found is not None else ()
    return names[0] if len(names) == 1 else short_limits(names)


def short_limits(names: Sequence[str]) -> str:
    """What `Occupancy.limited_by` names, in few letters: "regs, warps"."""
    return ", ".join(_SHORT.get(name, name) for name in names)


def _warps(launch: Launch, device: GpuFacts) -> str:
    room = device.threads_per_unit // device.warp_width
    return f"a multiprocessor has room for {room} warps, a block has {warps_of(launch, device)}"


def _registers(resources: Resources, launch: Launch, device: GpuFacts) -> str:
    of_a_warp, parts = registers_of_a_warp(resources.registers, device), device.parts_per_unit
    of_a_part = device.registers_per_unit // parts
    fit, needed = of_a_part // of_a_warp if of_a_warp else 0, resources.registers * device.warp_width
    rounded = f", rounded up to {figures.count(of_a_warp)}" if of_a_warp != needed else ""
    return (
        f"{resources.registers} per thread are {figures.count(needed)} per warp{rounded}; {_part(parts)} of a "
        f"multiprocessor has {figures.count(of_a_part)}, so {fit} warps fit there and {fit * parts} in all; a block "
        f"has {warps_of(launch, device)}"
    )


def _shared(resources: Resources, launch: Launch, device: GpuFacts) -> str:
    shared, reserved = shared_bytes_of(resources, launch), device.reserved_shared_bytes
    kept = f" and {figures.size(reserved)} for the driver" if reserved else ""
    room = figures.size(device.shared_bytes_per_unit)
    return f"{figures.size(shared)} per block{kept}; a multiprocessor has {room}"


def _part(parts: int) -> str:
    return {2: "half", 4: "a quarter"}.get(parts, f"one of {parts} parts")


def _blocks(count: int) -> str:
    return "1 block" if count == 1 else f"{count} blocks"
