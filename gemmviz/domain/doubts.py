"""What makes times doubtful, in words; the mark that begins a doubt stands beside the figures."""

from __future__ import annotations

from gemmviz.domain.device import HOST, Device, DeviceKind
from gemmviz.domain.noise import is_noisy
from gemmviz.domain.result import Summary
from gemmviz.domain.terms import StopReason

NOISY = "~ noisy: the interquartile range exceeds half the median, so ratios with it mean little"
TIME_RAN_OUT = "* time limit reached before the result settled"
NOT_GPU_TIMES = "times of GPU kernels on a CPU are not GPU times"


def doubts_of(kernel_ms: Summary, stopped_by: StopReason) -> tuple[str, ...]:
    """Those of NOISY and TIME_RAN_OUT that are true of a series of samples."""
    true_of = ((NOISY, is_noisy(kernel_ms)), (TIME_RAN_OUT, stopped_by is StopReason.TIME_LIMIT))
    return tuple(doubt for doubt, is_true in true_of if is_true)


def are_no_gpu_times(device: Device) -> bool:
    """Whether GPU kernels run on a CPU there."""
    return device.kind is DeviceKind.CPU and device.backend != HOST
