"""Padding and swizzle below the banks: all of it can be read in the narrowest window."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QBoxLayout, QLabel, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.explain.requests.what_if import MOST_PADDING, NewLayout
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.stages.layout_controls import LayoutControls

AT_1280 = 608
"""Pixels that a window 1280 wide with its docks leaves for them."""


@pytest.mark.parametrize("in_source", [None, 0, 1, 4])
def test_that_no_swizzle_is_cut_in_any_window_from_1280_on(qtbot: QtBot, in_source: int | None) -> None:
    controls = LayoutControls(LIGHT)
    qtbot.addWidget(controls)
    controls.set_possible("", in_source)
    controls.show()
    for width in range(AT_1280, AT_1280 + 640, 40):
        controls.resize(width, controls.sizeHint().height())
        for padding in (0, 1, MOST_PADDING):
            controls.show_layout(NewLayout(padding))
            for part in (controls.findChild(QLabel, "paddingWords"), *controls._swizzles.buttons):
                assert part.width() >= part.sizeHint().width()
                assert part.geometry().right() < width


def test_that_groups_stand_below_each_other_once_they_need_more_room_than_at_the_last_resize(qtbot: QtBot) -> None:
    around = QWidget()  # a window of its own would grow with what is in it
    qtbot.addWidget(around)
    controls = LayoutControls(LIGHT, around)
    around.resize(900, 100)
    around.show()
    controls.resize(sum(group.sizeHint().width() for group in controls._of_kind) + 16, 80)
    controls.setStyleSheet("* { font-size: 18px }")
    buttons = controls._swizzles.buttons
    qtbot.waitUntil(lambda: all(each.width() >= each.sizeHint().width() for each in buttons), timeout=3000)
    assert controls._groups.direction() is QBoxLayout.Direction.TopToBottom


def test_that_the_padding_of_the_source_is_told_from_what_the_slider_adds(qtbot: QtBot) -> None:
    controls = LayoutControls(LIGHT)
    qtbot.addWidget(controls)
    words = controls.findChild(QLabel, "paddingWords")
    controls.set_possible("", 1)
    controls.show_layout(NewLayout(2))
    assert words.text() == "1 + 2 columns"
    assert words.toolTip() == "The source pads each row by 1 column; the slider adds to it."
    controls.set_possible("", 0)
    assert words.text() == "2 columns"
    assert words.toolTip() == ""


def test_that_xor_row_says_how_many_elements_stay_together(qtbot: QtBot) -> None:
    controls = LayoutControls(LIGHT)
    qtbot.addWidget(controls)
    button = controls._swizzles.buttons[1]
    controls.set_possible("", 0, piece=4)
    assert button.toolTip().startswith("4 neighbouring elements stay together")
    assert button.toolTip().endswith("[row][column ^ 4 * row]")
    controls.set_possible("a reason", 0, piece=1)
    assert button.toolTip() == "Element [row][column] lies at [row][column ^ row]\na reason"
