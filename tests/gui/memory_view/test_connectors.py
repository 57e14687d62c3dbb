"""What ties the parts of the picture together: lines from tiles to panels, bands that meet in C."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.memory_view.connectors import bands, leads
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.regions import Rectangle

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Show = Callable[..., tuple[MemoryView, Frames]]
WINDOWS = [(676, 430), (420, 400), (334, 361), (1314, 690)]


def scene_of(view: MemoryView) -> Scene:
    scene = view.picture_state()
    assert scene is not None
    return scene


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize(
    ("kernel", "size", "block", "frame"),
    [
        ("tiled", "64x64x64", (1, 2), 2),
        ("tiled", "64x64x64", (3, 3), 6),
        ("naive", "64x64x64", (1, 2), 5),
        ("register_2d", "64x64x64", (0, 0), 0),
        ("tiled", "17x33x5", (2, 1), 0),
    ],
)
def test_that_lines_run_straight_from_the_edge_of_a_tile_to_the_edge_of_its_panel(
    show: Show, recorded: Record, kernel: str, size: str, block: tuple[int, int], frame: int, window: tuple[int, int]
) -> None:
    view, _ = show(recorded(kernel, size, block), frame)
    view.resize(*window)
    scene = scene_of(view)
    panel, picture = scene.onchip.panel, scene.picture
    assert picture is not None
    found = {lead.matrix: lead for lead in leads(scene)}
    assert set(found) == {"A", "B"}
    a, b = (scene.part(name, picture.tiles[name].loaded or Rectangle(0, 0, 0, 0)) for name in "AB")
    assert a is not None
    assert b is not None
    (x, y), (to_x, to_y) = found["A"].start, found["A"].end
    assert x == to_x
    assert a.x <= x <= a.right
    assert (y, to_y) == (a.y, panel.bottom)
    (x, y), (to_x, to_y) = found["B"].start, found["B"].end
    assert y == to_y
    assert b.y <= y <= b.bottom
    assert (x, to_x) == (b.x, panel.right)


@pytest.mark.parametrize("block", [(0, 0), (1, 1), (1, 0)])
def test_that_lines_pass_between_elements_whose_numbers_can_be_read(
    show: Show, recorded: Record, block: tuple[int, int]
) -> None:
    for kernel, params in (("tiled", {"TILE": 2}), ("naive", {})):
        view, _ = show(recorded(kernel, "4x4x4", block if params else (0, 0), **params), 2)
        scene = scene_of(view)
        for lead in leads(scene):
            along = lead.start[0] - scene.layout.a.x if lead.matrix == "A" else lead.start[1] - scene.layout.b.y
            cell = scene.layout.a.width / 4
            assert along / cell == pytest.approx(round(along / cell))


def test_that_only_what_goes_into_shared_memory_has_a_line_to_it(show: Show, recorded: Record) -> None:
    view, frames = show(recorded("row_shared", "64x64x64", (8, 0)))
    assert {lead.matrix for lead in leads(scene_of(view))} == {"A"}
    view.show_frame(frames.frame(20))
    assert leads(scene_of(view)) == ()


def test_that_a_phase_that_reads_shared_memory_has_no_line_to_global_memory(show: Show, recorded: Record) -> None:
    view, frames = show(recorded("tiled", "64x64x64", (1, 2)), 1)
    assert leads(scene_of(view)) == ()
    view.show_frame(frames.frame(len(frames) - 1))
    assert leads(scene_of(view)) == ()


@pytest.mark.parametrize(("kernel", "block"), [("tiled", (1, 2)), ("naive", (3, 0)), ("register_2d", (0, 0))])
def test_that_the_row_and_the_column_meet_in_the_block(
    show: Show, recorded: Record, kernel: str, block: tuple[int, int]
) -> None:
    view, _ = show(recorded(kernel, "64x64x64", block), 1)
    scene = scene_of(view)
    analysis = scene.analysis
    assert analysis is not None
    assert analysis.part is not None
    goal = scene.part("C", analysis.part)
    assert goal is not None
    found = {band.matrix: band.box for band in bands(scene)}
    a, b = found["A"], found["B"]
    assert (a.y, a.height, a.x, a.right) == (goal.y, goal.height, scene.layout.a.right, goal.x)
    assert (b.x, b.width, b.y, b.bottom) == (goal.x, goal.width, scene.layout.b.bottom, goal.y)


def test_that_bands_of_a_block_of_one_pixel_can_be_seen(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("row_per_block", "1037x64x1055", (500, 0)))
    heights = {band.matrix: band.box.height for band in bands(scene_of(view))}
    assert heights["A"] >= 5


def test_that_a_tree_of_sums_has_neither(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("dot", "1x1x300", (0, 0)))
    assert (leads(scene_of(view)), bands(scene_of(view))) == ((), ())


@pytest.mark.parametrize("window", [(500, 300), (460, 500), (420, 700)])
def test_that_a_line_to_one_of_two_arrays_below_each_other_ends_at_its_height(
    show: Show, recorded: Record, window: tuple[int, int]
) -> None:
    view, _ = show(recorded("register_2d", "64x64x64", (0, 0)), 0)
    view.resize(*window)
    scene = scene_of(view)
    assert scene.onchip.is_stacked
    places = {place.array.name: scene.camera.seen(place.box) for place in scene.places}
    found = {lead.matrix: lead for lead in leads(scene)}
    for matrix, array in (("A", "As"), ("B", "Bs")):
        x, y = found[matrix].end
        assert x == scene.onchip.panel.right
        assert places[array].y < y < places[array].bottom
        bends = zip(found[matrix].points, found[matrix].points[1:], strict=False)
        assert all(one[0] == other[0] or one[1] == other[1] for one, other in bends)
