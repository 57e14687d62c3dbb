"""A selection on one side is followed on the other, and leaves the pictures as large as they were."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.explain.requests.selection import NOTHING, Selection
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.selection_link import corresponding
from gemmviz.gui.memory.selection_overlay import SelectionOverlay
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.text.text_layer import text_layer
from gemmviz.gui.recording.grids import Playable

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]


@pytest.fixture
def both(qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf) -> MemoryControl:
    """`tiled` 2 at 4x4x4 beside `naive_uncoalesced`, in which x and y of a thread are exchanged."""
    tiled, naive = recorded("tiled", "4x4x4", (0, 0), TILE=2), recorded("naive_uncoalesced", "4x4x4", (0, 0))
    parts.memory_page.show()
    control.show_session(session_of(naive, tiled))
    control._on_playable(0, Playable(tiled))
    control._on_playable(1, Playable(naive))
    qtbot.waitUntil(lambda: all(playback.frame is not None for playback in control._playbacks))
    return control


def test_that_an_element_of_c_is_followed_by_the_thread_that_computes_it_there(both: MemoryControl) -> None:
    left, right = both._playbacks
    left.select(Selection(element=("C", 0, 1), thread=1))
    assert right.selection.element == ("C", 0, 1)
    assert right.selection.thread == right.view.thread_of(("C", 0, 1))
    assert right.selection.thread != 1


def test_that_what_is_exported_knows_what_is_chosen_in_both_pictures(both: MemoryControl) -> None:
    left, right = both._playbacks
    left.select(Selection(element=("C", 0, 1), thread=1))
    watched = both.watched
    assert watched is not None
    assert watched.beside is not None
    assert (watched.selection, watched.beside.selection) == (left.selection, right.selection)
    assert watched.beside.selection != watched.selection


@pytest.mark.parametrize("selection", [Selection(thread=2), Selection(warp=0), Selection(element=("A", 1, 2)), NOTHING])
def test_that_a_selection_goes_either_way_and_is_cleared_on_both_sides(
    both: MemoryControl, selection: Selection
) -> None:
    for one, other in (both._playbacks, both._playbacks[::-1]):
        one.select(Selection(thread=1))
        one.select(selection)
        assert other.selection == selection
        one.select(NOTHING)
        assert other.selection.is_empty


def test_that_what_has_no_counterpart_is_not_followed(both: MemoryControl) -> None:
    _, right = both._playbacks
    assert corresponding(Selection(element=("As", 0, 0)), right) is None
    assert corresponding(Selection(thread=10**6), right) is None
    assert corresponding(Selection(element=("C", 99, 0)), right) is None


def test_that_a_recording_that_comes_beside_follows_at_once(qtbot: QtBot, both: MemoryControl) -> None:
    naive = both.played[1]
    both._on_playable(1, None)
    both._playbacks[0].select(Selection(thread=3))
    both._on_playable(1, naive)
    qtbot.waitUntil(lambda: both._playbacks[1].selection == Selection(thread=3))
    assert both._playbacks[0].selection == Selection(thread=3)


@pytest.mark.parametrize("size", [(820, 640), (1100, 800)])
def test_that_what_is_said_of_a_thread_covers_none_of_its_sums(
    qtbot: QtBot, both: MemoryControl, parts: Parts, size: tuple[int, int]
) -> None:
    both._on_playable(1, None)
    parts.memory_page.resize(*size)
    view, pane = parts.memory, parts.memory_page.panes[0]
    qtbot.waitUntil(lambda: view.width() == size[0])
    overlay = pane.findChild(SelectionOverlay)
    both._playbacks[0].select(Selection(thread=1))
    qtbot.waitUntil(lambda: bool(view.picture_state().sums) and overlay.isVisible())
    sums = text_layer(view.picture_state(), looks_of(LIGHT)).sums
    assert sums is not None
    box = QRect(round(sums.box.x), round(sums.box.y), round(sums.box.width), round(sums.box.height))
    qtbot.waitUntil(lambda: not overlay.geometry().intersects(box.translated(view.pos())), timeout=5000)


@pytest.mark.parametrize("width", [1000, 1600])
def test_that_the_picture_stays_as_large_and_what_is_selected_stands_over_it(
    qtbot: QtBot, both: MemoryControl, parts: Parts, width: int
) -> None:
    both._on_playable(1, None)
    parts.memory_page.resize(width, 700)
    view, pane = parts.memory, parts.memory_page.panes[0]
    qtbot.waitUntil(lambda: view.width() == width)
    before = view.size()
    overlay = pane.findChild(SelectionOverlay)
    assert not overlay.isVisible()
    both._playbacks[0].select(Selection(thread=3))
    words = pane.findChild(QLabel, "memoryPaneChosen")
    qtbot.waitUntil(lambda: "loads" in words.text())
    assert overlay.isVisible()
    assert view.size() == before
    assert pane.rect().contains(overlay.geometry())
    scene = view.picture_state()
    assert scene is not None
    top = view.mapTo(pane, view.rect().topLeft()).y()
    assert overlay.geometry().bottom() < top + scene.window.bottom - 20  # the legend stays to be seen
    beside = overlay.geometry().right() <= scene.layout.a.x
    assert beside or overlay.geometry().top() >= top + scene.layout.a.bottom - 4
    pane.findChild(QToolButton, "memoryPaneClear").click()
    assert not overlay.isVisible()
