"""A key of the presentation exchanges two pictures."""

from __future__ import annotations

import pytest
from driving import act
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import examples_folder
from gemmviz.gui.recording.grids import SECOND, Playable
from gemmviz.gui.window.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def kernels(window: MainWindow) -> list[str]:
    return [each.run.spec.kernel for each in window._player.played if each is not None]


def test_that_x_exchanges_the_two(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.document.opened, timeout=90_000):
        window.open_path(examples_folder() / "cpu-four.gemmviz")
    naive, tiled = (trace for trace in window.document.session.traces)
    page = window._parts.memory_page
    page.playable_chosen.emit(SECOND, None)
    window._player.play(tiled)
    page.playable_chosen.emit(SECOND, Playable(naive))
    assert kernels(window) == ["tiled_global_accumulate", "global_accumulate"]
    act(window, "tabMemoryAction")
    window._player.presentation.begin()
    screen = window._player.presentation.screen
    assert screen is not None
    qtbot.keyClick(screen, Qt.Key.Key_X)
    assert kernels(window) == ["global_accumulate", "tiled_global_accumulate"]
    qtbot.waitUntil(lambda: window._player.presentation.screen is not None, timeout=90_000)
    assert len(window._player.presentation.screen.stage.views) == 2
