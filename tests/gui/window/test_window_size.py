"""The window never grows by itself, whatever it shows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from driving import act, part
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QDockWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.layout.dock_widths import PANELS_WIDTH
from gemmviz.gui.layout.layout import LEAST_WINDOW
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.notices.notice import NoticeAction, NoticeKind
from gemmviz.gui.widgets.segments import Segments
from gemmviz.gui.window.main_window import MainWindow

LONG = "A message with many words that needs several lines where the bar is narrow. " * 12
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()


FOLDS = "foldBottomAction", "foldLeftAction", "foldRightAction", "foldAllAction"


def checked(window: MainWindow, size: QSize) -> Callable[[str], None]:
    """Give a window a size; what is returned holds that it has it still, after what the words say."""
    window.resize(size)

    def check(what: str) -> None:
        settle()
        assert window.size() == size, what

    return check


@pytest.mark.parametrize(
    ("size", "folds"), [(QSize(1280, 760), FOLDS[-1:]), (QSize(1280, 760), FOLDS), (LEAST_WINDOW, FOLDS)]
)
def test_that_the_window_keeps_its_size_through_pages_panels_and_messages(
    qtbot: QtBot, window: MainWindow, make_result: Callable[..., RunResult], size: QSize, folds: tuple[str, ...]
) -> None:
    check = checked(window, size)
    check("first page")
    with qtbot.waitSignal(window.document.opened):
        window.open_path(examples_folder() / "gpu-waves.gemmviz")
    notices = part(window, NoticeBar, "noticeBar")
    for tab in TABS:
        act(window, f"tab{tab}Action")
        check(tab)
        page = window._layout.tabs.currentWidget()
        for segments in page.findChildren(Segments):
            for button in segments.buttons if segments.isVisibleTo(page) else ():
                button.click()
                check(f"{tab}: {button.text()}")
        for fold in folds:
            for _ in range(2):
                act(window, fold)
                check(f"{tab}: {fold}")
    action = NoticeAction("Back to lesson 2", lambda: None)
    for kind in NoticeKind:
        notices.show_notice(kind, LONG, LONG, (action,), cause="size")
        window.work.progressed.emit("compiling", 0.5)
        check(f"message: {kind}")
        part(window, QDockWidget, "resultsDock").show()
        check(f"message and results: {kind}")
    window.document.add_run(make_result(), 1.0)
    check("run")


@pytest.mark.parametrize("size", [QSize(1280, 760), LEAST_WINDOW])
def test_that_the_window_keeps_its_size_through_presentations(qtbot: QtBot, window: MainWindow, size: QSize) -> None:
    check = checked(window, size)
    with qtbot.waitSignal(window.document.opened):
        window.open_path(examples_folder() / "gpu-waves.gemmviz")
    for tab in TABS:
        act(window, f"tab{tab}Action")
        act(window, "presentAction")
        settle()
        for screen in QApplication.topLevelWidgets():
            if screen.objectName() in ("presentation", "chartPresentation"):
                screen.close()
        check(f"{tab}: presentation")
    window.open_lesson("race")
    qtbot.waitUntil(lambda: window._parts.lesson_page.lesson is not None)
    for _ in range(2):
        window._lessons.toggle_full_screen()
        settle()
    check("lesson, full screen and back")


def test_that_the_experiment_gives_way_as_the_window_gets_too_narrow_for_both_sides(
    qtbot: QtBot, window: MainWindow
) -> None:
    act(window, "tabTimingAction")
    experiment = part(window, QDockWidget, "experimentDock")
    for width, is_hidden in ((PANELS_WIDTH, False), (LEAST_WINDOW.width(), True), (PANELS_WIDTH, False)):
        window.resize(width, 800)
        qtbot.waitUntil(lambda is_hidden=is_hidden: experiment.isHidden() == is_hidden)


def test_that_a_new_experiment_shows_its_panels_and_the_first_chart_although_all_were_folded(
    window: MainWindow,
) -> None:
    window.resize(1280, 800)
    act(window, "tabTimingAction")
    window._parts.timing.set_view(type(window._parts.timing.view).ROOFLINE)
    act(window, "foldAllAction")
    act(window, "firstPageAction")
    window._files.new_experiment()
    assert not part(window, QDockWidget, "experimentDock").isHidden()
    assert not part(window, QDockWidget, "figuresDock").isHidden()
    assert window._layout.tab == "Timing"
    assert window._parts.timing.view is type(window._parts.timing.view).KERNEL
