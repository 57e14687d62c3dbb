"""What Run and Run ladder would start, and about how long that takes. No Qt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from gemmviz.catalogue.loader import Catalogue
from gemmviz.domain.figures import counted
from gemmviz.gui.experiment.experiment import Experiment, budget_s_of, jobs_of
from gemmviz.gui.kernels.availability import Availability

OVERHEAD_S = 1.0
"""Seconds one kernel usually takes beside its samples: compile, first launch, check, warm-up."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """Ids of kernels: `runs` those that Run starts, the chosen one first, none where that cannot run; `cannot_run`
    those that are ticked in vain; `ladder` those of all that can run. `budget_s` is the longest time to sample one
    kernel, `kernel_s` about how long one takes in all, in seconds. `is_emulated` is true where GPU kernels are executed
    once by the PTX machine, whose time is not known beforehand.
    """

    runs: tuple[str, ...] = ()
    cannot_run: tuple[str, ...] = ()
    ladder: tuple[str, ...] = ()
    budget_s: float = 0.0
    kernel_s: float = 0.0
    is_emulated: bool = False

    @property
    def run_words(self) -> str:
        """ "Run 7 kernels"; "Run" where nothing can run."""
        return f"Run {counted(len(self.runs), 'kernel')}" if self.runs else "Run"

    @property
    def run_time(self) -> str:
        """ "about 80 s"; "" where nothing can run or the time is not known."""
        return about(self.kernel_s * len(self.runs)) if self.runs and not self.is_emulated else ""

    @property
    def budget_words(self) -> str:
        """ "10 s": the longest time to sample one kernel."""
        return f"{self.budget_s:g} s"

    @property
    def ladder_words(self) -> str:
        """ "Run ladder: all 23 kernels that can run here, about 4 min"."""
        if not self.ladder:
            return "Run ladder"
        time = "" if self.is_emulated else f", {about(self.kernel_s * len(self.ladder))}"
        return f"Run ladder: all {counted(len(self.ladder), 'kernel')} that can run here{time}"


def run_plan(
    experiment: Experiment,
    catalogue: Catalogue,
    availability: Mapping[str, Availability],
    *,
    is_emulated: bool = False,
) -> RunPlan:
    """The plan of an experiment; one whose availability is not known counts as one that can run."""
    wanted = tuple(job.kernel.id for job in jobs_of(experiment, catalogue))
    can_run = {kernel.id for kernel in catalogue.kernels if availability.get(kernel.id, Availability()).can_run}
    return RunPlan(
        runs=tuple(kernel for kernel in wanted if kernel in can_run) if experiment.kernel in can_run else (),
        cannot_run=tuple(kernel for kernel in wanted if kernel not in can_run and kernel != experiment.kernel),
        ladder=tuple(kernel.id for kernel in catalogue.kernels if kernel.id in can_run),
        budget_s=budget_s_of(experiment),
        kernel_s=estimated_kernel_s(experiment),
        is_emulated=is_emulated,
    )


def estimated_kernel_s(experiment: Experiment) -> float:
    """About how long one kernel takes, in seconds: the budget of its samples, and OVERHEAD_S for all else.

    A kernel whose times settle early takes less: sampling ends at the budget at the latest. One with slow launches
    takes more: no launch is cut short, and each of its checks and end-to-end runs is a launch.
    """
    return budget_s_of(experiment) + OVERHEAD_S


def about(seconds: float) -> str:
    """An estimate in words, with no more digits than it deserves: "about 8 s", "about 75 s", "about 4 min"."""
    if seconds < 10:
        return f"about {max(1, round(seconds))} s"
    if seconds < 100:
        return f"about {5 * round(seconds / 5)} s"
    if seconds < 5400:
        return f"about {math.ceil(seconds / 60)} min"
    return f"about {seconds / 3600:.1f} h"
