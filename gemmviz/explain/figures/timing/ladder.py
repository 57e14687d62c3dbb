"""Which of many runs the charts of times show first: the steps of each arithmetic, the fastest, libraries, what is new
or wrong. No Qt.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence

from gemmviz.catalogue.kernel_names import place_in_catalogue
from gemmviz.domain.figures import counted
from gemmviz.domain.runs.baselines import Baseline, comparable_of, is_cpu_run, is_library_run
from gemmviz.domain.runs.result import RunResult
from gemmviz.explain.figures.run_facts import distinct_names, facts_of
from gemmviz.explain.figures.spread import spread_of

Times = Mapping[int, float]
"""Median kernel times of runs in ms by their id: of one size, so that the shortest is the fastest."""
MANY = 16
"""So many runs can be read at once; of more only a part is shown first."""
_FEWEST = 12
"""Where that part would have fewer runs, the fastest of the others fill it up."""
_STEP = 1.25
"""A step is so many times as fast as all kernels before it."""
_NEWEST = 3
"""What has just run is always shown."""
_MOST_NAMED = 12
"""Runs that are named of those that are not shown."""
RULE = (
    f"in each arithmetic the kernels that are at least {_STEP:g} times as fast as those before them, the fastest, "
    "libraries, wrong results and the newest runs"
)


def shown_first(runs: Sequence[RunResult], baseline: Baseline | None = None) -> tuple[RunResult, ...]:
    """All runs where they are few; else the telling ones, in their order, and those that speed-ups are against: those
    of `baseline`, or of the first that there is.
    """
    if len(runs) <= MANY:
        return tuple(runs)
    against = baseline if baseline is not None else next(iter(comparable_of(runs)), None)
    wanted = {id(run) for run in runs[-_NEWEST:]}
    wanted |= {id(run) for run in runs if not run.accuracy.passed or is_library_run(run)}
    wanted |= {id(run) for run in runs if against is not None and against.includes(run)}
    times = {id(run): _time_ms(run) for run in runs}
    best = _best_of_each([run for run in runs if not is_library_run(run)], times)
    for alike in _groups(best).values():
        wanted |= {id(run) for run in _steps(alike, times)}
    first = {id(run) for run in best}
    spare = sorted(
        (run for run in runs if id(run) not in wanted), key=lambda run: (id(run) not in first, times[id(run)])
    )
    wanted |= {id(run) for run in spare[: max(0, _FEWEST - len(wanted))]}
    return tuple(run for run in runs if id(run) in wanted)


def left_out_note(shown: Sequence[RunResult], runs: Sequence[RunResult]) -> str:
    """Which of the runs are not shown, and by which rule; "" where all are."""
    if len(shown) == len(runs):
        return ""
    kept = {id(run) for run in shown}
    names = [name for name, run in zip(distinct_names(facts_of(runs)), runs, strict=True) if id(run) not in kept]
    more = len(names) - _MOST_NAMED
    named = ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"{left_out_words(len(shown), len(runs))}: {named}. Shown are {RULE}"


def left_out_words(shown: int, count: int) -> str:
    """How many of all runs are not shown."""
    return f"{count - shown} of {counted(count, 'run')} not shown"


def _best_of_each(runs: Sequence[RunResult], times: Times) -> list[RunResult]:
    """The fastest right run of each kernel on a device, whatever its parameters."""
    best: dict[Hashable, RunResult] = {}
    for run in runs:
        key = run.spec.kernel, _alike(run)
        known = best.get(key)
        if run.accuracy.passed and (known is None or times[id(run)] < times[id(known)]):
            best[key] = run
    return list(best.values())


def _groups(runs: Sequence[RunResult]) -> dict[Hashable, list[RunResult]]:
    """The runs of each device and arithmetic, the simplest kernel first, whenever it ran."""
    found: dict[Hashable, list[RunResult]] = {}
    for run in sorted(runs, key=lambda run: place_in_catalogue(run.spec.kernel)):
        found.setdefault(_alike(run), []).append(run)
    return found


def _time_ms(run: RunResult) -> float:
    median = spread_of(run.timing.kernel_samples_ms).median
    return math.inf if math.isnan(median) else median


def _alike(run: RunResult) -> Hashable:
    return run.device.id, is_cpu_run(run), run.spec.shape, run.spec.mode, run.arithmetic


def _steps(runs: Sequence[RunResult], times: Times) -> list[RunResult]:
    """The first, each that is a step above all steps before it, and the fastest."""
    steps = list(runs[:1])
    for run in runs[1:]:
        if _STEP * times[id(run)] <= times[id(steps[-1])]:
            steps.append(run)
    return [*steps, min(runs, key=lambda run: times[id(run)])]
