"""What Record was pressed for comes up in the view that was in front, and Space plays it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from driving import act, part, press
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.gui.memory.memory_views import MEMORY_VIEWS, SEGMENTS
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.work.experiment import Experiment
from gemmviz.gui.work.last_work import Asked, LastWork

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
    window._player.record_asked.emit(trace.spec, "naive", ((0, 0, 0),), None)
    qtbot.waitUntil(lambda: not window.work.busy and len(window.document.session.traces) == 2)
    assert page.view_in_front == "sectors"


def test_that_a_new_session_begins_with_the_animation(window: MainWindow) -> None:
    page = turn_to(window, "totals")
    act(window, "newAction")
    assert page.view_in_front == "animation"


def test_that_a_recording_of_a_third_kernel_takes_the_left_picture_and_gives_it_back(
    qtbot: QtBot, window: MainWindow
) -> None:
    left, right = {each.spec.kernel: each for each in load_session(FOUR.path).traces}.values()
    third = replace(left, spec=replace(left.spec, kernel="third"))
    player = window._player
    for trace in (left, right):
        window.document.add_trace(trace)
        qtbot.waitUntil(lambda trace=trace: player.played[0] is not None and player.played[0].run is trace)
    player.play(left)
    player.play(right, place=1)

    def shown() -> list[TraceRun]:
        return [each.run for each in player.played if each is not None]

    assert shown() == [left, right]
    window.document.add_trace(third)
    window.work.recorded.emit(third)
    qtbot.waitUntil(lambda: shown() == [third, right])
    back = next(
        button
        for button in part(window, NoticeBar, "noticeBar").findChildren(QPushButton, "noticeAction")
        if button.text() == f"Back to {left.spec.kernel}"
    )
    back.click()
    assert shown() == [left, right]


@pytest.mark.parametrize("asked", [Asked.RECORDING, Asked.RUN])
def test_that_a_recording_that_fails_says_whose_the_picture_is(qtbot: QtBot, window: MainWindow, asked: Asked) -> None:
    shown = load_session(FOUR.path).traces[0]
    window.document.add_trace(shown)
    qtbot.waitUntil(lambda: window._player.played[0] is not None)
    window.work.work_changed.emit(LastWork(1, asked, ("naive",), "4×4×4"))
    window.work.failed.emit("naive", "naive has no time left.", "details")
    still = f". The recording in view is still that of {shown.spec.kernel}."
    words = "naive has no time left" + (still if asked is Asked.RECORDING else ".")
    assert part(window, NoticeBar, "noticeBar").texts() == (words,)
    window.work.failed.emit(shown.spec.kernel, "it stopped.", "")
    assert "it stopped." in part(window, NoticeBar, "noticeBar").texts()
