"""A control or an action that cannot be used says why."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.widgets.allowed import allow, allow_action
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


def test_that_a_refused_action_says_why_in_the_status_bar_too(qtbot: QtBot) -> None:
    owner = QPushButton()
    qtbot.addWidget(owner)
    action = QAction("Cancel", owner)
    action.setToolTip("Stop it (Esc)")
    action.setStatusTip("Stop it")
    for refusal, told in (("Nothing runs", "nothing runs"), ("PTX machine only", "PTX machine only")):
        allow_action(action, refusal)
        assert not action.isEnabled()
        assert (action.toolTip(), action.statusTip()) == (f"Stop it (Esc)\n{refusal}", f"Stop it: {told}")
    allow_action(action, "")
    assert action.isEnabled()
    assert (action.toolTip(), action.statusTip()) == ("Stop it (Esc)", "Stop it")
