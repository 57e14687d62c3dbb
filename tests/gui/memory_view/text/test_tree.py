"""A small tree of sums is written out: every number, and who adds what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import Face, Looks, looks_of
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.tree_place import short_text, tree_place
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.labels import value_text
from gemmviz.gui.memory_view.text.text_layer import text_layer
from gemmviz.gui.memory_view.text.tree import tree_words
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Show = Callable[..., tuple[MemoryView, Frames]]

WINDOWS = [(676, 430), (674, 512), (420, 400), (334, 361), (320, 240), (1314, 690), (1920, 1080)]


@pytest.fixture(scope="module")
def looks(qapp: object) -> Looks:
    assert qapp is not None
    return looks_of(LIGHT)


def scene_of(view: MemoryView) -> Scene:
    scene = view.picture_state()
    assert scene is not None
    return scene


def said(view: MemoryView, looks: Looks) -> list[str]:
    return [line.text for line in tree_words(scene_of(view), looks)]


def with_values(view: MemoryView, run: TraceRun) -> None:
    operands = make_operands(run.spec.shape, run.spec.fill, run.spec.seed)
    view.set_values(operands.a, operands.b)


def of_integers(view: MemoryView, k: int) -> None:
    """A = 1, 2, 3, …; B = 10."""
    view.set_values(np.arange(1, k + 1, dtype=np.float32)[None, :], np.full((k, 1), 10, np.float32))


def test_that_the_arithmetic_is_written_level_by_level(show: Show, recorded: Record, looks: Looks) -> None:
    view, frames = show(recorded("dot", "1x1x4", (0, 0), THREADS=4))
    of_integers(view, 4)
    view.resize(1314, 690)
    first = said(view, looks)
    for text in (
        "thread 0",
        "thread 3",
        "A[0,3]·B[3,0]",
        "4·10",
        "40",
        "thread 0: sums[0] = A[0,0]·B[0,0] = 1·10 = 10",
    ):
        assert text in first
    assert "10 + 30" not in first
    view.show_frame(frames.frame(1))
    second = said(view, looks)
    for text in ("10 + 30", "20 + 40", "60", "thread 0: sums[0] += sums[2]: 10 + 30 = 40"):
        assert text in second
    assert second.count("30") == 2  # the leaf, and what still lies in the slot after the level
    assert "40 + 60" not in second
    view.show_frame(frames.frame(2))
    assert {"40 + 60", "100", "thread 0: sums[0] += sums[1]: 40 + 60 = 100"} <= set(said(view, looks))
    view.show_frame(frames.frame(3))
    assert "thread 0: C[0,0] = sums[0] = 100" in said(view, looks)


@pytest.mark.parametrize("threads", [2, 4, 8, 16])
@pytest.mark.parametrize("size", [(676, 430), (1314, 690)])
def test_that_no_value_is_missing_at_the_end(
    show: Show, recorded: Record, looks: Looks, threads: int, size: tuple[int, int]
) -> None:
    run = recorded("dot", "1x1x16", (0, 0), THREADS=threads)
    view, frames = show(run)
    with_values(view, run)
    view.resize(*size)
    view.show_frame(frames.frame(len(frames) - 1))
    scene = scene_of(view)
    values, place = scene.sums.tree, tree_place(scene, looks)
    assert values is not None
    assert place is not None
    assert place.form is not None
    words = tree_words(scene, looks)
    for level, held in enumerate(values.after):
        for slot, value in held.items():
            cell = place.cell(level, slot).grown(1.0)
            inside = [line.text for line in words if cell.holds(line.box.middle_x, line.box.middle_y)]
            assert place.form.number(value) in inside, f"level {level}, slot {slot}: {inside}"
    written = [line.text for line in words]
    assert all(text in written for leaf in values.leaves for text in place.form.products(leaf))


@pytest.mark.parametrize(("k", "threads"), [(16, 2), (16, 4), (5, 8), (16, 16), (64, 16), (200, 2)])
def test_that_nothing_written_stands_on_anything_else(
    show: Show, recorded: Record, looks: Looks, k: int, threads: int
) -> None:
    run = recorded("dot", f"1x1x{k}", (0, 0), THREADS=threads)
    view, frames = show(run)
    with_values(view, run)
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        for size in WINDOWS:
            view.resize(*size)
            lines = [line for line in text_layer(scene_of(view), looks) if line.text]
            boxes = [Box(line.box.x, line.box.y + 2, line.box.width, line.box.height - 4) for line in lines]
            hit = [
                (lines[i].text, lines[j].text) for i in range(len(boxes)) for j in range(i) if boxes[i].meets(boxes[j])
            ]
            assert hit == [], size
            assert all(box.x >= -1 and box.right <= size[0] + 1 and box.bottom <= size[1] + 1 for box in boxes)
            assert all("…" not in line.text for line in tree_words(scene_of(view), looks))


def test_that_the_lines_of_additions_end_above_the_names_of_threads(show: Show, recorded: Record, looks: Looks) -> None:
    run = recorded("dot", "1x1x16", (0, 0), THREADS=16)
    view, frames = show(run, 4)
    with_values(view, run)
    view.show_frame(frames.frame(len(frames) - 1))
    compared = 0
    for size in WINDOWS:
        view.resize(*size)
        place = tree_place(scene_of(view), looks)
        assert place is not None
        named = [item for item in tree_words(scene_of(view), looks) if item.text in {"t0", "thread 0"}]
        ends = [place.line_end(level) for level in range(1, len(place.rows))]
        assert all(end <= item.box.y + 2 for end, item in zip(ends, named[1:], strict=False)), size
        compared += len(named[1:])
    assert compared


def test_that_single_requests_show_only_what_is_done(show: Show, recorded: Record, looks: Looks) -> None:
    view, frames = show(recorded("dot", "1x1x4", (0, 0), THREADS=4), mode=FrameMode.REQUEST)
    of_integers(view, 4)
    view.resize(1314, 690)
    seen = []
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        words = said(view, looks)
        seen.append(("4·10" in words, "40" in words, "10 + 30" in words, "40 + 60" in words))
    assert seen[0] == (False, False, False, False)
    assert seen[-1] == (True, True, True, True)
    assert all(all(not now or later for now, later in zip(a, b, strict=True)) for a, b in pairwise(seen))
    assert len(set(seen)) >= 5


def test_that_the_chosen_thread_is_told(show: Show, recorded: Record, looks: Looks) -> None:
    view, frames = show(recorded("dot", "1x1x4", (0, 0), THREADS=4), 1)
    of_integers(view, 4)
    view.resize(1314, 690)
    view.show_thread(1)
    assert "thread 1: sums[1] += sums[3]: 20 + 40 = 60" in said(view, looks)
    view.show_frame(frames.frame(2))  # the thread rests
    assert "thread 0: sums[0] += sums[1]: 40 + 60 = 100" in said(view, looks)


def test_that_a_negative_value_is_taken_away(show: Show, recorded: Record, looks: Looks) -> None:
    view, _ = show(recorded("dot", "1x1x4", (0, 0), THREADS=4), 1)
    view.set_values(np.array([[1, 2, -3, 4]], np.float32), np.ones((4, 1), np.float32))
    view.resize(1314, 690)
    assert {"1 - 3", "2 + 4", "thread 0: sums[0] += sums[2]: 1 - 3 = -2"} <= set(said(view, looks))


def test_that_a_large_tree_or_one_without_inputs_is_drawn_without_numbers(
    show: Show, recorded: Record, looks: Looks
) -> None:
    run = recorded("dot", "1x1x300", (0, 0))
    view, _ = show(run)
    with_values(view, run)
    assert said(view, looks) == []
    view, _ = show(recorded("dot", "1x1x4", (0, 0), THREADS=4))
    assert said(view, looks) == []


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (12.0, "12"), (-1.417, "-1.42"), (0.0123, "0.01"), (0.0003, "3e-4"), (123.4, "123")]
)
def test_that_short_values_stay_short(value: float, text: str) -> None:
    assert short_text(value) == text


@pytest.mark.parametrize("threads", [4, 64])
@pytest.mark.parametrize("size", [(676, 430), (1314, 690)])
def test_that_a_partial_sum_is_called_one_and_the_host_adds_them(
    show: Show, recorded: Record, looks: Looks, threads: int, size: tuple[int, int]
) -> None:
    run = recorded("dot", f"1x1x{2 * threads}", (0, 0), THREADS=threads)
    view, frames = show(run)
    with_values(view, run)
    view.resize(*size)
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        (note,) = [text for text in said(view, looks) if text.startswith("one of 2 partial sums")]
        assert "the host adds" in note
    if threads == 4:
        assert any(
            text.startswith(("C[0,0] = sums[0]", "thread 0: C[0,0] = sums[0]"))
            and text.endswith("one of 2 partial sums; the host adds them")
            for text in said(view, looks)
        )


def test_that_a_sum_of_one_block_is_no_partial_sum(show: Show, recorded: Record, looks: Looks) -> None:
    view, _ = show(recorded("dot", "1x1x4", (0, 0), THREADS=4))
    of_integers(view, 4)
    assert not any("partial sums" in text for text in said(view, looks))


@pytest.mark.parametrize("size", [(676, 430), (980, 560), (1314, 690)])
def test_that_the_numbers_of_the_busy_threads_are_written_where_most_are_idle(
    show: Show, recorded: Record, looks: Looks, size: tuple[int, int]
) -> None:
    run = recorded("dot", "1x1x8", (0, 0), THREADS=64)
    view, frames = show(run)
    with_values(view, run)
    view.resize(*size)
    operands = make_operands(run.spec.shape, run.spec.fill, run.spec.seed)
    sums = operands.a[0] * operands.b[:, 0]
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        if index in (4, 5, 6):
            half = sums.size // 2
            sums = sums[:half] + sums[half:]
        (line,) = [text for text in said(view, looks) if text.startswith("sums[")]
        slots = "0" if sums.size == 1 else f"0–{sums.size - 1}"
        numbers = ", ".join(value_text(float(value)) for value in sums)
        assert line.removesuffix("; 56 idle threads stored 0") == f"sums[{slots}] = {numbers}"
    assert np.float32(sums[0]).tobytes() == run.c[0].tobytes()


@pytest.mark.parametrize("size", [(330, 300), (420, 400), (500, 330)])
def test_that_idle_threads_are_named_only_where_there_are_some(
    show: Show, recorded: Record, looks: Looks, size: tuple[int, int]
) -> None:
    view, frames = show(recorded("dot", "1x1x16", (0, 0), THREADS=16))
    of_integers(view, 16)
    view.resize(*size)
    view.show_frame(frames.frame(len(frames) - 1))
    assert not [text for text in said(view, looks) if "idle" in text]


def test_that_a_tree_of_sixteen_takes_the_width_of_the_window_and_can_be_read(
    show: Show, recorded: Record, looks: Looks
) -> None:
    view, _ = show(recorded("dot", "1x1x16", (0, 0), THREADS=16), 2)
    of_integers(view, 16)
    view.resize(1230, 484)
    scene = scene_of(view)
    place = tree_place(scene, looks)
    assert place is not None
    assert place.form is not None
    assert place.form.face is Face.FIGURES
    assert scene.onchip.panel.width > 0.85 * view.width()
    assert place.form.large
    assert place.height > 20


def test_that_lines_on_a_whole_screen_are_told_apart_and_no_numbers_are_the_smallest_writing(
    show: Show, recorded: Record, looks: Looks
) -> None:
    view, _ = show(recorded("dot", "1x1x16", (0, 0), THREADS=16), 2)
    of_integers(view, 16)
    view.resize(830, 400)
    scene = scene_of(view)
    place = tree_place(replace(scene, notes=replace(scene.notes, least_label=11.0)), looks)
    assert place is not None
    assert place.form is not None
    assert place.form.face is Face.FIGURES
    assert place.line_end(1) - place.cell(0, 0).bottom >= 14.0
    assert scene.layout.a.height < scene.layout.b.width, "the free height is the tree's"


@pytest.mark.parametrize("size", [(520, 420), (580, 430), (676, 430), (900, 500), (1314, 690)])
def test_that_either_all_threads_are_named_or_none(
    show: Show, recorded: Record, looks: Looks, size: tuple[int, int]
) -> None:
    run = recorded("dot", "1x1x16", (0, 0), THREADS=16)
    view, _ = show(run, 2)
    of_integers(view, 16)
    view.resize(*size)
    place, words = tree_place(scene_of(view), looks), said(view, looks)
    assert place is not None
    named = {thread for thread in range(16) if place.who.format(thread) in words}
    assert len(named) in (0, 16)
    assert bool(named) == (place.form is not None and place.form.threads)
    if size[0] >= 580:
        assert len(named) == 16


@pytest.mark.parametrize("size", [(606, 430), (690, 500), (1230, 430), (1230, 484), (1880, 700)])
def test_that_a_product_stands_in_one_line_where_it_has_the_width(
    show: Show, recorded: Record, looks: Looks, size: tuple[int, int]
) -> None:
    view, _ = show(recorded("dot", "1x1x16", (0, 0), THREADS=16), 1)
    numbers = np.arange(1, 17, dtype=np.float32)
    view.set_values(numbers[None, :], numbers[:, None])
    view.resize(*size)
    words = said(view, looks)
    assert [f"{number}·{number}" for number in range(1, 17)] == [text for text in words if "·" in text][:16]
