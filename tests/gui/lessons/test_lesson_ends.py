"""Where a lesson is left and how it ends: what is kept of it, and the whole screen."""

from __future__ import annotations

from pathlib import Path

from driving import act, part
from lesson_driving import begin, click, text_of
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lessons import load_lessons
from gemmviz.gui.control.lessons.lesson_control import EXPORTS
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.lessons.progress import LessonProgress
from gemmviz.gui.preferences import Preferences
from gemmviz.gui.presentation.hint import FadingHint
from gemmviz.gui.presentation.picture_screen import PictureScreen
from gemmviz.gui.presentation.work_screen import WorkScreen
from gemmviz.gui.welcome.first_page import FirstPage
from gemmviz.gui.window.main_window import MainWindow

LESSONS = load_lessons()


def test_that_a_lesson_takes_the_whole_screen_and_gives_it_back(qtbot: QtBot, window: MainWindow) -> None:
    page = begin(qtbot, window, LESSONS[0])
    qtbot.keyClick(page, Qt.Key.Key_F11)
    assert window.isFullScreen()
    qtbot.waitUntil(lambda: part(window, QPushButton, "lessonFullScreen").text() == "Leave full screen")
    assert not window.menuBar().isVisible()
    assert not window.statusBar().isVisible()
    qtbot.keyClick(page, Qt.Key.Key_F11)
    assert not window.isFullScreen()
    qtbot.waitUntil(lambda: part(window, QPushButton, "lessonFullScreen").text() == "Full screen")
    assert window.menuBar().isVisible()
    click(qtbot, window, "lessonFullScreen")
    assert window.isFullScreen()
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert not window.isFullScreen()
    assert window.statusBar().isVisible()
    assert page.isVisible()
    assert page.lesson == LESSONS[0]
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert part(window, FirstPage, "firstPage").isVisible()


def test_that_the_end_of_a_lesson_keeps_the_whole_screen(qtbot: QtBot, window: MainWindow) -> None:
    window._lessons.attempts.asked.disconnect()  # nothing needs to run here
    page = begin(qtbot, window, LESSONS[0])
    qtbot.keyClick(page, Qt.Key.Key_F11)
    page.go(page.steps)
    page.lesson_asked.emit(LESSONS[1].id)
    qtbot.waitUntil(lambda: page.lesson == LESSONS[1])
    assert window.isFullScreen()
    assert not window.menuBar().isVisible()
    page.go(page.steps)
    click(qtbot, window, "lessonOverview")
    assert part(window, FirstPage, "firstPage").isVisible()
    assert window.isFullScreen()
    assert window.menuBar().isVisible(), "menus lead on from here"
    begin(qtbot, window, LESSONS[0])
    assert not window.menuBar().isVisible()
    assert set(EXPORTS) <= {action.objectName() for action in page.actions()}, "their keys work without menus"
    page.go(page.steps)
    click(qtbot, window, "lessonRun")
    assert not page.isVisible()
    assert window.isFullScreen()
    assert window.statusBar().isVisible()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isFullScreen()
    act(window, "fullScreenAction")
    assert window.isFullScreen()
    assert window.menuBar().isVisible()
    act(window, "fullScreenAction")
    assert not window.isFullScreen()


def test_that_the_result_of_a_lesson_on_the_whole_screen_is_presented_and_leads_back_by_a_key(
    qtbot: QtBot, window: MainWindow
) -> None:
    window._lessons.attempts.asked.disconnect()  # nothing needs to run here
    page = begin(qtbot, window, LESSONS[0])
    qtbot.keyClick(page, Qt.Key.Key_F11)
    page.go(page.steps)
    click(qtbot, window, "lessonRun")
    assert window._layout.tab == LESSONS[0].attempt.page
    window._run.busy_changed.emit(False)
    qtbot.wait(0)
    assert window.findChild(PictureScreen) is None, "nothing came of it"
    window._lessons.attempts._results_of.show_verdict(LESSONS[0], "tiled is 14 times as fast as naive")
    window._run.busy_changed.emit(False)
    qtbot.waitUntil(lambda: window.findChild(PictureScreen) is not None)
    screen = window.findChild(PictureScreen)
    assert f"B  back to lesson {LESSONS[0].number}" in screen.findChild(FadingHint).text()
    qtbot.keyClick(screen, Qt.Key.Key_B)
    assert page.isVisible()
    assert page.step == page.steps - 1
    assert not window.menuBar().isVisible(), "it has the whole screen again"


def test_that_the_work_of_a_lesson_on_the_whole_screen_has_it_and_leads_back_where_it_is_cancelled(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = begin(qtbot, window, LESSONS[1])
    qtbot.keyClick(page, Qt.Key.Key_F11)
    page.go(page.steps)
    click(qtbot, window, "lessonRun")
    screen = window.findChild(WorkScreen)
    assert screen is not None
    assert screen.isFullScreen()
    assert text_of(window, "workLesson") == f"Lesson 2: {LESSONS[1].title}"
    assert text_of(window, "workWhat") == "Running naive and naive_uncoalesced at 512×512×512"
    window._run.progressed.emit("naive: measuring", 0.25)
    assert text_of(window, "workWords") == "naive: measuring"
    assert text_of(window, "workTimes").startswith("25 %")
    part(window, QPushButton, "workCancel").click()
    qtbot.waitUntil(lambda: not window.work.busy and page.isVisible())
    assert page.step == page.steps - 1
    qtbot.waitUntil(lambda: window.findChild(WorkScreen) is None)
    click(qtbot, window, "lessonRun")
    qtbot.keyClick(window.findChild(WorkScreen), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(WorkScreen) is None)
    assert window.work.busy, "who leaves the whole screen ends no work"
    assert window.isFullScreen()
    window.work.cancel()
    qtbot.waitUntil(lambda: not window.work.busy)
    assert not page.isVisible(), "cancelled in the window, it stays there"
    window._run._set_busy(True)
    assert window.findChild(WorkScreen) is None, "other work is shown in the window"


def test_that_back_from_the_first_step_leads_to_the_end_of_the_lesson_before(qtbot: QtBot, window: MainWindow) -> None:
    page = begin(qtbot, window, LESSONS[0])
    page.go(page.steps)
    qtbot.keyClick(page, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: page.lesson == LESSONS[1])
    qtbot.keyClick(page, Qt.Key.Key_Left)
    assert page.lesson == LESSONS[0]
    assert page.step == page.steps - 1


def test_that_a_lesson_goes_on_where_it_was_left_and_is_done_once_its_questions_are_answered_and_it_ran(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    lesson = LESSONS[1]
    (asked,) = lesson.question_steps
    card = part(window, QPushButton, f"lessonCard_{lesson.id}")
    page = begin(qtbot, window, lesson)
    page.go(2)
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert f"Continue at step 3 of {page.steps or lesson.step_count}" in card.accessibleName()
    assert begin(qtbot, window, lesson).step == 2
    click(qtbot, window, "lessonRestart")
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert card.accessibleName() == lesson.title
    begin(qtbot, window, lesson).go(99)
    once = "once it is answered and you have done this exercise"
    said = f"1 question is open, in step {asked + 1}. The lesson is done {once}."
    assert text_of(window, "lessonOpenQuestions") == said
    page.left.emit()
    assert card.accessibleName() == f"{lesson.title}, read, open question in step {asked + 1}"
    assert begin(qtbot, window, lesson).step == asked, "it goes on at what is open"
    page.go(99)
    click(qtbot, window, "lessonAnswerOpen")
    assert page.step == asked
    click(qtbot, window, "lessonShowAnswer")
    question = lesson.steps[asked].question
    assert question is not None
    assert text_of(window, "lessonAnswer") == f"This is the answer. {question.choices[question.right].says}"
    assert not part(window, QPushButton, "lessonShowAnswer").isVisible()
    page.go(99)
    assert text_of(window, "lessonOpenQuestions").startswith(f"You have read lesson {lesson.number}")
    page.left.emit()
    assert card.accessibleName() == f"{lesson.title}, read, exercise left"
    window._lessons.attempts.exercise_done.emit(lesson)
    assert card.accessibleName() == f"{lesson.title}, done"
    assert begin(qtbot, window, lesson).step == 0
    page.go(2)
    window._keep_settings()
    again = Preferences(tmp_path / "settings")
    assert again.lesson_progress(lesson) == LessonProgress(is_done=True, is_exercised=True)
    qtbot.keyClick(page, Qt.Key.Key_Escape)  # what was once done stays so
    assert card.accessibleName() == f"{lesson.title}, done"
    assert text_of(window, f"lessonProgress_{lesson.id}") == "✓ done"


def test_that_what_recordings_have_shown_is_said_on_a_slide_where_no_chart_shows_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    window._lessons.attempts.asked.disconnect()  # nothing needs to run here
    lesson = next(each for each in LESSONS if each.attempt.sequel is not None and each.attempt.sequel.view == "Banks")
    page = begin(qtbot, window, lesson)
    qtbot.keyClick(page, Qt.Key.Key_F11)
    page.go(page.steps)
    click(qtbot, window, "lessonRecord")
    told: list[tuple[str, str]] = []
    window._lessons.slide_asked.connect(lambda *words: told.append(words))
    found = "tiled 1.00, tiled_transposed 1.47 wavefronts per request"
    window._layout.show_tab(TABS[0])
    window._lessons.attempts.results_of.show_verdict(lesson, found, "Banks", "A column conflicts.")
    window._run.busy_changed.emit(False)
    qtbot.waitUntil(lambda: window.findChild(PictureScreen) is not None)
    assert told == [(f"Lesson {lesson.number}: {lesson.title}", f"{found}. A column conflicts.")]
    screen = window.findChild(PictureScreen)
    qtbot.keyClick(screen, Qt.Key.Key_B)
    assert page.isVisible()
    assert page.step == page.steps - 1
    window._run.busy_changed.emit(False)
    qtbot.wait(0)
    assert len(told) == 1, "the lesson is read"
