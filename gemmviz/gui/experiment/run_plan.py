"""What Run and Run ladder would start, and about how long that takes. No Qt."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import Catalogue
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.figures import counted
from gemmviz.domain.runs.result import RunResult, timed_runs
from gemmviz.engine.messages import Job
from gemmviz.gui.kernels.availability import LOOKING, Availability, Devices
from gemmviz.gui.work.experiment import Experiment, budget_s_of, jobs_of

OVERHEAD_S = 1.0
"""Seconds one kernel usually takes beside its launches: compile, operands, check."""
LEAST_LAUNCHES = 3
"""Launches beside the samples, however slow each is: the first, one to warm up, one from end to end."""
SLOW_GFLOPS = {DeviceKind.CPU: 1.0, DeviceKind.GPU: 100.0, DeviceKind.ACCELERATOR: 100.0}
"""10^9 operations per second of a plain kernel on a slow device: what a kernel may do that has not run there yet."""
_ALIKE = 1.5
"""The longest time over the shortest up to which one of them says enough."""
SEARCH_S = 10.0
"""Seconds that it takes at most, usually, to compare the ways in which PoCL can run a kernel's threads: once for a
kernel, its parameters and a kind of CPU, whichever session it is.
"""
Span = tuple[float, float]
"""The shortest and the longest time, in seconds."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """Ids of kernels: `runs` those that Run starts, the chosen one first, none where that cannot run; `cannot_run`
    those that are ticked in vain; `ladder` those of all that can run. `budget_s` is the longest time to sample one
    kernel, `run_s` and `ladder_s` about how long all of them take. `is_emulated` is true where GPU kernels are executed
    once by the PTX machine, whose time is not known beforehand.
    """

    runs: tuple[str, ...] = ()
    cannot_run: tuple[str, ...] = ()
    ladder: tuple[str, ...] = ()
    budget_s: float = 0.0
    run_s: Span = (0.0, 0.0)
    ladder_s: Span = (0.0, 0.0)
    is_emulated: bool = False

    @property
    def run_words(self) -> str:
        """ "Run 7 kernels"; "Run" where nothing can run."""
        return f"Run {counted(len(self.runs), 'kernel')}" if self.runs else "Run"

    @property
    def run_time(self) -> str:
        """ "about 80 s", "about 4 s to 2 min"; "" where nothing can run or the time is not known."""
        return span_words(self.run_s) if self.runs and not self.is_emulated else ""

    @property
    def longest_run_s(self) -> float:
        """The longest time that `run_time` says, in seconds; 0 where it says none."""
        return self.run_s[1] if self.run_time else 0.0

    @property
    def longest_ladder_s(self) -> float:
        """The longest time that `ladder_words` say, in seconds; 0 where they say none."""
        return self.ladder_s[1] if self.ladder and not self.is_emulated else 0.0

    @property
    def budget_words(self) -> str:
        """ "10 s": the longest time to sample one kernel."""
        return f"{self.budget_s:g} s"

    @property
    def ladder_words(self) -> str:
        """ "Run ladder: all 23 kernels that can run here, about 4 min"."""
        if not self.ladder:
            return "Run ladder"
        time = "" if self.is_emulated else f", {span_words(self.ladder_s)}"
        return f"Run ladder: all {counted(len(self.ladder), 'kernel')} that can run here{time}"


def run_plan(
    experiment: Experiment,
    catalogue: Catalogue,
    availability: Mapping[str, Availability],
    devices: Devices = LOOKING,
    runs: Sequence[RunResult] = (),
) -> RunPlan:
    """The plan of an experiment; one whose availability is not known counts as one that can run. `runs` tell how fast
    kernels are on the devices here.
    """
    wanted = tuple(job.kernel.id for job in jobs_of(experiment, catalogue))
    can_run = {kernel.id for kernel in catalogue.kernels if availability.get(kernel.id, Availability()).can_run}
    chosen = tuple(kernel for kernel in wanted if kernel in can_run) if experiment.kernel in can_run else ()
    device = devices.chosen(experiment.device)
    spans = {
        kernel.id: kernel_span(experiment, kernel, devices, runs)
        for kernel in catalogue.kernels
        if kernel.id in can_run
    }
    return RunPlan(
        runs=chosen,
        cannot_run=tuple(kernel for kernel in wanted if kernel not in can_run and kernel != experiment.kernel),
        ladder=tuple(spans),
        budget_s=budget_s_of(experiment),
        run_s=_sum([spans[kernel] for kernel in chosen]),
        ladder_s=_sum(spans.values()),
        is_emulated=device is not None and device.is_emulated,
    )


def kernel_span(experiment: Experiment, kernel: Kernel, devices: Devices, runs: Sequence[RunResult]) -> Span:
    """About how long one kernel takes: the budget of its samples, OVERHEAD_S, and its launches where these are slow.

    No launch is cut short, and each check and end-to-end run is one. The rate is that of the kernel's run on that
    device at the size that is nearest; of a kernel that has not run there, any rate from SLOW_GFLOPS up is possible. A
    kernel whose times settle early takes less: sampling ends at the budget at the latest. One that has not run on PoCL
    in this session may have the search for the best way to run it before it.
    """
    budget, device = budget_s_of(experiment), devices.of(kernel, experiment.device)
    if device is None:
        return budget + OVERHEAD_S, budget + OVERHEAD_S
    flop = experiment.shape.flop
    known = [
        run
        for run in timed_runs(runs)
        if run.spec.kernel == kernel.id and run.device.id == device.id and run.device.name == device.name
    ]
    nearest = min(known, key=lambda run: abs(math.log(run.spec.shape.flop / flop)), default=None)
    rates = (math.inf, SLOW_GFLOPS[device.kind]) if nearest is None else (nearest.gflops, nearest.gflops)
    search_s = SEARCH_S if device.is_pocl and nearest is None else 0.0
    shortest, longest = (
        budget + OVERHEAD_S + LEAST_LAUNCHES * launch_s + max(launch_s - budget, 0.0)
        for launch_s in (flop / (rate * 1e9) for rate in rates)
    )
    return shortest, longest + search_s


def sweep_span(
    experiment: Experiment, kernel: Kernel, settings: int, devices: Devices, runs: Sequence[RunResult]
) -> Span:
    """About how long a sweep of a kernel over so many settings takes. Settings that an earlier
    sweep ran on the device tell how long each takes to compile.
    """
    shortest, longest = kernel_span(experiment, kernel, devices, runs)
    device = devices.of(kernel, experiment.device)
    known = [
        run.timing.compile_ms / 1000
        for run in timed_runs(runs)
        if device is not None and run.spec.kernel == kernel.id and run.device.id == device.id and run.sweep
    ]
    more_s = max(sum(known) / len(known) - OVERHEAD_S, 0.0) if known else 0.0
    return settings * (shortest + more_s), settings * (longest + more_s)


def span_words(span: Span) -> str:
    """A span in words: "about 8 s" where its ends are much alike, else "about 4 s to 2 min"."""
    low, high = span
    if high <= _ALIKE * low:
        return about((low + high) / 2)
    return f"{about(low)} to {about(high).removeprefix('about ')}"


def _sum(spans: Collection[Span]) -> Span:
    lows, highs = zip(*spans, strict=True) if spans else ((), ())
    return sum(lows), sum(highs)


def about(seconds: float) -> str:
    """An estimate in words, with no more digits than it deserves: "about 8 s", "about 75 s", "about 4 min"."""
    if seconds < 10:
        return f"about {max(1, round(seconds))} s"
    if seconds < 100:
        return f"about {5 * round(seconds / 5)} s"
    if seconds < 5400:
        return f"about {math.ceil(seconds / 60)} min"
    return f"about {seconds / 3600:.1f} h"


def page_of_results(jobs: Iterable[Job], device: Device | None) -> str:
    """The page that shows the results of a run: the one of errors where nothing is timed, because the PTX machine
    executes all kernels.
    """
    is_timed = device is None or not device.is_emulated or any(job.kernel.runs_on_host for job in jobs)
    return "Timing" if is_timed else "Accuracy"
