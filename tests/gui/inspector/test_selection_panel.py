"""Choosing a thread or a warp, and the card of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QLabel, QSpinBox
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.loads import Loads
from gemmviz.explain.requests.selection import NOTHING, Selection
from gemmviz.gui.inspector.element_card import card_of
from gemmviz.gui.inspector.figure_rows import FigureRows
from gemmviz.gui.inspector.selection_panel import HINT, SelectionPanel
from gemmviz.trace.frames.frames import Frames


@pytest.fixture(scope="module")
def frames(recorded: Callable[..., TraceRun]) -> Frames:
    run = recorded("tiled", "33x17x5", ((0, 1, 0),), TILE=16)
    return Frames(run.blocks[0].trace(run.sites, run.arrays))


@pytest.fixture
def panel(qtbot: QtBot, frames: Frames) -> SelectionPanel:
    made = SelectionPanel()
    qtbot.addWidget(made)
    made.show_block(frames.trace)
    made.show()
    return made


def spin(panel: SelectionPanel, name: str) -> QSpinBox:
    found = panel.findChild(QSpinBox, name)
    assert isinstance(found, QSpinBox)
    return found


def test_that_threads_and_warps_of_the_block_are_offered(panel: SelectionPanel) -> None:
    assert [(spin(panel, name).minimum(), spin(panel, name).maximum()) for name in ("threadSpin", "warpSpin")] == [
        (-1, 255),
        (-1, 7),
    ]
    assert spin(panel, "threadSpin").text() == "none"
    assert panel.section.note == HINT
    panel.show_block(None)
    assert not spin(panel, "threadSpin").isEnabled()


def test_that_the_thread_that_the_picture_follows_is_named_while_none_is_chosen(panel: SelectionPanel) -> None:
    panel.show_followed(0)
    assert spin(panel, "threadSpin").text() == "auto: 0"
    assert panel.section.note == f"{HINT} While no thread is chosen, the picture follows thread 0."
    panel.show_selection(Selection(thread=5))
    assert spin(panel, "threadSpin").text() == "5"
    panel.show_selection(NOTHING)
    assert spin(panel, "threadSpin").text() == "auto: 0"
    panel.show_followed(None)
    assert (spin(panel, "threadSpin").text(), panel.section.note) == ("none", HINT)


def test_that_a_choice_is_told_and_none_clears_it(qtbot: QtBot, panel: SelectionPanel) -> None:
    for name, value, wanted in (
        ("threadSpin", 37, Selection(thread=37)),
        ("warpSpin", 2, Selection(warp=2)),
        ("warpSpin", -1, NOTHING),
    ):
        with qtbot.waitSignal(panel.chosen) as told:
            spin(panel, name).setValue(value)
        assert told.args == [wanted]


def test_that_what_is_chosen_elsewhere_is_shown_without_being_told_again(panel: SelectionPanel, frames: Frames) -> None:
    told: list[object] = []
    panel.chosen.connect(told.append)
    panel.show_selection(Selection(("C", 17, 3), 19))
    panel.show_card(card_of(frames, frames.frame(0), Selection(thread=19), Loads()))
    assert (spin(panel, "threadSpin").value(), spin(panel, "warpSpin").value()) == (19, -1)
    assert panel.section.title == "thread 19, warp 0, lane 19"
    panel.show_selection(NOTHING)
    assert (spin(panel, "threadSpin").value(), panel.section.note, told) == (-1, HINT, [])


def test_that_the_card_is_that_of_the_thread_else_the_warp_else_the_element(frames: Frames) -> None:
    def title(selection: Selection) -> str:
        card = card_of(frames, frames.frame(0), selection, Loads())
        return card.title if card is not None else ""

    assert title(Selection(("C", 17, 3), 19)) == "thread 19, warp 0, lane 19"
    assert title(Selection(warp=7)) == "warp 7, threads 224–255"
    assert title(Selection(("A", 20, 4))) == "A[20,4]"
    for unknown in (NOTHING, Selection(thread=256), Selection(warp=8), Selection(("Z", 0, 0))):
        assert title(unknown) == ""


def test_that_a_warp_that_touches_nothing_says_so(frames: Frames) -> None:
    last = frames.frame(len(frames) - 1)  # stores of C: threads beyond its 17 columns and 33 rows have nothing to do
    card = card_of(frames, last, Selection(warp=7), Loads())
    assert card is not None
    assert [(line.words, line.value) for line in card.lines] == [("stores rows 30–31, columns 0–15 of C", "32")]
    assert (
        card_of(frames, frames.frame(1), Selection(warp=7), Loads()).lines[0].words
        == "loads rows 14–15, columns 0–15 of As"
    )


@pytest.mark.parametrize(
    ("selection", "words"),
    [
        (Selection(("As", 1, 2)), "As[1,2]"),
        (Selection(warp=3), "warp 3"),
        (Selection(("C", 0, 0), 4), "thread 4"),
        (NOTHING, ""),
    ],
)
def test_that_words_name_what_is_chosen(selection: Selection, words: str) -> None:
    assert selection.words == words
    assert selection.is_empty == (not words)


def test_that_nothing_chosen_leaves_no_gap_below_the_fields_and_the_longest_thread_has_room(qtbot: QtBot) -> None:
    panel = SelectionPanel()
    qtbot.addWidget(panel)
    panel.resize(260, 400)  # the column in a window 1280 pixels wide
    panel.show_followed(1023)
    panel.show()
    thread, note = spin(panel, "threadSpin"), panel.findChild(FigureRows, "selectionCard")
    said = next(label for label in note.findChildren(QLabel) if label.text())
    assert said.mapTo(panel, said.rect().topLeft()).y() - thread.geometry().bottom() <= 14
    field = thread.lineEdit()
    assert field.fontMetrics().horizontalAdvance(thread.text()) <= field.width()
