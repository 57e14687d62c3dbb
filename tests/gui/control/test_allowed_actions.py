"""Actions of the window that cannot be used say why, in their tooltips and in the status bar."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.control.allowed_actions import (
    NOT_WHILE_BUSY,
    NOTHING_CHANGED,
    NOTHING_CHOSEN,
    NOTHING_UNDONE,
    AllowedActions,
)
from gemmviz.gui.experiment.readiness import Readiness
from gemmviz.gui.layout.action_table import ACTIONS
from gemmviz.gui.results.table import NO_ROW
from gemmviz.gui.widgets.allowed import refusal_of
from gemmviz.gui.work.words import BUSY, IDLE


class Parts(QWidget):
    """What the actions follow."""

    busy_changed = Signal(bool)
    chosen_changed = Signal(bool)
    selection_changed = Signal(object)
    readiness_changed = Signal(object)
    busy = False

    def set_busy(self, is_busy: bool) -> None:
        self.busy = is_busy
        self.busy_changed.emit(is_busy)

    def selected(self) -> tuple[object, ...]:
        return ()


@pytest.fixture
def followed(qtbot: QtBot) -> SimpleNamespace:
    parts: Any = Parts()
    qtbot.addWidget(parts)
    undo = QUndoStack(parts)
    actions = Actions(parts, ACTIONS)
    of_window: Any = SimpleNamespace(results=parts, experiment=parts)
    allowed = AllowedActions(actions, parts, parts, of_window, undo, parts)
    return SimpleNamespace(parts=parts, actions=actions, undo=undo, allowed=allowed)


@pytest.mark.parametrize(
    ("name", "refusal", "start"),
    [
        ("cancelAction", IDLE, lambda it: it.parts.set_busy(True)),
        ("clearChosenAction", NOTHING_CHOSEN, lambda it: it.parts.chosen_changed.emit(True)),
        ("deleteAction", NO_ROW, lambda it: it.parts.selection_changed.emit((object(),))),
        ("undoAction", NOTHING_CHANGED, lambda it: it.undo.push(QUndoCommand("change"))),
        ("redoAction", NOTHING_UNDONE, lambda it: (it.undo.push(QUndoCommand("change")), it.undo.undo())),
    ],
)
def test_that_an_action_says_why_it_cannot_be_used_until_it_can(
    followed: SimpleNamespace, name: str, refusal: str, start: Callable[[SimpleNamespace], None]
) -> None:
    action = followed.actions[name]
    assert not action.isEnabled()
    assert action.toolTip().endswith(f"\n{refusal}")
    assert action.statusTip().endswith(f": {refusal[:1].lower()}{refusal[1:]}")
    start(followed)
    assert action.isEnabled()
    assert refusal not in action.toolTip() + action.statusTip()


def test_that_a_key_that_starts_nothing_while_work_goes_on_says_why(followed: SimpleNamespace, qtbot: QtBot) -> None:
    said: list[str] = []
    started: list[bool] = []
    followed.allowed.refused.connect(said.append)
    record = followed.actions["recordAction"]
    record.triggered.connect(lambda: started.append(True))
    followed.parts.addAction(record)
    with qtbot.waitActive(followed.parts):
        followed.parts.show()
        followed.parts.activateWindow()
    followed.parts.set_busy(True)
    qtbot.keyClick(followed.parts, Qt.Key.Key_F6)
    assert (said, started) == (["Record: something is running. Wait for it, or cancel it."], [])
    followed.parts.set_busy(False)
    qtbot.keyClick(followed.parts, Qt.Key.Key_F6)
    assert (len(said), len(started)) == (1, 1)


def test_that_what_starts_work_is_refused_while_work_goes_on(followed: SimpleNamespace) -> None:
    followed.parts.set_busy(True)
    assert all(followed.actions[name].toolTip().endswith(BUSY) for name in NOT_WHILE_BUSY)
    followed.parts.set_busy(False)
    assert all(followed.actions[name].isEnabled() for name in NOT_WHILE_BUSY)


def test_that_a_sweep_is_refused_with_the_reason_while_nothing_can_be_swept(
    followed: SimpleNamespace, qtbot: QtBot
) -> None:
    said: list[str] = []
    followed.allowed.refused.connect(said.append)
    sweep = followed.actions["sweepAction"]
    assert sweep.isEnabled()
    followed.parts.readiness_changed.emit(Readiness(sweep="This kernel has no parameters to sweep."))
    assert not sweep.isEnabled()
    with qtbot.waitActive(followed.parts):
        followed.parts.show()
        followed.parts.activateWindow()
    qtbot.keyClick(followed.parts, Qt.Key.Key_F8)
    assert said == ["Sweep: this kernel has no parameters to sweep."]
    followed.parts.set_busy(True)
    assert sweep.toolTip().endswith(BUSY)
    followed.parts.set_busy(False)
    assert not sweep.isEnabled(), "the reason of its own holds still"
    followed.parts.readiness_changed.emit(Readiness())
    assert sweep.isEnabled()


def test_that_an_action_is_refused_for_the_reason_of_its_button(followed: SimpleNamespace, qtbot: QtBot) -> None:
    started: list[bool] = []
    run, record = followed.actions["runAction"], followed.actions["recordAction"]
    run.triggered.connect(lambda: started.append(True))
    followed.parts.readiness_changed.emit(Readiness(run="Needs M = 1.", sweep="Needs M = 1."))
    assert (refusal_of(run), run.isEnabled(), record.isEnabled()) == ("Needs M = 1.", False, True)
    assert followed.actions["ladderAction"].isEnabled(), "that runs the kernels of the list"
    with qtbot.waitActive(followed.parts):
        followed.parts.show()
        followed.parts.activateWindow()
    qtbot.keyClick(followed.parts, Qt.Key.Key_F5)
    assert started == [True], "the key asks all the same, and is told what would let it start"
    followed.parts.readiness_changed.emit(Readiness())
    assert run.isEnabled()
