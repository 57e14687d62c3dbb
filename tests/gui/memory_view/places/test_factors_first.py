"""Slots whose numbers a text speaks of get the room before the matrices, the loads and the registers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.domain.shape import Shape
from gemmviz.gui.memory_view.places.factors_first import WANTED_SLOT
from gemmviz.gui.memory_view.places.matrix_layout import Purpose
from gemmviz.gui.memory_view.places.onchip_layout import OnchipContents
from gemmviz.gui.memory_view.places.placed import placed

PICTURE = 540.0, 400.0
"""Of a lesson with its source beside, on a screen of 1280 x 800, in the pixels of a picture painted larger."""


def edge_of(content: OnchipContents, shape: Shape, size: tuple[float, float] = PICTURE) -> float:
    return placed(shape, size, size, (content,), Purpose.LESSON)[1].edge(content.factors)


@pytest.mark.parametrize("side", [4, 8])
def test_that_slots_that_a_text_speaks_of_are_as_large_as_their_numbers_need(side: int) -> None:
    shape = Shape(2 * side, 2 * side, 2 * side)
    content = OnchipContents(((side, side),) * 2, (side, side), lines=2, has_values=side == 4)
    least = WANTED_SLOT if side == 4 else 20.0  # two numbers in a slot, or one of three figures
    assert edge_of(content, shape) < least
    assert edge_of(replace(content, is_spoken_of=True), shape) >= least


def test_that_the_registers_stay_where_slots_have_their_size_beside_them() -> None:
    content = OnchipContents(((4, 4),) * 2, (4, 4), has_values=True, is_spoken_of=True)
    size = 760.0, 480.0
    layout, arranged = placed(Shape(8, 8, 8), size, size, (content,), Purpose.LESSON)
    assert arranged.sums is not None
    assert arranged.edge(content.factors) >= WANTED_SLOT
    assert layout.c.right <= size[0]


def test_that_slots_that_are_too_many_for_numbers_change_nothing() -> None:
    content = OnchipContents(((16, 64),) * 2, (64, 64))
    shape = Shape(64, 64, 32)
    plain = placed(shape, PICTURE, PICTURE, (content,), Purpose.LESSON)
    assert placed(shape, PICTURE, PICTURE, (replace(content, is_spoken_of=True),), Purpose.LESSON) == plain
