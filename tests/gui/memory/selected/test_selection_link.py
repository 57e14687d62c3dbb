"""A selection on one side is followed on the other, and leaves the pictures as large as they were."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.explain.requests.selection import NOTHING, Selection
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.pane import MemoryPane
from gemmviz.gui.memory.selection_line import SelectionLine
from gemmviz.gui.memory.selection_link import corresponding
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.matrix_layout import MatrixLayout
from gemmviz.gui.memory_view.text.text_layer import LEADING, text_layer
from gemmviz.gui.player.caption_label import CaptionLabel
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


def settled(panes: Sequence[MemoryPane]) -> list[tuple[QRect, MatrixLayout]]:
    """Where the pictures stand and how they are laid out, once neither changes any more."""
    found: list[tuple[QRect, MatrixLayout]] = []
    while True:
        QApplication.processEvents()
        last, found = found, []
        for pane in panes:
            scene = pane.view.picture_state()
            assert scene is not None
            found.append((pane.view.geometry(), scene.layout))
        if found and found == last:
            return found


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("size", [(680, 560), (830, 640), (1000, 700), (1600, 900)])
def test_that_what_is_said_of_a_selection_covers_nothing_and_leaves_the_picture_as_it_was(
    qtbot: QtBot, both: MemoryControl, parts: Parts, size: tuple[int, int], beside: bool
) -> None:
    if not beside:
        both._on_playable(1, None)
    parts.memory_page.resize(*size)
    panes, looks = parts.memory_page.panes[: 1 + beside], looks_of(LIGHT)
    qtbot.waitUntil(lambda: panes[0].isVisible() and panes[-1].isVisible())
    before = settled(panes)
    lines = [pane.findChild(SelectionLine) for pane in panes]
    for selection in (Selection(thread=1), Selection(element=("A", 1, 1))):
        both._playbacks[0].select(selection)
        qtbot.waitUntil(lambda: all("loads" in line.findChild(CaptionLabel).text() for line in lines))
        assert settled(panes) == before
        for pane, line in zip(panes, lines, strict=True):
            words, place = line.findChild(CaptionLabel), pane.view.geometry()
            assert line.isVisible()
            assert place.contains(line.geometry())
            assert not words.is_cut or words.toolTip()
            assert not words.is_cut or line.height() > 40 or pane.width() < 420, "it has all its words"
            covered = Box(0, line.y() - place.y() + LEADING, line.width(), line.height())
            layer = text_layer(pane.view.picture_state(), looks)
            assert not [item.text for item in layer if item.box.meets(covered)]
            assert not [swatch.sign for swatch in layer.legend.swatches if swatch.box.meets(covered)]
            assert layer.sums is None or not layer.sums.box.meets(covered)
    legend = text_layer(panes[0].view.picture_state(), looks).legend
    assert bool(legend.words) is (panes[0].findChild(SelectionLine).height() < 20), "it gives way to two lines only"
    both.clear_chosen()
    for pane in panes:
        assert not pane.findChild(SelectionLine).isVisible()
        assert text_layer(pane.view.picture_state(), looks).legend.words
        assert text_layer(pane.view.picture_state(), looks).place
