"""Whole runs: A and B to the device, one launch, C back, on the host's clock, part by part in one pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from gemmviz.backends.base import Buffer
from gemmviz.domain.runs.whole_runs import NO_WHOLE_RUNS, WholeRun, WholeRuns, whole_runs_of
from gemmviz.measure.cancel import ShouldCancel, raise_if_cancelled
from gemmviz.measure.clock import elapsed_ms, elapsed_s
from gemmviz.measure.sampling import Launcher, credible
from gemmviz.measure.stopping import StoppingRule

PINNED_BYTES = 2**30
"""Larger operands are not copied to page-locked memory, which nothing else can use meanwhile."""


@dataclass(frozen=True, slots=True, eq=False)
class HostAndDevice:
    """A, B and the result on both sides, as they are stored; `buffers` are those of all matrices, by their names.

    Host arrays are contiguous; `c` is the result, the matrix of the name `result`. It is overwritten, and should have
    been touched before, or the first download pays for its pages.
    """

    a: NDArray[Any]
    b: NDArray[Any]
    c: NDArray[Any]
    buffers: Mapping[str, Buffer]
    result: str = "C"

    @property
    def a_buffer(self) -> Buffer:
        return self.buffers["A"]

    @property
    def b_buffer(self) -> Buffer:
        return self.buffers["B"]

    @property
    def c_buffer(self) -> Buffer:
        """That of the result."""
        return self.buffers[self.result]


@dataclass(frozen=True, slots=True)
class WholeRunRule:
    """Up to `most` runs, fewer once `limit_seconds` or `share` of the samples' own limit are spent, never none.

    The number is always odd, so that the median is one of the runs.
    """

    most: int = 15
    limit_seconds: float = 1.0
    share: float = 0.25

    def is_over(self, count: int, spent_s: float, samples: StoppingRule) -> bool:
        """Whether so many runs, which took so long, are enough."""
        if count % 2 == 0:
            return False
        return count >= self.most or spent_s >= min(self.limit_seconds, self.share * samples.limit_seconds)


def time_whole_runs(
    launcher: Launcher,
    operands: HostAndDevice,
    rule: WholeRunRule,
    samples: StoppingRule,
    should_cancel: ShouldCancel,
    cold: bool = False,
) -> tuple[WholeRuns, WholeRuns]:
    """Whole runs from ordinary memory, and from page-locked memory where there is some; `cold` with the caches
    overwritten before each.

    Raises:
        CancelledError: the person wants to stop.
        MeasurementError: a time is negative or not finite.
        KernelTimeoutError, LaunchError, BackendError: the device reports a fault or refuses.
    """

    def taken(a: NDArray[Any], b: NDArray[Any], c: NDArray[Any]) -> WholeRuns:
        def once() -> WholeRun:
            launcher.begin()
            if cold:
                launcher.device.flush_caches()
            return time_whole_run(launcher, operands, a, b, c)

        return _repeated(once, launcher, rule, samples, should_cancel)

    of_host = (operands.a, operands.b, operands.c)
    pageable = taken(*of_host)
    if sum(array.nbytes for array in of_host) > PINNED_BYTES:
        return pageable, NO_WHOLE_RUNS
    a, b, c = (launcher.device.pinned(array) for array in of_host)
    if a is None or b is None or c is None:
        return pageable, NO_WHOLE_RUNS
    return pageable, taken(a, b, c)


def time_whole_run(
    launcher: Launcher, operands: HostAndDevice, a: NDArray[Any], b: NDArray[Any], c: NDArray[Any]
) -> WholeRun:
    """Bring A and B in, launch once and wait, bring C out; the host's clock is read between the parts, so that they add
    up to the whole. A device's clock that tells more than the host's is cut off there.

    Raises:
        As `time_whole_runs`, but for CancelledError.
    """
    device, now_ns = launcher.device, launcher.clock.now_ns
    begin_ns = now_ns()
    device.upload(a, operands.a_buffer)
    device.upload(b, operands.b_buffer)
    brought_ns = now_ns()
    pending = device.launch(launcher.compiled, launcher.launch, launcher.arguments)
    kernel_ms = credible(pending.wait(launcher.limit_s), "the device's time of a launch")
    waited_ns = now_ns()
    device.download(operands.c_buffer, c)
    end_ns = now_ns()
    in_ms, launched_ms, out_ms = (
        elapsed_ms(*span) for span in ((begin_ns, brought_ns), (brought_ns, waited_ns), (waited_ns, end_ns))
    )
    return WholeRun(in_ms, min(kernel_ms, launched_ms), out_ms, elapsed_ms(begin_ns, end_ns))


def _repeated(
    once: Callable[[], WholeRun],
    launcher: Launcher,
    rule: WholeRunRule,
    samples: StoppingRule,
    should_cancel: ShouldCancel,
) -> WholeRuns:
    runs: list[WholeRun] = []
    begin_ns = launcher.clock.now_ns()
    while not rule.is_over(len(runs), elapsed_s(begin_ns, launcher.clock.now_ns()), samples):
        raise_if_cancelled(should_cancel)
        runs.append(once())
    return whole_runs_of(runs)
