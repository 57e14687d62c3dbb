"""What the tiles carry that are on their way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.memory_view.carried import carried
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.motion_paths import motion_paths
from gemmviz.gui.memory_view.paint import painter as paint_painter
from gemmviz.gui.memory_view.paint import tiles as paint_tiles
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.tiles import GROUND, draw_tiles, tile_image
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.hazard_places import SIGN
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.stepped_back import Flights
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]
Show = Callable[..., tuple[MemoryView, Frames]]


def scene_of(view: MemoryView) -> Scene:
    view.set_values(np.arange(16, dtype=np.float32).reshape(4, 4), np.ones((4, 4), np.float32))
    view.set_arrival(0.5)
    scene = view.picture_state()
    assert scene is not None
    return scene


def opacities(image: QImage) -> set[int]:
    """How opaque its pixels are, of the larger part of them."""
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)[:, : image.width()] >> 24
    found, counts = np.unique(pixels, return_counts=True)
    return set(found[counts > pixels.size / 8].tolist())


def test_that_a_tile_carries_the_numbers_of_its_cells(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (1, 0), TILE=2), 2)
    scene = scene_of(view)
    tile = carried(scene, motion_paths(scene)[0])
    assert [tile.text(scene, row, column) for row in range(2) for column in range(2)] == [
        ("A[0,2]", 2.0),
        ("A[0,3]", 3.0),
        ("A[1,2]", 6.0),
        ("A[1,3]", 7.0),
    ]


def test_that_a_row_of_shared_memory_carries_what_its_slots_hold(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (1, 0), TILE=2), 3)
    scene = scene_of(view)
    tile = carried(scene, motion_paths(scene)[0])
    assert [tile.text(scene, 0, column) for column in range(2)] == [("A[0,2]", 2.0), ("A[0,3]", 3.0)]


def test_that_sums_carry_what_is_stored(show: Show, recorded: Record) -> None:
    view, frames = show(recorded("tiled", "4x4x4", (1, 0), TILE=2))
    view.show_frame(frames.frame(len(frames) - 1))
    scene = scene_of(view)
    tile = carried(scene, motion_paths(scene)[0])
    assert tile.text(scene, 0, 0) == ("C[0,2]", 6.0)
    assert tile.text(scene, 1, 1) == ("C[1,3]", 22.0)


def test_that_cells_that_do_not_move_are_gaps(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("naive_uncoalesced", "4x4x4", (0, 0), THREAD=4), 0, mode=FrameMode.REQUEST)
    scene = scene_of(view)
    motion_path = motion_paths(scene)[0]
    wider = replace(motion_path, part=replace(motion_path.part, column_stop=motion_path.part.column_stop + 1))
    tile = carried(scene, wider)
    assert tile.cells[:, -1].tolist() == [0] * tile.cells.shape[0]
    assert tile.text(scene, 0, tile.cells.shape[1] - 1) is None


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize(("size", "tile", "has_numbers"), [("4x4x4", 2, True), ("64x64x64", 16, False)])
def test_that_what_a_tile_moves_over_shines_through_unless_it_carries_numbers(
    show: Show, recorded: Record, theme: Theme, size: str, tile: int, has_numbers: bool
) -> None:
    view, _ = show(recorded("tiled", size, (0, 0), TILE=tile), 2)
    view.set_arrival(0.5)
    scene = view.picture_state()
    assert scene is not None
    motion_path, looks = motion_paths(scene)[0], looks_of(theme)
    without = tile_image(scene, looks, motion_path, 1.0, has_numbers=False)
    assert 0 < max(opacities(without)) <= round(255 * GROUND) + 1
    image = tile_image(scene, looks, motion_path, 1.0)
    if not has_numbers:
        assert max(opacities(image)) <= round(255 * GROUND) + 1
        return
    cell = image.width() // tile, image.height() // tile
    assert image.pixelColor(cell[0] // 2, cell[1] // 2).alpha() == 255  # no number below shows through
    assert image.pixelColor(cell[0] // 4, cell[1] // 4).alpha() == 255


@pytest.mark.parametrize(("size", "tile", "hides"), [("4x4x4", 2, True), ("64x64x64", 16, False)])
def test_that_a_tile_hides_what_it_moves_over_only_for_its_numbers(
    show: Show, recorded: Record, size: str, tile: int, hides: bool
) -> None:
    view, _ = show(recorded("tiled", size, (0, 0), TILE=tile), 2)
    view.set_arrival(0.5)
    scene = view.picture_state()
    assert scene is not None
    drawn = list[np.ndarray[Any, Any]]()
    for below in ("#ff0000", "#0000ff"):
        image = QImage(view.size(), QImage.Format.Format_RGB32)
        image.fill(QColor(below))
        with QPainter(image) as painter:
            draw_tiles(painter, scene, looks_of(LIGHT), motion_paths(scene))
        drawn.append(np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1).copy())
    is_hidden = drawn[0] == drawn[1]
    path = motion_paths(scene)[0]
    assert (is_hidden.sum() > (path.source.width + path.target.width) ** 2 / 8) == hides


def test_that_a_tile_carries_its_numbers_until_it_comes_to_the_middle_of_its_sum(
    show: Show, recorded: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, _ = show(recorded("naive", "4x4x4", (0, 0), THREAD=2), 2)
    view.show_thread(0)
    asked: list[tuple[bool, bool]] = []
    made = paint_tiles.tile_image

    def note(scene: Any, looks: Any, motion_path: Any, density: float, *, has_numbers: bool) -> QImage:
        asked.append((motion_path.fades, has_numbers))
        return made(scene, looks, motion_path, density, has_numbers=has_numbers)

    monkeypatch.setattr(paint_tiles, "tile_image", note)
    canvas = QImage(64, 64, QImage.Format.Format_ARGB32_Premultiplied)
    for arrival, fading_has_numbers in ((0.6, True), (0.75, True), (0.95, False)):  # at first it is enlarged
        asked.clear()
        with QPainter(canvas) as painter:
            draw_tiles(painter, replace(scene_of(view), arrival=arrival), looks_of(LIGHT), motion_paths(scene_of(view)))
        assert {has_numbers for fades, has_numbers in asked if fades} == {fading_has_numbers}
        assert all(has_numbers for fades, has_numbers in asked if not fades)


def test_that_a_tile_on_the_whole_screen_has_numbers_while_its_cells_have_room_for_them(
    show: Show, recorded: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (0, 0), TILE=2), 1)
    scene = scene_of(view)
    path = motion_paths(scene)[0]
    asked: list[bool] = []
    made = paint_tiles.tile_image

    def note(*args: Any, has_numbers: bool) -> QImage:
        asked.append(has_numbers)
        return made(*args, has_numbers=has_numbers)

    monkeypatch.setattr(paint_tiles, "tile_image", note)
    canvas = QImage(64, 64, QImage.Format.Format_ARGB32_Premultiplied)
    grown = Box(path.source.x, path.source.y, 2 * path.source.width, 2 * path.source.height)
    large = replace(path, target=grown, fades=False, begins=0.0, ends=1.0, by=())
    cell = path.source.width / path.part.columns
    for least in (0.0, 0.4 * cell, 2.0 * cell):
        shown = replace(scene, notes=replace(scene.notes, least_label=least), arrival=0.01, numbers=None)
        with QPainter(canvas) as painter:
            draw_tiles(painter, shown, looks_of(LIGHT), [large])
    assert asked == [True, True, False]


def test_that_no_tile_on_its_way_covers_the_sign_of_a_hazard(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (0, 0), TILE=2), 1)
    scene, looks = scene_of(view), looks_of(LIGHT)
    path = motion_paths(scene)[0]
    stays = replace(path, target=path.source)
    sign = Box(stays.source.middle_x, stays.source.middle_y, SIGN.width, SIGN.height)
    canvas = QImage(view.size(), QImage.Format.Format_RGB32)
    with QPainter(canvas) as painter:
        paint_painter.paint_moving(painter, scene, looks, Flights((stays,), (), (sign,)))
    assert canvas.pixelColor(round(sign.middle_x - 4), round(sign.bottom - 4)).name() == LIGHT.hazard


def test_that_a_tile_is_painted_once_and_then_moved(
    show: Show, recorded: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, frames = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    made: list[object] = []
    paint = paint_tiles._paint

    def count(*given: Any) -> QImage:
        made.append(given)
        return paint(*given)

    monkeypatch.setattr(paint_tiles, "_paint", count)
    looks, canvas = looks_of(LIGHT), QImage(64, 64, QImage.Format.Format_ARGB32_Premultiplied)

    def move() -> None:
        for arrival in (0.0, 0.3, 0.6, 0.9, 1.0):
            view.set_arrival(arrival)
            scene = view.picture_state()
            assert scene is not None
            with QPainter(canvas) as painter:
                draw_tiles(painter, scene, looks, motion_paths(scene))

    move()
    assert len(made) == 2  # one of A, one of B
    view.show_frame(frames.frame(4))
    move()
    assert len(made) == 4


def test_that_a_tile_that_was_loaded_before_carries_its_numbers_when_it_is_stored(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (1, 0), TILE=2), 1, mode=FrameMode.REQUEST)
    scene = scene_of(view)
    (motion_path,) = motion_paths(scene)
    assert (motion_path.name, motion_path.matrix) == ("A", "A")
    assert carried(scene, motion_path).text(scene, 1, 1) == ("A[1,1]", 5.0)


def test_that_a_tile_that_is_transposed_carries_no_numbers(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled_transposed", "4x4x4", (1, 0), TILE=2), 2)
    scene = scene_of(view)
    of_a, of_b = motion_paths(scene)
    assert (of_a.is_alike, of_b.is_alike) == (False, True)
    assert carried(scene, of_a).text(scene, 0, 0) is None
    assert carried(scene, of_b).text(scene, 0, 0) is not None


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_nothing_below_a_tile_on_its_way_shows_through(show: Show, recorded: Record, theme: Theme) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (1, 0), TILE=2), 0)
    scene, found = scene_of(view), []
    for below in ("white", "black"):
        canvas = QImage(view.size(), QImage.Format.Format_RGB32)
        canvas.fill(QColor(below))
        with QPainter(canvas) as painter:
            draw_tiles(painter, scene, looks_of(theme), motion_paths(scene))
        found.append(canvas)
    ways = paint_tiles._on_the_way(scene, motion_paths(scene))
    assert len(ways) == 2
    for path, box, _ in ways:
        area = QRect(round(box.x), round(box.y), round(box.width), round(box.height))
        assert not path.fades
        assert found[0].copy(area) == found[1].copy(area)


def test_that_tiles_on_their_way_are_above_every_label(
    show: Show, recorded: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (1, 0), TILE=2), 0)
    scene, order = scene_of(view), []
    for name in ("draw_text_items", "draw_figures", "draw_tags", "draw_sheet", "draw_legend", "draw_tiles"):
        monkeypatch.setattr(paint_painter, name, lambda *_given, name=name: order.append(name))
    canvas = QImage(view.size(), QImage.Format.Format_RGB32)
    with QPainter(canvas) as painter:
        paint_painter.paint_scene(painter, scene, looks_of(LIGHT))
    assert order[-1] == "draw_tiles"
    assert "draw_text_items" in order
