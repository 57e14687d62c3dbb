"""Frames around elements: those of a thread stay inside of what they frame, that of the chosen one is whole."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from gemmviz.domain.recordings.access import AccessKind
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.memory_view.highlights import Marked
from gemmviz.gui.memory_view.paint import over
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.over import _frame, draw_factors_now, draw_marks
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.scene import Pointed, Scene
from gemmviz.trace.frames.regions import Rectangle


@pytest.mark.parametrize("side", [3, 6, 12, 30])
def test_that_a_frame_leaves_the_elements_beside_it_alone(side: int) -> None:
    def parts(_name: str, part: Rectangle) -> list[Box]:
        return [Box(part.column_start * side, part.row_start * side, part.columns * side, part.rows * side)]

    image = QImage(5 * side, 3 * side, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    marked = Marked("C", np.array([1, 1]), np.array([1, 3]), AccessKind.LOAD)
    _frame(painter, cast(Scene, SimpleNamespace(parts=parts)), marked, QColor("black"))
    painter.end()
    dark = {x // side for x in range(image.width()) if image.pixelColor(x, 3 * side // 2).lightness() < 128}
    assert dark == {1, 3}
    rows = {y // side for y in range(image.height()) if image.pixelColor(3 * side // 2, y).lightness() < 128}
    assert rows == {1}


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_the_frame_of_the_chosen_element_is_whole_and_apart_from_that_of_a_row_beside_it(theme: Theme) -> None:
    side = 12

    def parts(_name: str, part: Rectangle) -> list[Box]:
        return [Box(part.column_start * side, part.row_start * side, part.columns * side, part.rows * side)]

    pointed = Pointed(chosen=("As", 1, 2))
    blocks = SimpleNamespace(grid=None)
    scene = SimpleNamespace(parts=parts, pointed=pointed, hovered_block=None, blocks=blocks, shows_tree=False)
    image = QImage(6 * side, 4 * side, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.a))
    with QPainter(image) as painter:
        painter.setPen(QPen(QColor(theme.text), 1.3))
        painter.drawRect(QRectF(0, 2 * side, 6 * side, side))  # the row below
        draw_marks(painter, cast(Scene, scene), looks_of(theme))
    found = [image.pixelColor(x, 2 * side).name() for x in range(image.width())]
    left, right = 2 * side, 3 * side
    assert set(found[left + 1 : right]) == {theme.text}
    assert found[left - 2] == found[right + 1] == theme.panel, "the line of the row stops before the frame"
    assert found[left - 6] == found[right + 6] == theme.text
    around = (QPoint(left + side // 2, side), QPoint(left, side + side // 2), QPoint(right, side + side // 2))
    assert {image.pixelColor(at).name() for at in around} == {theme.text}


@pytest.mark.parametrize("side", [14, 15, 21, 40])
def test_that_the_frame_around_what_is_read_leaves_its_number_and_its_neighbours_in_sight(
    side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = SimpleNamespace(now=(("As", Rectangle(1, 2, 1, 2)),))
    monkeypatch.setattr(over, "onchip_box", lambda *_: Box(side, side, side, side))
    image = QImage(3 * side, 3 * side, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.a))
    with QPainter(image) as painter:
        draw_factors_now(painter, cast(Scene, SimpleNamespace(example=example, shows_tree=False)), looks_of(LIGHT))
    middle = [image.pixelColor(x, 3 * side // 2).name() for x in range(image.width())]
    assert LIGHT.text in middle[side - 2 : side + 2]
    assert LIGHT.text in middle[2 * side - 2 : 2 * side + 2]
    assert set(middle[side + 3 : 2 * side - 3]) == {LIGHT.a}
    assert set(middle[: side - 2]) | set(middle[2 * side + 2 :]) == {LIGHT.a}
