"""Who has the space bar: the control with the focus, or the player."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from gemmviz.gui.charts.segments import Segment, Segments
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.player.key_guard import KeyGuard


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    """A window with two segments."""
    window = QMainWindow()
    window.setCentralWidget(Segments([Segment(name, name, name) for name in ("one", "two")], LIGHT))
    window.installEventFilter(KeyGuard(window))
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def test_that_the_chosen_one_of_several_buttons_leaves_the_space_bar_to_the_player(
    qtbot: QtBot, window: QMainWindow
) -> None:
    played: list[bool] = []
    play = QAction("Play", window)
    play.setShortcut(QKeySequence(Qt.Key.Key_Space))
    play.triggered.connect(lambda: played.append(True))
    window.addAction(play)
    segments = window.centralWidget()
    assert isinstance(segments, Segments)
    _, two = segments.buttons
    two.setFocus()
    qtbot.keyClick(two, Qt.Key.Key_Space)
    assert (two.isChecked(), len(played)) == (True, 0)
    qtbot.keyClick(two, Qt.Key.Key_Space)
    assert (two.isChecked(), len(played)) == (True, 1)
