"""The rows of the newest runs stand out in the charts of runs until the next ones, and are in sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.doubts import TIME_RAN_OUT
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.terms import StopReason
from gemmviz.explain.figures.accuracy import bound_figure, relative_figure
from gemmviz.explain.figures.figure import Figure
from gemmviz.explain.figures.sweep import sweep_figure
from gemmviz.explain.figures.timing.kernel import kernel_time_figure
from gemmviz.explain.figures.timing.rate import rate_figure
from gemmviz.explain.figures.timing.samples import samples_figure
from gemmviz.explain.figures.timing.speedup_figure import speedup_figure
from gemmviz.explain.figures.timing.whole import whole_time_figure
from gemmviz.gui.charts.newest_runs import NEWEST, RUN_AGAIN, with_newest
from gemmviz.gui.charts.plot.view import PlotView
from gemmviz.gui.charts.roofline.plot import RooflinePlot
from gemmviz.gui.charts.sweep_chart import SweepChart
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.work.last_work import Asked, LastWork, WorkStage

FIGURES: list[Callable[[Sequence[RunResult]], Figure]] = [
    kernel_time_figure,
    whole_time_figure,
    rate_figure,
    speedup_figure,
    samples_figure,
    bound_figure,
    relative_figure,
    sweep_figure,
]


@pytest.fixture
def runs(make_result: Callable[..., RunResult]) -> list[RunResult]:
    return [make_result("tiled", params=(("TILE", tile),), sweep=1) for tile in (8, 16, 4)]


@pytest.fixture
def chart(qtbot: QtBot) -> TimingChart:
    made = TimingChart(LIGHT)
    qtbot.addWidget(made)
    made.resize(700, 420)
    with qtbot.waitExposed(made):
        made.show()
    return made


def new_rows(figure: Figure | None) -> list[bool]:
    assert figure is not None
    return [row.is_new for row in figure.rows]


@pytest.mark.parametrize("make", FIGURES)
def test_that_the_row_of_a_new_run_stands_out_in_every_figure_of_runs(
    runs: list[RunResult], make: Callable[[Sequence[RunResult]], Figure]
) -> None:
    figure = with_newest(make(runs), runs[-1:])
    (lit,) = (row for row in figure.rows if row.is_new)
    assert lit.run is runs[-1]
    assert lit.tooltip.startswith(f"{NEWEST}\n")
    assert all(NEWEST not in row.tooltip for row in figure.rows if row is not lit)


def test_that_nothing_stands_out_where_all_or_none_are_new(runs: list[RunResult]) -> None:
    figure = kernel_time_figure(runs)
    assert with_newest(figure, runs) is figure
    assert with_newest(figure, ()) is figure


def test_that_a_run_that_a_limit_cut_short_is_advised_to_run_again_only_where_it_ran_and_in_no_lesson(
    chart: TimingChart, make_result: Callable[..., RunResult]
) -> None:
    cut, other = (make_result(kernel, stopped_by=StopReason.TIME_LIMIT) for kernel in ("tiled", "naive"))
    figure = kernel_time_figure([cut, other])
    assert TIME_RAN_OUT in figure.notes
    assert with_newest(figure, ()).notes == figure.notes, "of an example, or a session that was opened"
    assert with_newest(figure, [make_result("dot")]).notes == figure.notes
    assert RUN_AGAIN in with_newest(figure, [other]).notes
    chart.show_runs([cut, other])
    chart.light_newest((cut, other))
    assert "with Quick off" in chart.notes_words
    running = LastWork(1, Asked.RUN, ("tiled", "naive"), "64×48×32")
    chart.show_work(running)
    assert "with Quick off" not in chart.notes_words, "nothing else can run yet, and it may be the run of a lesson"
    chart.show_work(replace(running, stage=WorkStage.DONE))
    assert "with Quick off" in chart.notes_words
    chart.show_verdict("Lesson 2: tiled is 2.00 times as fast as naive.")
    assert "more samples may change it" in chart.notes_words
    assert "with Quick off" not in chart.notes_words
    chart.show_verdict("")
    assert "with Quick off" in chart.notes_words


def test_that_a_chart_says_which_runs_are_new_and_forgets_them_with_the_next(
    chart: TimingChart, runs: list[RunResult]
) -> None:
    chart.show_runs(runs)
    chart.light_newest((runs[1],))
    assert new_rows(chart.figure) == [False, True, False]
    assert f"{NEWEST}: tiled" in chart.plot.accessibleDescription()
    chart.light_newest(())
    assert new_rows(chart.figure) == [False, False, False]


def test_that_a_picture_shows_no_run_as_new(chart: TimingChart, runs: list[RunResult]) -> None:
    chart.show_runs(runs)
    chart.light_newest((runs[1],))
    chart.set_for_picture(True, 700)
    chart.renew()
    assert new_rows(chart.figure) == [False, False, False]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_a_bar_stands_before_the_marks_of_a_row(qtbot: QtBot, runs: list[RunResult], theme: Theme) -> None:
    view = PlotView(theme)
    qtbot.addWidget(view)
    view.resize(700, 300)
    view.show_figure(with_newest(kernel_time_figure(runs), runs[1:2]))
    image, layout = view.grab().toImage(), view.plot_layout()
    colours = [
        image.pixelColor(round(layout.labels.right) + 6, round(layout.plot.top + (place + 0.5) * layout.cell))
        for place in range(3)
    ]
    assert [colour == QColor(theme.accent) for colour in colours] == [False, True, False]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_a_ring_stands_around_the_mark_of_a_roofline(
    qtbot: QtBot, make_result: Callable[..., RunResult], theme: Theme
) -> None:
    chart = TimingChart(theme)
    qtbot.addWidget(chart)
    chart.resize(900, 600)
    chart.set_view(TimingView.ROOFLINE)
    chart.show_runs([make_result("naive", (2.0,)), make_result("tiled", (0.2,))])
    with qtbot.waitExposed(chart):
        chart.show()
    plot = chart.findChild(RooflinePlot, "rooflinePlot")

    def is_ringed() -> list[bool]:
        chart.refresh()
        assert plot._shown is not None
        image = plot.grab().toImage()
        marks = [plot.place_of(point.stand, point.gflops).toPoint() for point in plot._shown.points]
        reach = range(7, 13)
        return [any(image.pixelColor(at.x(), at.y() - up) == QColor(theme.accent) for up in reach) for at in marks]

    assert is_ringed() == [False, False]
    chart.light_newest(tuple(chart._runs[1:]))
    assert is_ringed() == [False, True]
    assert [point.tooltip.startswith(NEWEST) for point in plot._shown.points] == [False, True]


def test_that_a_bar_stands_below_the_setting_in_a_sweep(qtbot: QtBot, runs: list[RunResult]) -> None:
    view = PlotView(LIGHT)
    qtbot.addWidget(view)
    view.resize(700, 360)
    view.show_figure(with_newest(sweep_figure(runs), runs[:1]))
    layout, image = view.plot_layout(), view.grab().toImage()
    colours = [
        image.pixelColor(round(layout.plot.left + (place + 0.5) * layout.cell), round(layout.plot.bottom) - 2)
        for place in range(3)
    ]
    assert [colour == QColor(LIGHT.accent) for colour in colours] == [False, True, False]


def test_that_the_newest_of_many_runs_is_in_sight_until_a_person_scrolls(qtbot: QtBot, make_run: Any) -> None:
    many = [make_run(f"kernel_{n}", ms=2.0 ** (n / 3)) for n in range(40)]
    view = PlotView(LIGHT)
    qtbot.addWidget(view)
    view.resize(700, 300)
    view.show_figure(with_newest(kernel_time_figure(many), many[-1:]))
    assert view.scroll_bar.value() == view.scroll_bar.maximum() > 0
    qtbot.keyClick(view, "0")
    view.scroll_bar.triggerAction(view.scroll_bar.SliderAction.SliderToMinimum)
    view.resize(700, 310)
    assert view.scroll_bar.value() == 0


def test_that_the_chart_of_a_sweep_shows_a_setting_that_was_added(qtbot: QtBot, runs: list[RunResult]) -> None:
    chart = SweepChart(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs(runs)
    chart.light_newest(tuple(runs[-1:]))
    assert [row.name for row in (chart.figure.rows if chart.figure else ()) if row.is_new] == ["4"]
