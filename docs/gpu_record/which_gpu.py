"""The GPU that a script measures on."""

from __future__ import annotations

from gemmviz.backends.registry import NoDeviceError, devices_for, find_device, what_is_missing
from gemmviz.domain.device import Device
from gemmviz.domain.terms import Language


def the_gpu(wanted: str) -> Device:
    """The first NVIDIA GPU that is run by CUDA; or the device of that id or name, whatever it is, to try a script.

    Raises:
        NoDeviceError: there is none; why, and how to get one.
    """
    if wanted:
        return find_device(wanted)
    found = next((device for device in devices_for(Language.CUDA) if device.backend == "cuda"), None)
    if found is None:
        raise NoDeviceError("; ".join(what_is_missing()) or "no NVIDIA GPU is run by CUDA here")
    return found
