"""The recording on show: which one, its hazards, what it says when there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QComboBox, QLabel, QListWidget, QScrollArea, QStyle, QStyleOptionViewItem, QTableView
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import SkippedAccess
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import COMPILED_NOTE
from gemmviz.explain.source.recorded_lines import hazard_text
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import DARK
from gemmviz.gui.recording.clean_words import clean_words
from gemmviz.gui.recording.found_below import LEAST_CLEAN
from gemmviz.gui.recording.hazard_list import HazardList
from gemmviz.gui.recording.totals import RecordingTotals
from gemmviz.gui.recording.totals_beside import TotalsBeside
from gemmviz.gui.recording.view import EMPTY, RecordingView
from gemmviz.gui.source.source_model import SourceModel

Record = Callable[..., TraceRun]
RACE = Hazard(HazardKind.RACE, 6, "As[i]", (0, 0, 0), (0, 1), 0, 8, "two threads")
OUTSIDE = Hazard(HazardKind.OUT_OF_BOUNDS, 5, "A[i]", (0, 0, 0), (3,), 0, 1, "past the end")


@pytest.fixture
def view(qtbot: QtBot) -> RecordingView:
    view = RecordingView()
    qtbot.addWidget(view)
    view.resize(700, 520)
    view.show()
    qtbot.waitExposed(view)
    return view


def label(view: RecordingView, name: str) -> QLabel:
    return view.findChild(QLabel, name)


def chosen_line(view: RecordingView) -> str:
    rows = view.findChild(QTableView, "recordingSource").selectionModel().selectedRows()
    return str(rows[0].data()) if rows else ""


def test_that_the_gravest_hazard_stands_first_and_is_the_one_that_a_click_asks_for(
    view: RecordingView, make_recording: Record
) -> None:
    within = replace(RACE, threads=(0, 1))
    between = replace(RACE, line=7, threads=(0, 40), detail="two warps")
    trace = make_recording(hazards=(within, between))
    view.show_traces([trace])
    hazards = view.findChild(QListWidget, "recordingHazards")
    assert [hazards.item(row).text() for row in range(2)] == [hazard_text(between), hazard_text(within)]
    asked: list[Hazard] = []
    view.hazard_chosen.connect(lambda _trace, hazard: asked.append(hazard))
    hazards.itemClicked.emit(hazards.item(0))
    assert asked == [between]
    view.show_traces([make_recording(hazards=(between, replace(between, kind=HazardKind.EQUAL_WRITES)))])
    signs = [hazards.item(row).icon().cacheKey() for row in range(2)]
    assert signs[0] != signs[1], "what is no fault has another sign"


def test_that_nothing_recorded_is_said_in_a_sentence(view: RecordingView) -> None:
    assert label(view, "recordingEmpty").isVisible()
    assert label(view, "recordingEmpty").text() == EMPTY
    assert view.shown() is None


def test_that_the_newest_recording_is_shown_with_what_it_is(view: RecordingView, make_recording: Record) -> None:
    traces = [make_recording(), make_recording("naive")]
    view.show_traces(traces)
    assert view.shown() is traces[1]
    assert not label(view, "recordingEmpty").isVisible()
    combo = view.findChild(QComboBox, "recordingCombo")
    assert [combo.itemText(place) for place in range(combo.count())] == [
        "naive TILE=2  ·  4×3×2",
        "tiled TILE=2  ·  4×3×2",
    ]
    assert (
        label(view, "recordingFacts").text()
        == "all 4 blocks · 480 accesses · recorded as written on Device pocl, driver 1"
    )
    numbers = [cell.text() for cell in view.findChild(RecordingTotals).findChildren(QLabel)]
    assert "57" in numbers


@pytest.mark.parametrize(
    ("made_of", "said"),
    [("", "as written"), (".target sm_90a, debug", "as written"), (".target sm_90a", "as compiled")],
)
def test_that_totals_and_figures_say_of_which_form_of_the_kernel_they_are(
    view: RecordingView, make_recording: Record, made_of: str, said: str
) -> None:
    view.show_traces([make_recording(instrumented_text=made_of)])
    assert label(view, "recordingTotalsHead").text() == f"Totals, recorded {said}"
    meaning = "Figures are as written" if said == "as written" else COMPILED_NOTE
    model = view.findChild(QTableView, "recordingSource").model()
    assert isinstance(model, SourceModel)
    rows = [row.figures for row in model.rows if row.figures]
    assert {meaning in found.explanation for row in rows for found in row.values()} == {True}


def test_that_choosing_another_recording_shows_and_tells_it(
    view: RecordingView, make_recording: Record, qtbot: QtBot
) -> None:
    traces = [make_recording(hazards=(RACE,)), make_recording("naive")]
    view.show_traces(traces)
    with qtbot.waitSignal(view.trace_chosen) as told:
        view.findChild(QComboBox, "recordingCombo").setCurrentIndex(1)
    assert told.args == [traces[0]]
    assert view.findChild(QListWidget, "recordingHazards").count() == 1
    with qtbot.assertNotEmitted(view.trace_chosen):
        view.show_trace(traces[1])
    assert view.shown() is traces[1]


def test_that_an_older_recording_stays_on_show_until_a_newer_one_comes(
    view: RecordingView, make_recording: Record
) -> None:
    traces = [make_recording(), make_recording("naive"), make_recording("dot")]
    view.show_traces(traces[:2])
    view.show_trace(traces[0])
    view.show_traces(traces[:2])
    assert view.shown() is traces[0]
    view.show_traces(traces)
    assert view.shown() is traces[2]
    view.show_traces(traces[:1])
    assert view.shown() is traces[0], "what was shown is gone"
    view.show_traces([])
    assert view.shown() is None
    assert label(view, "recordingEmpty").isVisible()


def test_that_a_hazard_leads_to_its_line(view: RecordingView, make_recording: Record, qtbot: QtBot) -> None:
    view.set_theme(DARK)
    view.show_traces([make_recording(hazards=(RACE, OUTSIDE))])
    hazards = view.findChild(QListWidget, "recordingHazards")
    assert label(view, "recordingHazardsHead").text() == "Hazards: 2"
    assert hazards.item(1).text() == hazard_text(RACE), "in its own lines"
    hazards.setFocus()
    qtbot.keyClick(hazards, Qt.Key.Key_End)
    assert chosen_line(view) == "6"
    qtbot.keyClick(hazards, Qt.Key.Key_Home)
    assert chosen_line(view) == "5"
    hazards.setCurrentRow(1)
    place = hazards.visualItemRect(hazards.item(0)).center()
    qtbot.mouseClick(hazards.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen_line(view) == "5"


def test_that_a_hazard_without_a_line_does_no_harm(view: RecordingView, make_recording: Record) -> None:
    barrier = Hazard(HazardKind.DIVERGENT_BARRIER, 0, "", (0, 0, 0), (1,), 0, 1, "some never came")
    view.show_traces([make_recording(hazards=(barrier,))])
    view.findChild(QListWidget, "recordingHazards").setCurrentRow(0)
    assert chosen_line(view) == ""


def test_that_a_clean_recording_says_what_was_searched(make_recording: Record, view: RecordingView) -> None:
    assert clean_words(make_recording(hazards=(RACE,))) == ""
    assert clean_words(make_recording()).startswith("No hazards found in any of the 4 blocks: ")
    assert "An odd size" not in clean_words(make_recording())
    even = make_recording()
    spec = replace(even.spec, shape=Shape(64, 32, 1))
    even = replace(even, spec=spec, a_loads=np.zeros(64, np.int64), b_loads=np.zeros(32, np.int64))
    assert clean_words(even).endswith("An odd size, 65×33×1 for instance, shows whether the edges are guarded.")
    assert "1 of the 4 recorded blocks" in clean_words(make_recording(blocks_searched=1))
    unseen = clean_words(make_recording(skipped=(SkippedAccess(6, "f(p)", "a function gets it"),)))
    assert unseen.endswith("But 1 place was not recorded, and a hazard there would not be seen.")
    view.show_traces([make_recording()])
    assert label(view, "recordingClean").isVisible()
    assert not view.findChild(QListWidget, "recordingHazards").isVisible()


def test_that_a_hidden_page_is_filled_when_it_is_shown(qtbot: QtBot, make_recording: Record) -> None:
    view = RecordingView()
    qtbot.addWidget(view)
    view.resize(900, 520)
    source = view.findChild(QTableView, "recordingSource").model()
    view.show_traces([make_recording()])
    assert view.shown() is not None
    assert source.rowCount() == 0
    view.show()
    assert source.rowCount() == 7
    assert (
        label(view, "recordingFacts").text()
        == "all 4 blocks · 480 accesses · recorded as written on Device pocl, driver 1"
    )


def test_that_a_line_can_be_asked_of_a_hidden_page(qtbot: QtBot, make_recording: Record) -> None:
    view = RecordingView()
    qtbot.addWidget(view)
    view.show_traces([make_recording()])
    assert view.show_line(5)
    assert chosen_line(view) == "5"


@pytest.mark.parametrize("width", [420, 660, 1200])
def test_that_facts_without_room_take_more_lines(view: RecordingView, make_recording: Record, width: int) -> None:
    view.show_traces([make_recording()])
    facts = label(view, "recordingFacts")
    view.resize(width, 560)
    view.grab()
    assert facts.text() == "all 4 blocks · 480 accesses · recorded as written on Device pocl, driver 1"
    assert facts.height() >= facts.heightForWidth(facts.width())


def test_that_a_click_or_enter_asks_to_see_a_hazard_and_arrow_keys_do_not(
    view: RecordingView, make_recording: Record, qtbot: QtBot
) -> None:
    trace = make_recording(hazards=(RACE, OUTSIDE))
    view.show_traces([trace])
    hazards = view.findChild(QListWidget, "recordingHazards")
    asked: list[tuple[object, object]] = []
    view.hazard_chosen.connect(lambda *values: asked.append(values))
    hazards.setFocus()
    qtbot.keyClick(hazards, Qt.Key.Key_End)
    assert asked == []
    qtbot.keyClick(hazards, Qt.Key.Key_Return)
    assert asked == [(trace, RACE)]
    place = hazards.visualItemRect(hazards.item(0)).center()
    qtbot.mouseClick(hazards.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert asked[-1] == (trace, OUTSIDE)


def test_that_no_width_cuts_the_last_line_of_a_hazard(view: RecordingView, make_recording: Record) -> None:
    view.setStyleSheet(style_sheet(DARK))
    said = "thread 0 writes As[0,0] (line 19) while thread 1 still reads it (line 23) between barriers 1 and 2"
    long = replace(RACE, detail=f"{said}; a barrier between the two accesses is missing")
    view.show_traces([make_recording(hazards=(long, long))])
    hazards = view.findChild(QListWidget, "recordingHazards")
    for width in range(560, 1200, 40):
        view.resize(width, 520)
        hazards.doItemsLayout()
        place = hazards.visualItemRect(hazards.item(0))
        assert place.width() == hazards.viewport().width()
        assert below(hazards, place) == 0, f"something is written below the end of the item at {width}"


def test_that_two_hazards_are_seen_and_of_more_is_said_how_many_lie_below(
    view: RecordingView, make_recording: Record, qtbot: QtBot
) -> None:
    said = "thread 0 writes As[0,0] (line 19) while thread 1 still reads it (line 23) between barriers 1 and 2. " * 2
    long = replace(RACE, detail=said)
    hazards, head = view.findChild(QListWidget, "recordingHazards"), view.findChild(QLabel, "recordingHazardsHead")
    view.resize(1000, 640)
    view.show_traces([make_recording(hazards=(long, long))])
    qtbot.waitUntil(
        lambda: 96 < hazards.visualItemRect(hazards.item(1)).bottom() <= hazards.viewport().height(), timeout=5000
    )
    assert head.text() == "Hazards: 2"
    view.show_traces([make_recording(hazards=(long,) * 9)])
    qtbot.waitUntil(lambda: " more below)" in head.text(), timeout=5000)
    hazards.scrollToBottom()
    assert head.text() == "Hazards: 9"


def below(hazards: QListWidget, place: QRect) -> int:
    """Rows with more than one colour below the end of the first item, were it painted with room to spare."""
    option = QStyleOptionViewItem()
    option.initFrom(hazards)
    option.widget, option.font = hazards, hazards.font()
    option.features |= QStyleOptionViewItem.ViewItemFeature.WrapText
    icon = hazards.style().pixelMetric(QStyle.PixelMetric.PM_ListViewIconSize, None, hazards)
    option.decorationSize = QSize(icon, icon)
    option.rect = QRect(0, 0, place.width(), place.height() + 200)
    image = QImage(option.rect.size(), QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    hazards.itemDelegate().paint(painter, option, hazards.indexFromItem(hazards.item(0)))
    painter.end()
    rows = range(place.height(), image.height() - 2)
    return sum(len({image.pixel(x, y) for x in range(4, image.width() - 4)}) > 1 for y in rows)


def test_that_hazards_of_a_narrow_page_stand_below_the_totals_in_whole_lines(
    view: RecordingView, make_recording: Record
) -> None:
    view.show_traces([make_recording(hazards=(RACE, OUTSIDE))])
    hazards, totals = view.findChild(QListWidget, "recordingHazards"), view.findChild(RecordingTotals)
    for width in (640, 660, 700):
        view.resize(width, 560)
        view.grab()
        assert hazards.mapTo(view, QPoint()).y() > totals.mapTo(view, totals.rect().bottomLeft()).y()
        assert hazards.width() > 0.9 * width
        assert label(view, "recordingFacts").width() > 0.9 * width
    view.resize(1200, 560)
    view.grab()
    assert hazards.mapTo(view, QPoint()).x() > totals.mapTo(view, totals.rect().topRight()).x()


def test_that_what_was_found_in_two_recordings_has_room_for_whole_words(
    view: RecordingView, make_recording: Record
) -> None:
    view.setStyleSheet(style_sheet(DARK))
    trace, other = make_recording(), make_recording()
    object.__setattr__(other, "spec", replace(trace.spec, shape=Shape(33, 17, 20)))
    view.show_traces([trace, other])
    view.show_pair((trace, other))
    view.show_trace(trace)
    clean, totals = label(view, "recordingClean"), view.findChild(TotalsBeside)
    for width in range(660, 1300, 40):
        view.resize(width, 700)
        view.grab()
        assert clean.width() >= LEAST_CLEAN, f"in a page of {width} pixels"
        for cell in (each for row in totals._cells for each in row if each.isVisible()):
            assert cell.width() >= cell.fontMetrics().size(0, cell.text()).width(), f"{cell.text()} at {width}"


def test_that_a_page_too_low_for_what_was_found_scrolls_to_it_and_lays_no_text_over_another(
    view: RecordingView, make_recording: Record
) -> None:
    view.setStyleSheet(style_sheet(DARK))
    view.show_traces([make_recording(hazards=(RACE, OUTSIDE))])
    view.resize(520, 300)
    view.grab()
    findings, hazards = view.findChild(QScrollArea, "recordingFindings"), view.findChild(HazardList)
    for cell in view.findChild(RecordingTotals).findChildren(QLabel):
        assert not cell.isVisible() or cell.height() >= cell.fontMetrics().height(), cell.text()
    findings.verticalScrollBar().setValue(findings.verticalScrollBar().maximum())
    assert hazards.mapTo(findings, hazards.rect().bottomLeft()).y() <= findings.viewport().height()
    assert findings.mapTo(view, findings.rect().bottomLeft()).y() < view.height()
