"""The page of a lesson: what stays where it is from step to step."""

from __future__ import annotations

import pytest
from lesson_scenes import LESSONS, data_of, shown
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.looks.theme import LIGHT

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.mark.parametrize("lesson_id", LESSONS)
@pytest.mark.parametrize("size", [(1280, 692), (1920, 972)])
def test_that_back_and_next_stay_where_they_are_in_all_steps(
    qtbot: QtBot, lesson_id: str, size: tuple[int, int]
) -> None:
    lesson, data = data_of(lesson_id)
    page = shown(qtbot, LessonPage(LIGHT), *size)
    places = set()
    for step in range(lesson.step_count):
        page.show_lesson(data, step=step)
        for _ in range(3):  # a layout is settled once its events have come
            QApplication.sendPostedEvents()
            QApplication.processEvents()
        buttons = [page.findChild(QPushButton, name) for name in ("lessonBack", "lessonNext")]
        places.add(tuple(QRect(button.mapTo(page, QPoint()), button.size()).getRect() for button in buttons))
        assert page.rect().contains(buttons[1].geometry().translated(buttons[1].parentWidget().pos()))
    assert len(places) == 1
    page.stop()
