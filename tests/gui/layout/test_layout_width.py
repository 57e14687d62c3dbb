"""The source gets its share of the window's width, and its lines can be read."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from driving import act
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.layout.dock_widths import (
    BOTH_SIDES_FROM,
    LEFT_WIDTH,
    MOST_RIGHT_WIDTH,
    PICTURE_WIDTH,
    READABLE_WIDTH,
    RIGHT_WIDTH,
    SEPARATORS,
    right_width,
    source_width,
)
from gemmviz.gui.window.main_window import MainWindow


@pytest.mark.parametrize(
    ("window", "right"),
    [
        (1280, READABLE_WIDTH),
        (1440, READABLE_WIDTH + 80),
        (1920, MOST_RIGHT_WIDTH),
        (3840, MOST_RIGHT_WIDTH),
    ],
)
def test_that_the_right_side_gets_half_of_what_a_window_has_more_up_to_its_most(window: int, right: int) -> None:
    assert right_width(window) == right


@pytest.mark.parametrize("width", range(1000, 2000, 40))
def test_that_the_source_gives_way_to_a_picture_and_only_beside_an_experiment_that_was_opened(width: int) -> None:
    beside = source_width(width, 1, is_left_shown=True)
    picture = width - LEFT_WIDTH - SEPARATORS - beside
    assert picture >= PICTURE_WIDTH or beside == RIGHT_WIDTH
    assert source_width(width, 1, is_left_shown=False) == right_width(width)
    if width >= BOTH_SIDES_FROM[1]:
        assert beside == right_width(width), "the experiment folds before the source gets narrower"


def figures(window: MainWindow) -> QDockWidget:
    dock = window.findChild(QDockWidget, "figuresDock")
    assert isinstance(dock, QDockWidget)
    return dock


def test_that_the_docks_follow_the_window_until_a_person_moves_them(qtbot: QtBot, window: MainWindow) -> None:
    act(window, "tabTimingAction")
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: figures(window).width() == RIGHT_WIDTH)
    window.resize(1920, 1080)
    qtbot.waitUntil(lambda: figures(window).width() == MOST_RIGHT_WIDTH)
    window.resizeDocks([figures(window)], [500], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: figures(window).width() == 500)
    window.resize(1700, 1000)
    QApplication.processEvents()
    assert figures(window).width() == 500, "a width that a person gave stays"
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: figures(window).width() == RIGHT_WIDTH)  # unless the centre has too little then


def test_that_the_right_side_is_as_narrow_as_before_once_the_window_is(qtbot: QtBot, window: MainWindow) -> None:
    act(window, "tabMemoryAction")
    source = window.findChild(QDockWidget, "sourceDock")
    for size, wanted in (
        ((1280, 800), READABLE_WIDTH),
        ((1920, 1080), MOST_RIGHT_WIDTH),
        ((1280, 800), READABLE_WIDTH),
    ):
        window.resize(*size)
        qtbot.waitUntil(lambda wanted=wanted: source.width() == wanted)


def test_that_docks_have_their_width_whatever_is_in_front_and_if_folded_in_a_wider_window(
    qtbot: QtBot, window: MainWindow
) -> None:
    source = window.findChild(QDockWidget, "sourceDock")
    window.resize(1280, 800)
    act(window, "tabMemoryAction")
    qtbot.waitUntil(lambda: source.width() == READABLE_WIDTH)
    act(window, "tabTimingAction")
    qtbot.waitUntil(lambda: figures(window).width() == RIGHT_WIDTH)
    act(window, "tabMemoryAction")
    qtbot.waitUntil(lambda: source.width() == READABLE_WIDTH)
    act(window, "tabTimingAction")
    source.raise_()
    qtbot.waitUntil(lambda: window.centralWidget().width() >= PICTURE_WIDTH)  # room for the buttons of the views
    figures(window).raise_()
    window.resize(1920, 1080)
    act(window, "tabTimingAction")
    qtbot.waitUntil(lambda: figures(window).width() == MOST_RIGHT_WIDTH)
    act(window, "foldRightAction")
    qtbot.waitUntil(figures(window).isHidden)
    window.resize(1280, 800)
    QApplication.processEvents()
    act(window, "foldRightAction")
    qtbot.waitUntil(lambda: figures(window).width() == RIGHT_WIDTH)
    window.resize(1920, 1080)
    qtbot.waitUntil(lambda: figures(window).width() == MOST_RIGHT_WIDTH)


def test_that_an_empty_list_of_results_and_one_in_a_low_window_give_way_and_come_back(
    qtbot: QtBot, window: MainWindow, make_result: Callable[..., RunResult]
) -> None:
    results = window.findChild(QDockWidget, "resultsDock")
    window.resize(1920, 1280)
    act(window, "tabMemoryAction")
    qtbot.waitUntil(results.isHidden)
    window.document.add_run(make_result(), 1.0)
    qtbot.waitUntil(lambda: not results.isHidden())
    for size, hidden in (((1280, 800), True), ((1920, 1280), False)):
        window.resize(*size)
        qtbot.waitUntil(lambda hidden=hidden: results.isHidden() == hidden)
    window.document.new()
    qtbot.waitUntil(results.isHidden)


def test_that_the_docks_have_their_width_also_if_the_window_grew_while_its_first_page_was_shown(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(1920, 1080)
    QApplication.processEvents()
    act(window, "tabTimingAction")
    qtbot.waitUntil(lambda: figures(window).width() == MOST_RIGHT_WIDTH)
