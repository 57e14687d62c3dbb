"""What plays in the window pauses behind a dialog of an export."""

from __future__ import annotations

import pytest
from lesson_scenes import data_of, shown
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lesson_scenes import Loops
from gemmviz.gui.export.paused_behind import PausedBehind
from gemmviz.gui.lessons.scenes.loops_scene import LoopsScene
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.player.player import Player

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.mark.parametrize("was_playing", [True, False])
def test_that_a_player_pauses_behind_a_dialog_and_goes_on_only_if_it_had_played(
    qtbot: QtBot, was_playing: bool
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    player, dialog = Player(parent=window), QDialog(window)
    player.set_count(20)
    if was_playing:
        player.play()
    behind = PausedBehind(window)
    assert not player.playing
    behind.open(dialog)
    assert not player.playing
    with qtbot.waitSignal(dialog.destroyed):
        dialog.reject()
    assert player.playing is was_playing


def test_that_the_scene_of_a_lesson_pauses_behind_a_dialog_and_goes_on_afterwards(qtbot: QtBot) -> None:
    _, data = data_of("cpu")
    scene = shown(qtbot, LoopsScene(LIGHT), 1232, 518)
    scene.show_loops(Loops(("cpu_ijk",)), data)
    assert scene.is_playing
    window = QWidget()
    qtbot.addWidget(window)
    scene.setParent(window)
    window.show()
    scene.show()
    dialog = QDialog(window)
    PausedBehind(window).open(dialog)
    assert not scene.is_playing
    dialog.accept()
    assert scene.is_playing
