from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QPushButton

from gemmviz.catalogue.kernel import Parameter
from gemmviz.gui.experiment.controls.parameter_field import ParameterField
from gemmviz.gui.kernels.availability import Availability

FEW = Parameter("TILE", "Tile edge", (2, 4, 8, 16, 32), 16)
MANY = Parameter("GROUP", "Group size", tuple(range(1, 30)), 5)


class Heard(ParameterField):
    """Keeps what it told."""

    told: list[Any]


@pytest.fixture(params=[FEW, MANY], ids=["buttons", "combo"])
def field(request, qtbot) -> Heard:
    made = Heard(request.param, 258)
    qtbot.addWidget(made)
    made.told = []
    made.value_changed.connect(made.told.append)
    return made


def test_that_few_choices_are_buttons_and_many_a_combo(qtbot) -> None:
    few, many = ParameterField(FEW, 258), Heard(MANY, 258)
    for made in (few, many):
        qtbot.addWidget(made)
    assert [button.text() for button in few.findChildren(QPushButton)] == ["2", "4", "8", "16", "32"]
    assert many.findChild(QComboBox).count() == 29
    assert few.objectName() == "param_TILE"
    assert few.accessibleName() == "Tile edge (TILE)"


def test_that_a_field_without_room_is_a_combo(qtbot) -> None:
    narrow = ParameterField(FEW, 60)
    qtbot.addWidget(narrow)
    assert narrow.findChild(QComboBox) is not None


def test_that_setting_a_value_tells_once_and_showing_it_never(field: Heard) -> None:
    field.show_value(4)
    assert field.value() == 4
    assert field.told == []
    field.set_value(8)
    field.set_value(8)
    field.set_value(1000)
    assert field.value() == 8
    assert field.told == [8]


def test_that_a_click_on_a_button_chooses_it(qtbot) -> None:
    made = Heard(FEW, 258)
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.value_changed) as signal:
        qtbot.mouseClick(made.findChildren(QPushButton)[4], Qt.MouseButton.LeftButton)
    assert signal.args == [32]
    assert made.value() == 32


def test_that_the_arrow_keys_choose_a_neighbour(qtbot) -> None:
    made = Heard(FEW, 258)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    chosen = made.findChildren(QPushButton)[3]
    chosen.setFocus()
    qtbot.keyClick(chosen, Qt.Key.Key_Right)
    assert made.value() == 32


def test_that_a_refused_choice_says_why_and_can_be_chosen(field: Heard) -> None:
    refused = {8: Availability("needs ≤ 4 threads", "Needs fewer threads.")}
    field.show_refusals(refused)
    field.set_value(8)
    assert field.told == [8]
    field.show_refusals(refused)
    if combo := field.findChild(QComboBox):
        assert combo.currentText() == "8  (needs ≤ 4 threads)"
        assert combo.toolTip() == "Needs fewer threads."
    else:
        marked = [button for button in field.findChildren(QPushButton) if button.property("refused")]
        assert [(button.text(), button.toolTip()) for button in marked] == [("8", "Needs fewer threads.")]
    field.show_refusals({})
    assert not any(button.property("refused") for button in field.findChildren(QPushButton))
    if combo := field.findChild(QComboBox):
        assert combo.currentText() == "8"


def test_that_a_script_finds_the_choices_by_their_values(field: Heard) -> None:
    if combo := field.findChild(QComboBox, "param_GROUP_combo"):
        combo.setCurrentIndex(combo.findData(8))
    else:
        field.findChild(QPushButton, "param_TILE_8").click()
    assert field.value() == 8
    field.setValue(4)
    assert field.told == [8, 4]
