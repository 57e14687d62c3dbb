"""Which kernel is the fastest, in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from gpu_runs import gpu_run

from gemmviz.domain.runs.baselines import Baseline
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.whole_runs import WholeRun, whole_runs_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Arithmetic
from gemmviz.explain.figures.figure import Figure
from gemmviz.explain.figures.run_facts import facts_of
from gemmviz.explain.figures.timing.fastest import fastest_words
from gemmviz.explain.figures.timing.kernel import kernel_time_figure
from gemmviz.explain.figures.timing.rate import rate_figure
from gemmviz.explain.figures.timing.samples import samples_figure
from gemmviz.explain.figures.timing.speedup_figure import speedup_figure
from gemmviz.explain.figures.timing.whole import whole_time_figure

SLOW, FAST, NEARLY = (gpu_run(name, (ms,) * 5) for name, ms in (("naive", 8.0), ("tiled", 2.0), ("wide", 2.04)))


def words(*runs: Any) -> tuple[str, ...]:
    return fastest_words(facts_of(runs), "ms")


def test_that_the_fastest_is_named_with_its_time_and_with_what_cannot_be_ranked_against_it() -> None:
    assert words(SLOW, FAST) == ("fastest: tiled, 2.00 ms, 4.00 times as fast as naive",)
    tied = "fastest: tiled (2.00 ms) or wide (2.04 ms), which cannot be told apart"
    assert words(SLOW, NEARLY, FAST) == (f"{tied}; tiled is 4.00 times as fast as naive",)
    assert words(NEARLY, FAST) == (tied,)
    other = gpu_run("tiled", (2.02,) * 5, params=(("TILE", 32),))
    assert words(FAST, other) == (
        "fastest: tiled TILE=16 (2.00 ms) or tiled TILE=32 (2.02 ms), which cannot be told apart",
    )


@pytest.mark.parametrize("figure_of", [kernel_time_figure, rate_figure, speedup_figure, samples_figure])
def test_that_each_page_of_kernel_times_begins_with_the_fastest(figure_of: Callable[..., Figure]) -> None:
    baseline = {"baseline": Baseline("naive", SLOW.spec.params, is_device_kernel=True)}
    figure = figure_of([SLOW, FAST], **(baseline if figure_of is speedup_figure else {}))
    assert figure.notes[0] == "fastest: tiled, 2.00 ms, 4.00 times as fast as naive"


def test_that_end_to_end_times_have_a_fastest_of_their_own() -> None:
    def with_whole(run: RunResult, ms: float) -> RunResult:
        runs = whole_runs_of([WholeRun(0.25, 0.25, 0.25, ms)] * 5)
        return replace(run, timing=replace(run.timing, whole_runs=runs))

    slow, fast, nearly = with_whole(SLOW, 3.0), with_whole(FAST, 9.0), with_whole(NEARLY, 9.1)
    assert whole_time_figure([slow, fast]).notes[0] == "fastest end to end: naive, 3.00 ms"
    assert whole_time_figure([fast, nearly]).notes[0] == (
        "fastest end to end: tiled (9.00 ms) or wide (9.10 ms), which cannot be told apart"
    )
    assert not any(note.startswith("fastest") for note in whole_time_figure([slow]).notes)


def test_that_each_arithmetic_has_its_fastest() -> None:
    tensor = replace(FAST, arithmetic=Arithmetic.TF32)
    slow = replace(SLOW, arithmetic=Arithmetic.TF32)
    both = words(SLOW, NEARLY, tensor, slow)
    assert both == ("fastest in fp32: wide, 2.04 ms; in tf32: tiled, 2.00 ms",)
    assert words(SLOW, NEARLY, tensor) == ("fastest in fp32: wide, 2.04 ms",), "one alone is no ranking"
    assert words(SLOW, tensor) == ()


def test_that_no_wrong_run_and_none_of_another_size_is_ranked() -> None:
    wrong = replace(FAST, accuracy=replace(FAST.accuracy, passed=False))
    assert words(SLOW, NEARLY, wrong) == ("fastest: wide, 2.04 ms, 3.92 times as fast as naive",)
    assert words(SLOW, wrong) == ()
    other = replace(FAST, spec=replace(FAST.spec, shape=Shape(1, 1, 1)))
    assert words(SLOW, other) == ()
    assert words(SLOW) == ()
