"""The table of backends, and how a device is chosen from it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from gemmviz.backends.base import Backend, BackendError
from gemmviz.backends.cuda.device import CudaBackend
from gemmviz.backends.host import HostBackend
from gemmviz.backends.machine.backend import MachineBackend
from gemmviz.backends.opencl.device import OpenClBackend
from gemmviz.catalogue.gpus import UnknownGpuError
from gemmviz.domain.device import EMULATOR, Device
from gemmviz.domain.terms import Language

BACKENDS: tuple[Backend, ...] = (CudaBackend(), OpenClBackend(), HostBackend())
"""In order of preference."""
MACHINE = MachineBackend()
"""Executes kernels for CUDA where nothing else does; it is never timed, and chosen for a run only by name."""


class NoDeviceError(BackendError):
    """No device can run what was asked, or none has the id that was given."""


def all_devices() -> tuple[Device, ...]:
    """Every device of every backend, the preferred first."""
    return tuple(device for backend in BACKENDS for device in backend.devices())


def what_is_missing() -> tuple[str, ...]:
    """What would have to be installed for more devices to be found, a sentence each."""
    return tuple(words for backend in BACKENDS if (words := backend.missing()))


def backend_of(device: Device) -> Backend:
    return next(backend for backend in (*BACKENDS, MACHINE) if backend.name == device.backend)


def emulated_devices() -> tuple[Device, ...]:
    """The PTX machine for the usual target; nothing where NVIDIA's compiler is not installed."""
    return MACHINE.devices()


def devices_for(language: Language) -> tuple[Device, ...]:
    """The devices that run kernels of a language, the preferred first."""
    return tuple(d for b in BACKENDS if language in b.languages for d in b.devices())


def find_device(wanted: str) -> Device:
    """The device whose id or UUID is `wanted`, or whose name alone contains it; "cuda" is the first GPU of CUDA and
    "cuda:1" the second; "machine" and "machine:A100" are the PTX machine, for the usual target and for a GPU or
    architecture.

    Raises:
        NoDeviceError: none or several do; the message lists what is there.
    """
    if wanted == EMULATOR or wanted.startswith(f"{EMULATOR}:"):
        return _emulated(wanted)
    devices = all_devices()
    exact = [device for device in devices if wanted and wanted in (device.id, device.gpu_facts.uuid)]
    exact = exact or _numbered(devices, wanted)
    matching = exact or [device for device in devices if wanted and wanted.lower() in device.name.lower()]
    if len(matching) == 1:
        return matching[0]
    there = ", ".join(f"{device.id} ({device.name})" for device in (*devices, *emulated_devices()))
    fault = "matches several devices" if matching else "is not a device"
    lacks_cuda = wanted.lower().startswith(("cuda", "nvidia")) and not matching
    missing = "".join(f". {words[:1].upper()}{words[1:]}" for words in (what_is_missing() if lacks_cuda else ()))
    raise NoDeviceError(f"{wanted!r} {fault}; available devices: {there}{missing}")


def _numbered(devices: Sequence[Device], wanted: str) -> list[Device]:
    """The device that a backend lists at a place from 0, "cuda:1", or first, "cuda"; none where it has fewer."""
    backend, _, place = wanted.partition(":")
    listed = [device for device in devices if device.backend == backend]
    return listed[int(place or 0) :][:1] if place.isdecimal() or wanted == backend else []


def _emulated(wanted: str) -> Device:
    missing = MACHINE.missing()
    if missing:
        raise NoDeviceError(f"{wanted!r} is not a device here: {missing}")
    try:
        return MACHINE.device_for(wanted.partition(":")[2])
    except UnknownGpuError as error:
        raise NoDeviceError(f"{wanted!r}: {error}") from error


def how_to_get_a_device(platform: str = sys.platform) -> str:
    """What a person can do who has no OpenCL device, in one sentence."""
    remedies = {
        "linux": "on x86-64 Linux `pip install pocl-binary-distribution` brings one for the CPU (and OCL_ICD_VENDORS "
        "must not be set); elsewhere install pocl-opencl-icd or your GPU's driver",
        "darwin": "install PoCL with `conda install -c conda-forge pocl` or `brew install pocl`",
        "win32": "install your GPU's driver, which brings OpenCL, or `pip install intel-opencl-rt` for the CPU",
    }
    remedy = remedies.get(platform, "install your GPU driver or PoCL")
    untimed = ", and the PTX machine executes CUDA kernels (--device machine)" if emulated_devices() else ""
    return f"no OpenCL device: {remedy}; CPU kernels run without one{untimed}"
