"""How many times as fast as the vendor's library and CPU variants runs are: the figures of the window's chart."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.runs.baselines import Baseline, baselines_of
from gemmviz.domain.runs.result import RunResult
from gemmviz.explain.figures.run_facts import facts_of
from gemmviz.explain.figures.timing.speedup import Speedup
from gemmviz.explain.figures.timing.speedup import speedups_of as chart_speedups_of


def speedups_of(runs: Sequence[RunResult]) -> dict[Baseline, tuple[Speedup | None, ...]]:
    """Under each baseline one for each run, libraries first; None where the baseline did not run under the same
    conditions.
    """
    facts = facts_of(runs)
    return {baseline: chart_speedups_of(facts, baseline) for baseline in baselines_of(runs)}


def is_against_itself(run: RunResult, speedup: Speedup) -> bool:
    """Whether the run is the very one that others are held against."""
    return speedup.baseline.run is run
