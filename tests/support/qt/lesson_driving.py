"""How the tests go through a lesson in the whole window."""

from __future__ import annotations

from driving import part
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lessons import Lesson
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.window.main_window import MainWindow


def begin(qtbot: QtBot, window: MainWindow, lesson: Lesson) -> LessonPage:
    page = part(window, LessonPage, "lessonPage")
    click(qtbot, window, f"lessonCard_{lesson.id}")
    qtbot.waitUntil(lambda: page.lesson == lesson)
    assert page.isVisible()
    return page


def click(qtbot: QtBot, window: MainWindow, name: str) -> None:
    button = part(window, QPushButton, name)
    assert button.isVisibleTo(window)
    assert button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)  # type: ignore[no-untyped-call]


def text_of(window: MainWindow, name: str) -> str:
    return part(window, PlainLabel, name).text()
