"""What makes times doubtful, in words; the mark that begins a doubt stands beside the figures."""

from __future__ import annotations

from gemmviz.domain.device import HOST, Device, DeviceKind
from gemmviz.domain.runs.noise import is_noisy
from gemmviz.domain.runs.result import Summary
from gemmviz.domain.terms import StopReason

NOISY = "~ noisy: the samples scatter over more than half the median, so ratios with it mean little"
TIME_RAN_OUT = "* time limit reached before the result settled"
NOT_GPU_TIMES = "times of GPU kernels on a CPU are not GPU times"
EMULATED = "emulated by the PTX machine, which executed the kernel once: its time is neither a GPU's nor a CPU's"
NOT_TIMED = "The PTX machine emulates a GPU, so its times mean nothing"
"""Why nothing is swept and no roof is measured on it; what to do instead follows."""
NOT_SWEPT = f"{NOT_TIMED}. Choose another device to sweep parameters"


def doubts_of(kernel_ms: Summary, stopped_by: StopReason) -> tuple[str, ...]:
    """Those of NOISY and TIME_RAN_OUT that are true of a series of samples."""
    true_of = ((NOISY, is_noisy(kernel_ms)), (TIME_RAN_OUT, stopped_by is StopReason.TIME_LIMIT))
    return tuple(doubt for doubt, is_true in true_of if is_true)


def doubt_of_device(device: Device) -> str:
    """Why times of GPU kernels on a device are not a GPU's; "" where they are, and on the host, which runs none."""
    if device.is_emulated:
        return EMULATED
    return NOT_GPU_TIMES if device.kind is DeviceKind.CPU and device.backend != HOST else ""
