"""The GPUs that a kernel can be compiled for without having one, from assets/gpus.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Annotated

from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.device import CUDA, EMULATOR, Device, DeviceKind
from gemmviz.domain.kernels.capability import (
    FIRST_WITH_ITS_OWN,
    arch_of,
    capability_of,
    compute_capability,
    lack_of,
    nvidia_facts,
    target_of,
)
from gemmviz.domain.session.codec import decode
from gemmviz.domain.session.field_ranges import Range
from gemmviz.resources import resource_folder

_REGISTERS = 65_536
_THREADS = 1024
STATIC_SHARED_BYTES = 48 * 1024
PREFERRED = "H100"
"""The GPU to compile for where nobody chose one."""
_UNKNOWN = "unknown GPU; choose from "
_FIRST_WITH_FAMILY = (10, 0)
"""From which compute capability on an architecture's name may end in f."""


class UnknownGpuError(LookupError):
    """A GPU or target that is not in the list; the message lists those that are."""


@dataclass(frozen=True, slots=True)
class _Architecture:
    """Limits of a multiprocessor of one compute capability."""

    threads_per_unit: Annotated[int, Range("number of threads", 1024, 4096)]
    blocks_per_unit: Annotated[int, Range("number of blocks", 8, 64)]
    shared_bytes_per_unit: Annotated[int, Range("shared memory in bytes", 48 * 1024, 2**20)]
    shared_bytes_per_block: Annotated[int, Range("shared memory in bytes", 48 * 1024, 2**20)]
    reserved_shared_bytes: Annotated[int, Range("shared memory in bytes", 0, 4096)]
    source: str


@dataclass(frozen=True, slots=True)
class _Gpu:
    """A product."""

    name: str
    capability: str
    multiprocessors: Annotated[int, Range("number of multiprocessors", 1, 1024)]
    source: str


@dataclass(frozen=True, slots=True)
class _Tables:
    """The whole file."""

    architectures: dict[str, _Architecture]
    gpus: dict[str, _Gpu]


@cache
def load_gpus() -> tuple[Device, ...]:
    """Every GPU in the order of the file. What compiling does not depend on is 0."""
    tables = _tables()
    return tuple(
        _device(name, gpu.name, _capability(gpu.capability), gpu.multiprocessors, tables.architectures[gpu.capability])
        for name, gpu in tables.gpus.items()
    )


def find_gpu(name: str) -> Device:
    """The GPU of that name, with or without NVIDIA or GeForce, capitals and blanks.

    Raises:
        UnknownGpuError: there is none.
    """
    wanted = _plain(name)
    gpus = load_gpus()
    found = next((gpu for gpu in gpus if wanted in (_plain(gpu.id), _plain(gpu.name))), None)
    if found is None:
        near = get_close_matches(wanted, [_plain(gpu.id) for gpu in gpus], 1, 0.5)
        hint = next((f"; did you mean {gpu.id!r}?" for gpu in gpus if [_plain(gpu.id)] == near), "")
        raise UnknownGpuError(f"{_UNKNOWN}{', '.join(gpu.id for gpu in gpus)}{hint}")
    return found


def default_gpu(kernel: Kernel) -> Device:
    """The GPU to compile for where nobody chose one: the preferred one if it runs the kernel, else the first."""
    gpus = (find_gpu(PREFERRED), *load_gpus())
    return next((gpu for gpu in gpus if not lack_of(kernel.requires, gpu)), gpus[0])


def gpu_by_id(gpu_id: str) -> Device:
    """The GPU or, of one that has an architecture's limits alone, the architecture, with that id.

    Raises:
        UnknownGpuError: there is none.
    """
    asked = capability_of(gpu_id)
    return find_gpu(gpu_id) if asked is None else _gpu_of(*asked)


def gpu_of_target(target: str) -> Device:
    """A GPU that runs code for a target ("sm_90a"): the preferred one, else the first, else one with its limits alone.

    Raises:
        UnknownGpuError: no architecture of that name is known.
    """
    return _gpu_of(*(capability_of(target) or ((0, 0), "")))


def _gpu_of(capability: tuple[int, int], suffix: str) -> Device:
    known = _known()
    if capability not in known or capability < {"": (0, 0), "a": FIRST_WITH_ITS_OWN, "f": _FIRST_WITH_FAMILY}[suffix]:
        names = ", ".join(map(arch_of, known))
        raise UnknownGpuError(
            f"unknown target; choose from {names}, from sm_90 on also with a and from sm_100 on with f behind it"
        )
    arch = arch_of(capability)
    there = [gpu for gpu in load_gpus() if gpu.gpu_facts.architecture == arch]
    preferred = [gpu for gpu in there if gpu.id == PREFERRED]
    limits = _tables().architectures[".".join(map(str, capability))]
    return (*preferred, *there, _device(arch, f"a GPU of {arch}", capability, 1, limits))[0]


def gpu_words(gpu: Device) -> str:
    """A GPU of the list in a list of choices, with the architecture to compile for: "H100 (sm_90a)"."""
    return f"{gpu.id} ({target_of(compute_capability(gpu.gpu_facts))})"


def emulated(wanted: str = "", memory_bytes: int = 0) -> Device:
    """The PTX machine as a GPU of the list ("RTX 4090"), or as one of an architecture ("sm_89"); "" is PREFERRED.

    Raises:
        UnknownGpuError: there is no such GPU or architecture; the message lists both.
    """
    asked = capability_of(wanted)
    try:
        gpu = find_gpu(wanted or PREFERRED) if asked is None else _gpu_of(*asked)
    except UnknownGpuError as error:
        if asked is not None:
            raise
        gpus, every = str(error).removeprefix(_UNKNOWN), ", ".join(map(arch_of, _known()))
        raise UnknownGpuError(f"unknown target; choose from {every}, or a GPU from {gpus}") from error
    target = target_of(compute_capability(gpu.gpu_facts)) if asked is None else wanted
    return replace(
        gpu,
        id=f"{EMULATOR}:{target}",
        backend=EMULATOR,
        name=f"PTX machine, {target} on this CPU",
        kind=DeviceKind.CPU,
        vendor="gemmviz",
        global_bytes=memory_bytes,
        max_allocation_bytes=memory_bytes,
    )


def target_of_machine(device: Device) -> str:
    """The architecture that the PTX machine is opened for: "sm_90a"."""
    return device.id.removeprefix(f"{EMULATOR}:")


def _known() -> list[tuple[int, int]]:
    return [_capability(name) for name in _tables().architectures]


def _tables() -> _Tables:
    text = (resource_folder("assets") / "gpus.toml").read_text(encoding="utf-8")
    return decode(tomllib.loads(text), {}, _Tables)


def _device(
    name: str, long_name: str, capability: tuple[int, int], multiprocessors: int, limits: _Architecture
) -> Device:
    return Device(
        id=name,
        backend=CUDA,
        name=long_name,
        kind=DeviceKind.GPU,
        vendor="NVIDIA",
        driver="",
        compute_units=multiprocessors,
        max_threads_per_block=_THREADS,
        max_block=(1024, 1024, 64),
        max_grid=(2**31 - 1, 65_535, 65_535),
        shared_bytes_per_block=limits.shared_bytes_per_block,
        global_bytes=0,
        max_allocation_bytes=0,
        cache_bytes=0,
        clock_mhz=0,
        capabilities=(CUDA,),
        gpu_facts=nvidia_facts(
            capability,
            static_shared_bytes=STATIC_SHARED_BYTES,
            shared_bytes_per_unit=limits.shared_bytes_per_unit,
            reserved_shared_bytes=limits.reserved_shared_bytes,
            registers_per_block=_REGISTERS,
            registers_per_unit=_REGISTERS,
            threads_per_unit=limits.threads_per_unit,
            blocks_per_unit=limits.blocks_per_unit,
        ),
    )


def _capability(text: str) -> tuple[int, int]:
    major, _, minor = text.partition(".")
    return int(major), int(minor)


@lru_cache(maxsize=256)  # a search asks for the machine hundreds of times, which compares every name
def _plain(name: str) -> str:
    return "".join(name.casefold().split()).removeprefix("nvidia").removeprefix("geforce")
