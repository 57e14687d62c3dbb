"""Colours at given places: tiles too small to see or in shared memory, slots of every sort, the followed thread."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme, blend
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.cells import draw_gaps, draw_numbers
from gemmviz.gui.memory_view.paint.looks import Looks, looks_of, pale
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.legend import picture_legend
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.signs import Sign
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.regions import Rectangle

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Show = Callable[..., tuple[MemoryView, Frames]]


def rgb(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


def scene_of(view: MemoryView) -> Scene:
    scene = view.picture_state()
    assert scene is not None
    return scene


def painted(view: MemoryView) -> QImage:
    image = QImage(view.width(), view.height(), QImage.Format.Format_RGB32)
    image.fill(QColor("magenta"))
    view.render(image)
    return image


def at(image: QImage, box: Box, across: float = 0.5, down: float = 0.5) -> str:
    return image.pixelColor(int(box.x + across * box.width), int(box.y + down * box.height)).name()


def colours_in(image: QImage, box: Box) -> set[str]:
    xs, ys = range(int(box.x), int(box.right)), range(int(box.y), int(box.bottom))
    return {image.pixelColor(x, y).name() for x in xs for y in ys}


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_a_tile_of_a_pixel_or_two_is_marked_so_that_it_is_found(
    show: Show, recorded: Record, theme: Theme
) -> None:
    view, _ = show(recorded("row_per_block", "1037x64x1055", (500, 0)), 20, theme)
    view.resize(676, 430)
    scene = scene_of(view)
    assert scene.picture is not None
    loaded = scene.picture.tiles["A"].loaded
    assert loaded is not None
    tile = scene.part("A", loaded)
    assert tile is not None
    assert tile.height < 2
    image, mark = painted(view), tile.at_least(6.0)
    assert at(image, mark) == theme.a
    for y in (mark.y - 4, mark.bottom + 1):
        assert theme.canvas in colours_in(image, Box(mark.x + 1, y, 1, 4))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_a_tile_rests_in_its_matrix_while_shared_memory_is_read(
    show: Show, recorded: Record, theme: Theme
) -> None:
    view, frames = show(recorded("tiled", "64x64x64", (1, 2)), 2, theme)
    tile = scene_of(view).part("A", Rectangle(32, 48, 16, 32))
    assert tile is not None
    loading = at(painted(view), tile, 0.4, 0.4)
    view.show_frame(frames.frame(3))
    resting = at(painted(view), tile, 0.4, 0.4)
    view.show_frame(frames.frame(4))
    past = at(painted(view), tile, 0.4, 0.4)
    assert loading == theme.a
    assert past == blend(theme.field, theme.a, pale(theme))
    assert len({loading, resting, past}) == 3


def test_that_lines_and_bands_have_the_colours_of_their_matrices(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    scene = scene_of(view)
    image, gap = painted(view), scene.layout.b.bottom
    between = Box(scene.layout.a.x, gap + 2, scene.layout.a.width, 18)
    assert LIGHT.a in colours_in(image, between)
    beside = Box(scene.layout.a.right + 2, scene.layout.b.y, 18, scene.layout.b.height)
    assert LIGHT.b in colours_in(image, beside)
    part = scene.part("C", Rectangle(32, 48, 16, 32))
    assert part is not None
    down, across = Box(part.x, gap + 4, part.width, 10), Box(scene.layout.a.right + 4, part.y, 10, part.height)
    for box, colour in ((down, LIGHT.b), (across, LIGHT.a)):
        found, expected = QColor(at(image, box)), QColor(blend(LIGHT.canvas, colour, 0.13))
        assert max(abs(a - b) for a, b in zip(rgb(found), rgb(expected), strict=True)) <= 2


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_slots_of_every_sort_differ_by_sign_and_by_colour(show: Show, recorded: Record, theme: Theme) -> None:
    view, _ = show(recorded("tiled", "17x33x5", (8, 4), TILE=4), 2, theme)
    view.resize(1314, 690)
    scene, image = scene_of(view), painted(view)

    def slot(name: str, row: int, column: int) -> set[str]:
        cell = scene.cell(name, row, column)
        assert cell is not None
        return colours_in(image, Box(cell.x + 3, cell.y + 3, cell.width - 6, cell.height - 6))

    zero = blend(theme.field, theme.reference, 0.4)
    assert theme.a in slot("As", 0, 0)
    assert zero in slot("As", 3, 1)
    assert theme.text in slot("As", 3, 1)
    padded, _ = show(recorded("tiled_padded", "64x64x64", (1, 2)), 0, theme)
    padded.resize(1314, 690)
    scene, image = scene_of(padded), painted(padded)
    assert theme.faint in slot("As", 3, 16)
    assert theme.faint not in slot("As", 3, 3)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_the_swatches_of_the_key_look_like_what_they_stand_for(show: Show, recorded: Record, theme: Theme) -> None:
    view, _ = show(recorded("tiled_padded", "64x64x64", (1, 2)), 2, theme)
    strip, image = picture_legend(scene_of(view), looks_of(theme)), painted(view)
    seen = {swatch.sign: colours_in(image, swatch.box) for swatch in strip.swatches}
    assert seen[Sign.NOW] == {theme.a, theme.b}
    assert seen[Sign.BEFORE] == {blend(theme.field, colour, pale(theme)) for colour in (theme.a, theme.b)}
    assert theme.text in seen[Sign.THREAD]
    assert theme.faint in seen[Sign.UNUSED]
    looks = [frozenset(colours) for colours in seen.values()]
    assert len(set(looks)) == len(looks)


def test_that_sums_are_paler_before_more_is_added(show: Show, recorded: Record) -> None:
    view, frames = show(recorded("tiled", "64x64x64", (1, 2)))
    lens = scene_of(view).lens("C")
    assert lens is not None
    cell = lens.place.cell_of(1, 1)
    strengths = []
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        strengths.append(255 - QColor(at(painted(view), cell)).lightness())
    assert strengths == sorted(strengths)
    assert at(painted(view), cell) == LIGHT.c
    assert len(set(strengths)) == 6


def test_that_the_followed_thread_is_framed_where_it_reads_and_where_it_adds(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 3)
    view.show_thread(5 * 16 + 7)
    scene, image = scene_of(view), painted(view)
    for name, part in (("As", Rectangle(5, 6, 0, 16)), ("Bs", Rectangle(0, 16, 7, 8))):
        box = scene.part(name, part)
        assert box is not None
        assert LIGHT.text in colours_in(image, Box(box.x - 1, box.middle_y - 1, 3, 3))
        assert LIGHT.text in colours_in(image, Box(box.middle_x - 1, box.y - 1, 3, 3))
    made = scene.enlarged("C", Rectangle(37, 38, 23, 24))
    assert made is not None
    assert LIGHT.text in colours_in(image, Box(made.x - 1, made.middle_y - 1, 3, 3))


def test_that_shared_memory_is_a_place_and_its_absence_an_outline(show: Show, recorded: Record) -> None:
    tiled, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    naive, _ = show(recorded("naive", "64x64x64", (1, 2)), 2)
    for view, ground in ((tiled, LIGHT.panel), (naive, LIGHT.canvas)):
        panel = scene_of(view).onchip.panel
        assert at(painted(view), Box(panel.x, panel.bottom - 8, panel.width, 4)) == ground


@pytest.mark.parametrize("looks", ["light", "dark"])
def test_that_small_numbers_are_painted_in_the_colours_of_their_table(qapp: object, looks: str) -> None:
    assert qapp is not None
    made: Looks = looks_of(LIGHT if looks == "light" else DARK)
    image = QImage(30, 20, QImage.Format.Format_RGB32)
    image.fill(QColor("magenta"))
    with QPainter(image) as painter:
        draw_numbers(painter, QRectF(0, 0, 30, 20), np.array([[0, 1, 254], [255, 100, 0]], np.uint8), made.sums)
    expected: list[list[int | None]] = [[None, 1, 254], [255, 100, None]]
    for row, levels in enumerate(expected):
        for column, level in enumerate(levels):
            colour = QColor("magenta") if level is None else QColor.fromRgb(int(made.sums[level]))
            assert image.pixelColor(column * 10 + 5, row * 10 + 5).name() == colour.name()


def test_that_gaps_stand_between_cells_and_only_where_cells_can_be_told_apart(qapp: object) -> None:
    assert qapp is not None
    for edge, seen in ((2.0, False), (6.0, True), (30.0, True)):
        image = QImage(200, 200, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        area = Box(10, 10, 4 * edge, 4 * edge)
        with QPainter(image) as painter:
            draw_gaps(painter, area, (4, 4), Box(0, 0, 200, 200), QColor("black"))
        line = image.pixelColor(QPoint(int(10 + edge), int(10 + edge / 2)))
        assert (line == QColor(Qt.GlobalColor.black)) is seen
        assert image.pixelColor(int(10 + 1.5 * edge), int(10 + edge / 2)) == QColor(Qt.GlobalColor.white)


@pytest.mark.parametrize(("scale", "seen"), [(1.0, False), (2.0, True)])
def test_that_a_magnified_picture_has_the_grid_that_its_pixels_allow(scale: float, seen: bool) -> None:
    image = QImage(100, 100, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    with QPainter(image) as painter:
        painter.scale(scale, scale)
        draw_gaps(painter, Box(10, 10, 8, 8), (4, 4), Box(0, 0, 50, 50), QColor("black"))
    line = image.pixelColor(QPoint(int(12 * scale), int(11 * scale)))
    assert (line == QColor(Qt.GlobalColor.black)) is seen
