"""Which recordings tell the bytes of a run, and how near an estimate comes; of kernels that were really recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from gpu_runs import made_roofs
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.cli.app import run_app
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.figures.figure import Look
from gemmviz.explain.figures.roofline.bytes import AS_WRITTEN_NOTE
from gemmviz.explain.figures.roofline.roofline import roofline_figure, roofline_of, roofline_table
from gemmviz.explain.figures.traffic.run_traffic import ideal_bytes_of_run, traffic_of_run, why_unknown
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.trace.explain import totals_of

Recorded = Callable[..., TraceRun]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Records a kernel, once for the same words."""
    folder, known = tmp_path_factory.mktemp("recorded"), dict[tuple[str, ...], TraceRun]()

    def make(*words: str) -> TraceRun:
        if words not in known:
            path = folder / f"{len(known)}.gemmviz"
            kernel, size, *more = words
            assert run_app(["trace", "--kernel", kernel, "--size", size, *more, "--out", str(path)]) == 0
            (known[words],) = load_session(path).traces
        return known[words]

    return make


def run_of(make_run: Callable[..., RunResult], whole: TraceRun) -> RunResult:
    """A run of what was recorded."""
    shape = whole.spec.shape
    made = make_run(whole.spec.kernel, params=whole.spec.params, size=(shape.m, shape.n, shape.k))
    return replace(made, launch=whole.launch)


def test_that_a_complete_recording_of_the_runs_size_is_no_estimate(
    recorded: Recorded, make_run: Callable[..., RunResult]
) -> None:
    whole, part = recorded("tiled", "48x48x24", "--all-blocks"), recorded("tiled", "32x32x16")
    found = traffic_of_run(run_of(make_run, whole), [part, whole, part])
    assert found is not None
    assert (found.nbytes, found.is_estimate) == (totals_of(whole).bytes_moved, False)


@pytest.mark.parametrize("kernel", ["tiled", "naive", "naive_uncoalesced"])
def test_that_a_block_like_those_of_the_run_tells_what_the_whole_run_fetches(
    recorded: Recorded, make_run: Callable[..., RunResult], kernel: str
) -> None:
    whole, part = recorded(kernel, "48x48x24", "--all-blocks"), recorded(kernel, "32x32x16")
    found = traffic_of_run(run_of(make_run, whole), [part])
    assert found is not None
    assert found.is_estimate
    assert found.source == "1 block recorded at 32×32×16"
    assert found.nbytes == pytest.approx(totals_of(whole).bytes_moved)


def test_that_sums_in_global_memory_scale_with_the_multiply_adds(
    recorded: Recorded, make_run: Callable[..., RunResult]
) -> None:
    kernel = "global_accumulate"
    whole, part = recorded(kernel, "48x48x24", "--all-blocks"), recorded(kernel, "32x32x16")
    found = traffic_of_run(run_of(make_run, whole), [part])
    assert found is not None
    assert found.nbytes == pytest.approx(totals_of(whole).bytes_moved, rel=0.05)


@pytest.mark.parametrize(
    ("size", "block"),
    [("20x20x16", "1,1"), ("32x32x15", "0,0"), ("32x35x16", "0,0")],
    ids=["a block that the edge cuts off", "rows of A that begin elsewhere", "rows of B that begin elsewhere"],
)
def test_that_no_other_block_is_used(
    recorded: Recorded, make_run: Callable[..., RunResult], size: str, block: str
) -> None:
    whole, part = recorded("tiled", "48x48x24", "--all-blocks"), recorded("tiled", size, "--block", block)
    assert traffic_of_run(run_of(make_run, whole), [part]) is None


def test_that_another_kernel_or_other_parameters_tell_nothing(
    recorded: Recorded, make_run: Callable[..., RunResult]
) -> None:
    whole = recorded("tiled", "48x48x24", "--all-blocks")
    run = run_of(make_run, whole)
    other = replace(whole, spec=replace(whole.spec, params=(("TILE", 8),)))
    assert traffic_of_run(run, [recorded("naive", "48x48x24", "--all-blocks"), other]) is None
    assert traffic_of_run(run, []) is None


def test_that_an_arrow_leads_from_the_ideal_to_the_recorded_bytes(
    recorded: Recorded, make_run: Callable[..., RunResult]
) -> None:
    whole, part = recorded("tiled", "48x48x24", "--all-blocks"), recorded("naive", "32x32x16")
    run = run_of(make_run, whole)
    guessed = replace(run, spec=replace(run.spec, kernel="naive", params=part.spec.params))
    bare = replace(run, spec=replace(run.spec, kernel="mine"))
    points = roofline_of([run, guessed, bare], (), [whole, part]).points
    flop = Shape(48, 48, 24).flop
    assert points[0].moved == pytest.approx(flop / totals_of(whole).bytes_moved)
    assert points[0].moved < points[0].intensity
    assert [point.inside for point in points] == [Look.AT_RECORDED, Look.AT_ESTIMATED, Look.AT_IDEAL]
    assert "(as written, recorded)" in points[0].tooltip
    assert "≈" in points[1].tooltip
    assert "(as written, estimated from 1 block recorded at 32×32×16)" in points[1].tooltip
    axis = roofline_of([run, guessed, bare], (), [whole, part]).x
    assert all(axis.low < point.stand <= point.intensity < axis.high for point in points)


def test_that_the_table_says_which_bytes_are_estimated(recorded: Recorded, make_run: Callable[..., RunResult]) -> None:
    whole, part = recorded("tiled", "48x48x24", "--all-blocks"), recorded("tiled", "32x32x16")
    run = run_of(make_run, whole)
    for traces, kind in (([whole], "recorded"), ([part], "estimated"), ([], "")):
        (row,) = roofline_table([run], (), traces).rows
        assert row["moved_bytes_are"] == kind
        assert row["ideal_bytes"] == 4 * (48 * 24 + 24 * 48 + 48 * 48)
        assert (row["moved_bytes"] == "") == (kind == "")


COMPILED = ".version 8.0\n.target sm_90a\n"


def test_that_a_recording_as_compiled_comes_before_one_as_written(
    recorded: Recorded, make_run: Callable[..., RunResult]
) -> None:
    """Even an estimate from blocks as compiled: that is the form that was timed."""
    kernel = "global_accumulate"
    whole, part = recorded(kernel, "48x48x24", "--all-blocks"), recorded(kernel, "32x32x16")
    compiled, run = replace(part, instrumented_text=COMPILED), run_of(make_run, whole)
    for traces, form, is_estimate in (
        ([whole, compiled], CodeForm.AS_COMPILED, True),
        ([whole], CodeForm.AS_WRITTEN, False),
        ([replace(whole, instrumented_text=COMPILED), part], CodeForm.AS_COMPILED, False),
    ):
        found = traffic_of_run(run, traces)
        assert found is not None
        assert (found.form, found.is_estimate) == (form, is_estimate)
        assert roofline_table([run], (), traces).rows[0]["moved_bytes_form"] == form.value


def test_that_a_slide_says_why_some_marks_have_no_arrow(recorded: Recorded, make_run: Callable[..., RunResult]) -> None:
    traces = [recorded(kernel, "48x48x24", "--all-blocks") for kernel in ("tiled", "naive")]
    runs, why = [run_of(make_run, one) for one in traces], "no arrow: not recorded at a size that fits"
    assert why not in roofline_figure(runs, (), traces).essential
    assert roofline_figure(runs, (), traces[:1]).essential.index(why) == 1
    assert why not in roofline_figure(runs, ()).essential, "where no mark has an arrow, none is missed"


def test_that_bytes_as_written_are_told_at_the_mark_and_in_a_note(
    recorded: Recorded, make_run: Callable[..., RunResult]
) -> None:
    written, other = recorded("tiled", "48x48x24", "--all-blocks"), recorded("naive", "48x48x24", "--all-blocks")
    compiled, runs = replace(other, instrumented_text=COMPILED), [run_of(make_run, one) for one in (written, other)]

    def told(traces: list[TraceRun]) -> tuple[list[str], str, bool]:
        figure = roofline_figure(runs, (), traces)
        (words,) = (one.words for one in figure.series if one.look is Look.AT_RECORDED)
        names = [point.name for point in roofline_of(runs, (), traces).points]
        in_short = any(note.startswith("bytes as written:") for note in figure.essential)
        assert (AS_WRITTEN_NOTE in figure.notes) == in_short
        return names, words, AS_WRITTEN_NOTE in figure.notes

    assert told([written, compiled]) == (
        ["tiled (source as written)", "naive"],
        "filled: moved bytes, recorded",
        True,
    )
    assert told([written, other]) == (
        ["tiled", "naive"],
        "filled: moved bytes, recorded (source as written)",
        True,
    )
    assert told([compiled]) == (["tiled", "naive"], "filled: moved bytes, recorded", False)


def test_that_a_recording_tells_the_sizes_of_elements_for_the_ideal(
    recorded: Recorded, make_run: Callable[..., RunResult]
) -> None:
    whole = recorded("tiled", "48x48x24", "--all-blocks")
    halves = tuple(replace(array, element_bytes=2) if array.name == "C" else array for array in whole.arrays)
    run = run_of(make_run, whole)
    assert ideal_bytes_of_run(run, [replace(whole, arrays=halves)]) == 4 * 2 * 48 * 24 + 2 * 48 * 48
    assert ideal_bytes_of_run(run, ()) == 4 * (2 * 48 * 24 + 48 * 48)


def test_that_legend_and_notes_say_what_the_marks_are(recorded: Recorded, make_run: Callable[..., RunResult]) -> None:
    whole, part = recorded("tiled", "48x48x24", "--all-blocks"), recorded("tiled", "32x32x16")
    run = run_of(make_run, whole)
    words = {one.look: one.words for one in roofline_figure([run], (), [part]).series}
    assert words[Look.AT_IDEAL] == "hollow: ideal bytes"
    assert words[Look.AT_ESTIMATED] == "half filled, dashed: moved bytes, estimated (source as written)"
    assert words[Look.GPU] == "fp32"
    assert Look.AT_RECORDED not in words
    assert any("not measured" in note for note in roofline_figure([run], (), [part]).notes)
    assert not any("not measured" in note for note in roofline_figure([run], (), [whole]).notes)
    assert any(note.startswith("no arrow: tiled (not recorded); record") for note in roofline_figure([run], ()).notes)
    notes = roofline_figure([run, make_run("mine")], (), [whole]).notes
    assert any(note.startswith("no arrow: mine (not recorded)") for note in notes)


def test_that_the_note_says_why_a_recorded_kernel_has_no_arrow(
    recorded: Recorded, make_run: Callable[..., RunResult]
) -> None:
    """A block of 16 x 16 that is cut off at 8 x 8 is not like those of a large run."""
    run = run_of(make_run, recorded("tiled", "48x48x24", "--all-blocks"))
    small = recorded("tiled", "8x8x8")
    assert traffic_of_run(run, [small]) is None
    assert why_unknown(run, [small]) == "recorded at 8×8×8, where a block is not like a block of the run"
    assert why_unknown(run, []) == "not recorded"


def test_that_the_chart_moves_its_mark_when_a_recording_comes(
    recorded: Recorded, make_run: Callable[..., RunResult], qtbot: QtBot
) -> None:
    whole = recorded("tiled", "48x48x24", "--all-blocks")
    chart = TimingChart()
    qtbot.addWidget(chart)
    chart.resize(700, 500)
    run = run_of(make_run, whole)
    chart.show_runs([run])
    chart.set_view(TimingView.ROOFLINE)
    before = chart.grab().toImage()
    chart.show_runs([run], (), [whole])
    assert chart.grab().toImage() != before
    assert chart.tables()[0].rows[0]["moved_bytes_are"] == "recorded"


def test_that_a_roofline_is_no_higher_because_another_picture_was_made_before(
    make_run: Callable[..., RunResult], qtbot: QtBot
) -> None:
    chart = TimingChart()
    qtbot.addWidget(chart)
    chart.show_runs([make_run(f"k{number}") for number in range(40)])
    chart.set_for_picture(True, 900)
    high = chart.minimumSizeHint().height()
    chart.set_view(TimingView.ROOFLINE)
    chart.set_for_picture(True, 900)
    assert chart.minimumSizeHint().height() <= chart.picture_height(900) < high


def test_that_notes_speak_of_the_slope_only_where_it_is_drawn(
    recorded: Recorded, make_run: Callable[..., RunResult]
) -> None:
    whole = recorded("tiled", "48x48x24", "--all-blocks")
    run = run_of(make_run, whole)
    with_roofs, without = (roofline_figure([run], roofs, [whole]) for roofs in ([made_roofs(run.device)], []))
    assert roofline_of([run], [made_roofs(run.device)], [whole]).lines
    assert any("slope" in note for note in (*with_roofs.notes, *with_roofs.essential))
    assert not any("slope" in note for note in (*without.notes, *without.essential))
    assert any("before any cache" in note for note in without.notes)


def test_that_a_kernel_above_the_slope_says_so_at_its_mark_and_in_the_first_note() -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "gpu-ladder"))
    runs = [run for run in session.runs if run.spec.kernel in {"naive", "tiled"}]
    names = [point.name for point in roofline_of(runs, session.roofs, session.traces).points]
    assert [name for name in names if name.endswith(" (cached)")] == ["naive (cached)"]
    note = roofline_figure(runs, session.roofs, session.traces).notes[0]
    assert note == "above the slope: naive. Caches serve a part of its bytes, so memory moves fewer"
    assert all("above the slope: " not in note for note in roofline_figure(runs, (), session.traces).notes)
