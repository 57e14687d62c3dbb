"""One of several choices side by side, by pointer and by keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from gemmviz.gui.looks.fonts import words
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.widgets.segments import NarrowRow, Segment, SegmentRow, Segments

CHOICES = [Segment(name, name, f"the {name} one") for name in ("first", "middle", "last")]
Switch = Segments | SegmentRow | NarrowRow


@pytest.fixture(params=["joined", "row", "narrow"])
def switch(request: pytest.FixtureRequest, qtbot: QtBot) -> Switch:
    made: Switch
    match request.param:
        case "joined":
            made = Segments(CHOICES, LIGHT)
        case "row":
            made = SegmentRow(CHOICES, 0)
        case _:
            made = NarrowRow(CHOICES, words(10.0))
            made.show_current(0)
    qtbot.addWidget(made)
    made.show()
    return made


def test_that_a_click_on_another_segment_is_told_once(switch: Switch, qtbot: QtBot) -> None:
    told: list[int] = []
    switch.chosen.connect(told.append)
    for place in (2, 2, 0):
        qtbot.mouseClick(switch.buttons[place], Qt.MouseButton.LeftButton)
    assert (told, switch.current) == ([2, 0], 0)


def test_that_what_the_program_shows_is_not_told(switch: Switch) -> None:
    told: list[int] = []
    switch.chosen.connect(told.append)
    switch.show_current(1)
    assert (told, switch.current) == ([], 1)
    assert switch.buttons[1].isChecked()
    switch.choose(2)
    assert told == [2]


def test_that_the_focus_goes_with_the_choice_of_the_program_and_comes_from_nowhere_else(
    switch: Switch, qtbot: QtBot
) -> None:
    field = QLineEdit(switch)
    field.show()
    field.setFocus()
    switch.choose(1)
    assert switch.window().focusWidget() is field
    qtbot.mouseClick(switch.buttons[0], Qt.MouseButton.LeftButton)
    assert switch.window().focusWidget() is switch.buttons[0]
    switch.choose(2)
    assert switch.window().focusWidget() is switch.buttons[2]


def test_that_arrow_keys_pass_over_what_is_disabled_and_end_at_the_ends(switch: Switch, qtbot: QtBot) -> None:
    first, middle, last = switch.buttons
    middle.setEnabled(False)
    qtbot.keyClick(first, Qt.Key.Key_Right)
    assert switch.current == 2
    qtbot.keyClick(last, Qt.Key.Key_Right)
    assert switch.current == 2
    qtbot.keyClick(last, Qt.Key.Key_Left)
    assert switch.current == 0


def test_that_tab_stops_at_the_chosen_segment_alone(switch: Switch) -> None:
    def stops() -> list[int]:
        return [place for place, one in enumerate(switch.buttons) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]

    assert stops() == [0]
    switch.choose(2)
    assert stops() == [2]


def test_that_a_segment_that_cannot_be_chosen_says_why(qtbot: QtBot) -> None:
    switch = Segments(CHOICES, LIGHT)
    qtbot.addWidget(switch)
    switch.set_reason(1, "Record first.")
    assert (switch.buttons[1].isEnabled(), switch.buttons[1].accessibleDescription()) == (False, "Record first.")
    switch.set_reason(1, "")
    assert (switch.buttons[1].isEnabled(), switch.buttons[1].accessibleDescription()) == (True, "the middle one")


def test_that_a_refused_choice_can_be_chosen_and_says_why(qtbot: QtBot) -> None:
    switch = NarrowRow(CHOICES, words(10.0))
    qtbot.addWidget(switch)
    assert switch.current == -1
    switch.set_refused(["", "needs M = N = 1", ""], [False, True, False])
    assert switch.buttons[1].property("refused") is True
    switch.choose(1)
    assert (switch.current, switch.buttons[1].accessibleDescription()) == (1, "needs M = N = 1")
