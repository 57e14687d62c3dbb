"""Charts of rates in which a lesson speaks of some kernels and compares them with another."""

from __future__ import annotations

import pytest
from lesson_scenes import data_of
from pytestqt.qtbot import QtBot

from gemmviz.domain.figures import number
from gemmviz.domain.runs.result import RunResult
from gemmviz.explain.figures.figure import Figure, Look
from gemmviz.explain.figures.run_facts import facts_of
from gemmviz.explain.figures.timing.rate import KernelComparison, rate_figure
from gemmviz.explain.figures.timing.speedup_figure import speedup_figure
from gemmviz.gui.charts.notes_label import NotesLabel
from gemmviz.gui.charts.plot.fonts import SMALL_ON_SCREEN
from gemmviz.gui.charts.plot.layout import MOST_OF_MARKS, MOST_ROW, MOST_ROW_OF_FEW, MOST_ROW_THAT_FILLS
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.looks.fonts import SMALL
from gemmviz.gui.looks.theme import LIGHT

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def runs_of(*kernels: str) -> tuple[RunResult, ...]:
    _, data = data_of("coalescing")
    return data.runs("gpu-ladder", kernels)


def kernels_in(figure: Figure, look: Look) -> list[str]:
    return [figure.rows[place].name for one in figure.series if one.look is look for place in one.places]


def test_that_the_kernels_spoken_of_stand_out_from_the_others() -> None:
    figure = rate_figure(
        runs_of("naive", "tiled", "register_1d"), compared=KernelComparison(about=("tiled",), against="naive")
    )
    assert kernels_in(figure, Look.SPOKEN_OF) == ["tiled"]
    assert kernels_in(figure, Look.COMPARED) == ["naive", "register_1d"]
    assert kernels_in(figure, Look.GPU) == []
    assert [label.place for label in figure.labels] == [1]
    words = next(one.words for one in figure.series if one.look is Look.SPOKEN_OF)
    assert words == "this step, compared with naive", "also where a factor has no room for it"


@pytest.mark.parametrize(
    ("about", "against", "says"),
    [
        ("naive", "naive_uncoalesced", "{}× as fast as naive_uncoalesced"),
        ("naive_uncoalesced", "naive", "takes {}× as long as naive"),
    ],
)
def test_that_a_factor_says_how_much_faster_or_slower_a_kernel_is(about: str, against: str, says: str) -> None:
    fast, slow = runs_of("naive", "naive_uncoalesced")
    figure = rate_figure((fast, slow), compared=KernelComparison((about,), against))
    (label,) = figure.labels
    ratio = facts_of((slow,))[0].device_ms.median / facts_of((fast,))[0].device_ms.median
    assert ratio > 5
    assert label.words == says.format(number(ratio))
    assert label.words.startswith(label.short)
    assert label.words.removeprefix(label.short).endswith(against)
    rate = next(one for one in figure.series if one.look is Look.SPOKEN_OF).values[0]
    assert label.low <= rate <= label.high


def test_that_no_factor_is_named_where_a_drift_may_be_the_difference() -> None:
    best, library = runs_of("sgemm_best", "cublas_fp32")
    figure = rate_figure((best, library), compared=KernelComparison(("sgemm_best",), "cublas_fp32"))
    (label,) = figure.labels
    assert (label.words, label.short) == ("about as fast as cublas_fp32", "about as fast")
    row = speedup_figure((best, library)).rows[0]
    assert (row.value, row.note) == ("≈ 1.04×", "cannot be ranked")


def test_that_nothing_is_compared_on_the_timing_page() -> None:
    figure = rate_figure(runs_of("naive", "tiled"))
    assert figure.labels == ()
    assert kernels_in(figure, Look.GPU) == ["naive", "tiled"]
    assert not figure.fills_height


def test_that_few_rows_fill_the_height_where_kernels_are_compared(qtbot: QtBot) -> None:
    five = runs_of("naive", "naive_1d", "tiled", "tiled_padded", "tiled_wide")
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.resize(900, 700)
    chart.show()
    chart.show_runs(five)
    chart.set_view(TimingView.RATE)
    qtbot.waitUntil(lambda: chart.plot.plot_layout().cell == MOST_ROW)
    chart.resize(1300, 960)
    notes = chart.findChild(NotesLabel)
    qtbot.waitUntil(lambda: chart.plot.plot_layout().cell == MOST_ROW_THAT_FILLS)
    assert notes.font().pointSizeF() == SMALL_ON_SCREEN, "in a large window words are larger, too"
    chart.resize(900, 700)
    qtbot.waitUntil(lambda: chart.plot.plot_layout().cell == MOST_ROW)
    assert notes.font().pointSizeF() == SMALL
    chart.set_comparison(KernelComparison(("tiled",), "naive"))
    qtbot.waitUntil(lambda: chart.figure is not None and chart.figure.fills_height)
    qtbot.waitUntil(lambda: MOST_ROW < chart.plot.plot_layout().cell <= MOST_ROW_THAT_FILLS)


def test_that_two_rows_take_the_room_of_five_with_bars_of_a_greatest_thickness(qtbot: QtBot) -> None:
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.resize(900, 800)
    chart.show()
    chart.show_runs(runs_of("naive", "tiled"))
    chart.set_view(TimingView.RATE)
    plot = chart.plot
    qtbot.waitUntil(lambda: plot.plot_layout().cell == MOST_ROW_OF_FEW)
    assert plot.plot_layout().content == 5 * MOST_ROW
    bars = plot.items_shown.item("bars", Look.GPU)
    assert bars is not None
    thickness = float(bars.opts["y1"][0] - bars.opts["y0"][0]) * MOST_ROW_OF_FEW
    assert thickness == pytest.approx(0.4 * MOST_OF_MARKS)
    chart.resize(900, 460)
    qtbot.waitUntil(lambda: plot.plot_layout().cell < MOST_OF_MARKS)
    assert float(bars.opts["y1"][0] - bars.opts["y0"][0]) == pytest.approx(0.4)
