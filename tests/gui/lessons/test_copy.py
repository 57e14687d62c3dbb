"""What Copy puts on the clipboard in a lesson."""

from __future__ import annotations

import pytest
from driving import act, part
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.window.main_window import MainWindow


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> LessonPage:
    window.open_lesson("tiling")
    page = part(window, LessonPage, "lessonPage")
    qtbot.waitUntil(lambda: page.lesson is not None and page.isVisible())
    return page


def test_that_copy_in_a_lesson_takes_its_picture_and_lets_it_play(
    window: MainWindow, page: LessonPage, qtbot: QtBot
) -> None:
    page.go(3)
    scene = page.scene
    assert scene is not None
    qtbot.waitUntil(lambda: scene.is_playing)
    act(window, "copyAction")
    assert QGuiApplication.clipboard().image().size() == QSize(1920, 1080)
    assert scene.is_playing


def test_that_copy_in_a_lesson_takes_the_text_that_is_selected(
    window: MainWindow, page: LessonPage, qtbot: QtBot
) -> None:
    label = part(window, PlainLabel, "lessonText")
    qtbot.waitUntil(lambda: label.isVisible() and label.width() > 100)
    qtbot.mouseDClick(label, Qt.MouseButton.LeftButton, pos=QPoint(30, label.fontMetrics().height() // 2))
    assert page.selected_text
    assert page.selected_text in label.text()
    chosen = page.selected_text
    act(window, "copyAction")
    assert QGuiApplication.clipboard().text() == chosen
    qtbot.keyClick(label, Qt.Key.Key_Right)  # the keys of the lesson go on working
    assert page.step == 1
    assert page.selected_text == ""
    act(window, "copyAction")
    assert not QGuiApplication.clipboard().image().isNull()
