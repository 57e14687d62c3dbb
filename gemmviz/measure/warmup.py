"""Launches before the first counted one: clocks rise, pages are touched, lazy loading happens here."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from gemmviz.measure.cancel import ShouldCancel, raise_if_cancelled
from gemmviz.measure.clock import Clock, elapsed_s
from gemmviz.measure.sampling import Launcher, Sampler
from gemmviz.measure.stopping import WarmUpRule


@dataclass(frozen=True, slots=True)
class WarmedUp:
    """What the warm-up cost and learnt: launches thrown away, and about how long one lasts, in ms."""

    discarded: int
    launch_ms: float


def time_first_launch(launcher: Launcher) -> float:
    """Launch once and wait; the host's time in ms, since lazy loading does not show on the device's clock.

    Raises:
        KernelTimeoutError: the kernel did not end within the launcher's `limit_s`.
        LaunchError: the device reports a fault.
    """
    return launcher.run().host_ms


def warm_up(
    take: Sampler,
    clock: Clock,
    rule: WarmUpRule,
    first_launch_ms: float,
    should_cancel: ShouldCancel,
) -> WarmedUp:
    """Take samples until the rule is content, and throw them away.

    `first_launch_ms` counts towards the limit: a kernel that takes longer than that is not warmed up further.

    Raises:
        CancelledError: the person wants to stop.
        MeasurementError, LaunchError: as `Launcher.run`.
    """
    already_s = first_launch_ms / 1000.0
    start_ns = clock.now_ns()
    kernel_ms: list[float] = []
    while not rule.is_over(kernel_ms, already_s + elapsed_s(start_ns, clock.now_ns())):
        raise_if_cancelled(should_cancel)
        sample = take()
        # A device clock too coarse to see the launch must not make a batch of hundreds look affordable.
        kernel_ms.append(sample.kernel_ms or sample.host_ms)
    if not kernel_ms:
        return WarmedUp(0, first_launch_ms)
    return WarmedUp(len(kernel_ms), median(kernel_ms[-max(1, len(kernel_ms) // 4) :]))
