"""A session opens on the page that was in front when it was saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import act
from PySide6.QtWidgets import QTabWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.window.main_window import MainWindow

FOUR = next(example.path for example in load_examples() if example.id == "cpu-four")
"""It has runs and recordings."""


def tab_of(window: MainWindow) -> str:
    tabs = window.findChild(QTabWidget)
    assert isinstance(tabs, QTabWidget)
    return TABS[tabs.currentIndex()]


@pytest.mark.parametrize("tab", ["Memory", "Accuracy"])
def test_that_a_session_with_runs_and_recordings_opens_on_the_page_it_was_saved_on(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, tab: str
) -> None:
    path = tmp_path / "mine.gemmviz"
    with qtbot.waitSignal(window.document.opened, timeout=20_000):
        window.document.open_copy(FOUR, "Mine")
    qtbot.waitUntil(lambda: window.player.count > 0, timeout=20_000)
    act(window, f"tab{tab}Action")
    with qtbot.waitSignal(window.document.saved, timeout=20_000):
        window.document.save(path)
    act(window, "tabTimingAction")
    with qtbot.waitSignal(window.document.opened, timeout=20_000):
        window.document.open(path)
    assert tab_of(window) == tab
