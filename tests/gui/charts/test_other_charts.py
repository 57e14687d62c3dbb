"""The charts of accuracy, sweeps and traffic as widgets."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import DeviceKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.figures.figure import Look
from gemmviz.explain.figures.timing.ladder import MANY
from gemmviz.gui.charts.accuracy_chart import ACCURACY_CHART
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.sweep_chart import SweepChart
from gemmviz.gui.charts.traffic_chart import TrafficChart
from gemmviz.gui.looks.theme import LIGHT


def test_that_accuracy_has_two_views(qtbot: QtBot, make_run: Any) -> None:
    chart = ACCURACY_CHART.make(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs([make_run(worst=4.0, relative=1e-7)])
    assert chart.figure is not None
    assert chart.figure.rows[0].value == "4.00"
    relative = chart.findChild(QPushButton, "accuracyViewRelative")
    assert relative is not None
    qtbot.mouseClick(relative, Qt.MouseButton.LeftButton)
    assert chart.view is Plot.RELATIVE_ERROR
    assert chart.figure.rows[0].value == "1.0·10⁻⁷"
    assert chart.tables()[0].rows[0]["max_error_over_ug"] == 4.0


def test_that_on_the_whole_screen_the_telling_ones_of_many_runs_stand_for_all(qtbot: QtBot, make_run: Any) -> None:
    runs = [make_run(f"k{n}", ms=2.0 ** (n / 3)) for n in range(MANY + 11)]
    chart = ACCURACY_CHART.make(LIGHT)
    qtbot.addWidget(chart)
    for folds, large, left_out in ((True, False, False), (True, True, True), (False, True, False)):
        chart.show_runs(runs, folds=folds)
        chart.set_for_picture(True, 1280, large=large)
        assert chart.figure is not None
        assert (len(chart.figure.rows) <= MANY) is left_out
        assert any(note.endswith(f"of {len(runs)} runs not shown") for note in chart.figure.essential) is left_out
    assert len(chart.tables()[0].rows) == len(runs)


def test_that_a_wrong_run_is_a_cross(qtbot: QtBot, make_run: Any) -> None:
    chart = ACCURACY_CHART.make(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs([make_run(worst=9000.0, passed=False)])
    chart.refresh()
    item = chart.plot.items_shown.item("dots", Look.WRONG)
    assert item.opts["symbol"] == "x"
    assert not chart.grab().isNull()


def test_that_a_sweep_is_chosen_only_among_several(qtbot: QtBot, make_run: Any) -> None:
    chart = SweepChart()
    qtbot.addWidget(chart)
    one = [make_run(ms=tile, params=(("TILE", tile),), sweep=1) for tile in (2, 4, 8)]
    two = [make_run("naive", ms=tile, params=(("THREAD", tile),), sweep=2) for tile in (2, 4)]
    combo = chart.findChild(QComboBox, "sweepCombo")
    assert combo is not None
    chart.show_runs([make_run(), *one])
    assert chart.sweep == 1
    assert not combo.isVisibleTo(chart)
    chart.show_runs([*one, *two])
    assert (chart.sweep, combo.isVisibleTo(chart)) == (2, True)
    combo.setCurrentIndex(0)
    assert chart.figure is not None
    assert len(chart.figure.rows) == 3
    chart.show_runs([*one, *two, make_run()])
    assert chart.sweep == 1
    assert len(chart.tables()[0].rows) == 3
    chart.show_runs([])
    assert chart.sweep is None
    assert chart.tables()[0].rows == ()


def test_that_traffic_shows_recordings(qtbot: QtBot, traces: tuple[TraceRun, TraceRun]) -> None:
    chart = TrafficChart()
    qtbot.addWidget(chart)
    chart.show_traces(traces)
    assert chart.figure is not None
    assert len(chart.figure.rows) == 2
    bars = chart.plot.items_shown.item("bars", Look.IDEAL)
    assert bars.opts["x1"].size == 1
    assert len(chart.tables()[0].rows) == 2
    assert chart.objectName() == "trafficChart"


def test_that_the_fastest_setting_can_be_used(qtbot: QtBot, make_run: Any) -> None:
    chart = SweepChart()
    qtbot.addWidget(chart)
    button = chart.findChild(QPushButton, "useFastest")
    assert button is not None
    chart.show_runs([make_run()])
    assert not button.isVisibleTo(chart)
    runs = [make_run(ms=(ms,) * 30, params=(("TILE", tile), ("F", 1)), sweep=1) for tile, ms in ((2, 4.0), (32, 1.0))]
    chart.show_runs(runs)
    assert button.text() == "Use TILE=32 F=1"
    whose = chart.findChild(QLabel, "cpuAnswer")
    assert whose is not None
    assert not whose.isVisibleTo(chart), "it is a GPU's answer"
    on_cpu = [replace(run, device=replace(run.device, kind=DeviceKind.CPU)) for run in runs]
    chart.show_runs(on_cpu)
    assert whose.isVisibleTo(chart)
    assert whose.text().startswith("Fastest on this CPU. A GPU may prefer another setting")
    noisy = make_run(
        ms=tuple(1.01 + 0.5 * (-1) ** place for place in range(30)), params=(("TILE", 8), ("F", 1)), sweep=1
    )
    chart.show_runs([*on_cpu, replace(noisy, device=on_cpu[0].device)])
    assert whose.text().startswith("Lowest median on this CPU. A GPU may prefer another setting")
    chart.show_runs(runs)
    with qtbot.waitSignal(chart.settings_asked) as asked:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked.args == [runs[1]]
    chart.show_set(runs[1].spec.kernel, runs[1].spec.shape, runs[1].spec.params)
    assert button.text() == "Record TILE=32 F=1", "the next deed"
    with qtbot.waitSignal(chart.record_asked):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    chart.show_set(runs[0].spec.kernel, runs[0].spec.shape, runs[0].spec.params)
    assert button.text() == "Use TILE=32 F=1"
    chart.set_for_picture(True, 900)
    assert not button.isVisibleTo(chart)


def test_that_a_setting_of_many_parameters_makes_no_wide_button(qtbot: QtBot, make_run: Any) -> None:
    chart = SweepChart()
    qtbot.addWidget(chart)
    many = tuple((f"PARAMETER_{number}", number) for number in range(16))
    chart.show_runs([make_run(ms=ms, params=(("TILE", ms), *many), sweep=1) for ms in (2, 4)])
    button = chart.findChild(QPushButton, "useFastest")
    assert button is not None
    assert button.text() == "Use the fastest setting"
    assert "TILE=2 PARAMETER_0=0" in button.toolTip()
