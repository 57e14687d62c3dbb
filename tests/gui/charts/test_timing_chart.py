from typing import Any

import pytest
from pace import limit_s, own_s
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.runs.baselines import Baseline
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.looks.theme import DARK, LIGHT


@pytest.fixture
def chart(qtbot: QtBot) -> TimingChart:
    made = TimingChart(LIGHT)
    qtbot.addWidget(made)
    made.resize(760, 520)
    return made


@pytest.fixture(scope="module")
def ladder() -> Session:
    return load_session(next(one.path for one in load_examples() if one.id == "gpu-ladder"))


def button(chart: TimingChart, name: str) -> QPushButton:
    found = chart.findChild(QPushButton, name)
    assert found is not None
    return found


def test_that_it_says_what_to_do_while_it_is_empty(chart: TimingChart) -> None:
    assert chart.figure is not None
    assert chart.figure.rows == ()
    assert chart.tables()[0].rows == ()
    assert not chart.plot.isVisibleTo(chart)


@pytest.mark.parametrize("count", [1, 30], ids=["rows of two lines", "rows of one line"])
def test_that_long_names_are_told_apart_by_their_ends(chart: TimingChart, make_run: Any, count: int) -> None:
    pictures = []
    for end in ("first", "other"):
        chart.show_runs([make_run("a_kernel_with_a_very_long_name_of_many_words_" * 3 + end)] * count)
        chart.refresh()
        pictures.append(chart.grab().toImage())
    assert pictures[0] != pictures[1]


def test_that_a_title_without_room_leaves_the_rest_to_the_list_beside_it_and_is_exported_whole(
    chart: TimingChart, make_run: Any
) -> None:
    chart.show_runs([make_run("a_kernel_with_a_very_long_name_of_many_words_" * 3), make_run("naive")])
    chart.set_view(TimingView.SPEEDUP)
    chart.refresh()
    chart.show()
    assert chart._title.text() == "Speed-up"
    assert chart.findChild(QComboBox, "speedupBaseline").isVisible(), "which says against what"
    assert chart.title.startswith("Speed-up against a_kernel")
    assert chart._title.toolTip().startswith(chart.title)
    chart.show_runs([make_run("tiled"), make_run("naive")])
    chart.refresh()
    assert chart._title.text() == chart.title


def test_that_it_says_that_all_failed_where_nothing_ran(chart: TimingChart, make_run: Any) -> None:
    chart.count_failed(2)
    chart.refresh()
    assert chart._empty.words.text() == "2 kernels did not run. The results table says why."
    chart.show_runs([make_run()])
    chart.refresh()
    assert chart._empty.isHidden()


@pytest.mark.parametrize(
    ("name", "view", "title"),
    [
        ("timingViewWhole", TimingView.WHOLE, "End-to-end time"),
        ("timingViewRate", TimingView.RATE, "Rate"),
        ("timingViewSpeedup", TimingView.SPEEDUP, "Speed-up against cpu_ijk"),
    ],
)
def test_that_each_segment_shows_its_view(
    chart: TimingChart, qtbot: QtBot, real_session: Session, name: str, view: TimingView, title: str
) -> None:
    chart.show_runs(real_session.runs)
    with qtbot.waitSignal(chart.view_changed) as signal:
        qtbot.mouseClick(button(chart, name), Qt.MouseButton.LeftButton)
    assert signal.args == [view]
    assert chart.view is view
    assert chart.figure is not None
    assert chart.figure.title.startswith(title)
    assert len(chart.tables()[0].rows) == len(real_session.runs)


def test_that_the_segments_are_walked_with_arrow_keys(chart: TimingChart, qtbot: QtBot) -> None:
    with qtbot.waitExposed(chart):
        chart.show()
    button(chart, "timingViewKernel").setFocus()
    qtbot.keyClick(button(chart, "timingViewKernel"), Qt.Key.Key_Right)
    assert chart.view is TimingView.WHOLE


def test_that_the_baseline_is_chosen_and_kept(chart: TimingChart, make_run: Any, cpu_run: Any) -> None:
    runs = [make_run(ms=2.0), cpu_run("cpu_ijk", 100.0), cpu_run("cpu_blas", 6.0)]
    chart.set_view(TimingView.SPEEDUP)
    chart.show_runs(runs)
    combo = chart.findChild(QComboBox, "speedupBaseline")
    assert combo is not None
    assert combo.isVisibleTo(chart)
    assert chart.baseline == Baseline("cpu_ijk")
    combo.setCurrentText("cpu_blas")
    assert chart.figure is not None
    assert chart.figure.rows[0].value == "3.00×"
    chart.show_runs([*runs, cpu_run("cpu_ikj", 50.0)])
    assert chart.baseline == Baseline("cpu_blas")
    chart.show_runs([runs[0], runs[1]])
    assert chart.baseline == Baseline("cpu_ijk")
    chart.show_runs([runs[0]])
    assert chart.baseline is None
    assert not combo.isVisibleTo(chart)


def test_that_a_baseline_that_is_not_among_the_runs_is_named_and_comes_back(
    chart: TimingChart, make_run: Any, cpu_run: Any
) -> None:
    kernels = [make_run("naive", ms=8.0), make_run("tiled", ms=2.0)]
    every = [*kernels, cpu_run("cpu_blas", 9.0)]
    chart.set_view(TimingView.SPEEDUP)
    chart.show_runs(every)
    assert "not among" not in chart.figure.subtitle
    chart.show_runs(kernels)
    assert chart.baseline is not None
    assert chart.baseline.name == "naive"
    assert chart.figure.subtitle.endswith("cpu_blas is not among these runs")
    chart.show_runs(every)
    assert chart.baseline == Baseline("cpu_blas")
    chart.begin_anew()
    chart.show_runs(kernels)
    chart.set_view(TimingView.SPEEDUP)
    assert "not among" not in chart.figure.subtitle, "another session never had it"
    chart.show_runs(every)
    assert "not among" not in chart.figure.subtitle, "naive is there, but a CPU kernel is what others are against"


def test_that_the_baseline_is_offered_only_where_it_counts(chart: TimingChart, real_session: Session) -> None:
    chart.show_runs(real_session.runs)
    combo = chart.findChild(QComboBox, "speedupBaseline")
    assert combo is not None
    assert not combo.isVisibleTo(chart)


@pytest.mark.parametrize("width", [560, 676, 1100])
def test_that_every_segment_stays_whole_beside_the_choice(
    chart: TimingChart, qtbot: QtBot, make_run: Any, cpu_run: Any, width: int
) -> None:
    chart.show_runs([make_run(), cpu_run("cpu_blas"), cpu_run("cpu_ijk")])
    chart.set_view(TimingView.SPEEDUP)
    chart.resize(width, 420)
    with qtbot.waitExposed(chart):
        chart.show()
    assert chart.width() == width, "the controls ask for no more"
    combo = chart.findChild(QComboBox, "speedupBaseline")
    assert combo is not None
    controls = [*(button for button in chart.findChildren(QPushButton) if button.isVisible()), combo]
    places = [QRect(one.mapTo(chart, QPoint(0, 0)), one.size()) for one in controls]
    assert all(chart.rect().contains(place) for place in places)
    assert all(one.width() >= one.sizeHint().width() for one in controls)
    assert not any(one.intersects(other) for place, one in enumerate(places) for other in places[place + 1 :])
    assert not any(one.intersects(chart._title.geometry()) for one in places)
    chart.set_for_picture(True, width)
    assert not combo.isVisibleTo(chart)
    chart.set_for_picture(False)
    assert combo.isVisibleTo(chart)


@pytest.mark.parametrize("view", [TimingView.RATE, TimingView.WHOLE])
def test_that_a_picture_has_the_scale_of_the_screen(
    chart: TimingChart, make_run: Any, cpu_run: Any, view: TimingView
) -> None:
    chart.set_view(view)
    for runs, are_far_apart in (([make_run(), cpu_run(ms=900.0)], True), ([make_run(), make_run(ms=2.0)], False)):
        chart.show_runs(runs)
        assert chart.figure is not None
        if view is TimingView.RATE:
            assert chart.figure.axis.is_log is are_far_apart
        else:
            assert ("share" in chart.figure.axis.words) is are_far_apart
        before = chart.figure.axis
        chart.set_for_picture(True, 900)
        assert chart.figure.axis == before
        assert not chart.grab().isNull()
        chart.set_for_picture(False)


def test_that_a_hidden_chart_makes_no_figure_until_it_is_seen(chart: TimingChart, qtbot: QtBot, make_run: Any) -> None:
    chart.show_runs([make_run()])
    assert chart._figure is None
    with qtbot.waitExposed(chart):
        chart.show()
    assert chart._figure is not None
    chart.show_runs([make_run(), make_run()])
    qtbot.waitUntil(lambda: chart._figure is not None and len(chart._figure.rows) == 2)


def test_that_listeners_get_the_figure_in_words(chart: TimingChart, make_run: Any) -> None:
    chart.show_runs([make_run(f"k{n}") for n in range(50)])
    chart.refresh()
    words = chart.plot.accessibleDescription()
    assert words.startswith("measured. M×N×K = 64×64×64  ·  A GPU  ·  cold caches. k0")
    assert words.endswith("and 10 more")


def test_that_a_thousand_runs_are_shown_at_once(chart: TimingChart, qtbot: QtBot, make_run: Any, cpu_run: Any) -> None:
    runs = [make_run(f"k{n % 7}", ms=1.0 + n) if n % 2 else cpu_run(ms=1.0 + n) for n in range(1000)]
    with qtbot.waitExposed(chart):
        chart.show()
    took = []
    for _ in range(3):
        chart.show_runs(runs[:1])
        chart.grab()
        took.append(own_s(lambda: (chart.show_runs(runs), chart.grab())))
    assert min(took) < limit_s(0.3), took
    assert chart.figure is not None
    assert chart.figure.rows[-1].name == "k5 · run 72 of 72"


def test_that_both_themes_paint_their_own_ground(chart: TimingChart, real_session: Session) -> None:
    chart.show_runs(real_session.runs)
    for theme in (DARK, LIGHT):
        chart.set_theme(theme)
        assert chart.grab().toImage().pixelColor(2, 2).name() == theme.canvas


def test_that_every_control_has_a_name_and_a_tooltip(chart: TimingChart) -> None:
    for kind in (QPushButton, QComboBox):
        for control in chart.findChildren(kind):
            assert control.objectName()
            assert control.toolTip()
            assert control.accessibleName()


def test_that_the_baseline_is_written_in_full_where_there_is_room(
    chart: TimingChart, qtbot: QtBot, make_run: Any, cpu_run: Any
) -> None:
    chart.show_runs([make_run(ms=2.0), cpu_run("cpu_ijk")])
    chart.set_view(TimingView.SPEEDUP)
    chart.resize(900, 420)
    with qtbot.waitExposed(chart):
        chart.show()
    combo = chart.findChild(QComboBox, "speedupBaseline")
    assert combo is not None
    narrow = combo.width()
    long = "a_kernel_with_a_longer_name"
    chart.show_runs([make_run(ms=2.0), make_run(long, ms=9.0)])
    assert long in combo.currentText()
    qtbot.waitUntil(lambda: combo.width() > narrow)
    assert combo.width() >= combo.sizeHint().width() > combo.fontMetrics().horizontalAdvance(combo.currentText())
    chart.resize(560, 420)  # it asks for no wider a window
    assert chart.minimumSizeHint().width() <= 560


def test_that_the_telling_ones_of_many_runs_come_first_and_one_click_shows_all(
    chart: TimingChart, ladder: Session
) -> None:
    chart.show_runs(ladder.runs, ladder.roofs, ladder.traces, folds=True)
    assert chart.figure is not None
    assert len(chart.figure.rows) == len(chart.tables()[0].rows) == 15
    assert chart.figure.essential[-1] == "12 of 27 runs not shown"
    click = button(chart, "timingShowAll")
    assert (click.text(), click.isVisibleTo(chart)) == ("Show all 27 runs", True)
    click.click()
    assert len(chart.figure.rows) == 27
    assert not any("not shown" in note for note in chart.figure.notes)
    assert click.text() == "Show 15 of 27 runs"
    chart.resize(600, 520)
    chart.show()
    assert click.text() == "15 of 27", "a narrow chart"
    click.click()
    assert click.text() == "All 27"
    chart.hide()
    click.click()
    chart.show_runs(ladder.runs[:5], folds=True)
    assert not click.isVisibleTo(chart), "few runs"
    chart.begin_anew()
    chart.show_runs(ladder.runs, folds=True)
    assert len(chart.figure.rows) == 15, "as a window begins"


def test_that_the_button_for_all_runs_has_room_for_its_words_at_every_width(
    chart: TimingChart, ladder: Session
) -> None:
    chart.show_runs(ladder.runs, ladder.roofs, ladder.traces, folds=True)
    chart.show()
    click = button(chart, "timingShowAll")
    for width in (1042, 563, 674, 563, 700, 1042, 674):
        chart.resize(width, 420)
        assert click.width() >= click.sizeHint().width(), width


def test_that_a_baseline_is_shown_also_where_few_of_many_runs_are(chart: TimingChart, ladder: Session) -> None:
    runs = [run for run in ladder.runs if not run.spec.kernel.startswith("cublas")]
    chart.show_runs(runs, folds=True)
    chart.set_view(TimingView.SPEEDUP)
    assert chart.baseline is not None
    assert chart.baseline.name == "tiled_global_accumulate", "the slowest"
    shown = [row.name for row in chart.figure.rows]
    assert "tiled_global_accumulate" in shown
    assert "tiled_padded" not in shown
    chart.choose(Baseline("tiled_padded", (("TILE", 16),), is_device_kernel=True), shows_all=False)
    assert chart.wanted_baseline == chart.baseline
    assert "tiled_padded" in [row.name for row in chart.figure.rows]
    assert {"tiled_padded", "naive_1d"} <= {baseline.name for baseline in chart._against._baselines}, "all are offered"


def test_that_a_roofline_keeps_the_runs_that_are_not_chosen_without_names(chart: TimingChart, ladder: Session) -> None:
    chart.set_view(TimingView.ROOFLINE)
    chart.show_runs(ladder.runs[5:6], ladder.roofs, ladder.traces, ladder.runs[:5] + ladder.runs[6:])
    assert chart.figure is not None
    assert [row.name for row in chart.figure.rows] == ["tiled"]
    assert [one.words for one in chart.figure.series][-1] == "grey: 18 other runs", (
        "those of tensor cores have other roofs"
    )
    shown = chart._roofline._shown
    assert shown is not None
    assert [point.name for point in shown.points if not point.is_quiet] == ["tiled"]
    assert len(shown.points) == 19
    assert [line.words.split(" ")[0] for line in shown.lines] == ["fp32"], "no roof that only others have"


def test_that_a_row_of_results_lights_the_marks_of_its_run_in_the_roofline(chart: TimingChart, ladder: Session) -> None:
    chart.show_runs(ladder.runs, ladder.roofs, ladder.traces, folds=True)
    chart.light(ladder.runs[5])
    assert chart._roofline._lit == (), "not shown"
    chart.set_view(TimingView.ROOFLINE)
    chart.refresh()
    told, quiet = ladder.runs[5], ladder.runs[1]
    for run in (told, quiet):
        chart.light(run)
        (point,) = chart._roofline._lit
        assert point.name.removesuffix(" (cached)").rstrip("*") == run.spec.kernel
    chart.light(None)
    assert chart._roofline._lit == ()
