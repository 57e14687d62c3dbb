"""The page of totals with both forms of a kernel."""

from __future__ import annotations

import pytest
from form_kernel import forms_kernel, in_both_forms
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.recording.combo import RecordingCombo
from gemmviz.gui.recording.totals import RecordingTotals
from gemmviz.gui.recording.totals_beside import TotalsBeside
from gemmviz.gui.recording.view import RecordingView
from gemmviz.gui.source.code_table import CodeTable

pytestmark = pytest.mark.usefixtures("nvrtc")


@pytest.fixture(scope="module")
def pair(nvrtc: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[TraceRun, TraceRun]:
    """The small kernel as written and as compiled."""
    del nvrtc
    return in_both_forms(forms_kernel(tmp_path_factory.mktemp("forms")))


@pytest.fixture
def view(qtbot: QtBot) -> RecordingView:
    made = RecordingView()
    qtbot.addWidget(made)
    made.resize(700, 640)
    made.show()
    return made


def box(view: RecordingView) -> QCheckBox:
    found = view.findChild(QCheckBox, "recordingBoth")
    assert found is not None
    return found


def rows(view: RecordingView) -> list[list[str]]:
    """The texts of the visible cells, row by row."""
    totals = view.findChild(TotalsBeside)
    assert totals is not None
    return [
        [label.text() for label in labels if label.isVisible()][:3] for labels in totals._cells if labels[0].isVisible()
    ]


def test_that_both_columns_and_the_sentence_are_shown(view: RecordingView, pair: tuple[TraceRun, TraceRun]) -> None:
    view.show_traces(pair)
    assert box(view).isChecked()
    assert rows(view) == [
        ["global load requests", "10", "6"],
        ["global store requests", "1", "1"],
        ["shared load requests", "4", "1"],
        ["shared store requests", "4", "1"],
        ["lane accesses", "608", "288"],
        ["sectors", "92", "76"],
        ["wavefronts", "32", "8"],
        ["excess wavefronts", "24", "0"],
        ["PTX instructions per warp\n(as written: not optimised)", "329", "49"],
    ]
    sentence = view.findChild(QLabel, "totalsBesideSentence")
    assert sentence is not None
    assert sentence.text().startswith("Per warp, the compiler turned 10 load requests to global memory into 6, 4 load")
    assert "Line 20: fewer loads of B" in sentence.toolTip()
    source = view.findChild(CodeTable, "recordingSource")
    assert source is not None
    heads = [source.model().headerData(column, source.horizontalHeader().orientation()) for column in range(2, 15)]
    shown = [head for column, head in enumerate(heads, 2) if not source.isColumnHidden(column)]
    assert shown == ["written", "compiled", "instr.\nwrit.", "instr.\ncomp."]


def test_that_a_person_can_turn_to_one_form_and_back(view: RecordingView, pair: tuple[TraceRun, TraceRun]) -> None:
    written, compiled = pair
    view.show_traces(pair)
    assert view.compared is written
    box(view).click()
    plain, both = view.findChild(RecordingTotals), view.findChild(TotalsBeside)
    assert plain is not None
    assert both is not None
    assert plain.isVisible()
    assert not both.isVisible()
    assert view.compared is None
    head = view.findChild(QLabel, "recordingTotalsHead")
    assert head is not None
    assert head.text() == "Totals, recorded as compiled"
    box(view).click()
    assert both.isVisible()
    assert head.text() == "Totals of both forms"
    view.show_trace(written)
    assert view.compared is compiled
    assert rows(view)[0] == ["global load requests", "10", "6"], "as written stays left"


def test_that_without_the_other_form_the_choice_says_how_to_get_it(
    view: RecordingView, pair: tuple[TraceRun, TraceRun]
) -> None:
    written, compiled = pair
    view.show_traces([written])
    assert (box(view).isEnabled(), box(view).isChecked()) == (False, False)
    assert "Press the arrow beside Record and choose Record both forms." in box(view).toolTip()
    view.show_traces([written, compiled])
    assert (box(view).isEnabled(), box(view).isChecked()) == (True, True)
    view.show_traces([])
    view.show_traces([compiled])
    assert not box(view).isEnabled()


def test_that_all_of_the_totals_can_be_seen(view: RecordingView, pair: tuple[TraceRun, TraceRun], qtbot: QtBot) -> None:
    view.show_traces(pair)
    totals = view.findChild(TotalsBeside)
    assert totals is not None
    for size in ((560, 560), (900, 700)):
        view.resize(*size)
        qtbot.waitUntil(lambda: totals.height() >= totals.heightForWidth(totals.width()))
        last = [labels for labels in totals._cells if labels[0].isVisible()][-1][0]
        bottom = last.mapTo(view, last.rect().bottomLeft()).y()
        assert bottom < view.height()


def test_that_the_form_is_seen_in_a_narrow_list(view: RecordingView, pair: tuple[TraceRun, TraceRun]) -> None:
    view.show_traces(pair)
    combo = view.findChild(QComboBox, "recordingCombo")
    assert isinstance(combo, RecordingCombo)
    title = combo.currentText()
    assert title.endswith("as compiled")
    narrow = combo.fontMetrics().horizontalAdvance("for…  ·  as compiled")
    shortened = combo._shortened(title, narrow)
    assert "…" in shortened
    assert shortened.endswith("  ·  as compiled")
    assert combo._shortened(title, 4 * narrow) == "forms  ·  as compiled", "the size goes first"
    assert "…" in combo._shortened(title, 40)


def test_that_a_picture_has_both_forms_without_the_choice(view: RecordingView, pair: tuple[TraceRun, TraceRun]) -> None:
    view.show_traces(pair)
    view.set_for_picture()
    totals = view.findChild(TotalsBeside)
    assert totals is not None
    assert totals.isVisible()
    assert not box(view).isVisible()
    assert view.picture_height() > totals.sizeHint().height()
