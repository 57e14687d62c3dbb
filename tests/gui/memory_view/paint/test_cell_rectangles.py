"""Cells drawn as rectangles: nothing is lost, nothing lies twice, and little becomes little."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from gemmviz.gui.memory_view.paint import cell_rectangles
from gemmviz.gui.memory_view.paint.cell_rectangles import draw_as_rectangles, rectangles

RED, BLUE, CLEAR = 0xFFCC0000, 0xFF0000CC, 0x00000000


def painted(cells: list[list[int]], times: int = 1) -> list[list[int]] | None:
    """What cells become, each `times` pixels high and wide; None if they are too many."""
    rows, columns = len(cells), len(cells[0])
    image = QImage(columns * times, rows * times, QImage.Format.Format_ARGB32)
    image.fill(0)
    with QPainter(image) as painter:
        target = QRectF(0, 0, image.width(), image.height())
        is_drawn = draw_as_rectangles(painter, target, np.array(cells, np.uint32))
    if not is_drawn:
        return None
    return [[image.pixel(column, row) for column in range(image.width())] for row in range(image.height())]


def test_that_each_cell_has_its_colour_and_what_is_clear_has_none() -> None:
    cells = [[RED, CLEAR, BLUE], [RED, CLEAR, BLUE], [RED, BLUE, BLUE], [CLEAR, BLUE, BLUE]]
    assert painted(cells) == cells
    large = painted(cells, times=3)
    assert large is not None
    assert [row[1::3] for row in large[1::3]] == cells


def test_that_half_transparent_colours_stay_so() -> None:
    assert painted([[0x80000066]]) == [[0x800000CB]]  # premultiplied goes in, not premultiplied comes out


@pytest.mark.parametrize("seed", range(5))
def test_that_rectangles_cover_every_cell_once(seed: int) -> None:
    cells = np.random.default_rng(seed).integers(0, 3, (17, 29)).astype(np.uint32)
    covered = np.full(cells.shape, 99, np.uint32)
    times = np.zeros(cells.shape, int)
    for colour, part in rectangles(cells):
        here = np.s_[part.row_start : part.row_stop, part.column_start : part.column_stop]
        covered[here] = colour
        times[here] += 1
    assert np.array_equal(covered, cells)
    assert (times == 1).all()


def test_that_cells_of_one_colour_are_one_rectangle() -> None:
    assert len(list(rectangles(np.full((4, 6), RED, np.uint32)))) == 1


def test_that_too_many_colours_are_left_to_an_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cell_rectangles, "MOST_RECTANGLES", 50)
    noise = np.random.default_rng(0).integers(0xFF000000, 0xFFFFFFFF, (7, 8)).tolist()
    assert painted(noise) is None
    assert painted(noise[:6]) == noise[:6]
