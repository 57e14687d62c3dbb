"""Shift and the arrow keys choose elements, as a click does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.memory_view.element_keys import LEAST_STEP
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.scene import Element, Scene
from gemmviz.trace.frames.frames import Frames

Record = Callable[..., TraceRun]
Show = Callable[..., tuple[MemoryView, Frames]]
KEYS = {"←": Qt.Key.Key_Left, "→": Qt.Key.Key_Right, "↑": Qt.Key.Key_Up, "↓": Qt.Key.Key_Down}


def scene_of(view: MemoryView) -> Scene:
    scene = view.picture_state()
    assert scene is not None
    return scene


def press(qtbot: QtBot, view: MemoryView, keys: str) -> Element | None:
    """The element that is chosen after these keys, each held with Shift."""
    for key in keys:
        qtbot.keyClick(view, KEYS[key], Qt.KeyboardModifier.ShiftModifier)
    return scene_of(view).pointed.chosen


@pytest.fixture
def view(show: Show, recorded: Record) -> MemoryView:
    """Block (1, 2) of a product of 64x64x64: rows 32 to 47 and columns 16 to 31 of C."""
    return show(recorded("tiled", "64x64x64", (1, 2)))[0]


def test_that_the_first_key_chooses_an_element_of_the_block_and_its_thread(qtbot: QtBot, view: MemoryView) -> None:
    with qtbot.waitSignal(view.element_chosen) as chosen, qtbot.waitSignal(view.thread_chosen) as thread:
        press(qtbot, view, "→")
    assert (chosen.args, thread.args) == ([("C", 32, 16)], [0])


@pytest.mark.parametrize(
    ("keys", "element"),
    [("→→", ("C", 32, 17)), ("→↓↓→", ("C", 34, 17)), ("→↓↑", ("C", 32, 16)), ("→" + 30 * "→", ("C", 32, 31))],
)
def test_that_keys_go_from_element_to_element_within_the_block(
    qtbot: QtBot, view: MemoryView, keys: str, element: Element
) -> None:
    asked: list[tuple[int, int]] = []
    view.block_chosen.connect(lambda x, y: asked.append((x, y)))
    assert press(qtbot, view, keys) == element
    assert asked == [], "no key records another block"


def test_that_from_the_edge_of_an_array_a_key_goes_to_the_one_beside(qtbot: QtBot, view: MemoryView) -> None:
    assert press(qtbot, view, "→←") == ("A", 32, 63)
    assert press(qtbot, view, "→") == ("C", 32, 16)
    assert press(qtbot, view, "↑") == ("B", 63, 16)
    assert press(qtbot, view, "↓") == ("C", 32, 16)


def test_that_arrays_in_shared_memory_are_reached_and_left(qtbot: QtBot, view: MemoryView) -> None:
    view.show_element("A", 0, 10)
    chosen = press(qtbot, view, "↑")
    assert chosen is not None
    assert chosen[0] in ("As", "Bs")
    assert chosen[1] == 15, "its last row, which is nearest to A"
    chosen = press(qtbot, view, "↓")
    assert chosen is not None
    assert (chosen[0], chosen[1]) == ("A", 0)


def test_that_what_is_chosen_is_brought_into_sight(qtbot: QtBot, view: MemoryView) -> None:
    press(qtbot, view, "→")
    for _ in range(8):
        view.zoom_in()
    press(qtbot, view, "↓")
    scene = scene_of(view)
    cell = scene.cell("C", 33, 16)
    assert cell is not None
    assert not scene.camera.shows_all
    assert scene.window.holds(cell.middle_x, cell.middle_y)


def test_that_elements_too_small_to_tell_apart_are_passed_over(qtbot: QtBot, show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "256x256x256", (0, 0)))
    view.show_element("A", 0, 0)
    chosen = press(qtbot, view, "→")
    assert chosen is not None
    before, after = scene_of(view).cell("A", 0, 0), scene_of(view).cell(*chosen)
    assert before is not None
    assert after is not None
    assert LEAST_STEP <= after.x - before.x < LEAST_STEP + after.width
    assert chosen[2] > 1


def test_that_without_shift_an_arrow_moves_the_picture(qtbot: QtBot, view: MemoryView) -> None:
    view.zoom_in()
    before = scene_of(view).camera
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert scene_of(view).camera.x < before.x
    assert scene_of(view).pointed.chosen is None
