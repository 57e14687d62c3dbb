"""The picture of the idea."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.welcome.paper_picture import CELLS, COLUMN, ROW, STEP, Paper, PaperPicture, tile


def grabbed(qtbot: QtBot, theme: Theme) -> QImage:
    picture = PaperPicture(theme)
    qtbot.addWidget(picture)
    picture.resize(320, 364)
    return picture.grab().toImage()


@pytest.mark.parametrize("size", [(320, 364), (220, 260), (900, 300), (300, 900), (10, 10), (331, 367)])
def test_that_the_three_lie_as_on_paper(size: tuple[int, int]) -> None:
    paper = Paper.fitted(*size)
    assert paper.a.top() == paper.c.top()
    assert paper.b.left() == paper.c.left()
    assert paper.a.right() < paper.c.left()
    assert paper.b.bottom() < paper.c.top()
    assert paper.a.width() == paper.b.height() == paper.c.width()
    assert paper.a.width() % CELLS == 0


@pytest.mark.parametrize("size", [(320, 364), (900, 300), (300, 900)])
def test_that_it_fits_with_its_letters(size: tuple[int, int]) -> None:
    paper = Paper.fitted(*size)
    assert paper.a.left() >= 0
    assert paper.c.right() <= size[0]
    assert paper.b.top() >= 20
    assert paper.c.bottom() <= size[1] - 20


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_the_current_tiles_have_their_matrices_colours(qtbot: QtBot, theme: Theme) -> None:
    image, paper = grabbed(qtbot, theme), Paper.fitted(320, 364)
    for square, row, column, colour in ((paper.a, ROW, STEP, theme.a), (paper.b, STEP, COLUMN, theme.b)):
        at = tile(square, row, column).center().toPoint()
        assert image.pixelColor(at.x() - 5, at.y() - 5).name() == colour
    empty = tile(paper.c, 0, 0).center().toPoint()
    assert image.pixelColor(empty).name() == theme.field


def test_that_a_theme_is_put_on_live(qtbot: QtBot) -> None:
    picture = PaperPicture(LIGHT)
    qtbot.addWidget(picture)
    picture.resize(320, 364)
    before = picture.grab().toImage()
    picture.set_theme(DARK)
    assert picture.grab().toImage() == grabbed(qtbot, DARK) != before
