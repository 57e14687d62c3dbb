import math

import numpy as np
import pytest

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.runs.result import FloatColumn, Timing
from gemmviz.domain.runs.whole_runs import NO_WHOLE_RUNS, WholeRun, WholeRuns, whole_runs_of
from gemmviz.domain.runs.whole_words import (
    BUSY,
    ESTIMATED,
    SEPARATE,
    UNSETTLED,
    WHY_UNKNOWN,
    differences_note,
    parts_notes,
    spread_words,
    whole_cells,
    why_kernel_differs,
    why_launch_differs,
    why_whole_is_shorter,
)
from gemmviz.domain.session.session import load_session
from gemmviz.domain.terms import Mode, StopReason

OWN = np.array([2.0, 2.0, 2.0, 2.0, 2.1])
"""Samples of the kernel in ms."""


def timing(
    whole: WholeRuns,
    mode: Mode = Mode.COLD,
    launches: int = 1,
    stopped_by: StopReason = StopReason.STEADY,
    own: FloatColumn = OWN,
    waited: FloatColumn | None = None,
) -> Timing:
    return Timing(mode, own, own if waited is None else waited, launches, 0, stopped_by, 3.0, 9.0, 0.01, whole)


def test_that_the_parts_told_are_those_of_the_median_run_and_add_up_to_the_median() -> None:
    slow_in, slow_kernel, usual = WholeRun(9.0, 2.0, 1.0, 12.5), WholeRun(1.0, 6.0, 1.0, 8.5), WholeRun(1, 2, 1, 9.0)
    whole = whole_runs_of([slow_in, slow_kernel, usual]).time(OWN)
    assert (whole.median, whole.n, whole.is_estimate) == (9.0, 3, False)
    assert whole.parts == (1.0, 2.0, 5.0, 1.0)
    assert whole.iqr == pytest.approx(float(np.subtract(*np.percentile([12.5, 8.5, 9.0], [75, 25]))))


def test_that_of_an_even_number_the_nearest_run_is_scaled_to_the_median() -> None:
    whole = whole_runs_of([WholeRun(1.0, 2.0, 1.0, 5.0), WholeRun(3.0, 2.0, 1.0, 7.0)]).time(OWN)
    assert whole.median == 6.0
    assert sum(whole.parts) == pytest.approx(6.0)
    assert whole.in_ms == pytest.approx(1.2)


def test_that_without_a_whole_run_there_is_no_figure() -> None:
    whole = NO_WHOLE_RUNS.time(OWN)
    assert whole.n == 0
    assert all(math.isnan(value) for value in (whole.median, whole.iqr, *whole.parts))


@pytest.mark.parametrize(("whole_ms", "waiting_ms"), [(6.0, 1.5), (4.5, 0.0)])
def test_that_one_figure_of_an_earlier_version_is_shared_out_and_said_to_be_an_estimate(whole_ms, waiting_ms) -> None:
    whole = whole_runs_of([WholeRun(1.0, math.nan, 1.5, whole_ms)]).time(OWN)
    assert whole.is_estimate
    assert not whole.are_parts_unknown
    assert whole.parts == (1.0, 2.0, waiting_ms, 1.5)
    assert sum(whole.parts) == whole.median == whole_ms
    assert spread_words(whole) == "IQR and n unknown"
    assert parts_notes([whole]) == (ESTIMATED,)


@pytest.mark.parametrize("whole_ms", [4.4, 3.5, 2.0, 0.0, math.inf])
def test_that_parts_longer_than_an_earlier_whole_are_unknown_and_have_no_cells(whole_ms) -> None:
    whole = whole_runs_of([WholeRun(1.0, math.nan, 1.5, whole_ms)]).time(OWN)
    assert whole.are_parts_unknown
    assert all(map(math.isnan, whole.parts))
    assert whole.median == whole_ms
    assert parts_notes([whole]) == (WHY_UNKNOWN,)
    assert whole_cells(whole) == ("", "", "", "", whole_ms, "", "")


@pytest.mark.parametrize("example", load_examples(), ids=lambda example: example.path.stem)
def test_that_the_kernel_of_an_example_takes_about_as_long_end_to_end_as_in_its_own_samples(example) -> None:
    for run in load_session(example.path).runs:
        ratio = run.timing.whole.kernel_ms / np.median(run.timing.kernel_samples_ms)
        whole = run.timing.whole  # matrices that were just copied may still be in the caches; samples flush them
        assert whole.are_parts_unknown or 0.7 < ratio < 1.2, run.spec.kernel
        assert whole.are_parts_unknown or sum(whole.parts) == pytest.approx(whole.median), run.spec.kernel


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ([1.0, 2.0, 1.0], "no whole runs of 4 each"),
        ([1.0, 2.0, 1.0, 3.9], "shorter than its parts"),
        ([-1.0, 2.0, 1.0, 9.0], "below 0"),
    ],
)
def test_that_figures_that_are_no_whole_run_are_refused(row, fault) -> None:
    with pytest.raises(ValueError, match=fault):
        WholeRuns(np.array(row))


def test_that_a_difference_between_the_kernels_times_is_explained() -> None:
    warm = timing(whole_runs_of([WholeRun(1.0, 1.2, 1.0, 3.3)]))
    assert "1.20 ms in the end-to-end run but 2.00 ms in samples of the kernel alone" in why_kernel_differs(warm)
    assert "may be cached" in why_kernel_differs(warm)
    single = timing(whole_runs_of([WholeRun(1.0, 3.0, 1.0, 5.1)]), Mode.HOT, launches=7)
    assert "batches of launches (7 each) with warm caches" in why_kernel_differs(single)
    assert "at another time" in why_kernel_differs(timing(whole_runs_of([WholeRun(1.0, 3.0, 1.0, 5.1)])))


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("kernel_ms", [0.4, 3.6])
def test_that_the_caches_are_not_blamed_for_more_than_copying_a_and_b_could_cost(mode, kernel_ms) -> None:
    """A and B were copied in 0.3 ms, and the kernel's times differ by 1.6 ms."""
    assert why_kernel_differs(timing(whole_runs_of([WholeRun(0.3, kernel_ms, 0.1, 4.5)]), mode)).endswith(f": {BUSY}")


def test_that_samples_that_are_few_or_did_not_settle_explain_nothing() -> None:
    warm = whole_runs_of([WholeRun(1.0, 1.2, 1.0, 3.3)])
    assert why_kernel_differs(timing(warm, stopped_by=StopReason.TIME_LIMIT)).endswith(f": {UNSETTLED}")
    assert why_kernel_differs(timing(warm, own=OWN[:3])).endswith(f": {UNSETTLED}")


def test_that_no_difference_is_not_explained() -> None:
    assert why_kernel_differs(timing(whole_runs_of([WholeRun(1.0, 2.05, 1.0, 4.1)]))) == ""
    assert why_kernel_differs(timing(whole_runs_of([WholeRun(1.0, 1.9, 1.0, 4.1)]))) == "", "within 10 %"
    assert why_kernel_differs(timing(whole_runs_of([WholeRun(1.0, math.nan, 1.0, 9.0)]))) == ""
    assert why_kernel_differs(timing(NO_WHOLE_RUNS)) == ""


def test_that_a_spread_is_told_with_its_number() -> None:
    runs = [WholeRun(1.0, 2.0, 1.0, whole) for whole in (9.0, 9.25, 9.5, 9.75, 10.0)]
    assert spread_words(whole_runs_of(runs).time(OWN)) == "IQR 0.50 ms · n 5"
    assert spread_words(whole_runs_of(runs[:1]).time(OWN)) == "n 1"


def test_that_a_whole_that_is_shorter_than_its_kernels_median_is_explained() -> None:
    shorter = timing(whole_runs_of([WholeRun(0.1, 1.2, 0.1, 1.5)]))
    said = why_whole_is_shorter(shorter)
    assert said == f"T{why_kernel_differs(shorter)[1:]}."
    assert "1.20 ms in the end-to-end run but 2.00 ms in samples of the kernel alone" in said
    assert why_whole_is_shorter(timing(whole_runs_of([WholeRun(1.0, 1.2, 1.0, 3.3)]))) == ""
    assert why_whole_is_shorter(timing(NO_WHOLE_RUNS)) == ""


def test_that_a_whole_that_is_shorter_than_launching_and_waiting_alone_is_explained() -> None:
    whole, steady, wide = whole_runs_of([WholeRun(0.2, 2.0, 0.2, 3.0)]), np.full(5, 4.0), np.geomspace(1.0, 16.0, 5)
    said = why_whole_is_shorter(timing(whole, waited=steady))
    assert said == (
        "The end-to-end run takes 3.00 ms, copies included, but launching the kernel alone and waiting for it 4.00 ms "
        f"by the host clock: {SEPARATE}."
    )
    assert UNSETTLED in why_whole_is_shorter(timing(whole, waited=wide))
    short = whole_runs_of([WholeRun(0.1, 0.5, 0.1, 0.96)])
    own = np.full(5, 0.5)
    said = why_launch_differs(timing(short, own=own, waited=own * 2))
    assert "takes 0.960 ms, copies included" in said, "in one unit"
    assert "waiting for it 1.00 ms" in said
    assert why_launch_differs(timing(whole, waited=np.full(5, 2.5))) == ""
    assert why_launch_differs(timing(NO_WHOLE_RUNS, waited=steady)) == ""


@pytest.mark.parametrize(
    ("differ", "words"),
    [
        ({"a": "BUSY"}, "a (BUSY)"),
        ({"a": "BUSY", "c": "BUSY"}, "a and c (BUSY)"),
        ({"a": "BUSY", "b": "COLD", "c": "BUSY", "d": "COLD"}, "a and c (BUSY); b and d (COLD)"),
        (dict.fromkeys("abcd", "BUSY"), "a, b, c and d (BUSY)"),
        (dict.fromkeys("abcdef", "BUSY"), "a, b, c and 3 more (BUSY)"),
    ],
)
def test_that_a_note_names_the_kernels_whose_times_differ(differ: dict[str, str], words: str) -> None:
    note = differences_note([differ.get(name, "") for name in "abcdef"], list("abcdef"))
    assert note == f"the kernel takes another time within the end-to-end run than alone: {words}"


def test_that_nothing_is_noted_where_no_time_differs() -> None:
    assert differences_note(["", ""], ["a", "b"]) == ""
