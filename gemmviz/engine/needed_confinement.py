"""What a request with kernels of the user's needs to be allowed, so that its worker is confined to that."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.recordable import recording_device
from gemmviz.domain.device import EMULATOR, Device, DeviceKind
from gemmviz.domain.memory import memory_needed
from gemmviz.engine.messages import ExamineRequest, MachineCodeRequest, RecordRequest, Work
from gemmviz.engine.sandbox.confinement import Confinement, confinement_of, sources_of


def confinement_for(work: Work, kernels: Sequence[Kernel], devices: Sequence[Device], scratch: Path) -> Confinement:
    """The bounds within which a request runs whose `kernels` are the user's; `devices` are all there are."""
    used = _devices_of(work, kernels, devices)
    compiles = isinstance(work, MachineCodeRequest | ExamineRequest) or any(
        may_start_compilers(one, devices) for one in used
    )
    uses_gpu = any(may_use_gpu(one, devices) for one in used)
    need_bytes = memory_needed(work.conditions.shape).total_bytes
    sources = frozenset(path for kernel in kernels for path in sources_of(kernel.path.absolute(), kernel.text))
    return confinement_of(sources, need_bytes, scratch, starts_compilers=compiles, uses_gpu=uses_gpu)


def _devices_of(work: Work, kernels: Sequence[Kernel], devices: Sequence[Device]) -> list[str]:
    """The ids of the devices that a request goes to, "" for the preferred one: a recording chooses its own."""
    conditions = work.conditions
    if not isinstance(work, RecordRequest):
        return [conditions.device]
    found = [recording_device(kernel, devices, conditions.device, conditions.form) for kernel in kernels]
    return [device.id if device is not None else conditions.device for device in found]


def may_use_gpu(wanted: str, devices: Sequence[Device]) -> bool:
    """Whether a request for a device, "" for the preferred one, may use a GPU."""
    if _is_machine(wanted):
        return False
    named = [device for device in devices if device.id == wanted]
    return any(device.kind is not DeviceKind.CPU for device in named or devices)


def may_start_compilers(wanted: str, devices: Sequence[Device]) -> bool:
    """Whether a request for a device may start the compilers of a GPU, which the PTX machine needs too."""
    return _is_machine(wanted) or may_use_gpu(wanted, devices)


def _is_machine(wanted: str) -> bool:
    return wanted.partition(":")[0] == EMULATOR
