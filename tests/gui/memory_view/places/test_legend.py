"""The key at the foot, the card of an element, and the figures left of A."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from gemmviz.domain.figures import count
from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.bar_tips import bar_tip_at
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import Face, Looks, looks_of
from gemmviz.gui.memory_view.paint.painted import legend_of
from gemmviz.gui.memory_view.places.legend import picture_legend
from gemmviz.gui.memory_view.scene import Element, Scene
from gemmviz.gui.memory_view.spoken_of import SpokenOf
from gemmviz.gui.memory_view.text.card_place import place_card, pointed_at
from gemmviz.gui.memory_view.text.figures import block_figures
from gemmviz.gui.memory_view.text.place import words_of_place
from gemmviz.gui.memory_view.text.signs import LegendEntry, Sign, merged
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
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


def legend(view: MemoryView) -> dict[Sign, tuple[str, ...]]:
    return {entry.sign: entry.names for entry in legend_of(scene_of(view))}


def test_that_the_legend_names_every_colour_of_a_frame_and_none_besides(show: Show, recorded: Record) -> None:
    """`tiled` 2 at 4x4x4: load, read, load, read, store."""
    view, frames = show(recorded("tiled", "4x4x4", (0, 0), TILE=2))
    both, shown = ("A", "B"), []
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        view.set_arrival(1.0)
        shown.append(legend(view))
    assert [each.get(Sign.NOW) for each in shown] == [both, both, both, both, ("C",)]
    assert [each.get(Sign.BEFORE) for each in shown] == [None, both, both, both, both]
    assert [each.get(Sign.TO_COME) for each in shown] == [both, both, None, None, None]
    assert [Sign.SUM in each for each in shown] == [False, True, True, True, False]
    assert all(each[Sign.BLOCK] == ("C",) and Sign.BLOCKS not in each for each in shown)
    assert not any(sign in each for each in shown for sign in (Sign.ZERO, Sign.UNUSED, Sign.CHOSEN, Sign.HAZARD))
    view.set_arrival(0.0)
    view.show_frame(frames.frame(0))
    assert Sign.UNWRITTEN in legend(view)


def test_that_the_levels_of_a_tree_are_named(show: Show, recorded: Record) -> None:
    """`dot` of 8 products: load and store them, then three rounds, then store the sum."""
    view, frames = show(recorded("dot", "1x1x8", (0, 0), THREADS=8), mode=FrameMode("barrier"))
    shown = []
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        view.set_arrival(1.0)
        found = legend(view)
        shown.append([sign for sign in (Sign.NOW, Sign.BEFORE, Sign.TO_COME) if "C" in found.get(sign, ())])
    assert shown[0] == [Sign.NOW, Sign.TO_COME]
    assert shown[1:3] == [[Sign.NOW, Sign.BEFORE, Sign.TO_COME]] * 2
    assert Sign.TO_COME not in shown[-1]
    assert Sign.BEFORE in shown[-1]


@pytest.mark.parametrize(
    ("kernel", "size", "block", "params", "sign", "index"),
    [
        ("tiled", "17x33x5", (8, 4), {"TILE": 4}, Sign.ZERO, 0),
        ("tiled_padded", "64x64x64", (1, 2), {}, Sign.UNUSED, 0),
        ("row_shared", "64x64x64", (1, 0), {}, Sign.NOW, 0),
    ],
)
def test_that_signs_of_slots_are_named(
    show: Show,
    recorded: Record,
    kernel: str,
    size: str,
    block: tuple[int, int],
    params: dict[str, int],
    sign: Sign,
    index: int,
) -> None:
    view, _ = show(recorded(kernel, size, block, **params), index)
    assert sign in legend(view)


def test_that_what_is_selected_is_named_with_its_path_and_leaves_with_it(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 1)
    words = {entry.sign: entry.words for entry in legend_of(scene_of(view))}
    assert words[Sign.THREAD].startswith("example: thread ")
    view.show_thread(5)
    words = {entry.sign: entry.words for entry in legend_of(scene_of(view))}
    assert (words[Sign.CHOSEN], words[Sign.PATH]) == ("thread 5", "its other accesses")
    assert Sign.THREAD not in words
    view.show_thread(None)
    view.show_warp(2)
    assert {entry.words for entry in legend_of(scene_of(view))} >= {"warp 2"}
    view.show_warp(None)
    assert not {Sign.CHOSEN, Sign.PATH} & set(legend(view))


def test_that_a_thread_that_is_followed_and_chosen_stands_in_a_legend_once() -> None:
    followed, chosen = LegendEntry(Sign.THREAD, "example: thread 5"), LegendEntry(Sign.CHOSEN, "thread 5")
    other = LegendEntry(Sign.CHOSEN, "thread 7")
    assert merged([followed], [chosen]) == (chosen,)
    assert merged([followed], [other]) == (followed, other)


def test_that_hazards_are_named_where_they_are_marked(show: Show, recorded: Record) -> None:
    run = recorded("no_second_barrier.cu", "17x33x20", (0, 0))
    view, frames = show(run)
    named = []
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        assert (Sign.HAZARD in legend(view)) == bool(scene_of(view).picture.hazards)
        named.append(Sign.HAZARD in legend(view))
    assert any(named)


def test_that_heat_takes_the_place_of_the_roles_it_hides(show: Show, recorded: Record, looks: Looks) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    view.set_heat(HeatKind.SECTORS)  # of global memory: slots keep their colours
    assert legend(view)[Sign.NOW] == ("A", "B")
    assert not {Sign.BEFORE, Sign.TO_COME, Sign.BLOCK} & set(legend(view))
    view.set_heat(HeatKind.BANKS)
    assert Sign.BEFORE in legend(view)
    assert not {Sign.STALE, Sign.UNWRITTEN} & set(legend(view))
    view.resize(800, 560)
    assert picture_legend(scene_of(view), looks).words[0].text == "Words per bank"  # its entries come first
    view.resize(1400, 600)
    words = [line.text for line in picture_legend(scene_of(view), looks).words]
    assert words[0] == "Words one warp request needs from the same bank (1 = no conflict)"


@pytest.mark.parametrize(("width", "lines"), [(300, 3), (420, 2), (560, 2), (980, 1)])
def test_that_every_sign_is_explained_in_more_lines_where_one_has_no_room(
    show: Show, recorded: Record, looks: Looks, width: int, lines: int
) -> None:
    view, _ = show(recorded("tiled_padded", "64x64x64", (1, 2), (0, 0)), 2)
    view.show_thread(5)
    view.resize(width, 400)
    scene = scene_of(view)
    strip = picture_legend(scene, looks)
    assert {Sign.UNUSED, Sign.BLOCK, Sign.BLOCKS} <= set(legend(view))
    assert [swatch.sign for swatch in strip.swatches] == list(legend(view))
    assert len({swatch.box.y for swatch in strip.swatches}) == lines
    place = words_of_place(scene, looks)
    for box in (*(swatch.box for swatch in strip.swatches), *(text.box for text in strip.words)):
        assert strip.top <= box.y
        assert box.right <= width
        assert all(line.box.middle_y - box.middle_y >= 12.0 for line in place)
    ends = [(swatch.box, line.box) for swatch, line in zip(strip.swatches, strip.words, strict=True)]
    for (swatch, word), (after, _) in pairwise(ends):
        assert swatch.right < word.x
        assert word.right < after.x or word.middle_y + 12.0 <= after.middle_y


ELEMENTS: list[Element] = [
    ("A", 32, 0),
    ("A", 63, 63),
    ("B", 0, 16),
    ("B", 63, 31),
    ("C", 0, 63),
    ("C", 35, 20),
    ("C", 63, 0),
    ("As", 0, 0),
    ("As", 15, 15),
    ("Bs", 0, 15),
    ("Bs", 15, 0),
]


@pytest.mark.parametrize("window", [(676, 430), (420, 400), (334, 361), (320, 240), (1314, 690)])
@pytest.mark.parametrize("heat", [HeatKind.NONE, HeatKind.BANKS, HeatKind.SO_FAR])
def test_that_a_card_is_never_cut_off_and_never_on_its_element(
    show: Show, recorded: Record, looks: Looks, window: tuple[int, int], heat: HeatKind
) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    view.resize(*window)
    view.set_heat(heat)
    for element in ELEMENTS:
        view._hover(element)
        scene = scene_of(view)
        card, cell = place_card(scene, looks), pointed_at(scene)
        assert card is not None
        assert cell is not None
        assert card.box.x >= 0
        assert card.box.y >= 0
        assert card.box.right <= scene.window.right
        assert card.box.bottom <= scene.window.bottom
        assert not card.box.meets(cell) or window == (320, 240)
        for line in card.words:
            assert card.box.x <= line.box.x
            assert line.box.right <= card.box.right
            assert card.box.y <= line.box.y
            assert line.box.bottom <= card.box.bottom + 1


def test_that_a_card_hides_as_little_of_shared_memory_as_it_can(show: Show, recorded: Record, looks: Looks) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    view.resize(1314, 690)
    for element in (("C", 35, 20), ("A", 40, 20)):
        view._hover(element)
        scene = scene_of(view)
        card = place_card(scene, looks)
        assert card is not None
        assert not any(card.box.meets(place.box) for place in scene.places)


@pytest.mark.parametrize("window", [(674, 474), (1314, 690)])
@pytest.mark.parametrize("index", [2, 3])
def test_that_a_card_leaves_to_be_seen_what_the_frame_is_about(
    show: Show, recorded: Record, looks: Looks, window: tuple[int, int], index: int
) -> None:
    """The tiles that are loaded, the arrays in the corner, the block's part of C and the figures of its loads."""
    view, _ = show(recorded("tiled", "64x64x64", (0, 0)), index)
    view.resize(*window)
    for element in (("C", 5, 5), ("A", 3, 35), ("B", 35, 3), ("As", 4, 4), ("Bs", 15, 15), ("C", 40, 40)):
        view._hover(element)
        scene = scene_of(view)
        card = place_card(scene, looks)
        assert card is not None
        assert scene.picture is not None
        shown = [scene.part(touch.array.name, touch.box) for touch in scene.picture.frame.touches]
        shown += [*scene.onchip.factors, scene.onchip.sums, scene.figures, scene.part("C", scene.analysis.part)]
        assert not [box for box in shown if box is not None and card.box.meets(box)], element


@pytest.mark.parametrize("window", [(676, 430), (730, 500), (1314, 690)])
def test_that_a_card_covers_no_word_about_the_loads_of_the_block(
    show: Show, recorded: Record, looks: Looks, window: tuple[int, int]
) -> None:
    view, frames = show(recorded("tiled", "64x64x64", (1, 2)))
    view.resize(*window)
    view.show_frame(frames.frame(len(frames) - 1))
    for element in ELEMENTS:
        view._hover(element)
        scene = scene_of(view)
        card, said = place_card(scene, looks), block_figures(scene, looks).words
        assert card is not None
        assert any("16 times" in line.text for line in said)
        assert not [line.text for line in said if card.box.meets(line.box)], element


def test_that_a_card_stands_beside_the_place_pointed_at(show: Show, recorded: Record, looks: Looks) -> None:
    """An element of C is seen twice: in C, and among the sums."""
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    lens = scene_of(view).lens("C")
    assert lens is not None
    cell = lens.place.cell_of(3, 4)
    assert scene_of(view).element_at(cell.middle_x, cell.middle_y) == ("C", 35, 20)
    view._composer.pointer = (cell.middle_x, cell.middle_y)
    view._hover(("C", 35, 20))
    assert pointed_at(scene_of(view)) == cell
    assert place_card(scene_of(view), looks) is not None


def test_that_the_card_tells_the_figure_its_colour_stands_for(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled_transposed", "64x64x64", (1, 2)), 0)
    view.set_heat(HeatKind.BANKS)
    view._hover(("As", 3, 4))
    card = scene_of(view).card
    assert card is not None
    assert ("words per bank, derived", "8") in card.lines
    view._hover(("A", 36, 3))
    card = scene_of(view).card
    assert card is not None
    assert ("lies in", "As[3,4], bank 20") in card.lines


def test_that_a_narrow_legend_says_the_same_as_a_wide_one(show: Show, recorded: Record, looks: Looks) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (0, 0), TILE=2), 1)
    view.show_spoken_of(SpokenOf(("As",)))
    view.resize(1200, 600)
    wide = picture_legend(scene_of(view), looks)
    view.resize(560, 480)
    narrow = picture_legend(scene_of(view), looks)
    assert [swatch.sign for swatch in narrow.swatches] == [swatch.sign for swatch in wide.swatches]
    assert wide.swatches[0].sign is Sign.SPOT
    assert [words.text for words in narrow.words] == [words.text for words in wide.words]
    assert {words.text for words in wide.words} >= {"in the text", "next", "sum so far", "block"}


def test_that_the_legend_is_written_larger_where_it_has_room(show: Show, recorded: Record, looks: Looks) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (0, 0), TILE=2), 2)
    for width, is_compared, face in (
        (1200.0, False, Face.WORDS),
        (300.0, False, Face.SMALL),
        (1200.0, True, Face.SMALL),
    ):
        scene = scene_of(view)
        scene = replace(scene, layout=replace(scene.layout, width=width), is_compared=is_compared)
        assert {words.face for words in picture_legend(scene, looks).words} == {face}


@pytest.mark.parametrize("window", [(676, 430), (1314, 690)])
def test_that_both_bars_are_full_at_the_most_loads_from_one_memory_in_the_end(
    show: Show, recorded: Record, looks: Looks, window: tuple[int, int]
) -> None:
    view, frames = show(recorded("tiled", "64x64x64", (1, 2)))
    view.resize(*window)
    view.show_frame(frames.frame(len(frames) - 1))
    scene = scene_of(view)
    figures = block_figures(scene, looks)
    totals = 2 * 16 * 64, 2 * 16 * 16 * 64
    assert [bar.share for bar in figures.bars] == [1 / 16, 1.0]
    (full,) = [line for line in figures.words if "full bar" in line.text]
    assert full.text == f"a full bar shows all {count(max(totals))} values from shared memory"
    assert max(bar.box.bottom for bar in figures.bars) <= full.box.y, "once, below the last bar"
    for bar, memory in zip(figures.bars, ("global", "shared"), strict=True):
        tip = bar_tip_at(scene, looks, bar.box.middle_x, bar.box.middle_y)
        assert f"loaded from {memory} memory" in tip
        assert f"A full bar is {count(max(totals))} values, the largest total at the end." in tip
    assert bar_tip_at(scene, looks, scene.layout.b.middle_x, scene.layout.b.middle_y) == ""


def test_that_loads_are_those_of_the_frame_and_terms_come_once_all_tiles_have_arrived(
    show: Show, recorded: Record
) -> None:
    """`tiled` 8 at 32x32x32, the second frame: 8 of 32 products of each sum, each with 2 loads from shared memory."""
    view, frames = show(recorded("tiled", "32x32x32", (0, 0), TILE=8))
    view.show_frame(frames.frame(0))
    view.show_frame(frames.frame(1))
    seen = []
    for arrival in (0.0, 0.3, 0.6, 0.99, 1.0):
        view.set_arrival(arrival)
        scene = scene_of(view)
        assert scene.load_counters is not None
        assert scene.sums.terms is not None
        assert scene.load_counters.global_loads == 128
        seen.append((scene.load_counters.shared_loads, int(scene.sums.terms.min())))
    assert seen == [(1024, 0)] * 4 + [(1024, 8)]


def test_that_global_loads_are_counted_with_the_frame_that_the_caption_names(show: Show, recorded: Record) -> None:
    view, frames = show(recorded("tiled", "32x32x32", (0, 0), TILE=8))
    view.show_frame(frames.frame(2))
    found = []
    for arrival in (0.0, 0.5, 1.0):
        view.set_arrival(arrival)
        load_counters = scene_of(view).load_counters
        assert load_counters is not None
        found.append(load_counters.global_loads)
    assert found == [256, 256, 256]


def test_that_compared_pictures_outline_the_shown_block_alone(show: Show, recorded: Record) -> None:
    view, frames = show(recorded("tiled", "4x4x4", (0, 0), (1, 0), TILE=2))
    view.show_frame(frames.frame(0))
    assert Sign.BLOCKS in legend(view)
    view.lay_out_beside(view._composer.needs((980.0, 560.0)))
    assert Sign.BLOCKS not in legend(view)
    assert list(scene_of(view).outlined) == [(0, 0)]


@pytest.mark.parametrize(("width", "has_faint"), [(1400, True), (420, False)])
def test_that_a_lesson_names_what_other_frames_paint_only_in_a_legend_of_one_line(
    show: Show, recorded: Record, looks: Looks, width: int, has_faint: bool
) -> None:
    view, frames = show(recorded("tiled", "4x4x4", (0, 0), TILE=2))
    view.resize(width, 480)
    scenes = []
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        view.set_arrival(1.0)
        scenes.append(scene_of(view))
    kept = merged(*(legend_of(scene) for scene in scenes))
    first = replace(scenes[0], notes=replace(scenes[0].notes, kept_legend=kept, is_in_lesson=True))
    found = picture_legend(first, looks)
    assert len(found.swatches) == len(legend_of(first))
    assert bool(found.faint_words) is has_faint
