"""A control that cannot be used says why."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.named import named


def test_that_a_refused_control_says_why_until_it_can_be_used(qtbot: QtBot) -> None:
    button = named(QPushButton("Copy"), "copy", "Copy the rows")
    qtbot.addWidget(button)
    for refusal in ("Choose a row first", "There are no rows"):
        allow(button, refusal)
        assert not button.isEnabled()
        assert button.toolTip() == f"Copy the rows\n{refusal}"
        assert button.accessibleDescription() == refusal
    allow(button, "")
    assert button.isEnabled()
    assert (button.toolTip(), button.accessibleDescription()) == ("Copy the rows", "Copy the rows")
