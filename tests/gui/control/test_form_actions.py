"""The entries of the menu Run that record a kernel in one form or in both."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.control.form_actions import BOTH, OF_FORM, ONE_FORM, FormActions
from gemmviz.gui.experiment.buttons import RunButtons
from gemmviz.gui.experiment.record_choice import usual_recording
from gemmviz.gui.layout.action_table import ACTIONS
from gemmviz.gui.work.words import BUSY


class Panel(QWidget):
    """What holds the buttons, and what runs."""

    busy_changed = Signal(bool)
    readiness_changed = Signal(object)
    busy = False


@pytest.fixture
def forms(qtbot: QtBot) -> SimpleNamespace:
    panel = Panel()
    qtbot.addWidget(panel)
    buttons = RunButtons()
    QVBoxLayout(panel).addWidget(buttons)
    actions = Actions(panel, ACTIONS)
    FormActions(actions, panel, panel, panel)  # type: ignore[arg-type]
    return SimpleNamespace(panel=panel, buttons=buttons, actions=actions)


def test_that_forms_can_be_asked_for_where_the_kernel_has_two(forms: SimpleNamespace) -> None:
    names = (*OF_FORM.values(), BOTH)
    assert all(not forms.actions[name].isEnabled() for name in names)
    assert ONE_FORM in forms.actions[BOTH].toolTip()
    forms.buttons.show_recording((2, 2, 1), usual_recording((2, 2, 1), Shape(8, 8, 8), None), None, tuple(CodeForm))
    assert all(forms.actions[name].isEnabled() for name in names)
    forms.panel.busy = True
    forms.panel.busy_changed.emit(True)
    assert BUSY in forms.actions[BOTH].toolTip()
    forms.panel.busy = False
    forms.panel.busy_changed.emit(False)
    forms.buttons.show_recording(None, None)
    assert not forms.actions[BOTH].isEnabled()


@pytest.mark.parametrize(
    ("name", "signal"), [*((name, "form_asked") for name in OF_FORM.values()), (BOTH, "forms_asked")]
)
def test_that_an_entry_asks_for_the_blocks_of_the_record_button(
    forms: SimpleNamespace, qtbot: QtBot, name: str, signal: str
) -> None:
    choice = usual_recording((2, 2, 1), Shape(8, 8, 8), None)
    forms.buttons.show_recording((2, 2, 1), choice, None, tuple(CodeForm))
    with qtbot.waitSignal(getattr(forms.buttons, signal)) as asked:
        forms.actions[name].trigger()
    assert asked.args[0] == choice.blocks
    wanted: Callable[[str], CodeForm | None] = {given: form for form, given in OF_FORM.items()}.get
    assert asked.args[1:] == [form for form in (wanted(name),) if form is not None]
