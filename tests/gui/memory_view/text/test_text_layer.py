"""All that is written on the picture stands in the window, alone, and no line runs through it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.memory_view.connectors import leads
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import Face, Looks, looks_of
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.onchip_layout import CAPTION
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.labels import PREPARING
from gemmviz.gui.memory_view.text.onchip import _held_lines, onchip_words
from gemmviz.gui.memory_view.text.text_item import LineSide, TextItem, text_in, wrapped
from gemmviz.gui.memory_view.text.text_layer import text_layer
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Show = Callable[..., tuple[MemoryView, Frames]]

WINDOWS = [(676, 430), (674, 512), (420, 400), (334, 361), (320, 240), (1314, 690), (960, 540), (1920, 1080)]
CASES: list[tuple[str, str, tuple[int, int], dict[str, int]]] = [
    ("tiled", "64x64x64", (1, 2), {}),
    ("tiled", "4x4x4", (1, 0), {"TILE": 2}),
    ("tiled", "17x33x5", (8, 4), {"TILE": 4}),
    ("tiled_transposed", "64x64x64", (1, 2), {}),
    ("tiled_padded", "64x64x64", (1, 2), {}),
    ("naive", "64x64x64", (1, 2), {}),
    ("naive", "4x4x4", (0, 0), {}),
    ("row_shared", "64x64x64", (8, 0), {}),
    ("register_2d", "64x64x64", (0, 0), {}),
    ("global_accumulate", "64x64x64", (1, 2), {}),
    ("tiled_global_accumulate", "64x64x64", (1, 2), {}),
    ("dot", "1x1x300", (0, 0), {}),
    ("dot", "1x1x16", (0, 0), {"THREADS": 4}),
    ("row_per_block", "1037x64x1055", (500, 0), {}),
]


@pytest.fixture(scope="module")
def looks(qapp: object) -> Looks:
    """The fonts are needed, the colours are those of either theme."""
    assert qapp is not None
    return looks_of(LIGHT)


def scene_of(view: MemoryView) -> Scene:
    scene = view.picture_state()
    assert scene is not None
    return scene


def scenes(view: MemoryView, frames: Frames) -> list[Scene]:
    """The first frames, one in the middle, the last; in windows of every size."""
    found = []
    for index in sorted({0, min(1, len(frames) - 1), len(frames) // 2, len(frames) - 1}):
        view.show_frame(frames.frame(index))
        for size in WINDOWS:
            view.resize(*size)
            found.append(scene_of(view))
    return found


def within(inner: Box, outer: Box) -> bool:
    return (
        inner.x >= outer.x - 1
        and inner.y >= outer.y - 1
        and inner.right <= outer.right + 1
        and inner.bottom <= outer.bottom + 1
    )


def overlapping(said: list[TextItem]) -> list[tuple[str, str]]:
    """Pairs of lines that stand on each other; letters do not fill the height of their line."""
    letters = [(line.text, Box(line.box.x, line.box.y + 2, line.box.width, line.box.height - 4)) for line in said]
    return [(one, other) for (one, a), (other, b) in combinations(letters, 2) if a.meets(b)]


@pytest.mark.parametrize(("kernel", "size", "block", "params"), CASES)
def test_that_no_word_leaves_the_window_or_stands_on_another(
    show: Show, recorded: Record, looks: Looks, kernel: str, size: str, block: tuple[int, int], params: dict[str, int]
) -> None:
    view, frames = show(recorded(kernel, size, block, **params))
    for scene in scenes(view, frames):
        said = [line for line in text_layer(scene, looks) if line.text]
        where = f"{scene.window.width}x{scene.window.height}, {view.accessibleDescription()}"
        assert [line.text for line in said if not within(line.box, scene.window)] == [], where
        assert overlapping(said) == [], where


def test_that_the_word_for_preparing_stands_on_no_other(
    show: Show, recorded: Record, block_of: BlockOf, looks: Looks
) -> None:
    run = recorded("tiled", "64x64x64", (1, 2))
    view, _ = show(run)
    view.show_recording(run, block_of(run), None)
    found = set()
    for size in WINDOWS:
        view.resize(*size)
        said = [line for line in text_layer(scene_of(view), looks) if line.text]
        assert overlapping(said) == []
        found |= {line.text for line in said}
    assert PREPARING in found


@pytest.mark.parametrize(("kernel", "size", "block", "params"), CASES)
def test_that_no_word_stands_on_an_array_a_matrix_or_a_line(
    show: Show, recorded: Record, looks: Looks, kernel: str, size: str, block: tuple[int, int], params: dict[str, int]
) -> None:
    view, frames = show(recorded(kernel, size, block, **params))
    for scene in scenes(view, frames):
        areas = [scene.layout.a, scene.layout.b, scene.layout.c, *(lens.place.box for lens in scene.lenses)]
        areas += [] if scene.shows_tree else [place.box for place in scene.places]
        lines = [
            Box(
                min(lead.start[0], lead.end[0]),
                min(lead.start[1], lead.end[1]),
                abs(lead.start[0] - lead.end[0]) + 1,
                abs(lead.start[1] - lead.end[1]) + 1,
            )
            for lead in leads(scene)
        ]
        for line in text_layer(scene, looks):
            box = Box(line.box.x, line.box.y + 2, line.box.width, line.box.height - 4)
            hit = [area for area in (*areas, *lines) if area.meets(box)]
            assert hit == [], f"{line.text!r} in {scene.window.width}x{scene.window.height}: {hit}"


@pytest.mark.parametrize("kind", [kind for kind in HeatKind if kind is not HeatKind.NONE])
@pytest.mark.parametrize("size", WINDOWS)
def test_that_the_scale_of_a_heat_can_be_read_everywhere(
    show: Show, recorded: Record, looks: Looks, kind: HeatKind, size: tuple[int, int]
) -> None:
    view, _ = show(recorded("tiled_transposed", "64x64x64", (1, 2)))
    view.resize(*size)
    view.set_heat(kind)
    scene = scene_of(view)
    strip = text_layer(scene, looks).legend
    assert strip.ramp is not None
    assert within(strip.ramp, scene.window)
    assert overlapping(list(strip.words)) == []
    assert all(within(line.box, scene.window) and not line.box.meets(strip.ramp) for line in strip.words[:-1])
    heat = scene.picture.heat if scene.picture is not None else None
    assert heat is not None
    figures = [line for line in strip.words if line.text.isdigit()]
    assert [line.text for line in figures] == [str(mark) for mark in heat.marks]
    for line, mark in zip(figures, heat.marks, strict=True):
        assert line.box.middle_x == pytest.approx(strip.ramp.x + heat.place(mark) * strip.ramp.width)


def test_that_single_requests_are_written_as_cleanly(show: Show, recorded: Record, looks: Looks) -> None:
    view, frames = show(recorded("tiled", "4x4x4", (1, 0), TILE=2), mode=FrameMode.REQUEST)
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        assert overlapping(list(text_layer(scene_of(view), looks))) == []


def test_that_a_small_product_has_its_sums_and_its_loads_written_out(
    show: Show, recorded: Record, looks: Looks
) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (1, 0), TILE=2), 3)
    ones = np.ones((4, 4), np.float32)
    view.set_values(ones, 2 * ones)
    view.resize(676, 430)
    said = [line.text for line in text_layer(scene_of(view), looks)]
    for words in (
        "Thread 0",
        "C[0,2]",
        "= A[0,0]·B[0,2] 1·2",
        "+ A[0,3]·B[3,2] 1·2",
        "8",
        "global memory, each element loaded once",
        "shared memory, each value read twice",
    ):
        assert words in said


def test_that_the_place_of_the_sums_stays_from_frame_to_frame(show: Show, recorded: Record, looks: Looks) -> None:
    view, frames = show(recorded("tiled", "4x4x4", (1, 0), TILE=2))
    view.resize(676, 430)
    places = set()
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        sums = text_layer(scene_of(view), looks).sums
        assert sums is not None
        places.add((sums.box.x, sums.box.y, sums.box.width))
    assert len(places) == 1


def test_that_what_happens_is_written_above_the_arrays(show: Show, recorded: Record, looks: Looks) -> None:
    view, frames = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    view.resize(1000, 580)

    def said() -> list[str]:
        return [line.text for line in text_layer(scene_of(view), looks)]

    assert said().count("filled now") == 2
    assert "16 of 64 terms, derived" in said() or "16 of 64 terms" in said()
    view.show_frame(frames.frame(3))
    assert said().count("read 16×") == 2
    assert "32 of 64 terms, derived" in said() or "32 of 64 terms" in said()
    assert {"Registers · 256 threads", "Shared memory · block (1, 2)", "+=", "×"} <= set(said())
    naive, _ = show(recorded("naive", "64x64x64", (1, 2)), 5)
    view = naive
    assert {"Read by the threads · block (1, 2)", "A", "B", "each element loaded 16 times"} <= set(said())
    assert said().count("read 16×") == 2


@pytest.mark.parametrize("kernel", ["tiled", "tiled_transposed"])
def test_that_what_arrays_hold_is_told_well_apart(show: Show, recorded: Record, looks: Looks, kernel: str) -> None:
    view, frames = show(recorded(kernel, "4x4x4", (0, 0), TILE=2), 1)
    pairs = 0
    for width in range(600, 1000, 25):
        view.resize(width, 430)
        view.show_frame(frames.frame(1))
        scene = scene_of(view)
        places = [scene.camera.seen(place.box) for place in scene.places]
        below = max(place.bottom for place in places)
        held = [line.box for line in onchip_words(scene, looks) if below < line.box.y < below + CAPTION]
        shared = sorted((box for box in held if box.x >= places[0].x), key=lambda box: box.x)
        for left, right in pairwise(shared):
            pairs += 1
            assert right.x - left.right >= 12.0
    assert pairs


def test_that_no_terms_are_counted_after_a_race(show: Show, recorded: Record, looks: Looks) -> None:
    view, frames = show(recorded("no_second_barrier.cu", "32x32x64", (0, 0)), 1)
    for index in (len(frames) - 2, len(frames) - 1):
        view.show_frame(frames.frame(index))
        said = [line.text for line in text_layer(scene_of(view), looks)]
        picture = scene_of(view).picture
        assert picture is not None
        is_stored = index == len(frames) - 1
        assert bool(picture.matrices["C"].stored().all()) == is_stored
        assert ("as stored" in said) == is_stored
        assert any(text.startswith("not known") for text in said) == (not is_stored)
    assert not any(" terms, derived" in text or text.endswith(" of 64") for text in said)


@pytest.mark.parametrize(("size", "times"), [((676, 430), 0), ((674, 512), 3), ((1314, 690), 3), ((334, 361), 0)])
def test_that_all_matrices_say_where_they_lie_or_none_does(
    show: Show, recorded: Record, looks: Looks, size: tuple[int, int], times: int
) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    view.resize(*size)
    captions = [line for line in text_layer(scene_of(view), looks).words if line.text == "global memory"]
    assert len(captions) == times


def test_that_what_shared_memory_is_for_is_said_where_it_takes_nothing_from_the_slots(
    show: Show, recorded: Record, looks: Looks
) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    for size, words in (((676, 430), ""), ((674, 512), "What one thread stores here, all 256 can read.")):
        view.resize(*size)
        said = [line.text for line in text_layer(scene_of(view), looks) if "stores" in line.text]
        assert said == ([words] if words else [])


def test_that_captions_beside_each_other_are_of_one_size(show: Show, recorded: Record, looks: Looks) -> None:
    view, frames = show(recorded("tiled", "17x33x5", (8, 4), TILE=4))
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        for size in WINDOWS:
            view.resize(*size)
            said = text_layer(scene_of(view), looks).words
            faces = {line.face for line in said if re.match(r"r ?\d", line.text)}
            assert len(faces) <= 1


def test_that_a_line_is_cut_where_there_is_no_room(looks: Looks) -> None:
    room = Box(10, 10, 60, 20)
    whole = text_in(looks, "short", room, Face.SMALL, LIGHT.text)
    assert whole.text == "short"
    assert (whole.box.x, whole.box.middle_y) == (10, 20)
    right = text_in(looks, "short", room, Face.SMALL, LIGHT.text, LineSide.RIGHT)
    assert right.box.right == pytest.approx(70)
    cut = text_in(looks, "much too long for the room it is given", room, Face.SMALL, LIGHT.text)
    assert cut.text.endswith("…")
    assert cut.box.width <= 61
    figures = text_in(looks, "A[80:96]", Box(0, 0, looks.width("A[80:96]", Face.TINY) + 1, 20), Face.FIGURES, "#000000")
    assert (figures.text, figures.face) == ("A[80:96]", Face.TINY)


def test_that_words_are_wrapped_between_words(looks: Looks) -> None:
    lines = wrapped(looks, "each thread reads for itself", 90, Face.SMALL)
    assert len(lines) > 1
    assert " ".join(lines) == "each thread reads for itself"
    assert all(looks.width(line, Face.SMALL) <= 90 for line in lines)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_all_writing_is_in_a_colour_of_the_theme(show: Show, recorded: Record, theme: object) -> None:
    assert theme in (LIGHT, DARK)
    chosen = LIGHT if theme is LIGHT else DARK
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2, chosen)
    looks = looks_of(chosen)
    colours = {line.colour for line in text_layer(scene_of(view), looks)}
    assert colours <= {chosen.text, chosen.muted, *map(looks.words_colour, "ABC")}


def test_that_what_shared_arrays_hold_is_said_in_one_form(show: Show, recorded: Record, looks: Looks) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (0, 0), TILE=2), 1)
    forms = set()
    for width in range(500, 1000, 20):
        view.resize(width, 490)
        said = [
            line.text for line in text_layer(scene_of(view), looks).words if re.match(r"rows \d.*c\D*\d", line.text)
        ]
        assert not [line.text for line in text_layer(scene_of(view), looks).words if re.match(r"[rc] ?\d", line.text)]
        if not said:
            continue
        as_and_bs = [text.endswith((" of A", " of B")) for text in said[:2]]
        assert len(set(as_and_bs)) == 1, said
        forms.add(as_and_bs[0])
    assert forms == {True, False}


@pytest.mark.parametrize("kernel", ["naive", "tiled", "register_2d"])
@pytest.mark.parametrize("size", WINDOWS)
def test_that_all_parts_on_chip_are_named_in_one_form(
    show: Show, recorded: Record, looks: Looks, kernel: str, size: tuple[int, int]
) -> None:
    view, frames = show(recorded(kernel, "64x64x64", (0, 0)))
    view.resize(*size)
    for index in (0, len(frames) // 2, len(frames) - 1):
        view.show_frame(frames.frame(index))
        texts = [line.text for line in onchip_words(scene_of(view), looks)]
        indices = [text for text in texts if re.fullmatch(r"[ABC]\[.*\]", text)]
        in_words = [text for text in texts if re.match(r"(rows?|columns?) \d", text)]
        assert not indices or not in_words, (indices, in_words)


@pytest.mark.parametrize(
    ("held", "width", "most", "lines"),
    [
        ("B[16–31,0–31]", 90.0, 2, ["B[16–31,0–31]"]),
        ("B[16–31,0–31]", 60.0, 2, ["B[16–31,", "0–31]"]),
        ("B[16–31,0–31]", 30.0, 2, []),
        ("A[16–31,0–31], transposed", 100.0, 2, ["A[16–31,0–31],", "transposed"]),
        ("A[16–31,0–31], transposed", 76.0, 2, ["A, transposed"]),
        ("A[16–31,0–31], transposed", 64.0, 2, ["transposed"]),
        ("A[16–31,0–31], transposed", 100.0, 1, ["A, transposed"]),
    ],
)
def test_that_what_an_array_holds_goes_on_in_a_second_line_where_one_is_too_short(
    show: Show, recorded: Record, held: str, width: float, most: int, lines: list[str]
) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (0, 0), TILE=16))
    scene, looks = scene_of(view), looks_of(LIGHT)
    assert list(_held_lines(scene, looks, (held,), width, most)) == lines


@pytest.mark.parametrize("size", WINDOWS)
def test_that_words_of_shared_arrays_begin_where_these_do(
    show: Show, recorded: Record, looks: Looks, size: tuple[int, int]
) -> None:
    view, _ = show(recorded("tiled_transposed", "64x64x64", (1, 2)), 3)
    view.resize(*size)
    scene = scene_of(view)
    edges = [scene.camera.seen(place.box).x for place in scene.places]
    written = [item for item in onchip_words(scene, looks) if item.text in ("As", "Bs") or "transposed" in item.text]
    assert len(written) in (2, 3)
    assert all(min(abs(item.box.x - edge) for edge in edges) < 1 for item in written)


def test_that_a_tile_under_way_is_not_said_to_be_what_lay_there(show: Show, recorded: Record, looks: Looks) -> None:
    view, frames = show(recorded("tiled", "64x64x64", (1, 2)), 0)
    view.show_frame(frames.frame(2))

    def said(arrival: float) -> list[str]:
        layer = text_layer(replace(scene_of(view), arrival=arrival), looks)
        return [line.text for line in layer if line.text and line.text.startswith(("rows 32", "A[32"))]

    before, under_way, after = said(0.0), said(0.5), said(1.0)
    assert len(before) == len(after) == len(under_way) + 1  # the part of C is named as well
    assert sorted(before) != sorted(after)
