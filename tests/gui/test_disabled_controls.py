"""Every control and every entry that cannot be used says why: in its tooltip."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from driving import act, choose_kernel
from PySide6.QtGui import QAction, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QScrollBar,
    QWidget,
)

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.window.main_window import MainWindow

CONTROLS = QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit
FEWEST_WORDS = 4
"""Of a reason."""


def reason_of(control: QWidget | QAction) -> str:
    """What the tooltip says besides what the control does: its last line, or what is told in place of that."""
    tip = control.toolTip()
    used = control.property("tip_of_use")
    if used is not None and tip.startswith(str(used)):
        return tip.removeprefix(str(used)).strip()
    return tip.rpartition("\n")[2]


def without_reason(window: MainWindow) -> set[str]:
    """The names of controls in sight, of entries of their lists, and of actions that are grey and do not say why."""
    found: set[str] = set()
    for control in window.findChildren(QWidget):
        if not isinstance(control, CONTROLS) or isinstance(control, QScrollBar) or not control.isVisible():
            continue
        parent = control.parentWidget()
        if not control.isEnabled() and parent.isEnabled() and len(reason_of(control).split()) < FEWEST_WORDS:
            found.add(control.objectName() or f"{type(control).__name__} in {parent.objectName()}")
        model = control.model() if isinstance(control, QComboBox) else None
        if isinstance(control, QComboBox) and isinstance(model, QStandardItemModel):
            for row in range(model.rowCount()):
                item = model.item(row)
                is_separator = not control.itemText(row)
                if not is_separator and not item.isEnabled() and len(item.toolTip().split()) < FEWEST_WORDS:
                    found.add(f"{control.objectName()}: {item.text()}")
    for menu in window.findChildren(QMenu):
        shown = [menu.menuAction(), *menu.actions()]
        for action in shown:
            is_grey = bool(action.text()) and not action.isEnabled() and not action.isSeparator()
            if is_grey and len(reason_of(action).split()) < FEWEST_WORDS - 1:
                found.add(f"{menu.objectName()}: {action.objectName() or action.text()}")
    return found


def empty(_window: MainWindow, _result: object, _recording: object) -> None:
    """A new experiment: nothing has run."""


def with_run(window: MainWindow, result: Callable[..., RunResult], _recording: object) -> None:
    window.document.add_run(result(), 0.0)
    window.document.add_run(result("naive", params=()), 0.0)


def with_recording(window: MainWindow, _result: object, recording: Callable[..., TraceRun]) -> None:
    window.document.add_trace(recording())


def at_work(window: MainWindow, _result: object, _recording: object) -> None:
    window.work.busy_changed.emit(True)


@pytest.mark.parametrize("state", [empty, with_run, with_recording, at_work])
def test_that_whatever_is_grey_says_why(
    window: MainWindow,
    make_result: Callable[..., RunResult],
    make_recording: Callable[..., TraceRun],
    state: Callable[..., None],
) -> None:
    grey: set[str] = set()
    act(window, "newAction")
    choose_kernel(window, "tiled")
    state(window, make_result, make_recording)
    for tab in TABS:
        act(window, f"tab{tab}Action")
        QApplication.processEvents()
        grey |= without_reason(window)
    assert grey == set()


def test_that_a_grey_control_without_a_reason_is_found(window: MainWindow) -> None:
    act(window, "tabMemoryAction")
    button = window.findChild(QAbstractButton, "runButton")
    assert isinstance(button, QAbstractButton)
    assert button.isVisible()
    button.setToolTip("Run")
    button.setEnabled(False)
    assert without_reason(window) == {"runButton"}
