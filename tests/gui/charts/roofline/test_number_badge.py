"""Badges with the numbers of a roofline's marks: in the colour of marks, with a bracket to them; also in the list."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.gui.charts.roofline.labels import Label
from gemmviz.gui.charts.roofline.number_badge import is_number, paint_listed, paint_number
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme


def tinted(image: QImage, theme: Theme) -> list[tuple[int, int]]:
    """The pixels that are no grey: those in the colour of marks, at their edges mixed with the ground."""
    ground = QColor(theme.canvas)
    every = ((x, y) for x in range(image.width()) for y in range(image.height()))
    found = ((place, image.pixelColor(*place)) for place in every)
    return [place for place, of in found if of.blue() - of.red() > ground.blue() - ground.red() + 30]


def painted(theme: Theme) -> tuple[QImage, QPainter]:
    image = QImage(200, 120, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.canvas))
    return image, QPainter(image)


pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("x", [114.0, 62.0])
def test_that_a_number_beside_its_marks_has_a_bracket_from_the_first_to_the_last(theme: Theme, x: float) -> None:
    image, painter = painted(theme)
    paint_number(painter, Label("(3)", 100.0, 60.0, 24.0, ys=(30.0, 60.0, 90.0)), (x, 60.0), theme)
    painter.end()
    side = 110 if x > 100.0 else 90
    found = tinted(image, theme)
    column = [y for at, y in found if abs(at - side) <= 1]
    assert min(column) in range(29, 32)
    assert max(column) in range(88, 91)
    assert any(at in range(int(x), int(x) + 24) for at, _ in found), "the badge's edge"


def test_that_only_numbers_of_the_list_are_badges() -> None:
    image, painter = painted(LIGHT)
    paint_listed(painter, 4.0, 20.0, "naive (as written), tiled (2) mine", LIGHT)
    assert not tinted(image, LIGHT)
    paint_listed(painter, 4.0, 60.0, "(1) naive", LIGHT)
    painter.end()
    found = tinted(image, LIGHT)
    assert found
    assert all(x < 30 and 50 < y < 70 for x, y in found)


def test_that_names_are_no_numbers() -> None:
    assert is_number(Label("(12)", 0.0, 0.0, 9.0))
    assert not is_number(Label("tiled (2)", 0.0, 0.0, 9.0))
