"""Names of elements are written from the size on in which they are read on the screen."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF

from gemmviz.gui.looks.projector import SCARCE
from gemmviz.gui.memory_view.paint.texts import GAP_ON_SCREEN, READABLE_NAME_PIXELS, READABLE_VALUE_PIXELS, cell_fonts
from gemmviz.gui.memory_view.places.box import Box


@pytest.mark.parametrize("side", range(15, 80))
@pytest.mark.parametrize("scale", [1.0, 1.25, 2.0])
@pytest.mark.usefixtures("qtbot")
def test_that_no_name_is_smaller_on_the_screen_than_can_be_read(side: int, scale: float) -> None:
    font = cell_fonts(Box(0, 0, side, side), ["A[0,0]"], 2, scale).name
    assert font is None or font.pixelSize() * scale >= READABLE_NAME_PIXELS - scale / 2  # whole pixels before scaling


@pytest.mark.usefixtures("qtbot")
def test_that_a_name_comes_back_when_its_cell_is_larger() -> None:
    small, large = Box(0, 0, 28, 28), Box(0, 0, 60, 60)
    assert cell_fonts(small, ["A[0,0]"], 2).name is None
    assert cell_fonts(small, ["A[0,0]"], 2, 1.8).name is not None
    assert cell_fonts(large, ["A[0,0]"], 2).name is not None


@pytest.mark.parametrize("side", range(15, 80))
@pytest.mark.parametrize("scale", [1.0, 1.25, 2.0])
@pytest.mark.usefixtures("qtbot")
def test_that_no_value_is_smaller_on_the_screen_than_can_be_read(side: int, scale: float) -> None:
    font = cell_fonts(Box(0, 0, side, side), [], 4, scale).value
    assert font is None or font.pixelSize() * scale >= READABLE_VALUE_PIXELS - scale / 2


@pytest.mark.parametrize("side", range(15, 80))
@pytest.mark.usefixtures("qtbot")
def test_that_presented_labels_are_large_or_left_out(side: int) -> None:
    fonts = cell_fonts(Box(0, 0, side, side), ["A[0,0]"], 3, 1.5, 12.9)
    assert fonts.name is None or fonts.name.pixelSize() >= 12.9
    assert fonts.value is None or fonts.value.pixelSize() >= 12.9
    assert fonts.name is None or fonts.value is not None  # a value is the last to go


@pytest.mark.usefixtures("qtbot")
def test_that_a_presented_value_is_left_without_its_name_before_it_is_left_out() -> None:
    cell = Box(0, 0, 26, 40)
    assert cell_fonts(cell, ["1"], 2).name is not None
    presented = cell_fonts(cell, ["1"], 2, 1.5, 12.9)
    assert presented.value is not None
    assert presented.name is None or presented.name.pixelSize() >= 12.9
    assert cell_fonts(cell, [], 5, 1.5, 12.9).value is None


@pytest.mark.usefixtures("qtbot")
def test_that_a_presented_value_is_narrower_before_it_is_left_out() -> None:
    roomy, scarce, none = (cell_fonts(Box(0, 0, width, 30), [], 3, 1.5, 12.0) for width in (30, 22, 16))
    assert roomy.value is not None
    assert scarce.value is not None
    assert roomy.value.pixelSize() == scarce.value.pixelSize() == 12
    assert SCARCE <= scarce.narrow < roomy.narrow == 1.0
    assert none.value is None


@pytest.mark.parametrize("width", range(14, 40))
@pytest.mark.usefixtures("qtbot")
def test_that_presented_values_of_neighbours_do_not_read_as_one_number(width: int) -> None:
    fonts = cell_fonts(Box(0, 0, width, 18), [], 3, 1.5, 11.0)
    across = QFontMetricsF(fonts.value).horizontalAdvance("196") * fonts.narrow if fonts.value is not None else 0.0
    assert width - across >= GAP_ON_SCREEN
