from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.gui.experiment.parameter_panel import ParameterPanel
from gemmviz.gui.kernels.availability import Availability

CATALOGUE = load_catalogue()


@pytest.fixture
def panel(qtbot) -> ParameterPanel:
    made = ParameterPanel()
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize("kernel", CATALOGUE.kernels, ids=lambda kernel: kernel.id)
def test_that_every_kernel_gets_one_field_for_each_parameter(panel: ParameterPanel, kernel) -> None:
    panel.show_kernel(kernel, kernel.params({}), {})
    names = [widget.objectName() for widget in panel.findChildren(QWidget) if type(widget).__name__ == "ParameterField"]
    assert names == [f"param_{parameter.name}" for parameter in kernel.parameters]
    for parameter in kernel.parameters:
        assert panel.field(parameter.name).value() == parameter.default
    assert bool(panel.controls) == bool(kernel.parameters)
    assert panel.minimumSizeHint().width() <= 258


@pytest.mark.parametrize("kernel", ["tiled", "register_2d"])
def test_that_a_parameter_without_a_title_is_named_once(panel: ParameterPanel, kernel: str) -> None:
    shipped = CATALOGUE.get(kernel)
    bare = replace(shipped, parameters=tuple(replace(each, label=each.name) for each in shipped.parameters))
    panel.show_kernel(bare, bare.params({}), {})
    said = [label.text() for label in panel.findChildren(QLabel) if label.text()]
    assert said == [parameter.name for parameter in bare.parameters]
    for parameter in bare.parameters:
        field = panel.field(parameter.name)
        assert field.accessibleName() == parameter.name
        assert f"{parameter.name} = {parameter.default}" in {control.toolTip() for control in field.controls}


def test_that_a_kernel_without_parameters_says_so(panel: ParameterPanel) -> None:
    panel.show_kernel(CATALOGUE.get("cpu_ijk"), (), {})
    assert [label.text() for label in panel.findChildren(QLabel)] == ["This kernel has no parameters."]


def test_that_fields_of_the_kernel_before_cannot_be_found(panel: ParameterPanel) -> None:
    tiled, wide = CATALOGUE.get("tiled"), CATALOGUE.get("tiled_wide")
    assert panel.show_kernel(tiled, tiled.params({}), {})
    before = panel.findChild(QWidget, "param_TILE")
    assert panel.show_kernel(wide, wide.params({}), {})
    assert panel.findChild(QWidget, "param_TILE") is not before
    assert len(panel.findChildren(QWidget, "param_TILE")) == 1


def test_that_new_values_keep_the_fields(panel: ParameterPanel) -> None:
    tiled = CATALOGUE.get("tiled")
    panel.show_kernel(tiled, tiled.params({}), {})
    field = panel.field("TILE")
    assert not panel.show_kernel(tiled, tiled.params({"TILE": 4}), {("TILE", 32): Availability("less", "too many")})
    assert panel.field("TILE") is field
    assert field.value() == 4


def test_that_a_change_carries_name_and_value(panel: ParameterPanel, qtbot) -> None:
    kernel = CATALOGUE.get("register_2d")
    panel.show_kernel(kernel, kernel.params({}), {})
    with qtbot.waitSignal(panel.param_changed) as signal:
        panel.field("BK").set_value(32)
    assert signal.args == ["BK", 32]


def test_that_the_room_of_many_parameters_is_given_back(panel: ParameterPanel) -> None:
    few, many = CATALOGUE.get("tiled"), CATALOGUE.get("register_2d")
    panel.show_kernel(few, few.params({}), {})
    before = panel.sizeHint().height()
    panel.show_kernel(many, many.params({}), {})
    assert panel.sizeHint().height() > before
    panel.show_kernel(few, few.params({}), {})
    assert panel.sizeHint().height() == before
