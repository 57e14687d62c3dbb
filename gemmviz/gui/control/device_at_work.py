"""The device that works on a request, which need not be the one that is chosen. No Qt."""

from __future__ import annotations

from gemmviz.domain.device import EMULATOR, Device
from gemmviz.engine.active_request import jobs_of
from gemmviz.engine.messages import MachineCodeRequest, Work
from gemmviz.engine.running_order import in_running_order
from gemmviz.gui.kernels.availability import Devices


def device_at_work(work: Work, kernel_id: str, devices: Devices) -> Device | None:
    """The device of the request's kernel with that id, of the first to run for ""; None for a compiler's work."""
    if isinstance(work, MachineCodeRequest):
        return None
    wanted = work.conditions.device
    base, _, target = wanted.partition(":")
    if base == EMULATOR:
        wanted, devices = base, devices.with_target(target)
    jobs = in_running_order(jobs_of(work))
    kernels = [job.kernel for job in jobs]
    kernel = next((each for each in kernels if each.id == kernel_id), kernels[0] if kernels else None)
    return devices.chosen(wanted) if kernel is None else devices.of(kernel, wanted)
