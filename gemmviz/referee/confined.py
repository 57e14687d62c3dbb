"""Judges a kernel in a process of its own, which is confined; a fault of the kernel ends that process alone."""

from __future__ import annotations

from gemmviz.backends.registry import (
    MACHINE,
    NoDeviceError,
    all_devices,
    devices_for,
    emulated_devices,
    find_device,
)
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import is_shipped
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import EMULATOR, Device
from gemmviz.domain.kernels.capability import lack_of
from gemmviz.domain.spec import Params
from gemmviz.engine.confined_process import ConfinedProcessError, Progress, run_confined
from gemmviz.engine.sandbox.confinement import may_use_gpu
from gemmviz.referee.finding import Ruling

BUDGET_S = 600.0
"""How long a kernel is examined where nobody says otherwise."""
_LAUNCH_LIMIT_S = 30.0
_ALLOWANCE_S = 120.0
"""For starting, and for what is under way when the budget has ended."""


def device_for(kernel: Kernel, wanted: str = "", target: str = "") -> Device:
    """The device to judge a kernel on: the one `wanted` names, else the PTX machine, or what else runs the kernel. The
    machine is that for `target`, a GPU or an architecture, where the kernel runs there, "" for the usual one.

    Raises:
        NoDeviceError: there is none.
    """
    if wanted:
        return find_device(wanted)
    if kernel.runs_on_host:
        return devices_for(kernel.language)[0]
    gpus = [one for one in all_devices() if one.is_native_gpu and not lack_of(kernel.requires, one)]
    machine = next(iter(emulated_devices()), None)
    if machine is not None and not kernel.not_emulated:
        chosen = find_device(f"{EMULATOR}:{target}") if target else machine
        return machine if lack_of(kernel.requires, chosen) else chosen
    if gpus:
        return gpus[0]
    if machine is None:
        raise NoDeviceError(MACHINE.missing())
    return machine


def judge_confined(
    kernel: Kernel,
    params: Params,
    device: Device,
    budget_s: float = BUDGET_S,
    progress: Progress | None = None,
    *,
    is_alone: bool = False,
) -> Ruling:
    """The verdict on a kernel; examinations that `budget_s` seconds do not suffice for are not made. With `is_alone` no
    other values of its parameters are judged. A process that crashes leaves a verdict that nothing could be examined.

    What `progress` raises ends the process and is raised again.
    """
    request = {
        "file": str(kernel.path.absolute()),
        "kernel": kernel.id,
        "is_shipped": is_shipped(kernel),
        "description": kernel.description,
        "places": [[key, place] for key, place in kernel.places],
        "params": [[name, value] for name, value in params],
        "device": device.id,
        "budget_s": budget_s,
        "launch_limit_s": min(_LAUNCH_LIMIT_S, budget_s),
        "is_alone": is_alone,
        "uses_gpu": _uses_gpu(device),
    }
    try:
        return run_confined("gemmviz.referee.process", request, Ruling, _ALLOWANCE_S + budget_s, progress, kernel.id)
    except ConfinedProcessError as error:
        fault = str(error).removeprefix(f"{kernel.id}: ")
        return Ruling(kernel.id, params, device.name, "", fault=fault, time=timestamp())


def _uses_gpu(device: Device) -> bool:
    """Whether launches need a GPU, or times may be compared on one."""
    devices = all_devices()
    return may_use_gpu(device.id, devices) or any(one.is_native_gpu for one in devices)
