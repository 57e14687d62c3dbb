"""Badges with the numbers of a roofline's marks: in the colour of marks, with a bracket to them; also in the list."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

from gemmviz.gui.charts.plot.fonts import plot_fonts
from gemmviz.gui.charts.roofline.labels import LINE, Label
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


@pytest.mark.parametrize("y", [54.0, 60.0, 66.0])
def test_that_a_number_moved_up_or_down_has_a_straight_line_to_its_mark(y: float) -> None:
    image, painter = painted(LIGHT)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_number(painter, Label("(1)", 100.0, 60.0, 24.0, ys=(58.0, 62.0)), (114.0, y), LIGHT)
    painter.end()
    columns = {x: [at for of, at in tinted(image, LIGHT) if of == x] for x in range(109, 114)}
    assert all(columns.values()), "no gap"
    slope = (y - 60.0) / 6.5
    for x, found in columns.items():
        assert sum(found) / len(found) == pytest.approx(60.0 + slope * (x - 107.5), abs=1.5)
    assert max(map(len, columns.values())) <= 4, "no bracket"


@pytest.mark.parametrize("is_listed", [False, True])
@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("words", ["(1)", "(8)", "(12)"])
def test_that_digits_stand_in_the_middle_of_their_ring_and_touch_it_nowhere(
    words: str, large: bool, is_listed: bool
) -> None:
    image = QImage(160, 120, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.canvas))
    image.setDevicePixelRatio(4.0)
    painter = QPainter(image)
    fonts = plot_fonts(large=large)
    painter.setFont(fonts.note if is_listed else fonts.name)
    metrics = QFontMetricsF(painter.font())
    width, line = metrics.horizontalAdvance(words), metrics.lineSpacing() if is_listed else LINE
    if is_listed:
        paint_listed(painter, 4.0, 15.0, f"{words} ", LIGHT)
    else:
        paint_number(painter, Label(words, 4.0 + width / 2, 31.0, width), (4.0, 15.0), LIGHT)
    painter.end()
    ring = tinted(image, LIGHT)
    dark = [(x, y) for x in range(160) for y in range(120) if image.pixelColor(x, y).lightness() < 60]
    up = min(y for _, y in dark) - min(y for _, y in ring)
    down = max(y for _, y in ring) - max(y for _, y in dark)
    assert up == pytest.approx(down, abs=4), "quarters of a pixel"
    assert min(up, down) >= 7
    assert max(y for _, y in ring) - min(y for _, y in ring) < 4 * line, "of two lines none touches the other"


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
