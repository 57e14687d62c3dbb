from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from gemmviz.gui.widgets.plain_fields import ChoiceBox, Seconds, Whole


@pytest.fixture(params=[ChoiceBox, Whole, Seconds], ids=lambda kind: kind.__name__)
def control(request, qtbot) -> Iterator[QWidget]:
    limits = () if request.param is ChoiceBox else (0, 100)
    made = request.param("name", "spoken", "tooltip", *limits)
    if isinstance(made, ChoiceBox):
        made.addItems(["a", "b", "c"])
        made.setCurrentIndex(1)
    else:
        made.setValue(50)
    window, other = QWidget(), QLineEdit()
    column = QVBoxLayout(window)
    column.addWidget(other)
    column.addWidget(made)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    yield made
    window.close()


def test_that_a_control_has_name_words_and_tooltip(control: QWidget) -> None:
    assert (control.objectName(), control.accessibleName(), control.toolTip()) == ("name", "spoken", "tooltip")


@pytest.mark.parametrize("leave", ["return", "tab"])
@pytest.mark.parametrize("control", [Whole, Seconds], ids=lambda kind: kind.__name__, indirect=True)
def test_that_undo_is_the_windows_once_a_number_is_entered(control: Whole | Seconds, leave: str, qtbot) -> None:
    heard = []
    shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), control.window())
    shortcut.activated.connect(lambda: heard.append("undo"))
    control.setFocus()
    qtbot.waitUntil(control.hasFocus)
    control.selectAll()
    qtbot.keyClicks(control, "7")
    qtbot.keyClick(control, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert heard == []  # what is being typed is the editor's to take back
    assert control.value() == 50
    control.selectAll()
    qtbot.keyClicks(control, "7")
    if leave == "return":
        qtbot.keyClick(control, Qt.Key.Key_Return)
    else:
        control.window().findChild(QLineEdit).setFocus()
        control.setFocus()
    assert control.value() == 7
    qtbot.keyClick(control, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert heard == ["undo"]
    assert control.value() == 7
