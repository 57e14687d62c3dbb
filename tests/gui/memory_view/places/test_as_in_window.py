"""On the whole screen, where type is larger, no part of a lesson's picture is much smaller than in a window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from lesson_scenes import data_of

from gemmviz.catalogue.lesson_scenes import Pictures
from gemmviz.catalogue.lessons import load_lessons
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.shape import Shape
from gemmviz.gui.memory.playing.prepared import Preparation
from gemmviz.gui.memory_view.places.matrix_layout import MatrixLayout, Purpose
from gemmviz.gui.memory_view.places.onchip_contents import onchip_contents_of, reads_of
from gemmviz.gui.memory_view.places.onchip_layout import OnchipContents, OnchipLayout
from gemmviz.gui.memory_view.places.placed import placed
from gemmviz.trace.frames.plan import FrameMode

Size = tuple[float, float]
MAGNIFIED = {1280: (1.0, 16 / 11), 1920: (1.3, 20 / 11)}
"""By the width of the screen: how large pictures are painted in a window, and on the whole screen."""
ALONE: dict[int, Size] = {1280: (1228, 480), 1920: (1868, 730)}
WITH_CODE: dict[int, Size] = {1280: (726, 479), 1920: (1110, 749)}
PAIRED: dict[int, Size] = {1280: (604, 431), 1920: (924, 690)}
"""Pixels of a picture alone, with its source beside it, and with another picture beside it."""
HIGHER = {1280: 90.0, 1920: 36.0}
"""How much higher it is on the whole screen, which has no bars."""
ENOUGH = 0.95
SMALLER = {
    ("race", 1): 0.94,
    ("race", 3): 0.94,
    ("race", 6): 0.94,
    ("registers", 1): 0.93,
    ("registers", 2): 0.93,
    ("registers", 3): 0.93,
    ("tiling", 4): 0.94,
    ("tiling", 6): 0.93,
}
"""Steps, counted from 1, whose cells are smaller, and the least part of their size that they have: letters around them
are 1.4 times as large. Registers and figures stay beside the matrices (tiling, race), and cells of many elements have
whole pixels (registers).
"""
SCENES = [
    (lesson.id, place)
    for lesson in load_lessons()
    for place, step in enumerate(lesson.steps)
    if step.pictures is not None
]


def at(shape: Shape, size: Size, contents: tuple[OnchipContents, ...], screen: int, *, is_full: bool) -> list[float]:
    """Pixels of the cells of the matrices, of the arrays on chip and of the sums; 0 for what is not shown."""
    in_window, on_screen = MAGNIFIED[screen]
    times = on_screen if is_full else in_window
    if is_full:
        contents = tuple(replace(content, enlarged=on_screen / in_window) for content in contents)
    inner = size[0] / times, (size[1] + HIGHER[screen] * is_full) / times
    layout, arranged = placed(shape, inner, inner, contents, Purpose.PRESENTED if is_full else Purpose.LESSON)
    return [extent * times for extent in extents(shape, layout, arranged, contents[0])]


def extents(shape: Shape, layout: MatrixLayout, arranged: OnchipLayout, content: OnchipContents) -> Iterator[float]:
    yield min(layout.a.height / shape.m, layout.b.width / shape.n, layout.a.width / shape.k)
    yield arranged.edge(content.factors)
    yield arranged.sums.width / content.sums[1] if arranged.sums is not None and content.sums is not None else 0.0


TILES = OnchipContents(((2, 2), (2, 2)), (2, 2), lines=2, has_values=True)
SPOKEN_OF = OnchipContents(((4, 4), (4, 4)), (4, 4), is_spoken_of=True)


@pytest.mark.parametrize("screen", [1280, 1920])
@pytest.mark.parametrize(
    ("shape", "size", "contents", "least"),
    [
        (Shape(4, 4, 4), ALONE, (TILES,), 0.7),
        (Shape(4, 4, 4), PAIRED, (TILES, TILES), 0.75),
        (Shape(8, 8, 8), WITH_CODE, (SPOKEN_OF,), 0.7),
    ],
    ids=["alone", "paired", "spoken of"],
)
def test_that_matrices_and_slots_share_the_room_on_the_whole_screen_as_in_the_window(
    shape: Shape, size: dict[int, Size], contents: tuple[OnchipContents, ...], least: float, screen: int
) -> None:
    window = at(shape, size[screen], contents, screen, is_full=False)
    full = at(shape, size[screen], contents, screen, is_full=True)
    ratios = [after / before for after, before in zip(full, window, strict=True) if before]
    assert min(ratios) >= least, (window, full)


@pytest.mark.slow
@pytest.mark.parametrize("screen", [1280, 1920])
@pytest.mark.parametrize(("lesson", "step"), SCENES)
def test_that_no_cell_of_a_lesson_is_smaller_on_the_whole_screen(lesson: str, step: int, screen: int) -> None:
    told, data = data_of(lesson)
    wanted = told.steps[step].pictures
    assert wanted is not None
    runs = data.recordings(wanted)
    contents = tuple(contents_of(wanted, Preparation(run, FrameMode(wanted.mode))) for run in runs)
    size = PAIRED if len(runs) > 1 else WITH_CODE if wanted.code is not None else ALONE
    shape = runs[0].spec.shape
    window = at(shape, size[screen], contents, screen, is_full=False)
    full = at(shape, size[screen], contents, screen, is_full=True)
    assert full[0] >= SMALLER.get((lesson, step + 1), ENOUGH) * window[0], (window, full)


def contents_of(wanted: Pictures, prepared: Preparation) -> OnchipContents:
    """What the picture of a scene has to show on chip."""
    made, run = prepared.get(), prepared.run
    is_shared = any(array.space is Space.SHARED for array in run.arrays)
    return onchip_contents_of(run, made.made.analysis, () if is_shared else reads_of(made.frames), wanted.spot)
