"""What the step of a lesson gives its handout."""

from __future__ import annotations

from contextlib import closing

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lessons import load_lessons
from gemmviz.gui.export.handout.printed_step import printed_step
from gemmviz.gui.export.lesson.contents import lesson_contents
from gemmviz.gui.export.lesson.page_picture import PagePicture
from gemmviz.gui.lessons.lesson_data import read_lesson_data
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.scenes.pictures_scene import PicturesScene
from gemmviz.gui.lessons.shown_step import ShownStep
from gemmviz.gui.looks.theme import DARK, LIGHT

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.mark.parametrize("step", [1, 3])  # one picture, and two
def test_that_the_handout_of_a_step_that_plays_has_its_end(qtbot: QtBot, step: int) -> None:
    data = read_lesson_data(next(each for each in load_lessons() if each.id == "tiling"))
    page = LessonPage(DARK)
    qtbot.addWidget(page)
    page.resize(1280, 690)
    page.show()
    page.show_lesson(data, step=step)
    scene = page.scene
    assert isinstance(scene, PicturesScene)
    qtbot.waitUntil(lambda: scene.is_playing and scene.player.facts is not None, timeout=90_000)
    empty = data.session_of(data.lesson.scene_at(step))
    assert empty is not None
    now, at_end = (lesson_contents(page, empty, ends=ends) for ends in (False, True))
    assert now is not None
    assert at_end is not None
    assert now.watched is not None
    assert at_end.watched is not None
    assert now.watched.shown == scene.player.index < scene.player.end
    assert at_end.watched.shown == scene.player.end == at_end.watched.shown_of - 1
    page.stop()


@pytest.mark.parametrize(("lesson", "thread", "still"), [("coalescing", 1, 2), ("race", None, 18)])
def test_that_a_step_is_printed_at_the_frame_and_with_the_thread_that_its_text_is_about(
    lesson: str, thread: int | None, still: int
) -> None:
    data = read_lesson_data(next(each for each in load_lessons() if each.id == lesson))
    with closing(PagePicture(ShownStep(data, 0), (1280, 720), LIGHT)) as picture:
        contents = lesson_contents(picture.page, data.empty)
    assert contents is not None
    watched = contents.watched
    assert watched is not None
    assert (watched.shown, watched.selection.thread) == (still, thread)
    assert watched.beside is None or watched.beside.selection.thread == thread


def test_that_a_step_is_printed_with_its_words_and_with_what_no_recording_shows(qtbot: QtBot) -> None:
    lesson = next(each for each in load_lessons() if each.id == "cpu")
    page = LessonPage(DARK)
    qtbot.addWidget(page)
    page.resize(1280, 690)
    page.show()
    page.show_lesson(read_lesson_data(lesson), step=3)
    printed, asked = printed_step(page), lesson.steps[3].question
    assert printed is not None
    assert asked is not None
    assert printed.title == f"Step 4 of {lesson.step_count}"
    assert (printed.text.sentence, printed.text.question) == (lesson.steps[3].text, asked.text)
    assert printed.text.answer == "", "nobody has answered yet"
    assert printed.shown is not None
    assert printed.shown.scene is lesson.steps[3].scene
    page.go(lesson.step_count - 1)
    assert printed_step(page) is None
    page.stop()
