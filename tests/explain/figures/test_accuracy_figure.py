import math
from dataclasses import replace
from typing import Any

import pytest

from gemmviz.domain.runs.result import Session
from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.accuracy import accuracy_table, bound_figure, relative_figure
from gemmviz.explain.figures.figure import Form, Look, Side, Tone
from gemmviz.explain.runs.columns import COLUMNS, Key


def test_that_one_bound_is_one_line_with_its_words(make_run: Any, cpu_run: Any) -> None:
    figure = bound_figure([make_run(worst=4.0), cpu_run(worst=5.0)])
    assert figure.evidence is Evidence.DERIVED
    assert [(rule.value, rule.words) for rule in figure.rules] == [(64.0, "bound 64")]
    assert figure.axis.low < 4.0 < 64.0 < figure.axis.high
    assert [(one.look, one.values.tolist()) for one in figure.series] == [(Look.GPU, [4.0]), (Look.CPU, [5.0])]


def test_that_the_chart_calls_the_error_as_the_table_of_results_does(make_run: Any) -> None:
    name = next(column.title for column in COLUMNS if column.key is Key.ERROR)
    figure = bound_figure([make_run("naive")])
    assert figure.axis.words == f"{name}, logarithmic"
    assert f"\n{name} " in figure.rows[0].tooltip


def test_that_different_bounds_are_drawn_row_by_row(make_run: Any) -> None:
    figure = bound_figure([make_run(), make_run(size=(8, 8, 1024))])
    assert figure.rules == ()
    (bounds,) = [one for one in figure.series if one.form is Form.TICKS]
    assert (bounds.places.tolist(), bounds.values.tolist()) == ([0, 1], [64.0, 1024.0])


def test_that_passed_and_wrong_are_said_in_words(make_run: Any) -> None:
    good, bad = bound_figure([make_run(), make_run("naive", worst=9000.0, passed=False)]).rows
    assert (good.note, good.tone) == ("passed · bound 64", Tone.GOOD)
    assert (bad.note, bad.tone) == ("WRONG · bound 64", Tone.WRONG)


@pytest.mark.parametrize(
    ("value", "side", "words"),
    [(0.0, Side.LOW, "0"), (math.nan, Side.HIGH, "not a number"), (math.inf, Side.HIGH, "infinite")],
)
@pytest.mark.parametrize("figure_of", [bound_figure, relative_figure])
def test_that_what_has_no_place_on_a_log_axis_stands_at_its_edge(
    make_run: Any, figure_of: Any, value: float, side: Side, words: str
) -> None:
    figure = figure_of([make_run(worst=value, relative=value, passed=value == 0.0)])
    assert [(edge.place, edge.side, edge.words) for edge in figure.edges] == [(0, side, words)]
    assert figure.rows[0].value == words
    assert math.isfinite(figure.axis.low)
    assert math.isfinite(figure.axis.high)


def test_that_freivalds_is_labelled_as_such(make_run: Any) -> None:
    figure = bound_figure([make_run(method="freivalds"), make_run("naive")])
    assert figure.rows[0].note == "passed · Freivalds"
    assert "Freivalds" in figure.rows[0].tooltip
    assert any(note.startswith("Freivalds") for note in figure.notes)
    assert "Freivalds" not in "".join(bound_figure([make_run()]).notes)


def test_that_the_table_has_the_very_numbers_of_real_runs(real_session: Session) -> None:
    for row, run in zip(accuracy_table(real_session.runs).rows, real_session.runs, strict=True):
        assert row["relative_frobenius"] == run.accuracy.relative_frobenius
        assert row["max_error_over_ug"] == run.accuracy.max_error_over_ug
        assert (row["bound"], row["passed"]) == (64.0, "true")


def test_that_elements_never_written_are_no_mere_missing_numbers(make_run: Any) -> None:
    run = make_run(worst=math.nan, passed=False)
    (row,) = bound_figure([replace(run, accuracy=replace(run.accuracy, unwritten=90))]).rows
    assert (row.value, row.note) == ("not written", "WRONG · 90 elements were never written")
    assert "90 elements were never written" in row.tooltip
    assert bound_figure([run]).rows[0].value == "not a number"


def test_that_no_error_at_all_lies_far_below_the_bound(make_run: Any) -> None:
    figure = bound_figure([make_run(worst=0.0), make_run("naive", worst=0.0)])
    assert figure.axis.low < 64.0 / 100
    assert 64.0 < figure.axis.high < 640.0


def test_that_one_sentence_says_whether_all_results_are_right_and_which_is_nearest_to_its_bound(make_run: Any) -> None:
    runs = [make_run(worst=4.0), make_run("naive", worst=16.0)]
    assert bound_figure(runs).notes[0] == "both results are right: nearest to its bound is naive, at 25 % of it"
    alike = [*runs, make_run("tiled_padded", worst=16.0)]
    assert bound_figure(alike).notes[0].endswith("nearest to their bounds are naive and tiled_padded, at 25 %")
    assert bound_figure(alike[1:]).notes[0] == "both results are right: each at 25 % of its bound"
    assert bound_figure(runs[1:]).notes[0] == "the result is right: error 25 % of the allowed bound"
    assert bound_figure([make_run(worst=0.0), make_run("naive", worst=0.0)]).notes[0].endswith("none has an error")
    wrong = make_run("naive", worst=9000.0, passed=False)
    assert bound_figure([*runs, wrong]).notes[0].startswith("wrong among 3 results: naive")


def test_that_r_is_what_the_kernels_compute(make_run: Any) -> None:
    plain = make_run()
    spec = replace(plain.spec, kernel="mine", computes="C = 1.5·A·B + 0.5·C; A column by column")
    scaled = replace(plain, spec=spec)
    assert "R: the float64 product A·B of the same inputs" in relative_figure([plain]).notes
    assert "R: 1.5·A·B + 0.5·C of the same inputs in float64, with C as the launch found it" in (
        relative_figure([scaled]).notes
    )
    assert "R: A·B or 1.5·A·B + 0.5·C of the same inputs" in " ".join(relative_figure([plain, scaled]).notes)
    assert "G = |A|·|B|; a correct sum of K products in float32 stays below K" in " ".join(bound_figure([plain]).notes)
    notes = " ".join(bound_figure([scaled]).notes)
    assert "G = |alpha|·|A|·|B| + |beta|·|C|" in notes
    assert "stays below K + 2" in notes
    bare = replace(plain, spec=replace(spec, computes="C = -2·A·B"))
    assert "R: -2·A·B of the same inputs in float64" in relative_figure([bare]).notes, "C is not read"
