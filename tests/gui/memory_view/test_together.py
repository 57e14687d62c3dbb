"""Two pictures that are compared have one layout: the same element is at the same place and as large in both."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.running_totals import RunningTotals, common_scale
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.playing.making import make
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.figures import OVER, block_figures
from gemmviz.gui.memory_view.text.onchip import onchip_words
from gemmviz.gui.memory_view.text.text_layer import text_layer
from gemmviz.trace.frames.frames import natural_mode

pytestmark = pytest.mark.usefixtures("qapp")
Record = Callable[..., TraceRun]
WINDOWS = ((430, 500), (640, 420), (980, 560))


def opened(run: TraceRun, size: tuple[int, int]) -> MemoryView:
    trace = run.blocks[0].trace(run.sites, run.arrays)
    view, made = MemoryView(LIGHT), make(run, trace, natural_mode(trace))
    view.resize(*size)
    view.show_recording(run, trace, made.frames, made.analysis)
    view.set_values(made.a, made.b, made.c)
    view.show_frame(made.frames.frame(0))
    return view


def compared(one: MemoryView, other: MemoryView) -> tuple[Scene, Scene]:
    one.lay_out_beside(other._composer.needs(other.canvas_size))
    other.lay_out_beside(one._composer.needs(one.canvas_size))
    scenes = one.picture_state(), other.picture_state()
    assert scenes[0] is not None
    assert scenes[1] is not None
    return scenes


@pytest.mark.parametrize("size", [*WINDOWS, (380, 420), (560, 300), (760, 620), (700, 480)])
def test_that_memories_have_the_same_names_in_both(recorded: Record, size: tuple[int, int]) -> None:
    """`naive` has one memory and large figures, `tiled` two and small ones."""
    views = [opened(recorded(kernel, "64x64x64", (0, 0)), size) for kernel in ("naive", "tiled")]
    seen = []
    for is_last in (False, True):
        for view in views:
            frames = view._composer.frames
            assert frames is not None
            view.show_frame(frames.frame(len(frames) - 1 if is_last else 1))
        for scene in compared(*views):
            figures = block_figures(scene, looks_of(LIGHT))
            words = [line.text.partition(",")[0].casefold() for line in figures.words]
            of_global = next((word for word in words if word.startswith("global")), "")
            seen.append((of_global, bool(figures.bars)))
    assert len(set(seen)) == 1, seen
    assert seen[0][0] or size in WINDOWS, "there the tiles need the room"


@pytest.mark.parametrize("size", [(424, 318), (424, 356), (430, 330)])
def test_that_low_pictures_keep_bars_progress_and_captions(recorded: Record, size: tuple[int, int]) -> None:
    """As two pictures are on a whole screen of 1280 x 800."""
    run = recorded("naive", "32x32x32", (0, 0)), recorded("tiled", "32x32x32", (0, 0), TILE=16)
    views = [opened(each, size) for each in run]
    for view in views:
        view.present(True)
    scenes = compared(*views)
    for scene, memories in zip(scenes, (1, 2), strict=True):
        figures = block_figures(scene, looks_of(LIGHT))
        lines = [line.box for line in figures.words]
        assert len(figures.bars) == memories
        assert not any(bar.box.meets(box) for bar in figures.bars for box in lines)
        assert max(bar.box.bottom for bar in figures.bars) <= scene.layout.a.bottom + OVER
        assert all(bar.tip for bar in figures.bars)
        words = onchip_words(scene, looks_of(LIGHT))
        said = {line.text for line in words}
        assert any(re.fullmatch(r"\d+/32", each) for each in said), said
        assert not [1 for line in words for other in words if line is not other and line.box.meets(other.box)]
    tiled = {line.text for line in onchip_words(scenes[1], looks_of(LIGHT))}
    assert {each[0] for each in tiled if "[" in each} >= {"A", "B"}, tiled


@pytest.mark.parametrize("size", WINDOWS)
@pytest.mark.parametrize(
    ("kernels", "shape"),
    [
        (("naive", "tiled"), "8x8x8"),
        (("naive", "tiled"), "64x64x64"),
        (("tiled", "row_shared"), "64x64x64"),
        (("naive", "register_2d"), "64x64x64"),
        (("dot", "dot_serial"), "1x1x64"),
    ],
)
def test_that_matrices_panels_and_sums_are_at_the_same_places(
    recorded: Record, kernels: tuple[str, str], shape: str, size: tuple[int, int]
) -> None:
    views = [opened(recorded(kernel, shape, (0, 0)), size) for kernel in kernels]
    one, other = compared(*views)
    assert (one.layout.a, one.layout.b, one.layout.c) == (other.layout.a, other.layout.b, other.layout.c)
    assert one.layout.onchip == other.layout.onchip
    both = one.onchip.registers is not None and other.onchip.registers is not None
    if both and kernels == ("naive", "tiled"):
        assert one.onchip.registers == other.onchip.registers
        sums = one.onchip.sums, other.onchip.sums
        assert (sums[0] is None) == (sums[1] is None)
        if sums[0] is not None and sums[1] is not None:
            assert (sums[0].middle_x, sums[0].y) == (sums[1].middle_x, sums[1].y)
            if shape != "8x8x8":  # there a tile is larger than the matrices, and has smaller cells
                assert sums[0] == sums[1]


def test_that_slots_are_as_large_in_both(recorded: Record) -> None:
    one, other = compared(*(opened(recorded(kernel, "32x32x32", (0, 0)), (640, 420)) for kernel in ("naive", "tiled")))
    edges = {
        round(box.height / rows, 6)
        for scene in (one, other)
        for box, rows in zip(scene.onchip.factors, (16, 1) if scene is one else (16, 16), strict=True)
    }
    assert len(edges) == 1


def test_that_a_picture_of_another_size_keeps_its_own_layout(recorded: Record) -> None:
    view = opened(recorded("tiled", "8x8x8", (0, 0)), (640, 420))
    alone = view.picture_state()
    assert alone is not None
    scene, _ = compared(view, opened(recorded("naive", "64x64x64", (0, 0)), (640, 420)))
    assert scene.layout == alone.layout


def test_that_the_sums_of_a_thread_are_at_one_place(recorded: Record) -> None:
    looks = looks_of(LIGHT)
    for size in ((640, 520), (700, 620), (900, 760)):
        views = [opened(recorded(kernel, "4x4x4", (0, 0)), size) for kernel in ("naive", "tiled")]
        one, other = (text_layer(scene, looks).sums for scene in compared(*views))
        assert one is not None
        assert other is not None
        assert one.box == other.box, size


def test_that_a_pixel_more_of_one_window_moves_nothing(recorded: Record) -> None:
    views = [
        opened(recorded(kernel, "8x8x8", (0, 0)), size)
        for kernel, size in (("naive", (552, 430)), ("tiled", (551, 430)))
    ]
    one, other = compared(*views)
    assert (one.layout.a, one.layout.b, one.layout.c) == (other.layout.a, other.layout.b, other.layout.c)
    assert (one.layout.width, other.layout.width) == (552.0, 551.0)


@pytest.mark.parametrize("size", [(470, 322), (470, 380), (430, 340), (640, 420)])
@pytest.mark.parametrize("kernels", [("naive", "tiled"), ("tiled_transposed", "tiled_padded")])
def test_that_no_words_of_two_crowded_pictures_touch(
    recorded: Record, size: tuple[int, int], kernels: tuple[str, str]
) -> None:
    looks = looks_of(LIGHT)
    for scene in compared(*(opened(recorded(kernel, "128x64x64", (0, 0)), size) for kernel in kernels)):
        written = text_layer(scene, looks)
        captions = [line for line in written.words if line.text in "AC" or "128×64" in line.text.replace("\u202f", " ")]
        assert {"A", "C"} <= {line.text for line in captions}
        end_of_a = max(line.box.right for line in captions if line.box.x < scene.layout.c.x - 22)
        assert next(line.box.x for line in captions if line.text == "C") - end_of_a >= 8
        lowest = max(line.box.bottom for line in (*captions, *written.figures.words))
        assert lowest <= min(line.box.y for line in written.legend.words)


def test_that_tiles_get_the_room_of_a_sentence_where_they_would_be_small(recorded: Record) -> None:
    for scene in compared(*(opened(recorded(name, "128x64x64", (0, 0)), (470, 322)) for name in ("naive", "tiled"))):
        assert scene.onchip.lines == 0
        assert scene.onchip.sums is not None
        assert scene.onchip.sums.height >= 48


@pytest.mark.parametrize("size", [(527, 353), (527, 331), (560, 330), (640, 420)])
def test_that_what_a_shared_array_holds_is_said_in_every_frame_and_in_one_form(
    recorded: Record, size: tuple[int, int]
) -> None:
    looks = looks_of(LIGHT)
    views = [opened(recorded(kernel, "64x64x64", (0, 0)), size) for kernel in ("tiled_padded", "tiled_transposed")]
    compared(*views)
    for view in views:
        frames = view._composer.frames
        assert frames is not None
        forms = set()
        for index in range(len(frames)):
            view.show_frame(frames.frame(index))
            scene = view.picture_state()
            assert scene is not None
            said = [
                text.text for text in onchip_words(scene, looks) if re.match(r"[AB]\[|rows |A, transposed", text.text)
            ]
            forms.add(tuple(re.sub(r"\d+", "0", text) for text in said))
        assert len(forms) == 1, forms
        assert len(forms.pop()) == 2


def test_that_loads_of_a_memory_have_one_scale_in_both_pictures_and_below_them(recorded: Record) -> None:
    kernels = ("tiled", "register_2d")
    views = [opened(recorded(kernel, "64x64x64", (0, 0)), (640, 420)) for kernel in kernels]
    far, near = zip(*(view._composer.analysis.load_counters.totals for view in views), strict=True)
    assert far[0] != far[1]
    assert near[0] != near[1]
    scenes = compared(*views)
    assert {scene.load_counters.totals for scene in scenes if scene.load_counters is not None} == {
        (max(far), max(near))
    }
    traces = [view._composer.analysis for view in views]
    below = common_scale(RunningTotals(each.trace, each.timeline) for each in traces)
    assert below[0] == max(far), "not the loads from shared memory, which are more"
