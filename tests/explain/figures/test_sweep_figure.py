from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gemmviz.domain.runs.doubts import TIME_RAN_OUT
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.terms import StopReason, Verdict
from gemmviz.explain.figures.figure import Form, Look, Tone
from gemmviz.explain.figures.sweep import (
    AS_FAST,
    FASTEST,
    LOWEST,
    SLOWER,
    UNRANKED,
    choices_of,
    fastest_of,
    meanings_of,
    sweep_figure,
    sweep_table,
    sweep_words,
    sweeps_of,
    verdict_words,
)


@pytest.fixture
def sweep(make_run: Any) -> list[RunResult]:
    """TILE 32, 2, 16, 8: 8 is the best, 16 within the noise of it."""
    noise = np.random.default_rng(0).normal(0.0, 0.02, (4, 40))
    times = zip((32, 2, 16, 8), (2.0, 9.0, 1.001, 1.0), noise, strict=True)
    return [
        make_run(ms=tuple((ms * (1 + noise)).tolist()), params=(("TILE", tile), ("F", 1)), sweep=3)
        for tile, ms, noise in times
    ]


def test_that_one_varied_parameter_is_shown_in_its_order(sweep: list[RunResult]) -> None:
    figure = sweep_figure(sweep)
    assert figure.upright
    assert [row.name for row in figure.rows] == ["2", "8", "16", "32"]
    assert "TILE" in figure.title
    assert "all with F=1" in figure.notes


def test_that_the_axis_ends_near_settings_that_differ_by_little(make_run: Any) -> None:
    runs = [make_run(sweep=1, ms=(ms,) * 8, params=(("TILE", tile),)) for tile, ms in ((8, 0.33), (16, 0.41))]
    axis = sweep_figure(runs).axis
    assert 0.28 < axis.low < 0.33
    assert 0.41 < axis.high < 0.48


def test_that_the_best_median_is_named_and_what_is_not_slower_is_left_open(sweep: list[RunResult]) -> None:
    figure = sweep_figure(sweep)
    notes = [row.note for row in figure.rows]
    assert notes.count("lowest") == 1
    assert [row.note for row in figure.rows if row.tone is Tone.GOOD] == ["lowest"]
    assert {row.tone for row in figure.rows if row.note != "lowest"} == {Tone.OPEN}, "the winner is the strongest"
    assert (notes[0], notes[3]) == ("slower", "slower")
    assert {notes[1], notes[2]} <= {"lowest", "as fast", "unclear"}
    by_look = {one.look: one.places.tolist() for one in figure.series if one.form is Form.DOTS}
    assert by_look[Look.SLOWER] == [0, 3]
    assert by_look[Look.OPEN] == [1, 2]
    assert Look.BEST not in by_look


def test_that_the_best_is_called_that_only_where_all_others_are_slower(sweep: list[RunResult]) -> None:
    figure = sweep_figure([run for run in sweep if dict(run.spec.params)["TILE"] != 16])
    assert [row.note for row in figure.rows] == [SLOWER, FASTEST, SLOWER]
    assert [row.tone for row in figure.rows] == [Tone.OPEN, Tone.GOOD, Tone.OPEN]
    assert {one.look for one in figure.series if one.form is Form.DOTS} == {Look.SLOWER, Look.BEST}


def test_that_rows_of_the_table_have_the_number_of_the_run_among_all(sweep: list[RunResult], make_run: Any) -> None:
    table = sweep_table([make_run(), *sweep])
    assert [(row["row"], row["params"]) for row in table.rows] == [
        (3, "TILE=2 F=1"),
        (5, "TILE=8 F=1"),
        (4, "TILE=16 F=1"),
        (2, "TILE=32 F=1"),
    ]


def test_that_pairs_are_judged_and_not_medians_alone(make_run: Any) -> None:
    drift = np.linspace(1.0, 5.0, 30)
    runs = [
        make_run(ms=tuple((times * drift).tolist()), params=(("TILE", tile),), sweep=1)
        for tile, times in ((8, 1.0), (16, 1.1))
    ]
    assert [choice.words for choice in choices_of(runs, 1)] == [FASTEST, SLOWER]


def test_that_too_few_pairs_tell_nothing(make_run: Any) -> None:
    runs = [make_run(ms=ms, params=(("TILE", tile),), sweep=1) for tile, ms in ((8, 1.0), (16, 100.0))]
    assert [choice.words for choice in choices_of(runs, 1)] == [LOWEST, UNRANKED]


def test_that_several_varied_parameters_are_sorted_by_time(make_run: Any) -> None:
    runs = [
        make_run(ms=ms, params=(("BM", bm), ("TM", tm)), sweep=1)
        for bm, tm, ms in ((32, 4, 3.0), (64, 4, 1.0), (64, 8, 2.0))
    ]
    figure = sweep_figure(runs)
    assert not figure.upright
    assert [row.name for row in figure.rows] == ["BM=64 TM=4", "BM=64 TM=8", "BM=32 TM=4"]


def test_that_the_newest_sweep_is_shown_and_others_on_demand(sweep: list[RunResult], make_run: Any) -> None:
    newer = make_run("naive", params=(("THREAD", 4),), sweep=7)
    runs = [*sweep, make_run(), newer]
    assert sweeps_of(runs) == (3, 7)
    assert len(sweep_figure(runs).rows) == 1
    assert len(sweep_figure(runs, 3).rows) == 4
    assert sweep_words(runs, 3) == "3 · tiled · 64×64×64 · TILE"


def test_that_without_a_sweep_it_says_what_to_do(make_run: Any) -> None:
    figure = sweep_figure([make_run()])
    assert figure.rows == ()
    assert figure.empty.startswith("A sweep times one kernel with every choice of its parameters")
    assert "press Sweep" in figure.empty
    assert sweep_table([make_run()]).rows == ()


def test_that_equal_pairs_are_as_fast_and_unclear_ones_cannot_be_ranked(make_run: Any) -> None:
    ms = tuple(np.linspace(1.0, 1.5, 30).tolist())
    runs = [make_run(ms=ms, params=(("TILE", tile),), sweep=1) for tile in (8, 16)]
    assert [choice.words for choice in choices_of(runs, 1)] == [LOWEST, AS_FAST]
    assert verdict_words(choices_of(runs, 1)) == "lowest median on this GPU: TILE=8; as fast, within 2 %: TILE=16"
    runs[1] = make_run(ms=ms[::-1], params=(("TILE", 16),), sweep=1)
    assert choices_of(runs, 1)[1].words == UNRANKED


def test_that_series_of_unequal_length_are_compared_as_far_as_they_go(make_run: Any) -> None:
    runs = [
        make_run(ms=(1.0,) * 8, params=(("TILE", 8),), sweep=1),
        make_run(ms=(2.0,) * 9, params=(("TILE", 16),), sweep=1),
    ]
    table = sweep_table(runs)
    assert [row["against_best"] for row in table.rows] == [FASTEST, SLOWER]
    assert table.rows[1]["ratio_to_best"] == 2.0


def test_that_the_fastest_setting_and_those_not_clearly_slower_are_told(sweep: list[RunResult]) -> None:
    choices = choices_of(sweep, 3)
    lowest = next(choice for choice in choices if choice.words == LOWEST)
    other = next(choice for choice in choices if choice.words in (AS_FAST, UNRANKED))
    words = f"lowest median on this GPU: {lowest.params}; {other.words}: {other.params}"
    assert verdict_words(choices) == words
    assert sweep_figure(sweep).notes[0] == words
    clear = choices_of([run for run in sweep if dict(run.spec.params)["TILE"] != 16], 3)
    assert verdict_words(clear) == "TILE=8 F=1 is the fastest setting on this GPU"


def test_that_size_device_and_day_stand_below_the_title(sweep: list[RunResult]) -> None:
    figure = sweep_figure(sweep)
    assert figure.title == "Time over TILE: tiled"
    assert figure.subtitle == "Shared-memory tiles  ·  M×N×K = 64×64×64  ·  A GPU  ·  cold caches"


def test_that_many_varied_parameters_are_named_once_above_their_values(make_run: Any) -> None:
    names = ("BM", "BN", "TM", "TN")
    runs = [
        make_run(ms=float(n), params=tuple((name, n + place) for place, name in enumerate(names)), sweep=1)
        for n in (1, 2)
    ]
    figure = sweep_figure(runs)
    assert figure.heads[0] == "BM·BN·TM·TN"
    assert [row.name for row in figure.rows] == ["1·2·3·4", "2·3·4·5"]


def test_that_only_words_that_the_figure_has_are_explained_and_as_it_has_them(sweep: list[RunResult]) -> None:
    as_fast = "means that the whole 95 % interval of the time ratio lies within 2 % of 1"
    unclear = "means that the 95 % interval of the time ratio does not say which one is faster"
    (one,) = (choice for choice in choices_of(sweep, 3) if choice.words in (AS_FAST, UNRANKED))
    fast, unranked = (replace(one, verdict=verdict) for verdict in (Verdict.SAME, Verdict.CANNOT_TELL))
    assert meanings_of([fast]) == (f"“as fast, within 2 %” {as_fast}",)
    assert meanings_of([fast, unranked], is_short=True) == (f"“as fast” {as_fast}", f"“unclear” {unclear}")
    for runs in (sweep, [run for run in sweep if dict(run.spec.params)["TILE"] != 16]):
        figure = sweep_figure(runs)
        told = [note.partition("”")[0].removeprefix("“") for note in figure.notes if note.startswith("“")]
        assert told == [words for words in ("as fast", "unclear") if words in {row.note for row in figure.rows}]


def test_that_the_axis_and_the_tooltips_of_a_sweep_have_the_unit_of_its_rows(sweep: list[RunResult]) -> None:
    figure = sweep_figure(sweep)
    assert figure.axis.unit == "ms"
    assert all(f"\n{row.value}, " in row.tooltip for row in figure.rows)


def test_that_a_setting_with_a_wrong_result_is_never_the_fastest(make_run: Any) -> None:
    runs = [
        make_run(sweep=1, ms=(ms,) * 8, params=(("TILE", tile),), passed=tile != 8)
        for tile, ms in ((8, 0.1), (16, 2.0), (32, 5.0))
    ]
    choices = choices_of(runs, 1)
    assert [choice.words for choice in choices] == ["WRONG", FASTEST, SLOWER]
    assert fastest_of(choices) is choices[1]
    assert verdict_words(choices).startswith("TILE=16 is the fastest")
    figure = sweep_figure(runs)
    assert [row.tone for row in figure.rows] == [Tone.WRONG, Tone.GOOD, Tone.OPEN]
    assert figure.rows[0].note == figure.rows[0].flag == "WRONG"
    assert [(one.words, one.places.tolist()) for one in figure.series if one.look is Look.WRONG] == [
        ("wrong result", [0])
    ]
    table = sweep_table(runs).rows
    assert (table[0]["against_best"], table[0]["passed"]) == ("WRONG", "false")


def test_that_no_setting_is_the_fastest_where_all_results_are_wrong(make_run: Any) -> None:
    runs = [make_run(sweep=1, ms=ms, params=(("TILE", 8 + ms),), passed=False) for ms in (1, 2)]
    assert fastest_of(choices_of(runs, 1)) is None
    assert {choice.words for choice in choices_of(runs, 1)} == {"WRONG"}
    assert verdict_words(choices_of(runs, 1)) == ""


def test_that_a_setting_whose_time_ran_out_is_marked_and_the_mark_explained(sweep: list[RunResult]) -> None:
    limited = [replace(run, timing=replace(run.timing, stopped_by=StopReason.TIME_LIMIT)) for run in sweep[:1]]
    figure = sweep_figure([*limited, *sweep[1:]])
    assert figure.rows[3].note == "slower *"
    assert figure.rows[3].flag == "*"
    assert not any("*" in row.note for row in figure.rows[:3])
    assert TIME_RAN_OUT in figure.notes
    assert TIME_RAN_OUT not in sweep_figure(sweep).notes
