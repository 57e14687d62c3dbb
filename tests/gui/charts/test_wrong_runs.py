"""A run whose result is wrong is marked in every chart of times, and is nobody's baseline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from gemmviz.domain.runs.baselines import baselines_of, comparable_of
from gemmviz.domain.runs.result import RunResult
from gemmviz.explain.figures.figure import Figure, Look, PlotTable, Tone
from gemmviz.explain.figures.roofline.roofline import roofline_figure, roofline_of, roofline_table
from gemmviz.explain.figures.run_facts import WRONG_NOTE
from gemmviz.explain.figures.timing.kernel import kernel_time_figure, kernel_time_table
from gemmviz.explain.figures.timing.rate import rate_figure, rate_table
from gemmviz.explain.figures.timing.samples import samples_figure, samples_table
from gemmviz.explain.figures.timing.speedup_figure import speedup_figure, speedup_table
from gemmviz.explain.figures.timing.whole import whole_time_figure, whole_time_table
from gemmviz.gui.charts.looks import STYLES, is_hollow_bar, note_colour, tone_colour
from gemmviz.gui.looks.theme import DARK, LIGHT

FIGURES: list[Callable[[Sequence[RunResult]], Figure]] = [
    kernel_time_figure,
    whole_time_figure,
    rate_figure,
    speedup_figure,
    samples_figure,
    lambda runs: roofline_figure(runs, ()),
]
TABLES: list[Callable[[Sequence[RunResult]], PlotTable]] = [
    kernel_time_table,
    whole_time_table,
    rate_table,
    speedup_table,
    samples_table,
    lambda runs: roofline_table(runs, ()),
]


@pytest.fixture
def runs(make_run: Any, cpu_run: Any) -> list[RunResult]:
    """The fastest of three is wrong."""
    return [make_run("broken", ms=1.0, passed=False), make_run(ms=4.0), cpu_run(ms=40.0)]


@pytest.mark.parametrize("make", FIGURES)
def test_that_the_row_of_a_wrong_run_says_so_beside_its_figure(
    runs: list[RunResult], make: Callable[[Sequence[RunResult]], Figure]
) -> None:
    figure = make(runs)
    wrong, *others = figure.rows
    assert wrong.tone is Tone.WRONG
    assert wrong.note.startswith("WRONG")
    assert wrong.flag.startswith("WRONG")
    assert "faster" not in wrong.note
    assert all("WRONG" not in row.note and row.tone is not Tone.WRONG for row in others)
    assert WRONG_NOTE in figure.notes
    assert WRONG_NOTE not in make(runs[1:]).notes


@pytest.mark.parametrize("make", [*FIGURES[:4], FIGURES[5]])
def test_that_its_mark_has_a_look_and_an_entry_of_the_legend_of_its_own(
    runs: list[RunResult], make: Callable[[Sequence[RunResult]], Figure]
) -> None:
    figure = make(runs)
    (mark,) = [one for one in figure.series if one.look is Look.WRONG]
    assert mark.places.tolist() == [0]
    assert "wrong result" in mark.words
    assert all(0 not in one.places for one in figure.series if one.look in (Look.GPU, Look.CPU, Look.GPU_WAITED))


@pytest.mark.parametrize("make", TABLES)
def test_that_tables_say_which_run_passed(
    runs: list[RunResult], make: Callable[[Sequence[RunResult]], PlotTable]
) -> None:
    rows = make(runs).rows
    assert {row["kernel"]: row["passed"] for row in rows} == {"broken": "false", "tiled": "true", "cpu_ijk": "true"}


def test_that_a_wrong_run_is_no_baseline(make_run: Any, cpu_run: Any) -> None:
    wrong, right = cpu_run("cpu_bad", passed=False), cpu_run()
    assert [one.words for one in baselines_of([wrong, right])] == ["cpu_ijk"]
    alone = [make_run("broken", ms=9.0, passed=False), make_run("tiled"), make_run("naive", ms=3.0)]
    assert [one.words.split()[0] for one in comparable_of(alone)] == ["naive", "tiled"]


def test_that_an_older_right_run_is_compared_with_instead_of_a_wrong_one(make_run: Any, cpu_run: Any) -> None:
    figure = speedup_figure([cpu_run(ms=8.0), cpu_run(ms=1.0, passed=False), make_run(ms=2.0)])
    assert figure.rows[2].value == "4.00×"


def test_that_the_roofline_names_a_wrong_run_as_wrong(runs: list[RunResult]) -> None:
    point = roofline_of(runs, ()).points[0]
    assert (point.name.split()[:2], point.look) == (["broken", "WRONG"], Look.WRONG)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_what_is_wrong_has_the_colour_of_faults_and_a_crossed_or_hollow_mark(theme: Any) -> None:
    assert tone_colour(Tone.WRONG, theme) == note_colour(Tone.WRONG, theme) == theme.hazard
    assert STYLES[Look.WRONG].colour(theme) == STYLES[Look.WRONG_WAITED].colour(theme) == theme.hazard
    assert STYLES[Look.WRONG].symbol == "x"
    assert not STYLES[Look.WRONG_WAITED].filled
    assert is_hollow_bar(Look.WRONG)
