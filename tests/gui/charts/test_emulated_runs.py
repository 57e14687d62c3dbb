"""Runs on the PTX machine: their times stand in no chart, no ratio and no column of measured times."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gpu_runs import GPU, gpu_run
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.schedulable import why_not_on
from gemmviz.domain.kernels.resources import NO_RESOURCES
from gemmviz.domain.runs.baselines import baseline_places, baselines_of
from gemmviz.domain.runs.doubts import EMULATED
from gemmviz.domain.runs.result import Session, timed_runs
from gemmviz.explain.figures.timing.samples import samples_figure, samples_table
from gemmviz.explain.runs.columns import Key
from gemmviz.explain.runs.rows import row_of
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.runs_chart import NOT_DRAWN, ONLY_EMULATED, RunsPlot, runs_chart
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.export.plan import planned_tables, plots_of
from gemmviz.gui.figures.gpu_section import gpu_section
from gemmviz.gui.figures.last_run import run_section
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.results.compared import with_reference
from gemmviz.gui.results.heading import caption

ON_MACHINE = gpu_run("tiled", (2000.0,), device=emulated("A100", 2**30))
ON_GPU = gpu_run("naive")
LIBRARY = replace(gpu_run("cublas_fp32", registers=0), build="cuBLAS 13")


@pytest.fixture
def chart(qtbot: QtBot) -> TimingChart:
    made = TimingChart(LIGHT)
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize("view", TimingView)
def test_that_no_chart_of_times_draws_them(chart: TimingChart, view: TimingView) -> None:
    chart.show_runs((ON_MACHINE, ON_GPU, LIBRARY))
    chart.set_view(view)
    assert chart.figure is not None
    assert "tiled" not in {row.name for row in chart.figure.rows}
    assert {row["kernel"] for table in chart.tables() for row in table.rows} == {"naive", "cublas_fp32"}
    assert f"1 run on the PTX machine not shown: {NOT_DRAWN}" in chart.figure.notes


def test_that_a_chart_says_why_it_is_empty(chart: TimingChart) -> None:
    chart.show_runs((ON_MACHINE,))
    assert chart.figure is not None
    assert chart.figure.rows == ()
    assert chart.figure.empty == ONLY_EMULATED
    chart.show_runs((ON_GPU,))
    assert not any(NOT_DRAWN in note for note in chart.figure.notes)


def test_that_a_page_of_one_figure_of_times_leaves_them_out_and_offers_no_choice(qtbot: QtBot) -> None:
    spec = runs_chart("oneChart", "Samples", RunsPlot(Plot.SAMPLES, samples_figure, samples_table), timed_only=True)
    chart = spec.make(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs((ON_MACHINE,))
    assert chart.figure is not None
    assert (chart.figure.rows, chart.figure.empty) == ((), ONLY_EMULATED)
    chart.show_runs((ON_MACHINE, ON_GPU))
    assert [row.name for row in chart.figure.rows] == ["naive"]
    assert f"1 run on the PTX machine not shown: {NOT_DRAWN}" in chart.figure.notes
    assert {row["kernel"] for row in chart.tables()[0].rows} == {"naive"}
    spec.set_view(chart, Plot.SAMPLES)
    assert spec.plots_shown(chart) == (Plot.SAMPLES,)
    assert not chart.controls.isVisibleTo(chart)


def test_that_the_class_of_a_chart_of_runs_is_named_after_its_object() -> None:
    spec = runs_chart("oneChart", "Samples", RunsPlot(Plot.SAMPLES, samples_figure, samples_table))
    assert spec.kind.__name__ == "OneChart"


def test_that_no_ratio_is_made_of_them() -> None:
    runs = (LIBRARY, ON_GPU, ON_MACHINE)
    (library,) = baselines_of(runs)
    assert baseline_places(runs, library) == (0, 0, None)
    assert baselines_of((replace(ON_MACHINE, resources=NO_RESOURCES),)) == ()
    assert timed_runs(runs) == (LIBRARY, ON_GPU)


def test_that_an_export_draws_only_their_accuracy() -> None:
    session = Session("2026-01-01T00:00:00+00:00", "1", GPU, 0.0, runs=(ON_MACHINE,))
    assert set(plots_of(session)) == {Plot.ERROR_BOUND, Plot.RELATIVE_ERROR}
    both = replace(session, runs=(ON_MACHINE, ON_GPU))
    kernels = {table.name: {row["kernel"] for row in table.make().rows} for table in planned_tables(both)}
    assert kernels.pop("accuracy") == {"tiled", "naive"}
    assert set.union(*kernels.values()) == {"naive"}


def test_that_the_table_marks_them_and_has_no_time_of_theirs() -> None:
    row = row_of(ON_MACHINE)
    assert row.cell(Key.MEDIAN).text == "emulated"
    assert EMULATED in row.cell(Key.MEDIAN).tip
    assert row.cell(Key.MEDIAN).order is None  # sorted behind all times
    for key in (Key.IQR, Key.SAMPLES, Key.GFLOPS, Key.HOST_CLOCK, Key.MOVED_IN, Key.MOVED_OUT, Key.END_TO_END):
        assert row.cell(key).text == "", key
    assert row.cell(Key.PASSED).text == "passed"
    assert row.cell(Key.DEVICE).text == "PTX machine"
    assert with_reference(row, row_of(ON_GPU)).cell(Key.TIMES_CPU).text == ""


def test_that_the_figures_say_how_long_it_took_and_what_that_is() -> None:
    section = run_section(ON_MACHINE)
    assert [line.words for line in section.lines] == [
        "emulated in",
        "relative error",
        "error / bound",
        "check",
    ]
    assert section.lines[0].evidence == "modelled"
    assert EMULATED in section.note
    assert "Executed on the PTX machine (sm_80 code on a CPU)" in section.note
    taken = gpu_section(ON_MACHINE)
    assert taken is not None
    assert (taken.head, taken.title) == ("As compiled for the GPU", "sm_80")
    assert taken.detail == "compute capability 8.0"


def test_that_the_machine_tells_no_block_schedule() -> None:
    assert "PTX machine, sm_80 on this CPU is not one: only an NVIDIA GPU" in why_not_on(ON_MACHINE.device)
    assert why_not_on(GPU) == ""


def test_that_the_results_say_that_no_chart_of_times_has_them() -> None:
    said = caption(2, 0, 2, 0, (ON_MACHINE, ON_MACHINE))
    assert said == "2 runs, on the Accuracy page: emulated times are not charted"
    assert caption(3, 0, 3, 0, (ON_MACHINE, ON_GPU, LIBRARY)) == "3 runs, all in the charts, 2 timed"
    assert caption(2, 0, 2, 0, (ON_GPU, LIBRARY)) == "2 runs, all in the charts"
