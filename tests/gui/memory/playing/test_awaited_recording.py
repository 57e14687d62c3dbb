"""While a kernel is recorded, the page of memory shows no picture of another kernel as if it were of that one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Expectant, Parts
from gemmviz.gui.memory.choices import EARLIER
from gemmviz.gui.memory.playing.offers import Offer
from gemmviz.gui.work.last_work import Asked, LastWork, WorkStage

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]
TILED = LastWork(1, Asked.RECORDING, ("tiled",), "17×33×5")
DONE = replace(TILED, stage=WorkStage.DONE, results=1)


@pytest.fixture
def naive(qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf) -> TraceRun:
    """The recording whose picture is in view."""
    run = recorded("naive", "17x33x5")
    parts.memory_page.show()
    control.show_session(session_of(run))
    qtbot.waitUntil(lambda: parts.memory.picture_state() is not None)
    assert parts.memory.isVisible()
    return run


def covering_words(parts: Parts) -> str:
    """What stands in the place of the picture; "" where the picture is in sight."""
    label = parts.memory_page.findChild(QLabel, "awaitedRecording")
    assert isinstance(label, QLabel)
    assert label.isVisible() != parts.memory.isVisible()
    return label.text() if label.isVisible() else ""


def note(parts: Parts) -> str:
    label = parts.memory_page.findChild(QLabel, "compareNote")
    assert isinstance(label, QLabel)
    return label.text() if label.isVisible() else ""


def test_that_the_picture_of_another_kernel_gives_way_until_the_new_one_is_there(
    parts: Parts, control: MemoryControl, naive: TraceRun, recorded: Record, session_of: SessionOf
) -> None:
    page = parts.memory_page
    title = page.findChild(QLabel, "memoryTitle")
    assert title.isVisible()
    assert isinstance(page, Expectant), "it is told what is going on"
    page.show_work(TILED)
    assert covering_words(parts) == "tiled 17×33×5 is being recorded. Results appear here when it is done."
    assert not title.isVisible(), "the name of the other recording"
    page.show_work(DONE)
    assert covering_words(parts) == "Preparing the picture…"
    control.show_session(session_of(naive, recorded("tiled", "17x33x5", TILE=4)))
    assert covering_words(parts) == ""


@pytest.mark.parametrize("stage", [WorkStage.CANCELLED, WorkStage.FAILED, WorkStage.DONE])
@pytest.mark.usefixtures("naive")
def test_that_the_picture_comes_back_where_nothing_was_recorded(parts: Parts, stage: WorkStage) -> None:
    parts.memory_page.show_work(TILED)
    parts.memory_page.show_work(replace(TILED, stage=stage))
    assert covering_words(parts) == ""


@pytest.mark.usefixtures("naive")
def test_that_another_block_of_the_same_product_leaves_the_picture(parts: Parts) -> None:
    parts.memory_page.show_work(replace(TILED, kernels=("naive",)))
    assert covering_words(parts) == note(parts) == ""
    parts.memory_page.show_work(replace(TILED, kernels=("naive",), size="17×33×6"))
    assert covering_words(parts).startswith("naive 17×33×6 is being recorded.")


def test_that_pictures_that_stay_are_told_from_what_is_recorded(
    parts: Parts, control: MemoryControl, naive: TraceRun, recorded: Record, session_of: SessionOf
) -> None:
    """One that gets another beside it, and two that are compared."""
    page = parts.memory_page
    page.second.offer_chosen.emit(Offer("tiled"))
    page.show_work(TILED)
    assert covering_words(parts) == ""
    assert note(parts) == "Recording tiled at 17×33×5…"
    tiled = recorded("tiled", "17x33x5", TILE=4)
    page.show_work(DONE)
    assert note(parts) == ""
    control.show_session(session_of(naive, tiled))
    assert page.is_compared
    page.show_work(replace(TILED, kernels=("tiled_transposed",)))
    assert covering_words(parts) == ""
    assert "Recording tiled_transposed at 17×33×5…" in note(parts)
    page.show_work(None)
    assert "Recording" not in note(parts)


def test_that_a_recording_that_is_chosen_meanwhile_is_seen(parts: Parts, naive: TraceRun) -> None:
    parts.memory_page.show_work(TILED)
    assert covering_words(parts)
    combo = parts.memory_page.findChild(QComboBox, "memoryCombo")
    assert combo is not None
    parts.memory_page.trace_chosen.emit(naive)
    assert covering_words(parts) == ""


def test_that_no_recording_is_named_as_the_one_in_view_while_words_cover_the_picture(
    parts: Parts, control: MemoryControl, naive: TraceRun, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("tiled", "16x16x16", TILE=4), naive))
    combo = parts.memory_page.first.grids
    assert combo.currentText().startswith("naive")
    parts.memory_page.show_work(TILED)
    assert covering_words(parts)
    assert (combo.currentIndex(), combo.shown_text()) == (-1, EARLIER)
    parts.memory_page.show_work(None)
    assert combo.currentText().startswith("naive")
