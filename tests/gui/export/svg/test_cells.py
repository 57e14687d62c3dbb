"""Images of cells as rectangles: nothing is lost, nothing lies twice, and little becomes little."""

from __future__ import annotations

import base64

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage

from gemmviz.gui.export.svg import cells as svg_cells
from gemmviz.gui.export.svg.cells import rectangles, with_rectangles

RED, BLUE, CLEAR = 0xFFCC0000, 0xFF0000CC, 0x00000000


def element(cells: list[list[int]], x: float = 10, y: float = 20, width: float = 30, height: float = 40) -> str:
    """An image as Qt writes it into an SVG."""
    image = QImage(len(cells[0]), len(cells), QImage.Format.Format_ARGB32)
    for row, line in enumerate(cells):
        for column, colour in enumerate(line):
            image.setPixel(column, row, colour)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    data = base64.b64encode(bytes(buffer.data().data())).decode()
    place = f'<image x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="none" '
    return f'<g>{place}image-rendering="optimizeSpeed" xlink:href="data:image/png;base64,{data}" /></g>'


def test_that_cells_of_one_colour_are_one_rectangle() -> None:
    drawn = with_rectangles(element([[RED] * 6] * 4))
    assert drawn == (
        '<g><g fill="#cc0000" stroke="none" shape-rendering="crispEdges">\n'
        '<rect x="10" y="20" width="30" height="40"/>\n</g></g>'
    )


def test_that_each_colour_has_its_rectangles_and_what_is_clear_has_none() -> None:
    drawn = with_rectangles(element([[RED, CLEAR, BLUE], [RED, CLEAR, BLUE], [RED, BLUE, BLUE], [CLEAR, BLUE, BLUE]]))
    assert drawn.count("<rect") == 3
    for rectangle in (
        '<rect x="10" y="20" width="10" height="30"/>',
        '<rect x="30" y="20" width="10" height="20"/>',
        '<rect x="20" y="40" width="20" height="20"/>',
    ):
        assert rectangle in drawn


def test_that_half_transparent_colours_stay_so() -> None:
    assert 'fill="#0000cc" fill-opacity="0.502"' in with_rectangles(element([[0x800000CC]]))


@pytest.mark.parametrize("seed", range(5))
def test_that_rectangles_cover_every_cell_once(seed: int) -> None:
    cells = np.random.default_rng(seed).integers(0, 3, (17, 29)).astype(np.uint32)
    painted = np.full(cells.shape, 99, np.uint32)
    times = np.zeros(cells.shape, int)
    for colour, part in rectangles(cells):
        here = np.s_[part.row_start : part.row_stop, part.column_start : part.column_stop]
        painted[here] = colour
        times[here] += 1
    assert np.array_equal(painted, cells)
    assert (times == 1).all()


def test_that_a_photograph_stays_an_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(svg_cells, "MOST_RECTANGLES", 50)
    noise = np.random.default_rng(0).integers(0xFF000000, 0xFFFFFFFF, (7, 8)).tolist()
    drawn = element(noise)
    assert with_rectangles(drawn) == drawn
    assert with_rectangles(element(noise[:6])).count("<rect") == 48


def test_that_what_is_no_picture_is_left_alone() -> None:
    broken = '<image x="1" y="1" width="1" height="1" xlink:href="data:image/png;base64,AAAA" />'
    assert with_rectangles(broken) == broken
