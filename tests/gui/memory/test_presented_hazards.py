"""F11 on the page of memory: what is wrong is said in words, and an empty page says why it is empty."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QPushButton, QTableView
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.hazard import by_gravity
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.explain.source.recorded_lines import source_lines
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.export.film_source import film_source_of
from gemmviz.gui.export.on_screen import request_on_screen
from gemmviz.gui.export.pictures.recording_picture import fit_recording
from gemmviz.gui.export.pictures.slide_picture import SlidePicture
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.hazard_sentences import advice_first, hazard_head, recording_warning
from gemmviz.gui.presentation.control import STILL_LOADING
from gemmviz.gui.presentation.screen import PresentationScreen
from gemmviz.gui.presentation.slide import HAZARD, plan_slide
from gemmviz.gui.recording.totals import RecordingTotals
from gemmviz.gui.recording.view import RecordingView
from gemmviz.gui.stages.stage_picture import StagePicture
from gemmviz.gui.stages.stage_words import NO_SHARED
from gemmviz.trace.hazards.race_words import MISSING_BARRIER, UNATOMIC_UPDATE

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]


def presented(control: MemoryControl) -> PresentationScreen:
    control.presentation.begin()
    screen = control.presentation.screen
    assert screen is not None
    return screen


def test_that_a_race_is_named_with_threads_and_lines_on_the_whole_screen_and_in_files(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    run = recorded("no_second_barrier.cu", "20x20x20", (0, 0))
    parts.memory_page.show()
    control.show_session(session_of(run))
    qtbot.waitUntil(lambda: control._playbacks[0].facts is not None)
    facts = control._playbacks[0].facts
    assert facts is not None
    wrong = facts.hazards[0][0]
    screen = presented(control)
    (before,) = screen.stage.plan.panes
    control.player.seek(wrong)
    qtbot.waitUntil(lambda: screen.stage.texts[0].hazard.startswith("! Race, line"))  # not that of another frame
    (text,) = screen.stage.texts
    assert text.hazard.startswith(f"! Race, line {by_gravity(run.hazards)[0].line}")
    assert "thread 0 writes Bs[0,0]" in text.hazard
    assert text.hazard in screen.stage.accessibleName()
    control.player.seek(0)
    elsewhere = f"! Race: see frame {wrong + 1} of {facts.count}"
    qtbot.waitUntil(lambda: screen.stage.texts[0].hazard == elsewhere)
    assert screen.stage.plan.panes == (before,)  # no picture jumps
    assert before.hazard.height == HAZARD
    slide = SlidePicture(film_source_of(run), 1920, 1080, LIGHT)
    assert slide.texts(wrong)[0].hazard == text.hazard
    assert slide.texts(0)[0].hazard == elsewhere
    assert slide.texts(0)[0].fault == "race"


def test_that_a_request_of_a_racing_recording_says_so_on_the_whole_screen_and_in_files(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    run = recorded("no_second_barrier.cu", "20x20x20", (0, 0))
    parts.memory_page.show()
    control.show_session(session_of(run))
    banks = parts.memory_page.stages.banks
    qtbot.mouseClick(parts.memory_page.findChild(QPushButton, "memoryBanks"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: banks.request is not None)
    view = request_on_screen(parts)
    assert view is not None
    image = view.paint(None, (960, 540), LIGHT, "")
    assert any(image.pixelColor(x, y).name() == LIGHT.hazard for x in range(16, 300) for y in range(380, 480))
    stage = presented(control).stage
    worst = f"! This recording has a hazard: race, line {by_gravity(run.hazards)[0].line}"
    assert stage.texts[0].hazard.startswith(worst)
    assert stage.plan.panes[0].hazard.height == HAZARD
    assert recording_warning(replace(run, hazards=())) == ""


def test_that_a_recording_without_a_hazard_gives_its_room_to_the_picture(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    parts.memory_page.show()
    control.show_session(session_of(recorded("tiled", "8x8x8", (0, 0), TILE=4)))
    qtbot.waitUntil(lambda: control._playbacks[0].facts is not None)
    (pane,) = presented(control).stage.plan.panes
    assert pane.hazard.height == 0
    assert pane.picture.bottom == pane.caption.y


def test_that_an_empty_page_of_banks_says_why_on_the_whole_screen(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    told: list[str] = []
    control.notified.connect(lambda _kind, words, _details: told.append(words))
    parts.memory_page.show()
    control.show_session(session_of(recorded("naive", "8x8x8", (0, 0))))
    banks = parts.memory_page.stages.banks
    qtbot.mouseClick(parts.memory_page.findChild(QPushButton, "memoryBanks"), Qt.MouseButton.LeftButton)
    if banks.is_busy:
        control.presentation.begin()
        assert told == [STILL_LOADING]
    qtbot.waitUntil(lambda: not banks.is_busy)
    screen = presented(control)
    (picture,), (text,) = screen.stage.views, screen.stage.texts
    assert isinstance(picture, StagePicture)
    assert picture.canvas.request is None
    assert picture.canvas.instead == NO_SHARED
    assert text.title.startswith("naive ")
    qtbot.keyClick(screen, Qt.Key.Key_P)  # nothing to be laid out otherwise
    qtbot.keyClick(screen, Qt.Key.Key_Space)
    qtbot.keyClick(screen, Qt.Key.Key_Escape)
    assert control.presentation.screen is None
    assert banks.sentence == NO_SHARED


@pytest.mark.parametrize("kernel", ["no_second_barrier.cu", "tiled"])
def test_that_totals_on_a_slide_have_every_line_with_figures_in_large_letters(
    qtbot: QtBot, recorded: Record, kernel: str
) -> None:
    run = recorded(kernel, "20x20x20", (0, 0))
    view = RecordingView()
    qtbot.addWidget(view)
    view.setStyleSheet(style_sheet(LIGHT))
    view.show_traces((run,))
    pane = plan_slide(1920, 1080).panes[0].picture
    smaller = fit_recording(view, (pane.width, pane.height), run)
    assert smaller < 1.0  # letters are larger than those of a picture in a document
    assert (view.width(), view.height()) == (round(pane.width * smaller), round(pane.height * smaller))
    source, totals = view.findChild(QTableView, "recordingSource"), view.findChild(RecordingTotals)
    shown = [row for row in range(source.model().rowCount()) if not source.isRowHidden(row)]
    telling = [line for line in source_lines(run) if line.counts is not None or line.mark]
    assert [row + 1 for row in shown] == [line.number for line in telling]
    for row in shown:
        place = source.visualRect(source.model().index(row, 1))
        assert source.viewport().rect().contains(place.center())
        assert place.bottom() <= source.viewport().height()
    below = [totals, view.findChild(QListWidget, "recordingHazards")] if run.hazards else [totals]
    for part in below:
        bottom = part.mapTo(view, part.rect().bottomLeft()).y()
        assert bottom <= view.height()
        assert part.height() >= part.minimumSizeHint().height()
    assert fit_recording(view, (400.0, 100.0), run) == 1.0, "what has no room is left out before letters are too small"


@pytest.mark.parametrize("missing", [MISSING_BARRIER, UNATOMIC_UPDATE])
def test_that_what_to_do_about_a_race_comes_before_what_a_line_may_cut(missing: str) -> None:
    said = "thread 2 reads As[0,1] (line 38) while thread 1 writes it (line 30) between barriers 1 and 2"
    assert advice_first(f"{said}; {missing}") == f"{missing}: {said}"
    assert advice_first(f"{said}; the order of the two is undefined, and {missing}") == (
        f"{missing}: {said}; the order of the two is undefined"
    )
    assert advice_first(said) == said
    assert hazard_head((f"race, line 38: {said}; {missing}",))[1].startswith(missing)
