"""Which requests run kernels of the user's, and how the worker that they go to is confined."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.host_memory import available_memory_bytes
from gemmviz.domain.memory import memory_needed
from gemmviz.domain.shape import Shape
from gemmviz.engine.messages import MachineCodeRequest, Work
from gemmviz.engine.sandbox.confinement import Confinement, cache_folder, memory_for, sources_of
from gemmviz.engine.under_way import jobs_of
from gemmviz.resources import resource_folder

_LONGEST_LIFE_S = 6 * 3600
"""Processor time of a confined worker, for each core."""


def is_shipped(kernel: Kernel) -> bool:
    """Whether a kernel is one of gemmviz' own."""
    return Path(os.path.realpath(kernel.path)).is_relative_to(os.path.realpath(resource_folder("kernels")))


def own_kernels_of(work: Work) -> tuple[Kernel, ...]:
    """The kernels of a request that are the user's."""
    return tuple(job.kernel for job in jobs_of(work) if not is_shipped(job.kernel))


def confinement_for(work: Work, devices: Sequence[Device], scratch: Path) -> Confinement:
    """The bounds within which a request with kernels of the user's runs; `devices` are all there are."""
    needs_nvcc = isinstance(work, MachineCodeRequest)
    return confinement_of(
        own_kernels_of(work),
        work.conditions.shape,
        scratch,
        (os.cpu_count() or 1) * _LONGEST_LIFE_S,
        uses_gpu=needs_nvcc or may_use_gpu(work.conditions.device, devices),
    )


def confinement_of(
    kernels: Sequence[Kernel], shape: Shape, scratch: Path, processor_s: int, *, uses_gpu: bool
) -> Confinement:
    """The bounds for kernels at a size."""
    need = memory_needed(shape)
    return Confinement(
        frozenset(path for kernel in kernels for path in sources_of(kernel.path.absolute(), kernel.text)),
        cache_folder(scratch),
        scratch,
        memory_for(need.host_bytes + need.device_bytes, available_memory_bytes()),
        processor_s,
        uses_gpu,
    )


def may_use_gpu(wanted: str, devices: Sequence[Device]) -> bool:
    """Whether a request for a device, "" for the preferred one, may use a GPU."""
    named = [device for device in devices if device.id == wanted]
    return any(device.kind is not DeviceKind.CPU for device in named or devices)


def covers(present: Confinement, wanted: Confinement) -> bool:
    """Whether a worker confined so can take on what another one is wanted for."""
    return (
        present.sources >= wanted.sources
        and present.memory_bytes >= wanted.memory_bytes
        and present.uses_gpu == wanted.uses_gpu
    )
