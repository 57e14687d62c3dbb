"""What the page of a lesson shows and says once a question is answered."""

from __future__ import annotations

import pytest
from lesson_scenes import LESSONS, data_of, shown
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lessons import Lesson
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.progress import LessonProgress
from gemmviz.gui.lessons.question_row import QuestionRow
from gemmviz.gui.lessons.scenes.repair_scene import RepairScene
from gemmviz.gui.lessons.scenes.request_scene import BanksScene, SectorsScene
from gemmviz.gui.lessons.step_text import StepText
from gemmviz.gui.looks.theme import LIGHT

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def test_that_a_change_of_style_while_choices_are_made_leaves_all_of_them(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson, data = data_of("coalescing")
    page = shown(qtbot, LessonPage(LIGHT), 1280, 690)
    show, row = QPushButton.show, page.findChild(QuestionRow)

    def show_and_restyle(button: QPushButton) -> None:  # as one that is polished late after a change of theme
        show(button)
        QApplication.sendEvent(row, QEvent(QEvent.Type.StyleChange))

    monkeypatch.setattr(QPushButton, "show", show_and_restyle)
    page.show_lesson(data, step=4)
    question = lesson.steps[4].question
    assert question is not None
    assert [button.text()[:1] for button in row.buttons] == list("abcdef"[: len(question.choices)])
    page.stop()


def test_that_all_that_a_step_says_and_asks_is_in_its_words(qtbot: QtBot) -> None:
    lesson, data = data_of("tiling")
    place = next(number for number, step in enumerate(lesson.steps) if step.question is not None)
    step, page = lesson.steps[place], shown(qtbot, LessonPage(LIGHT), 1280, 690)
    page.show_lesson(data, step=place)
    question = step.question
    assert question is not None
    assert page.words.sentence == step.text
    more = page.words.rest
    assert more.startswith(f"{step.more} {question.text} a) {question.choices[0].text} · b) ")
    assert question.choices[question.right].says not in more
    page.findChild(QPushButton, "lessonShowAnswer").click()
    assert page.words.rest.endswith(question.choices[question.right].says)
    page.go(0)
    assert page.words == StepText(lesson.steps[0].text, lesson.steps[0].more)
    page.stop()


@pytest.mark.parametrize("lesson_id", LESSONS)
def test_that_words_of_the_picture_before_go_with_it_once_an_answer_shows_another(qtbot: QtBot, lesson_id: str) -> None:
    lesson, data = data_of(lesson_id)
    page = shown(qtbot, LessonPage(LIGHT), 1280, 690)
    more = page.findChild(QLabel, "lessonMore")
    for number, step in enumerate(lesson.steps):
        if step.question is None:
            continue
        page.show_lesson(data, step=number)
        before = page.contents
        assert more.text() == step.more
        height = more.height()
        page.findChild(QPushButton, "lessonShowAnswer").click()
        assert more.text() == (step.more_once_answered or step.more)
        assert more.height() == height
        if step.answer_scene is None:
            assert page.contents == before
        page.go(number)
        assert more.text() == (step.more_once_answered or step.more)
    page.stop()


def test_that_the_right_answer_is_shown_where_it_can_be_seen(qtbot: QtBot) -> None:
    lesson, data = data_of("coalescing")
    page = shown(qtbot, LessonPage(LIGHT), 1280, 692)
    page.show_lesson(data, step=4)
    scene, question = page.scene, lesson.steps[4].question
    assert isinstance(scene, SectorsScene)
    assert question is not None
    qtbot.waitUntil(lambda: "4 sectors" in scene.stage.sentence)
    assert page.findChild(QLabel, "lessonAnswer").text() == "Click an answer, or press its letter: a to c."
    buttons = [button for button in page.findChildren(QPushButton) if button.objectName().startswith("lessonChoice")]
    assert [button.text() for button in buttons] == ["a)  1", "b)  4", "c)  32"]
    qtbot.keyClick(page, Qt.Key.Key_A)
    assert "4 sectors" in scene.stage.sentence
    qtbot.keyClick(page, Qt.Key(int(Qt.Key.Key_A) + question.right))
    qtbot.waitUntil(lambda: "32 sectors" in scene.stage.sentence)
    qtbot.keyClick(page, Qt.Key.Key_Home)
    page.go(4)
    qtbot.waitUntil(lambda: "4 sectors" in scene.stage.sentence)
    page.stop()


@pytest.mark.parametrize("is_reopened", [False, True])
def test_that_an_answered_question_stays_answered_until_the_lesson_begins_again(
    qtbot: QtBot, *, is_reopened: bool
) -> None:
    lesson, data = data_of("bank-conflicts")
    (place,) = lesson.question_steps
    question = lesson.steps[place].question
    assert question is not None
    page = shown(qtbot, LessonPage(LIGHT), 1280, 692)
    told: list[int] = []
    page.answered.connect(lambda _, step: told.append(step))
    if is_reopened:
        page.show_lesson(data, step=place, progress=LessonProgress(answered=(place,)))
    else:
        page.show_lesson(data, step=place)
        page.findChild(QuestionRow).choose(question.right)
        page.go(place - 1)
        page.go(place)
    assert told == ([] if is_reopened else [place]), "told once"
    assert question.choices[question.right].says in page.words.rest
    assert lesson.steps[place].more_once_answered in page.words.rest
    assert page.findChild(QuestionRow).buttons[question.right].text().endswith("✓")
    assert page.findChild(QPushButton, "lessonShowAnswer").isHidden()
    scene = page.scene
    assert isinstance(scene, BanksScene)
    qtbot.waitUntil(lambda: "2 wavefronts" in scene.stage.sentence)
    page.findChild(QPushButton, "lessonRestart").click()
    page.go(place)
    assert question.choices[question.right].says not in page.words.rest
    page.stop()


def test_that_a_barrier_put_back_stays_where_it_belongs(qtbot: QtBot) -> None:
    lesson, data = data_of("race")
    place = next(place for place, step in enumerate(lesson.steps) if step.repair is not None)
    page = shown(qtbot, LessonPage(LIGHT), 1280, 692)
    page.show_lesson(data, step=place, progress=LessonProgress(answered=(place,)))
    assert isinstance(page.scene, RepairScene)
    assert page.scene.choices == ()
    assert page.findChild(QLabel, "lessonMore").text() == lesson.steps[place].more_once_answered
    page.go(0)
    page.go(place)
    assert page.scene.choices == ()
    page.stop()


def test_that_what_to_choose_from_is_told_until_the_barrier_is_back(qtbot: QtBot) -> None:
    lesson, data = data_of("race")
    place, step = next((place, step) for place, step in enumerate(lesson.steps) if step.repair is not None)
    assert step.repair is not None
    page = shown(qtbot, LessonPage(LIGHT), 1280, 692)
    page.show_lesson(data, step=place)
    more = page.findChild(QLabel, "lessonMore")
    assert "Choose the gap" in more.text()
    page.scene.choices[-1].click()  # too late
    assert "Choose the gap" in more.text()
    page.findChild(QPushButton, "lessonShowGap").click()
    assert more.text() == step.repair.more
    assert "Choose the gap" not in more.text()
    page.stop()


@pytest.mark.parametrize("lesson_id", LESSONS)
def test_that_the_answer_is_offered_beside_the_last_choice(qtbot: QtBot, lesson_id: str) -> None:
    lesson, data = data_of(lesson_id)
    page = shown(qtbot, LessonPage(LIGHT), 1280, 692)
    for number, step in enumerate(lesson.steps):
        if step.question is None:
            continue
        page.show_lesson(data, step=number)
        for _ in range(4):  # layouts follow a text within two turns of the event loop
            QApplication.sendPostedEvents()
            QApplication.processEvents()
        last = page.findChild(QPushButton, f"lessonChoice{len(step.question.choices) - 1}").geometry()
        offered = page.findChild(QPushButton, "lessonShowAnswer")
        assert offered.isVisible()
        assert offered.x() - last.right() <= 16
        assert offered.geometry().top() <= last.center().y() <= offered.geometry().bottom()
        places = [each.geometry() for each in page.findChild(QuestionRow).buttons]
        offered.click()
        assert not offered.isVisible()
        assert places == [each.geometry() for each in page.findChild(QuestionRow).buttons]
    page.stop()


def test_that_what_is_said_of_a_wrong_gap_cuts_no_line_of_the_source(qtbot: QtBot) -> None:
    lesson, data = data_of("race")
    place = next(place for place, step in enumerate(lesson.steps) if step.repair is not None)
    page = shown(qtbot, LessonPage(LIGHT), 1280, 692)
    page.show_lesson(data, step=place)
    scene = page.scene
    assert isinstance(scene, RepairScene)
    scene.choices[-1].click()  # too late
    end_of_lines = scene.code.sizeHint().height() - scene.code._margin
    qtbot.waitUntil(lambda: scene.code_area.viewport().height() >= end_of_lines)
    for gap, button in zip(data_gaps(lesson, place), scene.gaps, strict=True):
        assert button.y() == pytest.approx(scene.code.top_of(gap) + scene.code.line_height + 1, abs=1)
    page.stop()


def data_gaps(lesson: Lesson, place: int) -> list[int]:
    """The lines of the source below which a barrier could go."""
    repair = lesson.steps[place].repair
    assert repair is not None
    return [gap.line for gap in repair.gaps]


def test_that_the_tick_of_the_right_answer_stays_when_a_wrong_one_is_chosen(qtbot: QtBot) -> None:
    lesson, data = data_of("tiling")
    place = next(number for number, step in enumerate(lesson.steps) if step.question is not None)
    question, page = lesson.steps[place].question, shown(qtbot, LessonPage(LIGHT), 1280, 690)
    page.show_lesson(data, step=place)
    assert question is not None
    row = page.findChild(QuestionRow)
    plain = row.buttons[question.right].text()
    row.choose(question.right)
    ticked = row.buttons[question.right].text()
    assert ticked != plain
    row.choose((question.right + 1) % len(question.choices))
    assert row.buttons[question.right].text() == ticked
    page.stop()
