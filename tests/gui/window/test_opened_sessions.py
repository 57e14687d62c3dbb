"""What the window shows and sets up once a session is opened."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from driving import act, part
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QTableView
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.device import EMULATOR
from gemmviz.domain.runs.baselines import Baseline
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.session.session import load_session, save_session
from gemmviz.domain.session.shown import Shown
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import RunSpec
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.gui.charts.accuracy_page import AccuracyPage
from gemmviz.gui.charts.error_map.view import ErrorMapView
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.files.edits import NO_DEVICE
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.memory_view.text.labels import EMPTY
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.widgets.question import Answer, Question
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.window.session_views import tab_for
from gemmviz.resources import resource_folder

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def opened(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    with qtbot.waitSignal(window.document.opened):
        window.open_path(path)


def copied(name: str, folder: Path) -> Path:
    """An example in a file of its own, which no card names."""
    return Path(shutil.copy(examples_folder() / f"{name}.gemmviz", folder))


def saved_on(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    with qtbot.waitSignal(window.document.saved):
        window.document.save(path)


def test_that_a_session_without_recordings_opens_on_the_plot_that_it_was_saved_on(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = copied("cpu-sweep", tmp_path)
    opened(qtbot, window, path)
    act(window, "tabTimingAction")
    chart = part(window, TimingChart, "timingChart")
    chart.set_view(TimingView.ROOFLINE)
    saved_on(qtbot, window, path)
    chart.set_view(TimingView.KERNEL)
    act(window, "tabSweepAction")
    opened(qtbot, window, path)
    assert window._layout.tab == "Timing"
    assert chart.view is TimingView.ROOFLINE


def test_that_the_map_of_c_comes_back_too(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = copied("cpu-sweep", tmp_path)
    opened(qtbot, window, path)
    page = part(window, AccuracyPage, "accuracyPage")
    act(window, "tabAccuracyAction")
    page.show_map_of(window.document.session.runs[0])
    saved_on(qtbot, window, path)
    window._parts.pages.reset_views()
    opened(qtbot, window, path)
    assert isinstance(page.in_front, ErrorMapView)


def test_that_a_plot_that_no_page_has_changes_nothing(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = copied("cpu-ladder", tmp_path)
    session = load_session(path)
    assert session.shown is not None
    save_session(replace(session, shown=replace(session.shown, tab="Accuracy", plot="roofline")), path)
    opened(qtbot, window, path)
    assert window._layout.tab == "Accuracy"
    assert part(window, TimingChart, "timingChart").view is TimingView.KERNEL


@pytest.mark.parametrize(("name", "kernel"), [("gpu-sweep", "sgemm_best"), ("gpu-waves", "wgmma_tf32")])
def test_that_a_session_of_runs_sets_its_newest_run_up_and_undo_goes_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str, kernel: str
) -> None:
    before = window.experiment
    opened(qtbot, window, copied(name, tmp_path))
    spec = window.document.session.runs[-1].spec
    assert (window.experiment.kernel, window.experiment.shape) == (spec.kernel, spec.shape) == (kernel, spec.shape)
    assert window.experiment.params_of(window._set_up.kernel) == spec.params
    act(window, "undoAction")
    assert window.experiment == before


def test_that_an_example_opens_where_its_card_leads_also_from_its_file(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, examples_folder() / "gpu-odd.gemmviz")
    opened(qtbot, window, examples_folder() / "cpu-ladder.gemmviz")
    assert window._layout.tab == "Traffic"


def test_that_a_session_whose_runs_all_have_schedules_opens_on_them() -> None:
    session = load_session(examples_folder() / "gpu-waves.gemmviz")
    assert tab_for(session) == tab_for(replace(session, runs=())) == "Schedule"
    assert tab_for(replace(session, schedules=session.schedules[1:])) == "Timing"
    assert tab_for(replace(session, schedules=())) == "Timing"


def test_that_neither_order_nor_filter_of_the_results_outlives_its_session(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = copied("cpu-ladder", tmp_path)
    opened(qtbot, window, path)
    table, line = part(window, QTableView, "resultsTable"), part(window, QLineEdit, "resultsFilter")
    table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    line.setText("tiled")
    opened(qtbot, window, path)
    model = table.model()
    assert line.text() == ""
    kernels = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert kernels == [run.spec.kernel for run in window.document.session.runs]


@pytest.mark.parametrize("name", ["cpu-four", "gpu-ladder"])
def test_that_an_example_opens_on_the_animation_whatever_was_in_front(
    qtbot: QtBot, window: MainWindow, name: str
) -> None:
    page = part(window, MemoryPage, "memoryPage")
    page.show_view("totals")
    with qtbot.waitSignal(window.document.opened):
        act(window, f"exampleAction_{name}")
    qtbot.waitUntil(lambda: window.player.count > 0)
    assert page.view_in_front == "animation"


def test_that_the_page_of_memory_says_that_a_session_opens_until_its_picture_is_there(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    act(window, "tabMemoryAction")
    view, said = window._parts.memory, list[str]()
    assert view.empty.words.text() == EMPTY
    window.work.work_changed.connect(
        lambda _: said.append("picture" if view.picture_state() else view.empty.words.text())
    )
    opened(qtbot, window, copied("cpu-four", tmp_path))
    qtbot.waitUntil(lambda: said[-1:] == ["picture"])
    assert said[0] == "Opening cpu-four.gemmviz. Results appear here."
    assert EMPTY not in said


def test_that_a_session_saved_below_the_first_page_opens_where_it_was(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copied("cpu-four", tmp_path)
    opened(qtbot, window, path)
    qtbot.waitUntil(lambda: window.player.count > 0)
    act(window, "tabMemoryAction")
    page = part(window, MemoryPage, "memoryPage")
    page.show_view("banks")
    window.document.remove(window.document.session.runs[:1])
    act(window, "firstPageAction")
    monkeypatch.setattr(Question, "ask", lambda *_: Answer.SAVE)
    with qtbot.waitSignal(window.document.opened):
        act(window, "exampleAction_cpu-sweep")
    part(window, TimingChart, "timingChart").set_view(TimingView.ROOFLINE)
    act(window, "tabTimingAction")
    opened(qtbot, window, path)
    qtbot.waitUntil(lambda: window.player.count > 0)
    assert window._layout.tab == "Memory"
    qtbot.waitUntil(lambda: page.view_in_front == "banks")


def test_that_what_a_file_does_not_say_is_not_taken_from_the_session_before(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = copied("cpu-four", tmp_path)
    save_session(replace(load_session(path), shown=None), path)
    page, chart = part(window, MemoryPage, "memoryPage"), part(window, TimingChart, "timingChart")
    opened(qtbot, window, copied("gpu-odd", tmp_path))
    chart.set_view(TimingView.ROOFLINE)
    page.show_again(HeatKind.AGE, "sectors")
    page.options.heat_chosen.emit(HeatKind.AGE)
    opened(qtbot, window, path)
    qtbot.waitUntil(lambda: window.player.count > 0)
    assert chart.view is TimingView.KERNEL
    assert page.view_in_front == "animation"
    assert part(window, QComboBox, "heatCombo").currentData() == HeatKind.NONE
    assert window._player.watched is not None
    assert window._player.watched.heat is HeatKind.NONE


def test_that_all_kernels_that_are_not_in_the_list_are_told_in_one_message(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, make_result: Callable[..., RunResult]
) -> None:
    path = tmp_path / "mine.gemmviz"
    runs = tuple(make_result(kernel) for kernel in ("one", "two", "tiled", "one", "three"))
    save_session(Session("2026-01-01T00:00:00+00:00", "0", NO_DEVICE, 0.0, runs), path)
    opened(qtbot, window, path)
    told = part(window, NoticeBar, "noticeBar").texts()
    assert told == ("three, one and two are not in the list of kernels: open their files to run or record them again.",)
    save_session(Session("2026-01-01T00:00:00+00:00", "0", NO_DEVICE, 0.0, (runs[1], runs[2])), path)
    opened(qtbot, window, path)
    newest = part(window, NoticeBar, "noticeBar").texts()[0]
    assert newest == "two is not in the list of kernels: open its file to run or record it again."
    assert window.experiment.kernel == "tiled"


def test_that_a_button_opens_the_file_of_a_kernel_that_is_not_in_the_list_as_the_session_had_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, make_result: Callable[..., RunResult]
) -> None:
    path, own = tmp_path / "mine.gemmviz", tmp_path / "one.cu"
    own.write_text((resource_folder("kernels") / "cuda" / "tiled.cu").read_text(encoding="utf-8"), encoding="utf-8")
    two, one = (make_result(kernel) for kernel in ("two", "one"))
    runs = two, replace(one, spec=replace(one.spec, params=(("TILE", 8),)))
    save_session(Session("2026-01-01T00:00:00+00:00", "0", NO_DEVICE, 0.0, runs), path)
    opened(qtbot, window, path)
    notices, asked = part(window, NoticeBar, "noticeBar"), part(window, QAction, "openKernelAction")
    with qtbot.waitSignal(asked.triggered), pytest.MonkeyPatch.context() as patch:
        patch.setattr(FileDialog, "names_to_open", lambda *_: [str(own)])
        (button,) = (one for one in notices.findChildren(QPushButton) if one.text() == "Open kernel files…")
        button.click()
    qtbot.waitUntil(lambda: window.experiment.kernel == "one")
    assert window.experiment.params_of(window._set_up.kernel) == (("TILE", 8),)
    assert "two is not in the list of kernels: open its file to run or record it again." in notices.texts()
    assert not [words for words in notices.texts() if "one and two" in words or "two and one" in words]


def test_that_what_was_set_up_when_a_session_was_saved_is_set_up_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = copied("gpu-sweep", tmp_path)
    opened(qtbot, window, path)
    chosen = replace(
        window.experiment,
        kernel="tiled",
        shape=Shape(256, 192, 128),
        params=(("tiled", (("TILE", 8),)),),
        device=EMULATOR,
        target="RTX 2080 Ti",
    )
    window._set_up.set_experiment(chosen)
    saved_on(qtbot, window, path)
    window._set_up.set_kernel("naive")
    window._set_up.set_experiment(replace(window.experiment, shape=Shape(64, 64, 64), device="", target=""))
    opened(qtbot, window, path)
    again = window.experiment
    assert (again.kernel, again.shape, again.device, again.target) == ("tiled", chosen.shape, EMULATOR, "RTX 2080 Ti")
    assert again.params_of(window._set_up.kernel) == (("TILE", 8),)
    session = window.document.session
    assert session.shown is not None
    assert session.shown.set_up is not None
    elsewhere = replace(session.shown.set_up, kernel="a_file_elsewhere", shape=Shape(32, 48, 64))
    window._set_up.use_session(replace(session, shown=replace(session.shown, set_up=elsewhere)))
    assert (window.experiment.kernel, window.experiment.shape) == ("tiled", elsewhere.shape), "its kernel is not here"


def test_that_the_runs_that_were_chosen_are_compared_again(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = copied("gpu-ladder", tmp_path)
    opened(qtbot, window, path)
    results, session = window._parts.results, window.document.session
    results.select(session.runs[3:6])
    saved_on(qtbot, window, path)
    opened(qtbot, window, copied("gpu-sweep", tmp_path))
    assert results.selected() == ()
    opened(qtbot, window, path)
    again = window.document.session
    assert results.selected() == again.runs[3:6]
    chart = window._parts.timing
    assert [row.name for row in chart.figure.rows] == [run.spec.kernel for run in again.runs[3:6]]
    save_session(replace(again, shown=Shown(chosen=(4, 10**6))), path)
    opened(qtbot, window, path)
    assert results.selected() == window.document.session.runs[4:5], "what the session does not have is left out"


def test_that_what_speed_ups_were_against_and_how_many_runs_were_shown_come_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path, chart = copied("gpu-tutorials", tmp_path), window._parts.timing
    opened(qtbot, window, path)
    session = window.document.session
    window._parts.results.select(session.runs)
    chart.choose(Baseline("cpu_transposed"), shows_all=True)
    window._parts.results.select(session.runs[-4:])
    saved_on(qtbot, window, path)
    opened(qtbot, window, copied("gpu-sweep", tmp_path))
    assert (chart.wanted_baseline, chart.shows_all) != (Baseline("cpu_transposed"), True)
    assert not chart.shows_all
    opened(qtbot, window, path)
    assert (chart.baseline, chart.shows_all) == (Baseline("cpu_transposed"), True)
    save_session(replace(window.document.session, shown=Shown(baseline=10**6)), path)
    opened(qtbot, window, path)
    assert chart.baseline == Baseline("cpu_ijk"), "what the session does not have"
    assert not chart.shows_all


def test_that_what_cannot_be_set_up_again_is_told(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = copied("gpu-sweep", tmp_path)
    session = load_session(path)
    opened(qtbot, window, path)
    before = window.experiment
    kept = RunSpec("tiled", Shape(33, 17, 9), (("TILE", 7),), "", seed=5)
    save_session(replace(session, shown=Shown(set_up=kept)), path)
    opened(qtbot, window, path)
    assert (window.experiment.kernel, window.experiment.shape, window.experiment.seed) == ("tiled", kept.shape, 5)
    assert "tiled does not offer TILE 7 any more." in part(window, NoticeBar, "noticeBar").texts()
    save_session(replace(session, shown=Shown(set_up=replace(kept, kernel="gone"))), path)
    opened(qtbot, window, path)
    assert any("gone" in text and "not in the list" in text for text in part(window, NoticeBar, "noticeBar").texts())
    assert window.experiment.kernel != before.kernel
