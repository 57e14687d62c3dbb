"""What Record was pressed for comes up in the view that was in front, and Space plays it."""

from __future__ import annotations

import pytest
from driving import act, part, press
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.gui.memory.memory_views import MEMORY_VIEWS, SEGMENTS
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.work.experiment import Experiment

FOUR = next(example for example in load_examples() if example.id == "cpu-four")


def turn_to(window: MainWindow, view: str) -> MemoryPage:
    act(window, "tabMemoryAction")
    part(window, QPushButton, SEGMENTS[MEMORY_VIEWS.index(view)].object_name).click()
    return part(window, MemoryPage, "memoryPage")


def set_up(window: MainWindow) -> None:
    window.set_experiment(Experiment("tiled", Shape(16, 16, 16), budget_s=0.1, is_quick=True))


def space(qtbot: QtBot) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    qtbot.keyClick(focus, Qt.Key.Key_Space)


def new_recordings(window: MainWindow, before: tuple[TraceRun, ...]) -> int:
    return len(window.document.session.traces) - len(before)


@pytest.mark.parametrize("view", MEMORY_VIEWS[1:])
def test_that_record_leaves_the_view_and_space_plays_what_it_shows(qtbot: QtBot, window: MainWindow, view: str) -> None:
    window.activateWindow()
    page = turn_to(window, view)
    set_up(window)
    button = part(window, QPushButton, "recordButton")
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    press(qtbot, window, "recordButton")
    qtbot.waitUntil(lambda: window.player.count > 0)
    assert page.view_in_front == view
    qtbot.waitUntil(lambda: not window.work.busy)
    if view == "totals":
        qtbot.waitUntil(page.shown.hasFocus)
        space(qtbot)
        assert page.view_in_front == "animation", "totals cannot be played"
        assert window.player.playing
    else:
        stage = page.stages.in_front
        assert stage is not None
        qtbot.waitUntil(lambda: stage.request is not None)
    assert not window.work.busy
    assert len(window.document.session.traces) == 1


def test_that_a_view_chosen_while_a_recording_is_made_stays(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    page = turn_to(window, "animation")
    set_up(window)
    act(window, "recordAction")
    turn_to(window, "totals")
    qtbot.waitUntil(lambda: window.player.count > 0)
    qtbot.waitUntil(lambda: not window.work.busy)
    assert page.view_in_front == "totals"
    qtbot.waitUntil(page.shown.hasFocus)
    space(qtbot)
    assert page.view_in_front == "animation", "Space goes from the totals to the animation"
    assert window.player.playing
    assert not window.work.busy


def test_that_a_recording_that_a_picture_asked_for_leaves_the_view(qtbot: QtBot, window: MainWindow) -> None:
    page = turn_to(window, "animation")
    set_up(window)
    press(qtbot, window, "recordButton")
    (trace,) = window.document.session.traces
    qtbot.waitUntil(lambda: window.player.count > 0)
    turn_to(window, "sectors")
    window._player.record_asked.emit(trace.spec, "naive", ((0, 0, 0),))
    qtbot.waitUntil(lambda: not window.work.busy and len(window.document.session.traces) == 2)
    assert page.view_in_front == "sectors"


def test_that_a_new_session_begins_with_the_animation(window: MainWindow) -> None:
    page = turn_to(window, "totals")
    act(window, "newAction")
    assert page.view_in_front == "animation"
