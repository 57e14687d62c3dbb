"""The key at the foot, the card of an element, and the figures left of A."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.access import BlockTrace
from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.memory_view.card_place import place_card, pointed_at
from gemmviz.gui.memory_view.foot import FOOT, Sign, foot_of, signs_of
from gemmviz.gui.memory_view.heat_maps import HeatKind
from gemmviz.gui.memory_view.looks import Looks, looks_of
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.scene import Element, Scene
from gemmviz.gui.memory_view.words_figures import block_figures
from gemmviz.trace.frames import Frames

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Show = Callable[..., tuple[MemoryView, Frames]]
ROLES = (Sign.NOW, Sign.BEFORE, Sign.TO_COME)


@pytest.fixture(scope="module")
def looks(qapp: object) -> Looks:
    """The fonts are needed."""
    assert qapp is not None
    return looks_of(LIGHT)


def scene_of(view: MemoryView) -> Scene:
    scene = view.picture_state()
    assert scene is not None
    return scene


@pytest.mark.parametrize(
    ("kernel", "size", "block", "params", "signs"),
    [
        ("naive", "64x64x64", (1, 2), {}, (*ROLES, Sign.THREAD)),
        ("tiled", "64x64x64", (1, 2), {}, (*ROLES, Sign.THREAD, Sign.STALE, Sign.UNWRITTEN)),
        ("tiled", "17x33x5", (8, 4), {"TILE": 4}, (*ROLES, Sign.THREAD, Sign.STALE, Sign.UNWRITTEN, Sign.ZERO)),
        ("tiled_padded", "64x64x64", (1, 2), {}, (*ROLES, Sign.THREAD, Sign.STALE, Sign.UNWRITTEN, Sign.UNUSED)),
        ("dot", "1x1x300", (0, 0), {}, ROLES),
    ],
)
def test_that_the_key_explains_what_comes_up_and_nothing_else(
    show: Show, recorded: Record, kernel: str, size: str, block: tuple[int, int], params: dict[str, int],
    signs: tuple[Sign, ...],
) -> None:  # fmt: skip
    view, frames = show(recorded(kernel, size, block, **params))
    for index in (0, len(frames) - 1):
        view.show_frame(frames.frame(index))
        assert signs_of(scene_of(view)) == signs


def test_that_the_key_leaves_out_its_end_where_there_is_no_room(show: Show, recorded: Record, looks: Looks) -> None:
    view, _ = show(recorded("tiled_padded", "64x64x64", (1, 2)))
    shown = []
    for width in (320, 420, 676):
        view.resize(width, 400)
        scene = scene_of(view)
        foot = foot_of(scene, looks)
        shown.append([sign for sign, _ in foot.swatches])
        assert all(box.y >= scene.window.bottom - FOOT and box.right <= width for _, box in foot.swatches)
    assert shown[0] == list(signs_of(scene_of(view)))[: len(shown[0])]
    assert len(shown[0]) < len(shown[2]) == len(signs_of(scene_of(view)))


def test_that_what_is_not_to_scale_is_said_at_the_right(show: Show, recorded: Record, looks: Looks) -> None:
    view, _ = show(recorded("dot", "1x1x300", (0, 0)))
    note = foot_of(scene_of(view), looks).words[-1]
    assert note.text.startswith("Not to scale: M = 1 drawn")
    assert note.box.right == pytest.approx(980 - 16)


@pytest.mark.parametrize(
    ("kernel", "size", "block", "params"),
    [("tiled", "37x64x5", (8, 9), {"TILE": 4}), ("dot", "1x1x300", (0, 0), {}), ("naive", "1x64x4", (0, 0), {})],
)
@pytest.mark.parametrize("width", [320, 334, 420, 560, 674, 980, 1314])
def test_that_what_is_not_to_scale_is_said_shorter_where_the_key_is_long_and_never_cut(
    show: Show, recorded: Record, looks: Looks, kernel: str, size: str, block: tuple[int, int], params: dict[str, int],
    width: int,
) -> None:  # fmt: skip
    view, _ = show(recorded(kernel, size, block, **params))
    view.resize(width, 430)
    scene = scene_of(view)
    assert scene.stage.notes
    *key, note = foot_of(scene, looks).words
    assert note.text in scene.stage.notes
    assert note.box.right == pytest.approx(width - 16)
    assert key
    assert key[-1].box.right + 8 <= note.box.x


def test_that_a_long_key_leaves_room_for_what_is_drawn_larger(show: Show, recorded: Record, looks: Looks) -> None:
    view, _ = show(recorded("tiled", "37x64x5", (8, 9), TILE=4))
    view.resize(674, 430)
    scene = scene_of(view)
    foot = foot_of(scene, looks)
    assert [sign for sign, _ in foot.swatches] == list(signs_of(scene))
    assert foot.words[-1].text.startswith("Not to scale: K ")
    assert not foot.words[-1].text.endswith("as large")


ELEMENTS: list[Element] = [
    ("A", 32, 0), ("A", 63, 63), ("B", 0, 16), ("B", 63, 31), ("C", 0, 63), ("C", 35, 20), ("C", 63, 0),
    ("As", 0, 0), ("As", 15, 15), ("Bs", 0, 15), ("Bs", 15, 0),
]  # fmt: skip


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
        shown += [*scene.corner.factors, scene.corner.sums, scene.figures, scene.part("C", scene.material.part)]
        assert not [box for box in shown if box is not None and card.box.meets(box)], element


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
    assert ("lies in", "As[3, 4], bank 20") in card.lines


def bars(show: Show, run: TraceRun, looks: Looks, window: tuple[int, int]) -> list[tuple[Box, float, bool]]:
    view, frames = show(run)
    view.resize(*window)
    view.show_frame(frames.frame(len(frames) - 1))
    return [(bar.box, bar.share, bar.is_far) for bar in block_figures(scene_of(view), looks).bars]


@pytest.mark.parametrize("window", [(676, 430), (420, 400), (1314, 690)])
def test_that_bars_of_two_kernels_are_on_one_scale(
    show: Show, recorded: Record, looks: Looks, window: tuple[int, int]
) -> None:
    """What tiles read from shared memory is as much as the naive kernel reads from global memory."""
    tiled = bars(show, recorded("tiled", "64x64x64", (1, 2)), looks, window)
    naive = bars(show, recorded("naive", "64x64x64", (1, 2)), looks, window)
    assert [(share, is_far) for _, share, is_far in tiled] == [(1 / 16, True), (1.0, False)]
    assert [(share, is_far) for _, share, is_far in naive] == [(1.0, True)]
    assert window != (420, 400) or tiled[0][0] == naive[0][0]  # half a window, one kernel beside the other
