"""The forms of a kernel in the menu beside Record."""

from __future__ import annotations

from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.gui.experiment.buttons import RunButtons
from gemmviz.gui.experiment.record_choice import usual_recording

GRID = (2, 2, 1)
CHOICE = usual_recording(GRID, Shape(32, 32, 32), None)


def test_that_each_form_of_a_kernel_can_be_recorded_from_the_menu(qtbot: QtBot) -> None:
    buttons = RunButtons()
    qtbot.addWidget(buttons)
    buttons.show_recording(GRID, CHOICE, forms=tuple(CodeForm))
    asked: list[tuple[object, object]] = []
    buttons.form_asked.connect(lambda blocks, form: asked.append((blocks, form)))
    for name in ("record_as_written", "record_as_compiled"):
        action = buttons.findChild(QAction, name)
        assert action is not None
        action.trigger()
    assert asked == [(CHOICE.blocks, CodeForm.AS_WRITTEN), (CHOICE.blocks, CodeForm.AS_COMPILED)]


def test_that_a_single_form_needs_no_choice(qtbot: QtBot) -> None:
    buttons = RunButtons()
    qtbot.addWidget(buttons)
    buttons.show_recording(GRID, CHOICE, forms=tuple(CodeForm))
    buttons.show_recording(GRID, CHOICE, forms=(CodeForm.AS_COMPILED,))
    assert buttons.findChild(QAction, "recordWholeAction") is not None
    assert buttons.findChild(QAction, "record_as_compiled") is None


def test_that_both_forms_are_recorded_by_one_click_where_each_can_be_recorded(qtbot: QtBot) -> None:
    buttons = RunButtons()
    qtbot.addWidget(buttons)
    buttons.show_recording(GRID, CHOICE, forms=(CodeForm.AS_COMPILED,))
    assert buttons.findChild(QAction, "record_both") is None
    buttons.show_recording(GRID, CHOICE, forms=tuple(CodeForm))
    action = buttons.findChild(QAction, "record_both")
    assert action is not None
    assert action.text() == "Record both forms"
    with qtbot.waitSignal(buttons.forms_asked) as asked:
        action.trigger()
    assert asked.args == [CHOICE.blocks]
