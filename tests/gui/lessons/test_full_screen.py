"""The window on the whole screen tells when it has it, and when it is a window again."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from gemmviz.gui.lessons.full_screen import MOST_STILL, FullScreen

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def test_that_it_tells_each_change_also_one_that_the_window_system_makes(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.showMaximized()
    full_screen = FullScreen(window)
    for change in (full_screen.enter, full_screen.leave, window.showFullScreen, window.showNormal):
        with qtbot.waitSignal(full_screen.changed):
            change()


def test_that_it_is_painted_once_it_has_its_new_size_also_where_that_is_the_old_one(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(400, 300)
    window.show()
    full_screen = FullScreen(window)
    for change in (full_screen.enter, full_screen.leave):
        before = window.size()
        change()
        assert not window.updatesEnabled(), "the window system may give it its size later"
        qtbot.waitUntil(window.updatesEnabled)
        assert window.size() != before
    window.setFixedSize(window.size())
    full_screen.enter()
    qtbot.waitUntil(window.updatesEnabled, timeout=2 * MOST_STILL)
