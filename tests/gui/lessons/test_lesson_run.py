"""The message of the run that a lesson's last step starts, when it goes, and the way back to the lessons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from driving import act, part
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QDockWidget, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.catalogue.lessons import Lesson, load_lessons
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.control.start_control import StartControl
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.lessons.attempt_words import back_words
from gemmviz.gui.lessons.lesson_data import read_lesson_data
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.notices.notice import Notice
from gemmviz.gui.recording.view import RecordingView
from gemmviz.gui.welcome.first_page import FirstPage
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.question import Answer, Question
from gemmviz.gui.window.main_window import MainWindow

LESSONS = load_lessons()


def notices(window: MainWindow) -> str:
    return "\n".join(part(window, NoticeBar, "noticeBar").texts())


def is_in_front(window: MainWindow, words: str) -> bool:
    """Whether a message with these words is read, and not behind the button."""
    bar = part(window, NoticeBar, "noticeBar")
    return any(words in one.text for one in bar.findChildren(Notice) if one.isVisible())


def run_of_lesson(qtbot: QtBot, window: MainWindow, lesson_id: str) -> Lesson:
    """Start the run of a lesson's last step and cancel it: its message stays."""
    lesson = next(each for each in LESSONS if each.id == lesson_id)
    window.open_lesson(lesson_id)
    page = part(window, LessonPage, "lessonPage")
    qtbot.waitUntil(lambda: page.lesson == lesson)
    page.go(page.steps)
    part(window, QPushButton, "lessonRun").click()
    window.work.cancel()
    qtbot.waitUntil(lambda: not window.work.busy)
    assert "This is the run of lesson" in notices(window)
    return lesson


def test_that_the_message_of_a_lessons_run_goes_with_its_session_and_steps_back_for_other_work(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Question, "ask", lambda *_: Answer.DISCARD)
    run_of_lesson(qtbot, window, "cpu")
    act(window, "newAction")
    assert "This is the run of lesson" not in notices(window)
    run_of_lesson(qtbot, window, "cpu")
    with qtbot.waitSignal(window.document.opened):
        window._examples.chosen.emit(load_examples()[0])
    assert "This is the run of lesson" not in notices(window)
    run_of_lesson(qtbot, window, "cpu")
    window.run_chosen()
    assert not is_in_front(window, "This is the run of lesson"), "the progress of other work has the room"
    window.work.cancel()
    qtbot.waitUntil(lambda: not window.work.busy)
    assert "This is the run of lesson" in notices(window), "what is left to do in the lesson is kept"
    window.open_lesson("race")
    race = next(each for each in LESSONS if each.id == "race")
    qtbot.waitUntil(lambda: part(window, LessonPage, "lessonPage").lesson == race)
    assert not is_in_front(window, "This is the run of lesson")


def test_that_a_lessons_run_goes_into_no_file_of_a_person(
    qtbot: QtBot,
    window: MainWindow,
    tmp_path: Path,
    make_result: Callable[..., RunResult],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window.document.add_run(make_result("tiled"), 1.0)
    asked: list[str] = []

    def answer(_parent: QWidget, _title: str, words: str, *_: object) -> Answer:
        asked.append(words)
        return Answer.CANCEL

    monkeypatch.setattr(Question, "ask", answer)
    window._lessons.attempts.run(next(each for each in LESSONS if each.id == "cpu"), ("cpu_loops",))
    why = "The exercise of lesson 8 opens a session of its own and closes this one."
    assert asked == [f"This session holds 1 unsaved run. {why}"]
    with qtbot.waitSignal(window.document.saved):
        window.document.save(tmp_path / "lecture.gemmviz")
    run_of_lesson(qtbot, window, "cpu")
    assert (window.document.path, window.document.name) == (None, "Runs of lessons")
    assert all(run.spec.kernel != "tiled" for run in window.document.session.runs)
    assert "“lecture.gemmviz” is closed and stays as it is" in notices(window)
    window.document.add_run(make_result("naive"), 1.0)
    run_of_lesson(qtbot, window, "cpu")
    assert [run.spec.kernel for run in window.document.session.runs][:1] == ["naive"], "lessons share one session"


def test_that_a_lessons_recordings_go_into_no_file_of_a_person_and_its_session_can_be_had_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, make_result: Callable[..., RunResult]
) -> None:
    window.document.add_run(make_result("tiled"), 1.0)
    with qtbot.waitSignal(window.document.saved):
        window.document.save(tmp_path / "lecture.gemmviz")
    window.open_lesson("coalescing")
    page = part(window, LessonPage, "lessonPage")
    qtbot.waitUntil(lambda: page.lesson is not None and page.lesson.id == "coalescing")
    page.go(page.steps)
    part(window, QPushButton, "lessonRecord").click()
    assert (window.document.path, window.document.name) == (None, "Runs of lessons")
    window.work.cancel()
    qtbot.waitUntil(lambda: not window.work.busy)
    assert window.document.session.runs == ()
    assert "“lecture.gemmviz” is closed and stays as it is" in notices(window)
    buttons = part(window, NoticeBar, "noticeBar").findChildren(QPushButton, "noticeAction")
    with qtbot.waitSignal(window.document.opened):
        next(button for button in buttons if button.text() == "Open lecture.gemmviz").click()
    assert [run.spec.kernel for run in window.document.session.runs] == ["tiled"]
    assert (window.document.name, window.document.modified) == ("lecture.gemmviz", False)
    assert "is closed and stays as it is" not in notices(window)


def test_that_a_reader_gets_the_broken_kernel_and_finds_its_race(
    qtbot: QtBot,
    window: MainWindow,
    tmp_path: Path,
    make_result: Callable[..., RunResult],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What becomes of unsaved work is asked once, first, and while the lesson is in sight."""
    window.document.add_run(make_result("tiled"), 1.0)
    lesson = next(each for each in LESSONS if each.id == "race")
    window.open_lesson(lesson.id)
    page = part(window, LessonPage, "lessonPage")
    qtbot.waitUntil(lambda: page.lesson == lesson)
    asked: list[tuple[str, bool]] = []

    def answer(*_: object) -> Answer:
        asked.append(("session", page.isVisible()))
        return Answer.DISCARD

    def name_file(name: str) -> str:
        asked.append(("file", page.isVisible()))
        return name

    monkeypatch.setattr(Question, "ask", answer)
    page.go(page.steps)
    button = part(window, QPushButton, "lessonRun")
    assert button.text() == "Save race_broken.cu and record it at 64 × 64 × 64"
    mine = tmp_path / "mine.cu"
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: name_file(""))
    button.click()
    assert page.lesson == lesson, "a dialog that is cancelled changes nothing"
    assert window.document.session.runs
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: name_file(str(mine)))
    button.click()
    qtbot.waitUntil(lambda: bool(window.document.session.traces))
    assert asked == [("session", True), ("file", True)] * 2
    assert not window.document.session.runs, "what the reader gave up"
    assert mine.read_bytes() == lesson.attempt.file_path.read_bytes()
    (trace,) = window.document.session.traces
    assert trace.spec.kernel == window.experiment.kernel == "mine"
    assert (trace.spec.shape, dict(trace.spec.params)) == (lesson.attempt.size, {"TILE": 8})
    assert HazardKind.RACE in {hazard.kind for hazard in trace.hazards}
    qtbot.waitUntil(lambda: "This is the recording of lesson 4." in notices(window))
    assert "press Edit the kernel" in notices(window)
    next(button for button in window.findChildren(QPushButton) if button.text() == "Edit the kernel").click()
    edit = window._parts.editor.edit
    assert edit.textCursor().blockNumber() + 1 == 37, "the line that the lesson names"
    lines = edit.text().split("\n")
    assert [lines[35].split()[0], lines[36], lines[37].split()[0]] == ["Bs[ty][tx]", "", "for"]
    mended = replace(trace, hazards=(), source_text=f"{trace.source_text}// mended\n")
    window.open_lesson("registers")
    qtbot.waitUntil(lambda: page.lesson is not None and page.lesson.id == "registers")
    window.document.add_trace(mended)
    assert "press Edit the kernel" not in notices(window)
    assert "Well done: the race is gone" in notices(window), "also where another lesson was opened meanwhile"
    measured = window._lessons.attempts.measured
    assert measured["race"].startswith("You mended mine. Before: ")
    assert measured["race"].endswith("Now: no hazard.")
    window.document.add_trace(replace(trace))
    assert "Well done" not in notices(window), "the barrier was taken away again"
    assert "race on line 39" in measured["race"]
    window.document.add_trace(replace(mended))
    assert "Well done" in notices(window)
    with qtbot.waitSignal(window._set_up.file_taken):
        window._set_up._user_catalogue.read_saved(mine)
    assert "Well done" not in notices(window), "what was saved is not recorded yet"
    window.document.add_trace(replace(mended, spec=replace(mended.spec, kernel="tiled")))
    assert "Well done" not in notices(window), "another kernel's recording says nothing of it"
    window.document.add_trace(replace(mended))
    assert "Well done" in notices(window)
    window._set_up.choose("naive")
    assert "Well done" not in notices(window)


def test_that_the_last_step_says_what_its_reader_measured(
    qtbot: QtBot, window: MainWindow, make_result: Callable[..., RunResult]
) -> None:
    lesson = next(each for each in LESSONS if each.id == "tiling")
    window.open_lesson(lesson.id)
    page = part(window, LessonPage, "lessonPage")
    qtbot.waitUntil(lambda: page.lesson == lesson)
    page.go(page.steps)
    said = part(window, PlainLabel, "lessonMeasured")
    assert not said.isVisible()
    part(window, QPushButton, "lessonRun").click()
    for result in (make_result("naive", (8.0, 8.0, 8.0), params=()), make_result("tiled", (2.0, 2.0, 2.0))):
        window.document.add_run(result, 0.0)
    window.work.cancel()
    qtbot.waitUntil(lambda: not window.work.busy)
    next(each for each in window.findChildren(QPushButton) if each.text() == back_words(lesson)).click()
    assert said.isVisible()
    assert said.text() == "You measured: tiled is 4.00 times as fast as naive."
    page.lesson_asked.emit("race")
    qtbot.waitUntil(lambda: page.lesson is not None and page.lesson.id == "race")
    page.go(page.steps)
    assert not said.isVisible()


def test_that_the_help_menu_leads_to_the_lessons_from_anywhere(qtbot: QtBot, window: MainWindow) -> None:
    lesson, page = LESSONS[0], part(window, LessonPage, "lessonPage")
    window.open_lesson(lesson.id)
    qtbot.waitUntil(lambda: page.lesson == lesson)
    first_page, action = part(window, FirstPage, "firstPage"), part(window, QAction, "lessonsAction")
    assert action in part(window, QMenu, "menuHelp").actions()
    action.trigger()
    assert page.lesson is None
    assert first_page.isVisible()
    window._layout.show_tab("Memory")  # where the recording of a lesson leads
    assert not first_page.isVisible()
    action.trigger()
    assert first_page.isVisible()
    bar = first_page.verticalScrollBar()
    bar.setRange(0, 400)
    bar.setValue(400)
    action.trigger()
    assert bar.value() == 0, "the lessons are in sight also where the page is there already"


def test_that_the_chart_of_a_lesson_is_alone_also_where_another_kernel_was_edited(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: str(tmp_path / "mine.cu"))
    act(window, "tabMemoryAction")
    act(window, "editKernelAction")
    docks = window.findChildren(QDockWidget)
    assert not part(window, QDockWidget, "sourceDock").isHidden()
    lesson = next(each for each in LESSONS if each.id == "gpu")
    window.open_lesson(lesson.id)
    page = part(window, LessonPage, "lessonPage")
    qtbot.waitUntil(lambda: page.lesson == lesson)
    page.go(page.steps)
    monkeypatch.setattr(StartControl, "run_chosen", lambda _: None)  # only the panels are of interest
    part(window, QPushButton, "lessonRun").click()
    assert [dock.objectName() for dock in docks if not dock.isHidden()] == []


def test_that_the_race_of_a_lesson_is_shown_alone_beside_its_source(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    four = next(example for example in load_examples() if example.id == "cpu-four")
    with qtbot.waitSignal(window.document.opened, timeout=20_000):
        window.document.open_copy(four.path, four.title)
    memory, combo = part(window, MemoryPage, "memoryPage"), part(window, QComboBox, "compareCombo")
    qtbot.waitUntil(lambda: window.player.count > 0 and combo.count() > 1, timeout=20_000)
    combo.setCurrentIndex(1)
    combo.activated.emit(1)
    qtbot.waitUntil(lambda: memory.is_compared)
    lesson = next(each for each in LESSONS if each.id == "race")
    window.open_lesson(lesson.id)
    page = part(window, LessonPage, "lessonPage")
    qtbot.waitUntil(lambda: page.lesson == lesson)
    page.go(page.steps)
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: str(tmp_path / "mine.cu"))
    part(window, QPushButton, "lessonRun").click()
    kernels = lambda: [trace.spec.kernel for trace in window.document.session.traces]  # noqa: E731
    qtbot.waitUntil(lambda: kernels() == ["mine"], timeout=60_000)
    view = part(window, MemoryView, "memoryView")
    qtbot.waitUntil(lambda: view.picture_state() is not None and view.picture_state().run.spec.kernel == "mine")
    assert not memory.is_compared
    source = part(window, QDockWidget, "sourceDock")
    assert source.isVisible()
    assert not source.visibleRegion().isEmpty(), "in front of the other panels"


def test_that_the_message_of_a_recording_opens_it_where_its_reader_has_left_meanwhile(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson = next(each for each in LESSONS if each.id == "race")
    before = next(iter(read_lesson_data(lesson).traces.values()))
    window.document.begin_lessons()
    window.document.add_trace(before)
    window.open_lesson(lesson.id)
    page = part(window, LessonPage, "lessonPage")
    qtbot.waitUntil(lambda: page.lesson == lesson)
    page.go(page.steps)
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: str(tmp_path / "mine.cu"))
    part(window, QPushButton, "lessonRun").click()
    qtbot.waitUntil(lambda: "Recording the kernel of lesson 4" in notices(window))
    act(window, "firstPageAction")
    qtbot.waitUntil(lambda: window.document.session.traces[-1].spec.kernel == "mine", timeout=60_000)
    qtbot.waitUntil(lambda: "This is the recording of lesson 4." in notices(window))
    window._player.play(before)
    assert lesson.attempt.sequel is not None
    view = f"Open {lesson.attempt.sequel.view}"
    next(button for button in window.findChildren(QPushButton) if button.text() == view).click()
    assert part(window, MemoryPage, "memoryPage").view_in_front == "totals"
    shown = part(window, RecordingView, "recordingView").shown()
    assert shown is window.document.session.traces[-1]
    assert window.experiment.kernel == "mine"
