"""One sample: launches with the device's own time, and the host's clock beside it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from gemmviz.backends.base import Argument, Buffer, Compiled, OpenDevice
from gemmviz.domain.runs.gauges import Reading
from gemmviz.domain.spec import Launch
from gemmviz.measure.clock import Clock, elapsed_ms
from gemmviz.measure.stopping import StoppingRule

BATCH_MS = 5.0
"""How long a hot batch should last: far above the 20 µs below which the cost of a launch shows."""

MAX_BATCH = 1000
"""Most launches in one batch: queues are of finite length, and a cancel waits for the batch."""


class MeasurementError(Exception):
    """A device or clock reported a time that cannot be; the message names it."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Times of one launch, in ms; those of a batch are already divided by its launches.

    `kernel_ms` is the device's own, `host_ms` the host's around launch and wait, `unsynchronised_ms` the
    host's around the launch alone: what somebody reads who forgets to wait. `reading` is the device's gauges right
    after the launch, where they can be read.
    """

    kernel_ms: float
    host_ms: float
    unsynchronised_ms: float
    reading: Reading | None = None


Sampler = Callable[[], Sample]


@dataclass(frozen=True, slots=True)
class Launcher:
    """A kernel with all it needs to be launched again and again. `limit_s` bounds each wait. Where C has to begin as
    something, `begins` is what its buffer is overwritten with.
    """

    device: OpenDevice
    compiled: Compiled
    launch: Launch
    arguments: tuple[Argument, ...]
    clock: Clock
    limit_s: float | None = None
    begins: tuple[NDArray[Any], Buffer] | None = None

    def begin(self) -> None:
        """Make C what it has to be before a launch; outside all timings."""
        if self.begins is not None:
            self.device.upload(*self.begins)

    def run(self, count: int = 1) -> Sample:
        """Launch `count` times and wait: the sample of a batch, divided by `count`. C that has to begin as something
        does so before the batch, and the launches of a batch all add to it.

        Raises:
            MeasurementError: a time is negative or not finite.
            KernelTimeoutError: the launches did not end within `limit_s`.
            LaunchError: the device reports a fault.
        """
        self.begin()
        return self._timed(count)

    def _timed(self, count: int) -> Sample:
        now_ns = self.clock.now_ns
        start_ns = now_ns()
        pending = self.device.launch(self.compiled, self.launch, self.arguments, count)
        launched_ns = now_ns()
        kernel_ms = pending.wait(self.limit_s)
        end_ns = now_ns()
        return Sample(
            credible(kernel_ms, "the device's time of a launch") / count,
            credible(elapsed_ms(start_ns, end_ns), "the host's time of a launch") / count,
            credible(elapsed_ms(start_ns, launched_ns), "the host's time of an enqueue") / count,
            self.device.gauge(),
        )

    def cold(self) -> Sample:
        """One launch that finds nothing of ours in the caches; they are overwritten outside the window.

        Raises:
            As `run`.
        """
        self.begin()
        self.device.flush_caches()
        return self._timed(1)


def batch_size(launch_ms: float, rule: StoppingRule) -> int:
    """How many launches make a hot batch, if one lasts `launch_ms`.

    Enough for BATCH_MS, but so few that the rule's smallest series fits its time limit; 1 to MAX_BATCH.
    A launch of no measurable length gets MAX_BATCH.
    """
    if launch_ms <= 0.0:
        return MAX_BATCH
    wanted = math.ceil(min(BATCH_MS / launch_ms, MAX_BATCH))
    affordable = min(1000.0 * rule.limit_seconds / (rule.min_samples * launch_ms), MAX_BATCH)
    return max(1, min(wanted, int(affordable)))


def credible(value_ms: float, what: str) -> float:
    """The time, if it can be one.

    Raises:
        MeasurementError: it is negative or not finite.
    """
    if not (math.isfinite(value_ms) and value_ms >= 0.0):
        raise MeasurementError(f"{what} is {value_ms} ms: its clock cannot be trusted, so nothing was measured")
    return value_ms
