"""What moves in a frame, and the thread that is followed as an example."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from gemmviz.domain.recordings.access import AccessKind, BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.example import elements_made, example_of, rectangles, thread_for_example
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.motion_paths import followed_box, has_landed, motion_paths, onchip_box
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.tiles import draw_tiles
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.onchip import onchip_words
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.regions import Rectangle

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Show = Callable[..., tuple[MemoryView, Frames]]


class Opacities(QPainter):
    """A painter that writes down how opaque each image is."""

    def __init__(self, image: QImage) -> None:
        super().__init__(image)
        self.opacities: list[float] = []

    def __enter__(self) -> Self:
        return self

    def drawImage(self, *_values: Any) -> None:
        self.opacities.append(self.opacity())


def scene_of(view: MemoryView) -> Scene:
    scene = view.picture_state()
    assert scene is not None
    return scene


def motions(scene: Scene) -> list[tuple[Box | None, Box | None, str]]:
    return [(path.source, path.target, path.matrix) for path in motion_paths(scene)]


def test_that_tiles_move_into_shared_memory(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    scene = scene_of(view)
    places = {place.array.name: place.box for place in scene.places}
    assert motions(scene) == [
        (scene.part("A", Rectangle(32, 48, 16, 32)), places["As"], "A"),
        (scene.part("B", Rectangle(16, 32, 16, 32)), places["Bs"], "B"),
    ]


def test_that_a_row_and_a_column_move_into_the_sum_of_the_thread_that_is_followed(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 3)
    view.show_thread(5 * 16 + 7)
    scene = scene_of(view)
    goal = onchip_box(scene, "C", Rectangle(37, 38, 23, 24))
    assert goal is not None
    row, column = motion_paths(scene)
    assert (row.source, row.matrix) == (onchip_box(scene, "As", Rectangle(5, 6, 0, 16)), "A")
    assert (column.source, column.matrix) == (onchip_box(scene, "Bs", Rectangle(0, 16, 7, 8)), "B")
    for path in (row, column):  # each keeps its proportions and ends within the sum
        assert (path.target.middle_x, path.target.middle_y) == pytest.approx((goal.middle_x, goal.middle_y))
        assert max(path.target.width, path.target.height) <= max(goal.width, goal.height) + 1e-6
    assert row.target.width > row.target.height
    assert column.target.width < column.target.height
    assert scene.onchip.sums is not None
    assert scene.onchip.sums.meets(goal)


def test_that_tiles_that_meet_in_a_sum_fade_until_its_value_can_be_read(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 3)
    view.show_thread(5 * 16 + 7)
    solid = []
    for arrival in (0.1, 0.9):
        image = QImage(10, 10, QImage.Format.Format_ARGB32_Premultiplied)
        with Opacities(image) as painter:
            draw_tiles(painter, replace(scene_of(view), arrival=arrival), looks_of(LIGHT), motion_paths(scene_of(view)))
            solid.append(painter.opacities)
    assert len(solid[0]) == len(solid[1]) == 2
    assert max(solid[1]) < 0.1 < 0.5 < min(solid[0])


def test_that_sums_move_to_c_when_they_are_stored(show: Show, recorded: Record) -> None:
    view, frames = show(recorded("tiled", "64x64x64", (1, 2)))
    view.show_frame(frames.frame(len(frames) - 1))
    scene = scene_of(view)
    assert motions(scene) == [(scene.onchip.sums, scene.part("C", Rectangle(32, 48, 16, 32)), "C")]


def test_that_without_shared_memory_tiles_are_enlarged_and_read_from_where_they_are(
    show: Show, recorded: Record
) -> None:
    view, _ = show(recorded("naive", "64x64x64", (1, 2)), 5)
    scene = scene_of(view)
    tile = Rectangle(32, 48, 5, 6)
    assert (scene.part("A", tile), scene.enlarged("A", tile), "A") in motions(scene)
    assert scene.places == ()
    example = scene.example
    assert example is not None
    row = 32 + example.thread // 16
    lens = onchip_box(scene, "A", Rectangle(row, row + 1, 5, 6))
    assert (lens, "A", True) in [(each.source, each.matrix, each.fades) for each in motion_paths(scene)]


def test_that_a_factor_is_seen_enlarged_once_it_has_arrived_and_then_goes_to_the_sum(
    show: Show, recorded: Record
) -> None:
    view, frames = show(recorded("naive", "4x4x4", (0, 0)))
    for number in (2, len(frames) - 1):  # the last one also stores the sums
        frame = frames.frame(number)
        name = next(each for each in "AB" if frame.touch(each, AccessKind.LOAD) is not None)
        seen: dict[float, tuple[bool, bool, list[str]]] = {}
        for arrival in (0.2, 0.5, 1.0):
            view.show_frame(frame)
            view.set_arrival(arrival)
            scene = scene_of(view)
            lens = scene.lens(name)
            assert lens is not None
            to_panel = onchip_box(scene, name, lens.part)
            assert to_panel is not None
            under_way = [
                path for path in motion_paths(scene) if path.name == name and path.fraction(arrival) is not None
            ]
            is_flying = [path.target == to_panel for path in under_way]
            said = [item.text for item in onchip_words(scene, looks_of(LIGHT)) if item.text.startswith("read")]
            assert has_landed(scene, name) == (arrival > 0.2)
            colour = view.grab().toImage().pixelColor(*(round(each) for each in (to_panel.x + 4, to_panel.y + 4)))
            seen[arrival] = all(is_flying) and bool(is_flying), colour.name() == LIGHT.field, said
        assert seen[0.2][:2] == (True, True)
        assert "reading" in seen[0.2][2]
        for arrival in (0.5, 1.0):
            assert seen[arrival][:2] == (False, False)
            assert "reading" not in seen[arrival][2]


@pytest.mark.parametrize("heat", list(HeatKind))
def test_that_a_factor_stays_in_sight_while_the_other_one_is_read(show: Show, recorded: Record, heat: HeatKind) -> None:
    view, frames = show(recorded("naive", "4x4x4", (0, 0)))
    view.set_heat(heat)
    last: dict[str, Rectangle] = {}
    for index in range(len(frames)):
        frame = frames.frame(index)
        last |= {name: touch.box for name in "AB" if (touch := frame.touch(name, AccessKind.LOAD)) is not None}
        view.show_frame(frame)
        view.grab()
        assert {lens.name: lens.part for lens in scene_of(view).lenses if lens.name != "C"} == last
    assert set(last) == {"A", "B"}


def test_that_the_followed_thread_is_the_one_chosen_then_the_one_pointed_at_then_one_amid_the_block(
    show: Show, recorded: Record
) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 3)
    example = scene_of(view).example
    assert example is not None
    assert example.made == (Rectangle(38, 39, 25, 26),)
    assert example.thread == 6 * 16 + 9
    view._hover(("C", 40, 20))
    example = scene_of(view).example
    assert example is not None
    assert example.thread == 8 * 16 + 4
    view.show_thread(3)
    example = scene_of(view).example
    assert example is not None
    assert example.thread == 3
    view.show_thread(None)
    view._hover(None)
    example = scene_of(view).example
    assert example is not None
    assert example.thread == 6 * 16 + 9


def test_that_small_products_follow_the_thread_whose_sums_are_written_out(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (1, 0), TILE=2), 1)
    scene = scene_of(view)
    assert scene.example is not None
    assert scene.example.thread == scene.sums.thread == 0


def test_that_a_thread_is_shown_at_one_pair_of_factors_after_the_other(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("tiled", "64x64x64", (1, 2))))
    made = (Rectangle(38, 39, 25, 26),)
    steps = [example_of(frames.frame(3), 105, made, step / 16) for step in range(16)]
    assert [example.now for example in steps] == [
        (("As", Rectangle(6, 7, k, k + 1)), ("Bs", Rectangle(k, k + 1, 9, 10))) for k in range(16)
    ]
    whole = example_of(frames.frame(3), 105, made, 1.0)
    assert whole.now == ()
    assert whole.read == (("As", Rectangle(6, 7, 0, 16)), ("Bs", Rectangle(0, 16, 9, 10)))
    assert example_of(frames.frame(2), 105, made, 1.0).read == (
        ("A", Rectangle(38, 39, 25, 26)),
        ("B", Rectangle(22, 23, 25, 26)),
    )


def test_that_a_thread_with_a_patch_reads_rows_and_columns_and_makes_what_they_cross(
    recorded: Record, block_of: BlockOf
) -> None:
    trace = block_of(recorded("register_2d", "64x64x64", (0, 0)))
    c = next(array for array in trace.arrays if array.name == "C")
    thread = thread_for_example(trace, c, Rectangle(0, 64, 0, 64))
    assert thread is not None
    made = elements_made(trace, c, thread)
    assert [(part.rows, part.columns) for part in made] == [(4, 1)] * 4
    read = dict[str, list[Rectangle]]()
    for name, part in example_of(Frames(trace).frame(1), thread, made, 1.0).read:
        read.setdefault(name, []).append(part)
    assert [(part.row_start, part.rows, part.columns) for part in read["As"]] == [(made[0].row_start, 4, 16)]
    assert [part.column_start for part in read["Bs"]] == [part.column_start for part in made]


def test_that_no_element_of_the_thread_that_is_followed_lies_at_the_edge_of_its_block(
    recorded: Record, block_of: BlockOf
) -> None:
    trace = block_of(recorded("register_2d", "32x32x32", (0, 0), BM=32, BN=32, BK=16, TM=8, TN=8))
    c = next(array for array in trace.arrays if array.name == "C")
    thread = thread_for_example(trace, c, Rectangle(0, 32, 0, 32))
    assert thread is not None
    columns = {column for part in elements_made(trace, c, thread) for column in (part.column_start, part.column_stop)}
    assert 0 < min(columns) < max(columns) < 32


@pytest.mark.parametrize(
    ("rows", "columns", "expected"),
    [
        ([3, 3, 4, 4], [1, 2, 1, 2], (Rectangle(3, 5, 1, 3),)),
        ([0, 0], [1, 5], (Rectangle(0, 1, 1, 2), Rectangle(0, 1, 5, 6))),
        ([0, 1], [0, 1], (Rectangle(0, 1, 0, 1), Rectangle(1, 2, 1, 2))),
        ([], [], ()),
        ([7, 7, 7], [2, 2, 2], (Rectangle(7, 8, 2, 3),)),
    ],
)
def test_that_elements_are_framed_by_the_fewest_rectangles(
    rows: list[int], columns: list[int], expected: tuple[Rectangle, ...]
) -> None:
    assert rectangles(np.array(rows, np.int64), np.array(columns, np.int64)) == expected


def test_that_a_thread_that_stores_nothing_makes_nothing(recorded: Record, block_of: BlockOf) -> None:
    trace = block_of(recorded("tiled", "17x33x5", (8, 4), TILE=4))
    c = next(array for array in trace.arrays if array.name == "C")
    assert elements_made(trace, c, 5) == ()
    assert elements_made(trace, c, 0) == (Rectangle(16, 17, 32, 33),)


def test_that_requests_of_one_warp_follow_a_thread_of_another_quietly(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 0, mode=FrameMode.REQUEST)
    example = scene_of(view).example
    assert example is not None
    assert example.read == ()


@pytest.mark.parametrize("kernel", ["global_accumulate", "tiled_global_accumulate"])
def test_that_what_a_thread_reads_goes_to_its_element_of_c_where_it_adds_in_memory(
    show: Show, recorded: Record, kernel: str
) -> None:
    view, frames = show(recorded(kernel, "16x16x16"), 0)
    reading = next(at for at in range(len(frames)) if frames.frame(at).touch("C", AccessKind.LOAD) is not None)
    view, _ = show(recorded(kernel, "16x16x16"), reading)
    scene = scene_of(view)
    assert scene.adds_in_memory
    assert scene.example is not None
    goal = scene.part("C", scene.example.made[0])
    assert goal is not None
    assert followed_box(scene, "C", scene.example.made[0]) == goal
    to_c = [target for _, target, matrix in motions(scene) if matrix in ("A", "B") and target is not None]
    assert any(goal.grown(0.5).holds(target.middle_x, target.middle_y) for target in to_c)
    said = [text.text for text in onchip_words(scene, looks_of(LIGHT))]
    assert [sign for sign in said if sign in ("C +=", "×")] == ["×", "C +="]


def test_that_sums_in_registers_are_no_sums_in_memory(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("naive", "16x16x16"), 1)
    scene = scene_of(view)
    assert not scene.adds_in_memory
    assert [text.text for text in onchip_words(scene, looks_of(LIGHT)) if text.text in ("C +=", "+=", "×")] == [
        "+=",
        "×",
    ]


@pytest.mark.parametrize("mode", FrameMode)
@pytest.mark.parametrize("kernel", ["dot", "dot_serial"])
def test_that_nothing_goes_to_c_before_a_sum_is_stored_there(
    show: Show, recorded: Record, kernel: str, mode: FrameMode
) -> None:
    view, frames = show(recorded(kernel, "1x1x16", THREADS=16), mode=mode)
    for index in range(len(frames)):
        frame = frames.frame(index)
        view.show_frame(frame)
        goal = scene_of(view).part("C", Rectangle(0, 1, 0, 1))
        goes = any(target == goal for _, target, _ in motions(scene_of(view)))
        assert not goes or frame.touch("C", AccessKind.STORE) is not None


def test_that_factors_go_to_the_slots_of_their_products_and_these_to_the_sum_of_thread_0(
    show: Show, recorded: Record
) -> None:
    run = recorded("dot_serial", "1x1x16", THREADS=16)
    view, frames = show(run, mode=FrameMode.STEP)
    one = np.arange(1, 17, dtype=np.float32)
    view.set_values(one[None, :], one[:, None], np.full((1, 1), one @ one, np.float32))
    view.show_frame(frames.frame(0))
    scene = scene_of(view)
    for name in "AB":
        paths = [path for path in motion_paths(scene) if path.matrix == name]
        targets = [scene.part("sums", Rectangle(0, 1, k, k + 1)) for k in range(16)]
        assert [path.target for path in paths] == targets
        assert all(path.fades for path in paths)
    for index in range(1, 17):
        view.show_frame(frames.frame(index))
        scene = scene_of(view)
        goal = scene.enlarged("C", Rectangle(0, 1, 0, 1))
        first = motion_paths(scene)[0]
        assert goal is not None
        assert (first.source, first.target) == (scene.part("sums", Rectangle(0, 1, index - 1, index)), goal)
        assert scene.sums.totals == {(0, 0): float(one[:index] @ one[:index])}
    assert [path.name for path in motion_paths(scene)] == ["sums", "C"]
    words = [item.text for item in onchip_words(scene, looks_of(LIGHT))]
    assert any("thread 0" in text for text in words)


def test_that_sums_go_to_c_after_the_last_products_are_added_to_them(show: Show, recorded: Record) -> None:
    view, frames = show(recorded("naive", "4x4x4", (0, 0)))
    view.show_frame(frames.frame(len(frames) - 1))
    shown: dict[float, tuple[set[str], int]] = {}
    for arrival in (0.3, 0.7):
        view.set_arrival(arrival)
        scene = scene_of(view)
        assert scene.sums.terms is not None
        under_way = {path.name for path in motion_paths(scene) if path.fraction(arrival) is not None}
        shown[arrival] = under_way, int(scene.sums.terms.max())
    assert shown == {0.3: ({"A", "B"}, 3), 0.7: ({"C"}, 4)}
