"""Type is large where what is shown has the whole screen."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.looks.projector import LEAST_LABEL, least_label, projector_scale


def test_that_type_is_large_on_the_whole_screen_but_not_below_menus(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, shown = QMainWindow(), QWidget()
    window.menuBar().addMenu("File")
    window.setCentralWidget(shown)
    qtbot.addWidget(window)
    window.resize(1280, 1080)
    window.show()
    assert (projector_scale(shown), least_label(shown)) == (1.0, 0.0)
    monkeypatch.setattr(window, "isFullScreen", lambda: True)
    assert (projector_scale(shown), least_label(shown)) == (1.0, 0.0)
    window.menuBar().hide()
    assert projector_scale(shown) == 1.0, "it is higher than 720, but no wider than 1280 pixels"
    window.resize(1920, 1200)
    assert (projector_scale(shown), least_label(shown)) == (1.5, 1.5 * LEAST_LABEL)
