"""Lessons with their data, and widgets on the screen."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lessons import Lesson, load_lessons
from gemmviz.gui.lessons.lesson_data import LessonData, read_lesson_data

LESSONS = {lesson.id: lesson for lesson in load_lessons()}
AnyWidget = TypeVar("AnyWidget", bound=QWidget)


@cache
def data_of(lesson_id: str) -> tuple[Lesson, LessonData]:
    """A lesson and what it shows, read once for all tests of a process."""
    return LESSONS[lesson_id], read_lesson_data(LESSONS[lesson_id])


def shown(qtbot: QtBot, widget: AnyWidget, width: int = 1200, height: int = 600) -> AnyWidget:
    """The widget, shown at that size."""
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    return widget
