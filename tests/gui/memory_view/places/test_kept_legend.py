"""Entries of the legend that have a place in every frame: their swatches, and threads that are chosen in some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import Looks, looks_of
from gemmviz.gui.memory_view.paint.painted import legend_of
from gemmviz.gui.memory_view.places import legend as legend_place
from gemmviz.gui.memory_view.places.legend import TO_WORD, _balanced, _line_counts, picture_legend
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.matrices import matrix_words
from gemmviz.gui.memory_view.text.signs import LegendEntry, Sign
from gemmviz.trace.frames.frames import Frames

Record = Callable[..., TraceRun]
Show = Callable[..., tuple[MemoryView, Frames]]


@pytest.fixture(scope="module")
def looks(qapp: object) -> Looks:
    """The fonts are needed."""
    assert qapp is not None
    return looks_of(LIGHT)


def scene_of(view: MemoryView) -> Scene:
    scene = view.picture_state()
    assert scene is not None
    return scene


def test_that_no_swatch_of_fewer_colours_leaves_a_hole_before_its_word(
    show: Show, recorded: Record, looks: Looks
) -> None:
    view, frames = show(recorded("tiled", "4x4x4", (0, 0), TILE=2))
    view.show_frame(frames.frame(0))
    view.set_arrival(1.0)
    scene = scene_of(view)
    kept = tuple(replace(entry, names=("A", "B", "C")) if entry.names else entry for entry in legend_of(scene))
    found = picture_legend(replace(scene, notes=replace(scene.notes, kept_legend=kept)), looks)
    assert {len(swatch.names) for swatch in found.swatches} & {1, 2}, "fewer colours than have a place"
    gaps = {word.box.x - swatch.box.right for swatch, word in zip(found.swatches, found.words, strict=True)}
    assert gaps == {TO_WORD}


def test_that_a_thread_that_is_chosen_in_other_frames_stands_in_the_legend_once(
    show: Show, recorded: Record, looks: Looks
) -> None:
    view, frames = show(recorded("tiled", "4x4x4", (0, 0), TILE=2))
    view.show_frame(frames.frame(1))
    view.set_arrival(1.0)
    scene = scene_of(view)
    followed = next(entry for entry in legend_of(scene) if entry.sign is Sign.THREAD)
    chosen = LegendEntry(Sign.CHOSEN, f"thread {followed.words.rpartition(' ')[2]}")
    other = LegendEntry(Sign.CHOSEN, "thread 99")
    for kept, painted, faint in (
        ((chosen,), [chosen.words], []),
        ((other,), [followed.words], [other.words]),
        ((chosen, other), [chosen.words], [other.words]),
    ):
        found = picture_legend(replace(scene, notes=replace(scene.notes, kept_legend=kept)), looks)
        assert [word.text for word in found.words if "thread" in word.text] == painted
        assert [word.text for word in found.faint_words] == faint
        assert [swatch.sign for swatch in found.swatches].count(Sign.THREAD) == 1


def test_that_another_chosen_thread_is_named_beside_the_one_that_has_a_place(
    show: Show, recorded: Record, looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, frames = show(recorded("tiled", "4x4x4", (0, 0), TILE=2))
    view.show_frame(frames.frame(1))
    kept = (LegendEntry(Sign.CHOSEN, "thread 0"), LegendEntry(Sign.NOW, "now"))
    scene = replace(scene_of(view), notes=replace(scene_of(view).notes, kept_legend=kept))
    of_three = LegendEntry(Sign.CHOSEN, "thread 3")
    for painted, said in (
        ([of_three], ["thread 3"]),
        ([LegendEntry(Sign.THREAD, "example: thread 0"), of_three], ["thread 0", "thread 3"]),
    ):
        monkeypatch.setattr(legend_place, "legend_of", lambda _, painted=painted: painted)
        found = picture_legend(scene, looks)
        assert ([word.text for word in found.words], [word.text for word in found.faint_words]) == (said, ["now"])


def test_that_no_entry_stands_alone_in_the_last_line_of_a_legend() -> None:
    widths, apart = [60.0, 70.0, 65.0, 80.0, 130.0, 60.0], 14.0
    room = sum(widths[:5]) + 4 * apart + 1
    assert _line_counts(widths, room, apart) == [5, 1]
    assert _line_counts(widths, _balanced(widths, room, apart, 2), apart) == [3, 3]
    assert _balanced(widths, room, apart, 1) == room, "it has no room in one line"
    assert _balanced(widths, 600.0, apart, 2) == 600.0, "one line"
    assert _balanced(widths[:2], 80.0, apart, 2) == 80.0, "two entries, each in its line"


@pytest.mark.parametrize("size", [(750, 350), (560, 420), (1330, 690)])
def test_that_all_frames_on_the_page_have_one_legend_below_captions_with_air(
    show: Show, recorded: Record, looks: Looks, size: tuple[int, int]
) -> None:
    """As large and as high in each of them, 8 pixels below the captions of A and C."""
    view, frames = show(recorded("tiled", "64x64x64", (0, 0)))
    view.resize(*size)
    forms, tops = set(), set()
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        for arrival in (0.0, 1.0):
            view.set_arrival(arrival)
            scene = scene_of(view)
            legend = picture_legend(scene, looks)
            forms |= {(words.face, legend.lines) for words in legend.words}
            tops.add(min(words.box.y for words in legend.words))
            lowest = max(words.box.bottom for words in matrix_words(scene, looks))
            assert min(words.box.y for words in legend.words) - lowest >= 8.0
    assert len(forms) == len(tops) == 1
