"""What is not said of sums: products that a hazard, or C itself, puts in doubt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest

from gemmviz.catalogue.lessons import load_lessons
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.known_sums import KnownSums, other_sum, undecided_by
from gemmviz.gui.lessons.lesson_data import read_lesson_data
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.playing.linked_view import LinkedView
from gemmviz.gui.memory.playing.making import make
from gemmviz.gui.memory_view.carried import carried, slot_text
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.motion_paths import motion_paths
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.text_layer import text_layer
from gemmviz.trace.frames.frames import natural_mode
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]
pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture(scope="module")
def broken() -> TraceRun:
    lesson = next(each for each in load_lessons() if each.id == "race")
    return read_lesson_data(lesson).traces["broken"]


def scenes(run: TraceRun, mode: FrameMode = FrameMode.REQUEST, added: float = 0.0) -> list[Scene]:
    """The picture of every frame of the first block; `added` to the last element of C."""
    trace = run.blocks[0].trace(run.sites, run.arrays)
    view, made = MemoryView(LIGHT), make(run, trace, mode)
    view.resize(980, 600)
    view.show_recording(run, trace, made.frames, made.analysis)
    assert made.c is not None
    c = made.c.copy()
    c[3, 3] += added
    view.set_values(made.a, made.b, c)
    found = []
    for index in range(len(made.frames)):
        view.show_frame(made.frames.frame(index))
        scene = view.picture_state()
        assert scene is not None
        found.append(scene)
    return found


def divided(shown: list[Scene]) -> tuple[list[Scene], list[Scene]]:
    """The pictures before a sum is not known, and the rest, of which there are some each."""
    first = next(place for place, scene in enumerate(shown) if scene.sums.unknown)
    assert 0 < first < len(shown)
    return shown[:first], shown[first:]


@pytest.mark.parametrize("is_marked", [True, False])
def test_that_a_race_leaves_the_products_unknown_where_no_turns_explain_what_was_stored(
    broken: TraceRun, is_marked: bool
) -> None:
    run = broken if is_marked else replace(broken, hazards=())  # as where a reader is to find them
    looks, boxes = looks_of(LIGHT), set()
    before, later = divided(scenes(run, added=1.0))
    for scene in before:
        assert scene.sums.terms is not None
        assert not scene.sums.terms.any()
        assert not any(found.unknown or found.terms for found in scene.sums.of_thread)
        assert text_layer(scene, looks).sums is not None
    for scene in later:
        assert scene.sums.unknown == ("race" if is_marked else other_sum("C"))
        sums = text_layer(scene, looks).sums
        assert sums is not None
        boxes.add(sums.box)
        words = [line.text for line in sums.words if line.text]
        assert words[:2] == ["Thread 0", "derived"]
        assert words[-2:] == ["sum not known:", scene.sums.unknown]
        assert not any("·" in text for text in words)
        assert all(total is None or scene.in_result(*at) == total for at, total in scene.sums.totals.items())
    assert len(boxes) == 1
    assert scene.sums.totals[0, 0] == 335.0  # what C holds is known once it is there


@pytest.mark.parametrize("is_marked", [True, False])
def test_that_the_products_of_a_race_are_known_where_turns_explain_what_was_stored(
    broken: TraceRun, is_marked: bool
) -> None:
    shown = scenes(broken if is_marked else replace(broken, hazards=()))
    assert not any(scene.sums.unknown for scene in shown), "nothing gives the end away"
    (found,) = shown[-1].sums.of_thread
    products = [(term.a, term.b) for term in found.terms]
    empty = (0.0, 0.0)
    assert products == [(1, 1), empty, empty, empty, (5, 33), (2, 9), (3, 17), (4, 25)], (
        "as the text of the lesson says"
    )
    assert found.total == found.kept == 335
    sums = text_layer(shown[-1], looks_of(LIGHT)).sums
    assert sums is not None
    words = [line.text for line in sums.words]
    assert "+ empty·empty 0·0" in words
    assert "+ A[0,1]·B[1,0] 2·9" in words


def test_that_a_slot_says_both_of_its_numbers_while_threads_find_one_or_the_other(broken: TraceRun) -> None:
    said = []
    for scene in scenes(broken):
        assert scene.picture is not None
        contents = next(each for each in scene.picture.frame.shared if each.array.name == "As")
        said.append(slot_text(scene, contents.after, 1)[0])
    assert [text for text, _ in groupby(said)] == ["", "–→2", "A[0,1]", "2→6", "A[0,5]"]


def test_that_a_slot_says_both_of_its_numbers_from_when_it_may_be_overwritten_too_early() -> None:
    lesson = next(each for each in load_lessons() if each.id == "race")
    shown = scenes(read_lesson_data(lesson).traces["second"])

    def said(row: int) -> list[str]:
        found = []
        for scene in shown:
            assert scene.picture is not None
            contents = next(each for each in scene.picture.frame.shared if each.array.name == "Bs")
            found.append(slot_text(scene, contents.after, row * contents.array.columns)[0])
        return [text for text, _ in groupby(found)]

    assert said(1) == ["", "B[1,0]", "17→145", "B[9,0]"]
    assert said(4) == ["", "B[4,0]", "B[12,0]"], "warp 1, which stores it, was not ahead"


def test_that_the_sums_of_a_kernel_without_a_hazard_are_known(recorded: Record) -> None:
    *_, last = scenes(recorded("tiled", "8x8x8", (0, 0), TILE=4))
    assert last.sums.unknown == ""
    assert len(last.sums.of_thread[0].terms) == 8


def test_that_a_hazard_of_another_block_says_nothing_of_this_one(broken: TraceRun) -> None:
    race = next(hazard for hazard in broken.hazards if undecided_by(replace(broken, hazards=(hazard,)), (0, 0, 0)))
    elsewhere = replace(race, block=(1, 0, 0), blocks=1)
    assert undecided_by(replace(broken, hazards=(elsewhere,)), (0, 0, 0)) == ""
    assert undecided_by(replace(broken, hazards=(replace(elsewhere, blocks=2),)), (0, 0, 0)) == "race"


def test_that_rounding_does_not_put_the_products_in_doubt(recorded: Record) -> None:
    run = recorded("naive", "8x8x8", (0, 0))
    trace = run.blocks[0].trace(run.sites, run.arrays)
    made = make(run, trace, natural_mode(trace))
    assert made.a is not None
    assert made.b is not None
    assert made.c is not None
    near, far = made.c.copy(), made.c.copy()
    near[0, 0] *= 1 + 2**-22
    far[0, 0] += 1.0
    assert KnownSums(run, made.frames, made.a, made.b, near).unknown == ""
    assert KnownSums(run, made.frames, made.a, made.b, far).unknown == other_sum("C")
    assert KnownSums(run, made.frames, made.a, made.b, None).unknown == ""


def test_that_what_a_race_leaves_open_flies_as_a_question_mark(broken: TraceRun) -> None:
    said = {"?": 0, "known": 0}
    for scene in scenes(broken, added=1.0):
        assert scene.picture is not None
        arrays = {mark.array.name for mark in scene.picture.hazards}
        for motion_path in motion_paths(scene):
            if motion_path.name not in ("As", "Bs"):
                continue
            tile = carried(scene, motion_path)
            for row, column in np.argwhere(tile.cells).tolist():
                text = tile.text(scene, row, column)
                at = row + motion_path.part.row_start, column + motion_path.part.column_start
                if text is None:
                    continue
                is_open = any(mark.about(motion_path.name, *at) for mark in scene.picture.hazards)
                assert (text == ("?", None)) is is_open
                said["?" if is_open else "known"] += 1
        assert arrays <= {"As", "Bs"}
    assert said["?"] > 0


def near(run: TraceRun, zoom: float) -> Scene:
    """The middle frame of a block, seen from so near."""
    trace = run.blocks[0].trace(run.sites, run.arrays)
    view, made = LinkedView(LIGHT), make(run, trace, natural_mode(trace))
    view.resize(980, 600)
    view.show_recording(run, trace, made.frames, made.analysis)
    view.set_values(made.a, made.b, made.c)
    view.show_frame(made.frames.frame(len(made.frames) // 2))
    view.show_camera(replace(view.camera, zoom=zoom))
    scene = view.picture_state()
    assert scene is not None
    return scene


@pytest.mark.parametrize(("kernel", "params"), [("naive", {}), ("tiled", {"TILE": 8}), ("register_1d", {})])
def test_that_sums_of_16_by_16_have_their_values_where_they_are_seen_from_near(
    recorded: Record, kernel: str, params: dict[str, int]
) -> None:
    run = recorded(kernel, "16x16x16", **params)
    far, close = near(run, 1.0), near(run, 6.0)
    assert kernel == "tiled" or not far.sums.totals, "there is no room for them"
    part = close.analysis.part if close.analysis is not None else None
    assert part is not None
    assert len(close.sums.totals) == part.size
    assert all(total is not None for total in close.sums.totals.values())
    a, b = close.values.a, close.values.b
    assert a is not None
    assert b is not None
    (terms,) = set(close.sums.terms.ravel().tolist())
    assert close.sums.totals[0, 0] == pytest.approx(float(a[0, :terms] @ b[:terms, 0]), rel=1e-5)


def test_that_a_block_with_few_terms_of_a_larger_product_has_the_values_of_its_sums(recorded: Record) -> None:
    scene = near(recorded("tiled", "20x12x10", TILE=4), 6.0)
    assert len(scene.sums.totals) == 4 * 4
    a, b, terms = scene.values.a, scene.values.b, scene.sums.terms
    assert a is not None
    assert b is not None
    assert terms is not None
    done = int(terms.max())
    assert scene.sums.totals[0, 0] == pytest.approx(float(a[0, :done] @ b[:done, 0]), rel=1e-5)


def test_that_blocks_with_many_terms_have_no_values_of_sums(recorded: Record) -> None:
    assert not near(recorded("tiled", "17x17x17", TILE=16), 6.0).sums.totals
