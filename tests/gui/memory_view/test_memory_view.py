"""The view itself: what is painted where, what the mouse and the keys do, and that it never fails."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from block_recordings import recordable_kernels
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme, blend
from gemmviz.gui.memory_view import memory_view
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import pale
from gemmviz.gui.memory_view.scene import Element, Scene
from gemmviz.gui.memory_view.text.help import HELP, ONE_BLOCK_HELP
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Show = Callable[..., tuple[MemoryView, Frames]]


def scene_of(view: MemoryView) -> Scene:
    scene = view.picture_state()
    assert scene is not None
    return scene


def middle(view: MemoryView, element: Element) -> QPoint:
    cell = scene_of(view).cell(*element)
    assert cell is not None
    return QPoint(int(cell.middle_x), int(cell.middle_y))


def painted(view: MemoryView, width: int = 980, height: int = 560) -> QImage:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("magenta"))
    view.render(image)
    return image


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_the_tile_of_this_frame_is_solid_and_those_before_are_pale(
    show: Show, recorded: Record, theme: Theme
) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2, theme)
    image = painted(view)

    def colour(name: str, row: int, column: int) -> str:
        return image.pixelColor(middle(view, (name, row, column))).name()

    assert colour("A", 38, 24) == theme.a
    assert colour("A", 36, 6) == blend(theme.field, theme.a, pale(theme))
    assert colour("A", 36, 44) == theme.field
    assert colour("A", 6, 24) == theme.field
    assert colour("B", 24, 21) == theme.b
    assert colour("As", 3, 3) == theme.a
    assert colour("Bs", 3, 3) == theme.b


def test_that_c_is_filled_when_it_is_stored(show: Show, recorded: Record) -> None:
    view, frames = show(recorded("tiled", "64x64x64", (1, 2)))
    before = painted(view).pixelColor(middle(view, ("C", 35, 21))).name()
    view.show_frame(frames.frame(len(frames) - 1))
    after = painted(view).pixelColor(middle(view, ("C", 35, 21))).name()
    assert before != after
    assert after == LIGHT.c


@pytest.mark.parametrize("size", [(980, 560), (400, 300), (2000, 1500)])
def test_that_the_same_picture_is_painted_off_the_screen_at_any_size(
    show: Show, recorded: Record, size: tuple[int, int]
) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    view.resize(*size)
    image = painted(view, *size)
    assert image.pixelColor(middle(view, ("A", 38, 24))).name() == LIGHT.a
    assert image.pixelColor(size[0] - 1, 0).name() == LIGHT.canvas


def test_that_a_single_row_of_a_large_matrix_is_seen_at_once(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("row_per_block", "1037x64x1055", (500, 0)), 0)
    area = scene_of(view).area("A")
    assert area is not None
    image = painted(view)
    column = [image.pixelColor(int(area.x) + 3, y).name() for y in range(int(area.y), int(area.bottom))]
    assert LIGHT.a in column


@pytest.mark.parametrize("size", ["4x4x4", "17x33x5", "64x64x64"])
@pytest.mark.parametrize("kernel", recordable_kernels())
def test_that_every_kernel_shows_its_first_its_middle_and_its_last_frame(
    qtbot: QtBot, show: Show, recorded: Record, kernel: str, size: str
) -> None:
    run = recorded(kernel, f"1x1x{size.rsplit('x', 1)[-1]}" if kernel.startswith("dot") else size, (0, 0))
    for mode in (None, FrameMode.REQUEST):
        view, frames = show(run, 0, mode=mode)
        qtbot.waitUntil(lambda view=view: scene_of(view).picture is not None)
        pictures = []
        for index in sorted({0, len(frames) // 2, len(frames) - 1}):
            view.show_frame(frames.frame(index))
            pictures.append(painted(view))
        assert pictures[0] != pictures[-1] or len(frames) == 1, f"{kernel} does not change"
        assert scene_of(view).blocks.parts, f"{kernel} has no part of C"


@pytest.mark.parametrize("heat", list(HeatKind))
@pytest.mark.parametrize("kernel", ["naive", "tiled_transposed", "dot"])
def test_that_every_heat_is_painted_for_every_sort_of_kernel(
    show: Show, recorded: Record, kernel: str, heat: HeatKind
) -> None:
    size = "1x1x64" if kernel == "dot" else "64x64x64"
    view, frames = show(recorded(kernel, size, (0, 0)))
    plain = painted(view)
    view.set_heat(heat)
    for index in (0, 1, len(frames) - 1):
        view.show_frame(frames.frame(index))
        image = painted(view)
        assert image.pixelColor(900, 3).name() == LIGHT.canvas
    view.show_frame(frames.frame(0))
    assert (painted(view) == plain) is (heat is HeatKind.NONE)


def test_that_nothing_recorded_says_so_and_asks_nothing(qtbot: QtBot) -> None:
    view = MemoryView(LIGHT)
    qtbot.addWidget(view)
    view.resize(400, 300)
    assert view.picture_state() is None
    image = painted(view, 400, 300)
    assert image.pixelColor(2, 2).name() == LIGHT.canvas
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
    view.zoom_in()
    view.fit()
    view.set_heat(HeatKind.AGE)
    view.set_arrival(0.5)
    view.show_thread(3)
    assert painted(view, 400, 300) == image


def test_that_the_stage_stands_while_the_frames_are_made(show: Show, recorded: Record, block_of: BlockOf) -> None:
    run = recorded("tiled", "64x64x64", (1, 2))
    view, frames = show(run, 2)
    view.show_recording(run, block_of(run), None)
    scene = scene_of(view)
    assert scene.picture is None
    assert scene.blocks.grid is not None
    image = painted(view)
    assert image.pixelColor(middle(view, ("A", 38, 24))).name() == LIGHT.field
    view.show_recording(run, None, None)
    assert scene_of(view).block == (-1, -1, 0)
    assert painted(view).pixelColor(2, 2).name() == LIGHT.canvas
    view.show_recording(run, frames.trace, frames)
    view.show_frame(frames.frame(2))
    assert scene_of(view).picture is not None


def test_that_a_large_trace_is_looked_through_on_another_thread(
    qtbot: QtBot, show: Show, recorded: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_view, "AT_ONCE", 10)
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    assert scene_of(view).picture is None
    qtbot.waitUntil(lambda: scene_of(view).picture is not None)
    assert painted(view).pixelColor(middle(view, ("A", 38, 24))).name() == LIGHT.a


def test_that_values_are_shown_near_and_sums_are_written_out(show: Show, recorded: Record) -> None:
    run = recorded("tiled", "4x4x4", (1, 0), TILE=2)
    view, frames = show(run, 1)
    ones = np.ones((4, 4), np.float32)
    named = painted(view)
    view.set_values(ones, 2 * ones, 8 * ones)
    assert painted(view) != named
    scene = scene_of(view)
    assert scene.values.of("B", 0, 0) == 2.0
    assert scene.values.of("B", 9, 0) is None
    assert scene.sums.of_thread[0].total == 4.0
    assert scene.sums.thread == 0
    view.show_thread(3)
    assert (scene_of(view).sums.of_thread[0].row, scene_of(view).sums.of_thread[0].column) == (1, 3)
    view.show_frame(frames.frame(4))
    assert scene_of(view).sums.of_thread[0].stored


def test_that_shared_memory_changes_only_when_the_tiles_arrive(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 0)
    view.set_arrival(0.5)
    moving = painted(view)
    assert moving.pixelColor(middle(view, ("As", 0, 0))).name() == LIGHT.field
    view.set_arrival(1.0)
    assert painted(view).pixelColor(middle(view, ("As", 0, 0))).name() == LIGHT.a


def test_that_a_thread_a_warp_and_an_element_are_marked(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 1)
    plain = painted(view)
    for mark in (lambda: view.show_thread(17), lambda: view.show_warp(1), lambda: view.show_element("A", 33, 4)):
        mark()
        assert scene_of(view).pointed.marks.now
        assert painted(view) != plain
        view.show_thread(None)
        view.show_warp(None)
        view.show_element(None)
        assert painted(view) == plain
    view.show_thread(100_000)
    assert scene_of(view).pointed.marks.now == ()


def test_that_another_block_forgets_what_was_chosen_in_the_last(
    show: Show, recorded: Record, block_of: BlockOf
) -> None:
    run = recorded("tiled", "64x64x64", (1, 2), (0, 3))
    view, _ = show(run, 1)
    view.show_thread(17)
    view.zoom_in()
    zoom = scene_of(view).camera.zoom
    other = block_of(run, 1)
    view.show_recording(run, other, Frames(other))
    scene = scene_of(view)
    assert scene.block == (0, 3, 0)
    assert scene.pointed.marks.now == ()
    assert scene.camera.zoom == zoom
    assert set(scene.blocks.parts) == {(1, 2), (0, 3)}


def test_that_another_theme_repaints_in_its_colours(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    view.set_theme(DARK)
    assert painted(view).pixelColor(2, 2).name() == DARK.canvas


def test_that_hazards_are_painted_where_they_happen(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("guard_one_too_far.cu", "17x17x17", (2, 2)), 0)
    scene = scene_of(view)
    assert scene.picture is not None
    assert scene.picture.hazards
    area = scene.area("A")
    assert area is not None
    image, found = painted(view), set()
    for x in range(int(area.x), int(area.right)):
        found.add(image.pixelColor(x, int(area.bottom) + 8).name())
    assert LIGHT.hazard in found


def test_that_no_other_block_is_offered_where_there_is_none(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "16x16x16", (0, 0)), 0)
    assert view.statusTip() == ONE_BLOCK_HELP
    assert "block of C" not in ONE_BLOCK_HELP


def test_that_it_can_be_reached_and_heard(show: Show, recorded: Record) -> None:
    view, frames = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    assert view.objectName() == "memoryView"
    assert view.accessibleName()
    assert view.statusTip() == HELP
    assert view.toolTip() == ""  # it would cover the picture and the cards of elements
    assert view.accessibleDescription() == frames.frame(2).caption
    assert view.focusPolicy() == Qt.FocusPolicy.StrongFocus


def test_that_a_scene_can_be_painted_on_anything(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    image = QImage(1960, 1120, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(2.0)
    with QPainter(image) as painter:
        view.render(painter, QPoint())
    at = middle(view, ("A", 38, 24))
    assert image.pixelColor(at.x() * 2 + 1, at.y() * 2 + 1).name() == LIGHT.a


def _point(at: QPoint) -> tuple[float, float]:
    return float(at.x()), float(at.y())


def test_that_a_new_recording_of_the_same_product_keeps_the_look_and_the_numbers(
    show: Show, recorded: Record, block_of: BlockOf
) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 1)
    view.set_values(np.ones((64, 64), np.float32))
    view.zoom_in()
    zoom = scene_of(view).camera.zoom
    for kernel, size, keeps in (("naive", "64x64x64", True), ("tiled", "17x33x5", False)):
        run = recorded(kernel, size, (0, 0))
        view.show_recording(run, block_of(run), None)
        assert (scene_of(view).camera.zoom == zoom) is keeps
        assert (scene_of(view).values.a is not None) is keeps


def test_that_blocks_recorded_elsewhere_are_marked_too(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    before = painted(view)
    view.show_recorded_blocks([(3, 0), (1, 2)])
    assert set(scene_of(view).blocks.parts) == {(1, 2), (3, 0)}
    area = scene_of(view).part("C", scene_of(view).blocks.parts[3, 0])
    assert area is not None
    edges = [QPoint(int(area.x) + beside, int(area.middle_y)) for beside in (-1, 0, 1)]
    after = painted(view)
    assert all(before.pixelColor(edge).name() != LIGHT.c for edge in edges)
    assert any(after.pixelColor(edge).name() == LIGHT.c for edge in edges)
