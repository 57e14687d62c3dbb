"""The keys of the player, wherever the focus is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QMainWindow, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.player.key_guard import KeyGuard, PlayKeys
from gemmviz.gui.player.player import Player
from gemmviz.gui.player.player_actions import PLAY
from gemmviz.gui.player.player_bar import PlayerBar
from gemmviz.gui.widgets.fields import SpinBox
from gemmviz.gui.widgets.segments import Segment, Segments


class TwoPanes(QMainWindow):
    """A window with the bar, a button of another kind and a field, as the real one has them."""

    def __init__(self, bar: PlayerBar) -> None:
        super().__init__()
        self.other, self.field, self.page = QPushButton("other"), QLineEdit(), QWidget()
        self.page.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        column = QVBoxLayout(self.page)
        for widget in (self.other, self.field, bar):
            column.addWidget(widget)
        self.setCentralWidget(self.page)
        menu = self.menuBar().addMenu(PLAY)
        menu.addActions(bar.actions())
        self.installEventFilter(KeyGuard(self))


@pytest.fixture
def window(qtbot: QtBot, bar: PlayerBar) -> TwoPanes:
    made = TwoPanes(bar)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def test_that_the_keys_play_wherever_nobody_needs_them(
    qtbot: QtBot, window: TwoPanes, bar: PlayerBar, player: Player
) -> None:
    window.page.setFocus()
    for key, index in (("End", 4), (",", 3), ("Home", 0), (".", 1)):
        qtbot.keyClick(window.page, {"End": Qt.Key.Key_End, "Home": Qt.Key.Key_Home}.get(key, key))
        assert player.index == index
    qtbot.keyClick(window.page, Qt.Key.Key_Space)
    assert player.playing
    qtbot.keyClick(bar, Qt.Key.Key_Space)
    assert not player.playing


def test_that_a_button_with_the_focus_keeps_its_space_bar(qtbot: QtBot, window: TwoPanes, player: Player) -> None:
    pressed: list[str] = []
    window.other.clicked.connect(lambda: pressed.append("other"))
    window.other.setFocus()
    qtbot.keyClick(window.other, Qt.Key.Key_Space)
    assert (len(pressed), player.playing) == (1, False)
    qtbot.keyClick(window.other, ".")
    assert player.index == 1


def test_that_the_chosen_one_of_several_buttons_leaves_the_space_bar_to_the_player(
    qtbot: QtBot, window: TwoPanes, player: Player
) -> None:
    segments = Segments([Segment(name, name, name) for name in ("one", "two")], LIGHT)
    window.page.layout().addWidget(segments)
    one, two = segments.buttons
    two.setFocus()
    qtbot.keyClick(two, Qt.Key.Key_Space)
    assert (two.isChecked(), player.playing) == (True, False)
    qtbot.keyClick(two, Qt.Key.Key_Space)
    assert (two.isChecked(), player.playing) == (True, True)
    one.setFocus()
    qtbot.keyClick(one, Qt.Key.Key_Space)
    assert (one.isChecked(), player.playing) == (True, True)


def test_that_a_field_keeps_what_is_typed(qtbot: QtBot, window: TwoPanes, player: Player) -> None:
    window.field.setFocus()
    qtbot.keyClicks(window.field, "1.5, 2")
    qtbot.keyClick(window.field, Qt.Key.Key_Home)
    assert (window.field.text(), window.field.cursorPosition()) == ("1.5, 2", 0)
    assert (player.index, player.playing) == (0, False)


def test_that_a_field_of_whole_numbers_leaves_the_keys_that_play(
    qtbot: QtBot, window: TwoPanes, player: Player
) -> None:
    field, other = SpinBox(), SpinBox()
    PlayKeys(field)
    for each in (other, field):
        window.page.layout().addWidget(each)
        each.setFocus()
        qtbot.keyClick(each, Qt.Key.Key_Period)
        assert player.index == int(each is field)
        qtbot.keyClick(each, Qt.Key.Key_4)
        assert each.value() == 4
        qtbot.keyClick(each, Qt.Key.Key_Space)
        assert player.playing == (each is field)
