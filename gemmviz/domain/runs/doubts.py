"""What makes times doubtful, in words; the mark that begins a doubt stands beside the figures."""

from __future__ import annotations

from collections.abc import Iterable

from gemmviz.domain.device import HOST, Device, DeviceKind
from gemmviz.domain.runs.gauges import Gauges
from gemmviz.domain.runs.noise import is_noisy
from gemmviz.domain.runs.result import Summary
from gemmviz.domain.terms import StopReason

NOISY = "~ noisy: the samples scatter over more than half the median, so ratios with it mean little"
TIME_RAN_OUT = "* time limit reached before the result settled: more samples may change it"
STEADIER = "for a steadier time run it again with"
"""How advice begins that follows TIME_RAN_OUT where a person can measure that run again."""
THROTTLED = "! clock throttled: the kernel can be faster"
DOUBTS = (NOISY, TIME_RAN_OUT, THROTTLED)
"""In the order in which their marks stand and their sentences are said."""
NOT_GPU_TIMES = "times of GPU kernels on a CPU are not GPU times"
EMULATED = "emulated by the PTX machine, which executed the kernel once: its time is neither a GPU's nor a CPU's"
NOT_TIMED = "The PTX machine emulates a GPU, so its times mean nothing"
"""Why nothing is swept and no roof is measured on it; what to do instead follows."""
EXAMINE_INSTEAD = "to sweep times, or examine the settings, which needs no GPU"
"""What can be done where times cannot be swept; another device comes before it."""
NOT_SWEPT = f"{NOT_TIMED}. Choose another device {EXAMINE_INSTEAD}"


def doubts_of(kernel_ms: Summary, stopped_by: StopReason, gauges: Gauges) -> tuple[str, ...]:
    """Those of DOUBTS that are true of a series of samples and what was read beside them."""
    true_of = (is_noisy(kernel_ms), stopped_by is StopReason.TIME_LIMIT, bool(gauges.throttled.any()))
    return tuple(doubt for doubt, is_true in zip(DOUBTS, true_of, strict=True) if is_true)


def marks_of(doubts: Iterable[str]) -> str:
    """The marks of doubts as they stand beside a figure."""
    return "".join(doubt[0] for doubt in doubts)


def doubt_of_device(device: Device) -> str:
    """Why times of GPU kernels on a device are not a GPU's; "" where they are, and on the host, which runs none."""
    if device.is_emulated:
        return EMULATED
    return NOT_GPU_TIMES if device.kind is DeviceKind.CPU and device.backend != HOST else ""
