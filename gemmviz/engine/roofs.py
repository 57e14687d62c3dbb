"""Measuring the roofs of a device: what the command line and the worker have in common."""

from __future__ import annotations

from gemmviz.backends.base import DeviceLostError
from gemmviz.backends.registry import NoDeviceError, backend_of, devices_for, find_device, how_to_get_a_device
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import Device
from gemmviz.domain.runs.doubts import NOT_TIMED
from gemmviz.domain.runs.roof import Roofs
from gemmviz.domain.terms import Language
from gemmviz.measure.bench import Watch
from gemmviz.measure.roofs import measure_roofs


def device_for_roofs(wanted: str) -> Device:
    """The device with that id or name, "" for the preferred one of those that run CUDA C.

    Raises:
        NoDeviceError: there is none, or it has no roofs: the PTX machine.
    """
    if not wanted:
        devices = devices_for(Language.CUDA)
        if not devices:
            raise NoDeviceError(how_to_get_a_device())
        return devices[0]
    device = find_device(wanted)
    if device.is_emulated:
        raise NoDeviceError(f"{NOT_TIMED}. Measure roofs on another device")
    return device


def roofs_of_device(wanted: str, limit_s: float, watch: Watch) -> Roofs:
    """The roofs of a device now; a launch may take `limit_s` seconds.

    Raises:
        NoDeviceError: as `device_for_roofs`.
        BackendError, MeasurementError, CancelledError: as `measure_roofs`.
    """
    device = device_for_roofs(wanted)
    watch.say(f"measuring the roofs of {device.name}")
    opened = backend_of(device).open(device)
    try:
        roofs = measure_roofs(
            opened,
            timestamp(),
            limit_s=limit_s,
            should_cancel=watch.should_cancel,
            on_progress=watch.advance,
            say=watch.say,
        )
    except DeviceLostError:
        raise  # releasing would wait for a kernel that never ends
    except Exception:
        opened.release()
        raise
    opened.release()
    return roofs
