"""The buttons of dialogs."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

import gemmviz
from gemmviz.gui.looks import dialog_buttons as module

BOTH = QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel


class _WithIcons(QDialogButtonBox):
    """As a desktop makes it whose dialogs have icons on their buttons."""

    def __init__(self, which: QDialogButtonBox.StandardButton) -> None:
        super().__init__(which)
        for button in self.buttons():
            button.setIcon(QIcon(QPixmap(16, 16)))


def test_that_no_button_of_a_dialog_has_an_icon_of_the_desktop(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "QDialogButtonBox", _WithIcons)
    row = module.dialog_buttons(BOTH)
    qtbot.addWidget(row)
    assert isinstance(row, _WithIcons)
    assert [button.icon().isNull() for button in row.buttons()] == [True, True]


def test_that_all_dialogs_have_these_buttons() -> None:
    folder = Path(gemmviz.__file__).parent / "gui"
    made = [path.name for path in folder.rglob("*.py") if "QDialogButtonBox(" in path.read_text(encoding="utf-8")]
    assert made == ["dialog_buttons.py"]
