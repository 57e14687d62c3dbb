"""Accesses outside a shared array are seen beside it, within its card and clear of all words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.over import hatched
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.hazard_places import mark_boxes, out_of_the_way, outlines, sign_box
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.text_layer import text_layer
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.hazards.rules.mark import HazardMark

Record = Callable[..., TraceRun]
Show = Callable[..., tuple[MemoryView, Frames]]

KERNELS = [("tiled", "64x64x64", (1, 2)), ("row_shared", "64x64x300", (8, 0)), ("tiled_padded", "64x64x64", (1, 2))]
WINDOWS = [(676, 430), (674, 512), (1314, 690), (960, 540)]


def with_marks(scene: Scene, rows: list[int], columns: list[int]) -> tuple[Scene, list[HazardMark]]:
    """A scene in which a mark of each shared array stands at elements counted from its first row, or behind its last:
    -1 is the row before the first, 0 the one behind the last.
    """
    assert scene.picture is not None
    marks = []
    for place in scene.places:
        at = [row if row < 0 else place.array.rows + row for row in rows]
        marks.append(
            HazardMark(HazardKind.OUT_OF_BOUNDS, place.array, np.array(at), np.array(columns), (0,), "outside")
        )
    return replace(scene, picture=replace(scene.picture, hazards=tuple(marks))), marks


def scene_of(view: MemoryView) -> Scene:
    scene = view.picture_state()
    assert scene is not None
    return scene


@pytest.mark.parametrize(("kernel", "size", "block"), KERNELS)
@pytest.mark.parametrize(
    ("rows", "columns"), [([0], [0]), ([0, 0], [3, 15]), ([-1], [2]), ([5000], [7]), ([-1, 0], [0, 1])]
)
def test_that_accesses_outside_an_array_are_seen_in_its_card_and_on_no_word(
    show: Show, recorded: Record, kernel: str, size: str, block: tuple[int, int], rows: list[int], columns: list[int]
) -> None:
    view, _ = show(recorded(kernel, size, block), 1)
    looks = looks_of(LIGHT)
    for window in WINDOWS:
        view.resize(*window)
        scene, marks = with_marks(scene_of(view), rows, columns)
        words = [
            (line.text, Box(line.box.x, line.box.y + 2, line.box.width, line.box.height - 4))
            for line in text_layer(scene, looks)
            if line.text
        ]
        panel = scene.camera.seen(scene.onchip.panel)
        assert marks
        for mark in marks:
            place = scene.place(mark.array.name)
            assert place is not None
            area = scene.camera.seen(place.box)
            boxes = mark_boxes(scene, mark)
            assert len(boxes) == len(rows)
            for box in boxes:
                assert not box.meets(area)
                assert area.x <= box.x
                assert box.right <= area.right + 0.01
                assert panel.y < box.y
                assert box.bottom < panel.bottom
                drawn = box.grown(1.0)  # its outline
                assert [text for text, at in words if at.meets(drawn)] == [], window


def test_that_an_access_far_behind_a_broken_row_is_seen_right_behind_its_last_line(
    show: Show, recorded: Record
) -> None:
    """Its row of slots is drawn in lines, and the row behind it would begin a whole array farther down."""
    view, _ = show(recorded("row_shared", "64x64x300", (8, 0)), 1)
    scene, (mark,) = with_marks(scene_of(view), [0], [290])
    (place,) = scene.places
    assert place.is_broken
    area = scene.camera.seen(place.box)
    (box,) = mark_boxes(scene, mark)
    assert box.y == area.bottom
    assert box.bottom < area.bottom + area.height / place.rows + 6


def test_that_the_sign_of_an_access_outside_stands_beside_the_slots(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 1)
    for row in (-1, 0):
        scene, marks = with_marks(scene_of(view), [row], [7])
        for mark in marks:
            place = scene.place(mark.array.name)
            assert place is not None
            area = scene.camera.seen(place.box)
            sign = sign_box(scene, mark, mark_boxes(scene, mark)[0])
            assert sign.right < area.x
            assert area.y <= sign.y < sign.bottom <= area.bottom


@pytest.mark.parametrize("window", WINDOWS)
def test_that_the_sign_of_a_hazard_covers_no_value_and_no_word(
    show: Show, recorded: Record, window: tuple[int, int]
) -> None:
    view, _ = show(recorded("tiled", "8x8x8", (0, 0), TILE=4), 1)
    view.resize(*window)
    scene = scene_of(view)
    words = [line.box for line in text_layer(scene, looks_of(LIGHT)) if line.text]
    for place in scene.places:
        area = scene.camera.seen(place.box)
        for row in range(4):
            at = np.array([row]), np.array([1])
            mark = HazardMark(HazardKind.RACE, place.array, *at, (0, 1), "race")
            sign = sign_box(scene, mark, outlines(scene, mark, mark_boxes(scene, mark))[0])
            assert not sign.meets(area)
            panel = scene.camera.seen(scene.onchip.panel)
            assert not sign.x < panel.x < sign.right
            assert not [box for box in words if box.meets(sign)]


@pytest.mark.parametrize("width", [760, 900, 1080, 1290])
def test_that_the_sign_of_a_hazard_covers_no_other_array(show: Show, recorded: Record, width: int) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (0, 0), TILE=8), 1)
    view.resize(width, 720)
    scene = scene_of(view)
    left, right = sorted((scene.camera.seen(place.box) for place in scene.places), key=lambda area: area.x)
    (place,) = (place for place in scene.places if scene.camera.seen(place.box) == right)
    mark = HazardMark(HazardKind.RACE, place.array, np.array([0]), np.array([0]), (0, 1), "race")
    sign = sign_box(scene, mark, outlines(scene, mark, mark_boxes(scene, mark))[0])
    assert left.right - 1 <= sign.x, (left, sign, right)
    assert sign.right <= right.x + 1


def test_that_words_stay_where_nothing_lies_outside(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 1)
    scene = scene_of(view)
    assert [out_of_the_way(scene, place.array.name) for place in scene.places] == [(0.0, 0.0)] * 2
    name = scene.places[0].array.name
    for row, above in ((-1, True), (0, False)):
        marked, _ = with_marks(scene, [row], [0])
        up, down = out_of_the_way(marked, name)
        assert (up > 0, down > 0) == (above, not above)


def test_that_accesses_off_both_ends_are_framed_apart(show: Show, recorded: Record) -> None:
    """A frame around both would run over all the slots between them, which are sound."""
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 1)
    scene, marks = with_marks(scene_of(view), [-1, -1, 0], [0, 3, 9])
    for mark in marks:
        place = scene.place(mark.array.name)
        assert place is not None
        area = scene.camera.seen(place.box)
        above, below = outlines(scene, mark, mark_boxes(scene, mark))
        assert above.bottom <= area.y < area.bottom <= below.y
        assert above.width > 3 * area.width / place.columns


def test_that_hatching_leaves_room_for_what_is_written_in_an_element() -> None:
    large, is_written = hatched(Box(100.0, 50.0, 40.0, 40.0))
    assert is_written
    assert not large.contains(QPointF(120.0, 70.0))
    assert not large.contains(QPointF(120.0, 84.0))  # the name
    assert not large.contains(QPointF(101.0, 70.0)), "letters may be as wide as the element"
    assert large.contains(QPointF(120.0, 52.0))
    assert large.contains(QPointF(120.0, 88.0))
    small, is_written = hatched(Box(0.0, 0.0, 12.0, 12.0))
    assert not is_written
    assert small.contains(QPointF(6.0, 6.0))
