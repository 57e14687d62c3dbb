from typing import Any

import numpy as np
import pytest

from gemmviz.domain.runs.baselines import Baseline, baselines_of, comparable_of
from gemmviz.domain.terms import Fill, Mode
from gemmviz.explain.figures.figure import Look, Tone
from gemmviz.explain.figures.timing.speedup_figure import (
    CONDITIONS,
    DRIFT,
    INTERVAL_BAR,
    MIXED_DRIFT,
    PLAIN_DRIFT,
    QUARTILE_BAR,
    speedup_figure,
    speedup_table,
    unranked_words,
)


def test_that_the_first_cpu_variant_is_what_others_are_against(make_run: Any, cpu_run: Any) -> None:
    runs = [make_run(ms=2.0), cpu_run("cpu_blas", 6.0), cpu_run("cpu_ijk", 100.0), cpu_run("cpu_blas", 6.0)]
    assert baselines_of(runs) == (Baseline("cpu_blas"), Baseline("cpu_ijk"))
    figure = speedup_figure(runs)
    assert "cpu_blas" in figure.title
    assert figure.rows[0].value == "3.00×"
    assert speedup_figure(runs, Baseline("cpu_ijk")).rows[0].value == "50×"


def test_that_without_a_cpu_variant_it_says_what_to_do(make_run: Any) -> None:
    figure = speedup_figure([make_run()])
    assert figure.rows == ()
    assert "CPU kernel" in figure.empty
    assert "Tick another kernel" in figure.empty


def test_that_kernels_of_a_device_alone_are_held_against_the_slowest_or_a_chosen_one(make_run: Any) -> None:
    earlier = make_run("naive", ms=90.0, size=(8, 8, 8))
    runs = [earlier, make_run("tiled", ms=2.0), make_run("naive", ms=60.0), make_run("naive_1d", ms=30.0)]
    slowest, *others = comparable_of(runs)
    assert [slowest.name, *(one.name for one in others)] == ["naive", "naive_1d", "tiled"]
    figure = speedup_figure(runs)
    assert figure.title.startswith("Speed-up against naive")
    assert [row.value for row in figure.rows] == ["1×", "30.0×", "1×", "2.00×"]
    assert speedup_figure(runs, others[0]).rows[1].value == "15.0×"
    assert comparable_of(runs[2:3]) == ()


def test_that_separate_series_are_called_that(make_run: Any, cpu_run: Any) -> None:
    row = speedup_figure([make_run(ms=2.0), cpu_run(ms=6.0)]).rows[0]
    assert row.note == "faster"
    assert "from separate series" in row.tooltip
    assert speedup_figure([make_run(ms=2.0), cpu_run(ms=6.0)]).essential == (DRIFT,)
    assert speedup_figure([make_run(ms=9.0), cpu_run(ms=6.0)]).rows[0].note == "slower"


def test_that_a_chart_without_series_has_the_verdict_alone(make_run: Any, cpu_run: Any) -> None:
    figure = speedup_figure([make_run(ms=2.0), cpu_run(ms=6.0)], with_series=False)
    assert figure.rows[0].note == "faster"
    assert not {DRIFT, CONDITIONS, QUARTILE_BAR} & set(figure.notes)
    assert PLAIN_DRIFT in figure.notes, "a verdict between separate series has its caveat everywhere"
    assert QUARTILE_BAR in speedup_figure([make_run(ms=2.0), cpu_run(ms=6.0)]).notes
    assert figure.essential == (PLAIN_DRIFT,)


def test_that_what_a_verdict_means_is_said_where_it_is(make_run: Any, cpu_run: Any) -> None:
    known, unknown = [make_run(ms=2.0), cpu_run(ms=6.0)], [make_run(ms=(1.0, 2.0, 3.0)), cpu_run(ms=(2.0, 3.0, 4.0))]
    assert not any("cannot be ranked" in note for note in speedup_figure(known).notes)
    figure = speedup_figure(unknown)
    assert unranked_words([figure.rows[0].name]) in figure.notes, "which kernel, and why"


@pytest.mark.parametrize(("ms", "verdict"), [(6.2, "cannot be ranked"), (6.4, "faster"), (5.5, "slower")])
def test_that_kernels_timed_one_after_the_other_are_ranked_from_five_percent_on(
    make_run: Any, cpu_run: Any, ms: float, verdict: str
) -> None:
    assert speedup_figure([make_run(ms=6.0), cpu_run(ms=ms)]).rows[0].note == verdict


def test_that_overlapping_intervals_give_no_verdict(make_run: Any, cpu_run: Any) -> None:
    runs = [make_run(ms=(1.0, 2.0, 3.0)), cpu_run(ms=(2.0, 3.0, 4.0))]
    figure = speedup_figure(runs)
    row = figure.rows[0]
    assert (row.value, row.tone) == ("≈ 1.5×", Tone.OPEN)
    assert "cannot be ranked" in row.note
    (unsure,) = [one for one in figure.series if one.look is Look.OPEN]
    assert unsure.values.tolist() == [1.5]
    assert (unsure.low.tolist(), unsure.high.tolist()) == ([1.0], [pytest.approx(7 / 3)])


def test_that_medians_a_factor_apart_are_ranked_however_noisy_they_are(make_run: Any, cpu_run: Any) -> None:
    noisy = make_run(ms=(1.0, 40.0, 90.0))
    assert speedup_figure([noisy, cpu_run(ms=(1.0, 2.0, 3.0))]).rows[0].note == "slower ~"
    rough = speedup_figure([noisy, cpu_run(ms=(1500.0, 1545.0, 1600.0))]).rows[0]
    assert rough.value == "roughly 23 to 77×", "the mark is at 38.6"
    assert speedup_figure([noisy, cpu_run(ms=(70.0, 80.0, 90.0))]).rows[0].note == "faster ~"


def test_that_the_baseline_is_1_by_definition(make_run: Any, cpu_run: Any) -> None:
    row = speedup_figure([make_run(), cpu_run(ms=(1.0, 5.0, 9.0))]).rows[1]
    assert (row.value, row.note, row.flag) == ("1×", "the baseline ~", "~"), "its three samples lie far apart"


@pytest.mark.parametrize("other", [{"size": (64, 64, 65)}, {"fill": Fill.ONES}, {"mode": Mode.HOT}])
def test_that_only_equal_conditions_are_compared(make_run: Any, cpu_run: Any, other: dict[str, Any]) -> None:
    runs = [make_run(ms=2.0, **other), cpu_run(ms=6.0)]
    figure = speedup_figure(runs)
    assert figure.rows[0].value == "no baseline"
    assert all(0 not in one.places for one in figure.series)
    row = speedup_table(runs).rows[0]
    assert [row[name] for name in ("baseline_row", "speedup", "low", "high")] == [""] * 4


def test_that_the_newest_run_of_the_baseline_counts(make_run: Any, cpu_run: Any) -> None:
    table = speedup_table([cpu_run(ms=6.0), make_run(ms=2.0), cpu_run(ms=8.0)])
    assert (table.rows[1]["speedup"], table.rows[1]["baseline_row"]) == (4.0, 3)


def test_that_samples_taken_in_turn_are_judged_pair_by_pair(make_run: Any, cpu_run: Any) -> None:
    drift = np.linspace(1.0, 9.0, 40)  # far wider than the difference, but common to both
    runs = [
        make_run(ms=tuple(drift.tolist()), sweep=5),
        cpu_run(ms=tuple((1.5 * drift).tolist()), sweep=5),
        cpu_run(ms=tuple((9.0 * drift).tolist())),
    ]
    row = speedup_table(runs).rows[0]
    assert row["speedup"] == pytest.approx(1.5)
    assert (row["verdict"], row["series"], row["baseline_row"]) == ("faster", "sampled in turn", 2)
    assert speedup_figure(runs).rows[0].note == "faster ~", "nothing to tell it from: all were sampled in turn"
    mixed = speedup_figure([*runs[:2], make_run(ms=3.0)])
    assert mixed.rows[0].note == "faster · sampled in turn ~"
    assert "in turn" not in mixed.rows[2].note
    assert MIXED_DRIFT in mixed.notes
    assert INTERVAL_BAR in speedup_figure(runs[:2]).notes
    assert QUARTILE_BAR not in speedup_figure(runs[:2]).notes
    assert DRIFT not in speedup_figure(runs[:2]).notes
    assert speedup_figure(runs[:2]).essential == ()


def test_that_a_time_of_zero_gives_no_crash(make_run: Any, cpu_run: Any) -> None:
    figure = speedup_figure([make_run(ms=(0.0, 0.0)), cpu_run(ms=6.0), cpu_run("cpu_blas", (0.0, 0.0))])
    assert [edge.words for edge in figure.edges] == ["infinite", "infinite"]
