"""A frame around a button only where keys brought the focus."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.looks.appearance import apply_theme
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.widgets.key_focus import BY_KEYS, KeyFocus, focus_by_keys

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def test_that_a_button_has_a_frame_after_tab_but_not_after_a_click_or_by_the_program(
    qtbot: QtBot, qapp: QApplication
) -> None:
    follower = KeyFocus(qapp)
    window = QWidget()
    qtbot.addWidget(window)
    apply_theme(qapp, window, LIGHT)
    column = QVBoxLayout(window)
    first, tick = QPushButton("first"), QCheckBox("tick")
    for each in (first, tick):
        column.addWidget(each)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)

    def framed() -> list[bool]:
        return [bool(each.property(BY_KEYS)) for each in (first, tick)]

    def edge() -> str:
        return str(first.grab().toImage().pixelColor(first.width() // 2, 1).name())

    first.setFocus(Qt.FocusReason.OtherFocusReason)
    assert framed() == [False, False]
    plain = edge()
    qtbot.keyClick(first, Qt.Key.Key_Tab)
    assert tick.hasFocus()
    assert framed() == [False, True]
    qtbot.keyClick(tick, Qt.Key.Key_Backtab)
    assert framed() == [True, False]
    assert plain != edge() == LIGHT.accent
    qtbot.mouseClick(tick, Qt.MouseButton.LeftButton)
    first.setFocus(Qt.FocusReason.OtherFocusReason)
    assert framed() == [False, False]
    assert edge() == plain
    focus_by_keys(tick)
    assert framed() == [False, True]
    follower.deleteLater()
