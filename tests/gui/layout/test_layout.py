"""Where the docks are in the whole window: the results give way to the picture of memory and come back."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import act, part
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QDockWidget, QMainWindow, QToolBar
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.presets import load_presets
from gemmviz.domain.device import Device
from gemmviz.gui.app import create_window
from gemmviz.gui.charts.timing_chart import TimingChart
from gemmviz.gui.control.run_control import RunControl
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.layout.parts import make_parts
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.work.experiment import default_experiment


def made_in(qtbot: QtBot, folder: Path) -> MainWindow:
    """A window whose worker may still be starting: nothing is run here."""
    made = create_window(folder)
    assert isinstance(made, MainWindow)
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    return made


def results(window: MainWindow) -> QDockWidget:
    return part(window, QDockWidget, "resultsDock")


def shown_beside(window: MainWindow, tab: str) -> bool:
    act(window, f"tab{tab}Action")
    return not results(window).isHidden()


def test_that_on_a_small_screen_the_picture_of_memory_has_the_height_of_the_results(
    qtbot: QtBot, tmp_path: Path
) -> None:
    window = made_in(qtbot, tmp_path)
    assert shown_beside(window, "Timing")
    qtbot.waitUntil(lambda: results(window).height() > 150)
    before = results(window).height()
    assert not shown_beside(window, "Memory")
    view = next(view for view in window.findChildren(MemoryView) if view.isVisible())
    qtbot.waitUntil(lambda: view.width() >= 500 and view.height() >= 430)
    assert (window.width(), window.height()) == (1280, pytest.approx(800, abs=24))  # less what a frame may take
    assert shown_beside(window, "Traffic")
    qtbot.waitUntil(lambda: results(window).height() == pytest.approx(before, abs=2))
    window.close()


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_that_run_and_record_stay_where_they_are_on_every_page(
    qtbot: QtBot, tmp_path: Path, size: tuple[int, int]
) -> None:
    window = made_in(qtbot, tmp_path)
    window.resize(*size)
    buttons = [part(window, QAbstractButton, name) for name in ("runButton", "recordButton")]
    places = set()
    for tab in TABS:
        is_folded = not shown_beside(window, tab)
        strip = part(window, QToolBar, "bottomStrip")
        qtbot.waitUntil(lambda is_folded=is_folded, strip=strip: strip.isVisible() is is_folded)
        window.layout().activate()
        QApplication.processEvents()
        places.add(tuple(button.mapTo(window, button.rect().center()).y() for button in buttons))
    assert len(places) == 1
    window.close()


def laid_out(qtbot: QtBot) -> tuple[QMainWindow, WindowLayout]:
    """The parts of a window in their places, without what works behind them."""
    window, catalogue, presets = QMainWindow(), load_catalogue(), load_presets()
    qtbot.addWidget(window)
    parts = make_parts(catalogue, presets, default_experiment(catalogue, presets), LIGHT)
    layout = WindowLayout(window, parts)
    for part_of_none in (parts.badge, parts.progress):
        qtbot.addWidget(part_of_none)
    window.resize(1280, 800)
    window.show()
    return window, layout


def shows(layout: WindowLayout, tab: str) -> bool:
    layout.show_tab(tab)
    return not layout.docks["resultsDock"].isHidden()


def test_that_choices_of_docks_are_remembered(qtbot: QtBot) -> None:
    """Also past the first page, and if the window is closed where the results are not."""
    _, first = laid_out(qtbot)
    assert not shows(first, "Memory")
    kept = first.state()
    assert not shows(first, "Memory")
    _, second = laid_out(qtbot)
    second.restore(*kept)
    assert shows(second, "Timing")
    assert not shows(second, "Memory")
    second.docks["resultsDock"].toggleViewAction().trigger()
    second.show_first_page()
    assert not second.docks["resultsDock"].isVisible()
    assert shows(second, "Memory")
    _, third = laid_out(qtbot)
    third.restore(*second.state())
    assert shows(third, "Memory")
    third.reset()
    assert third.docks["resultsDock"].isHidden()
    assert shows(third, "Accuracy")


@pytest.mark.parametrize("is_left", [False, True])
def test_that_panels_that_were_folded_only_for_now_show_at_the_next_start(qtbot: QtBot, *, is_left: bool) -> None:
    """Also where the window closes on the first page."""
    _, first = laid_out(qtbot)
    first.show_tab("Timing")
    first.strips.fold_for_now()
    assert first.docks["experimentDock"].isHidden()
    if is_left:
        first.show_first_page()
    _, second = laid_out(qtbot)
    second.restore(*first.state())
    assert not second.docks["experimentDock"].isHidden()
    second.strips.fold_all()
    _, third = laid_out(qtbot)
    third.restore(*second.state())
    assert third.docks["experimentDock"].isHidden(), "a person folded it"


def test_that_the_experiment_stands_beside_a_kernel_that_was_opened(qtbot: QtBot) -> None:
    window, layout = laid_out(qtbot)
    window.resize(1280, 800)
    layout.show_first_page()
    layout.show_tab("Timing")
    experiment = layout.docks["experimentDock"]
    layout.strips.fold([experiment])
    layout.show_own_kernel()
    assert not experiment.isHidden()
    layout.show_editor(True)
    assert experiment.isHidden(), "the editor has its room"
    layout.show_own_kernel()
    assert experiment.isHidden(), "also where its file is read after that"
    layout.show_editor(False)
    assert not experiment.isHidden()


def test_that_the_experiment_folds_once_an_opened_kernel_has_its_picture(qtbot: QtBot) -> None:
    window, layout = laid_out(qtbot)
    window.resize(1280, 800)
    layout.show_tab("Memory")
    layout.show_own_kernel()
    layout._page.picture_count = 1
    layout._page.pictures_changed.emit()
    assert not layout.docks["experimentDock"].isHidden(), "the picture may be of another kernel"
    layout.show_recorded()
    assert layout.docks["experimentDock"].isHidden()


def test_that_a_state_kept_before_there_was_a_choice_is_restored(qtbot: QtBot) -> None:
    _, first = laid_out(qtbot)
    first.show_tab("Timing")
    first.docks["experimentDock"].hide()
    geometry, docks = first.state()
    _, second = laid_out(qtbot)
    second.restore(geometry, docks.partition("|")[0])
    assert shows(second, "Timing")
    assert second.docks["experimentDock"].isHidden()
    assert not shows(second, "Memory")
    second.restore("", "no state at all")
    assert not second.docks["experimentDock"].isHidden()


def test_that_on_a_small_screen_two_pictures_have_the_width_of_the_docks_at_the_right(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = [0]  # whatever else the page is told meanwhile
    monkeypatch.setattr(MemoryPage, "picture_count", property(lambda _: pictures[0], lambda *_: None), raising=False)
    window = made_in(qtbot, tmp_path)
    page, source = part(window, MemoryPage, "memoryPage"), part(window, QDockWidget, "sourceDock")
    act(window, "tabMemoryAction")
    qtbot.waitUntil(lambda: bool(window.work.devices))
    qtbot.waitUntil(lambda: 500 < page.width() < 560)
    assert not source.isHidden()
    before = page.width()
    pictures[0] = 2
    page.pictures_changed.emit()
    assert source.isHidden()
    qtbot.waitUntil(lambda: page.width() >= before + 260)  # a strip stays
    act(window, "tabTimingAction")
    assert not source.isHidden()
    act(window, "tabMemoryAction")
    assert source.isHidden()
    pictures[0] = 0
    page.pictures_changed.emit()
    assert not source.isHidden()
    qtbot.waitUntil(lambda: page.width() == pytest.approx(before, abs=2))
    window.close()


def test_that_the_source_is_on_the_page_of_memory_once(window: MainWindow, qtbot: QtBot) -> None:
    act(window, "tabMemoryAction")
    source = window.findChild(QDockWidget, "sourceDock")
    figures = window.findChild(QDockWidget, "figuresDock")
    qtbot.waitUntil(lambda: not source.visibleRegion().isEmpty())
    segments = window.findChild(MemoryPage)._segments
    segments.buttons[-1].click()
    qtbot.waitUntil(lambda: source.visibleRegion().isEmpty() and not figures.visibleRegion().isEmpty())
    segments.buttons[0].click()
    qtbot.waitUntil(lambda: not source.visibleRegion().isEmpty())


def test_that_the_roofs_of_the_device_that_the_roofline_lacks_are_measured_and_by_the_menu_those_of_the_experiments(
    qtbot: QtBot, tmp_path: Path, host: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(RunControl, "measure_roofs", lambda _control, _experiment, device="": asked.append(device))
    monkeypatch.setattr(TimingChart, "offered_device", host)
    window = made_in(qtbot, tmp_path)
    button, action = part(window, QAbstractButton, "measureRoofs"), part(window, QAction, "roofsAction")
    button.setEnabled(True)
    action.setEnabled(True)
    button.click()
    action.trigger()
    assert asked == [host.id, ""]
    window.close()


@pytest.mark.parametrize("shape", [Qt.WindowState.WindowMaximized, Qt.WindowState.WindowFullScreen])
def test_that_a_window_that_filled_the_screen_comes_back_with_the_first_page_alone(
    qtbot: QtBot, tmp_path: Path, shape: Qt.WindowState
) -> None:
    before = made_in(qtbot, tmp_path)
    before.setWindowState(shape)
    qtbot.waitUntil(lambda: before.windowState() == shape)
    assert before._keep_settings() == ""
    again = create_window(tmp_path)
    assert isinstance(again, MainWindow)
    qtbot.addWidget(again)
    again.show()
    qtbot.waitExposed(again)
    QApplication.processEvents()
    assert not again.isFullScreen()
    assert again.isMaximized() is (shape is Qt.WindowState.WindowMaximized)
    assert all(dock.isHidden() for dock in again.findChildren(QDockWidget))
    act(again, "tabTimingAction")
    assert again.dockWidgetArea(results(again)) is Qt.DockWidgetArea.BottomDockWidgetArea
    before.close()
    again.close()
