"""What could not be checked within its time limit is tried again: by itself once, and where a person asks for it. Texts
that were recorded before another program changed the file are examined before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from asked_examiner import A100, CODE, RIGHT, Trying, recorded_as
from driving import part
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.session import save_session
from gemmviz.domain.session.versions import versions_of
from gemmviz.explain.source.version_figures import NOT_CHECKED, NOT_COMPARED
from gemmviz.gui.control.version_control import WAITS
from gemmviz.gui.editor.changes_table import ChangesTable
from gemmviz.gui.editor.comparison_view import CHECK_AGAIN
from gemmviz.gui.editor.examination import FIRST_LAUNCH_LIMIT_S, LAUNCH_LIMIT_S, LONG_LAUNCH_LIMIT_S
from gemmviz.gui.editor.examiner import SaveFindings
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.plain_label import PlainLabel


@pytest.mark.parametrize("is_there", [True, False])
def test_that_a_recording_is_shown_only_where_the_person_still_is(
    trying: Trying, make_recording: Callable[..., TraceRun], *, is_there: bool
) -> None:
    shown = make_recording()
    told: list[tuple[str, TraceRun]] = []
    trying.document.add_trace(shown)
    trying.control.ended_elsewhere.connect(lambda words, trace: told.append((words, trace)))
    trying.control.examine(trying.kernel)
    if not is_there:
        trying.place[0] = "a lesson"
    trace = replace(shown, source_text=trying.kernel.file_text, finished="2027-01-01T10:00:00+00:00")
    trying.examiner.end(RIGHT, trace=trace)
    there = trying.document.session.traces
    assert (there[-1] is shown) is not is_there, "the window shows the last one that is new"
    assert [words for words, _ in told] == ([] if is_there else ["tiled: version 1 is examined"])


def test_that_what_ran_out_of_time_is_tried_again_once_with_a_longer_limit(trying: Trying) -> None:
    trying.control.examine(trying.kernel)
    trying.examiner.end(None)
    assert trying.examiner.limits_s == [FIRST_LAUNCH_LIMIT_S, LONG_LAUNCH_LIMIT_S]
    assert trying.rows["result"].texts[2] == NOT_CHECKED
    assert trying.rows["result"].button == "", "it is being tried"
    assert f"up to {LONG_LAUNCH_LIMIT_S:g} s" in trying.said
    trying.examiner.end(RIGHT)
    assert trying.rows["result"].texts[2] == "correct"
    assert trying.said.startswith("Version 1: tried again for")
    (version,) = versions_of(trying.document.session, "tiled")
    assert (version.check, version.faults) == (RIGHT, ())
    assert len(trying.examiner.asked) == 2


def test_that_it_is_not_tried_a_third_time_unless_somebody_asks(trying: Trying) -> None:
    trying.control.examine(trying.kernel)
    trying.examiner.end(None)
    trying.examiner.end(None)
    assert len(trying.examiner.asked) == 2
    assert trying.rows["result"].button == CHECK_AGAIN
    table = part(trying.panel, ChangesTable, "versionTotals")
    button = next(one for one in table.findChildren(QPushButton) if "result" in one.accessibleName())
    assert button.width() >= button.sizeHint().width(), "its words are not cut"
    button.click()
    assert trying.examiner.limits_s[2:] == [LONG_LAUNCH_LIMIT_S]
    trying.examiner.end(RIGHT)
    assert trying.rows["result"].texts[2] == "correct"


def test_that_the_second_try_waits_until_nothing_runs(trying: Trying) -> None:
    trying.control.set_device_busy(True)
    trying.control.examine(trying.kernel)
    trying.examiner.end(None)
    assert trying.examiner.limits_s == [FIRST_LAUNCH_LIMIT_S]
    assert trying.said == WAITS
    trying.control.set_device_busy(False)
    assert trying.examiner.limits_s == [FIRST_LAUNCH_LIMIT_S, LONG_LAUNCH_LIMIT_S]


def test_that_a_save_takes_the_place_of_the_second_try(trying: Trying) -> None:
    trying.control.examine(trying.kernel)
    trying.examiner.end(None)
    saved = replace(trying.kernel, read_text=trying.kernel.file_text + "\n")
    trying.control.examine(saved)
    assert trying.examiner.limits_s == [FIRST_LAUNCH_LIMIT_S, LONG_LAUNCH_LIMIT_S, LAUNCH_LIMIT_S]
    assert trying.examiner.asked[-1].job.kernel is saved
    trying.examiner.end(RIGHT)
    assert len(versions_of(trying.document.session, "tiled")) == 2


def test_that_what_was_found_stays_where_the_second_try_finds_less(trying: Trying) -> None:
    trying.control.examine(trying.kernel)
    trying.examiner.end(None)
    work = trying.examiner.current
    assert work is not None
    trying.examiner.current = None
    trying.examiner.ended.emit(SaveFindings(work, faults=["The worker crashed."]))
    (version,) = versions_of(trying.document.session, "tiled")
    assert version.compilation == CODE


def test_that_the_version_before_can_be_checked_once_there_is_a_newer_one(trying: Trying) -> None:
    trying.control.examine(trying.kernel)
    trying.examiner.end(None)
    saved = replace(trying.kernel, read_text=trying.kernel.file_text + "\n")
    trying.control.examine(saved)
    trying.examiner.end(RIGHT)
    row = trying.rows["result"]
    assert row.texts == ("result", NOT_CHECKED, "correct", "")
    assert row.button == CHECK_AGAIN
    table = part(trying.panel, ChangesTable, "versionTotals")
    next(one for one in table.findChildren(QPushButton) if "result" in one.accessibleName()).click()
    assert trying.examiner.asked[-1].job.kernel is trying.kernel
    assert trying.examiner.limits_s[-1] == LONG_LAUNCH_LIMIT_S
    assert trying.said.startswith("Version 1: trying again")
    trying.examiner.end(RIGHT)
    assert trying.said.startswith("Version 1: tried again for")
    assert trying.rows["result"].texts == ("result", "correct", "correct", "=")
    assert trying.rows["result"].button == ""
    before, after = trying.control.compared
    assert before is not None
    assert after is not None
    assert (before.version.number, after.version.number, before.version.check) == (1, 2, RIGHT)
    assert len(versions_of(trying.document.session, "tiled")) == 2


LONG = "race_broken: compiling the kernel, once for this code, step 2 of 3"


def test_that_rows_stay_in_their_place_and_leave_no_gap_whatever_the_status_says(trying: Trying, qtbot: QtBot) -> None:
    trying.panel.resize(420, 620)
    trying.panel.show()
    view, table = trying.panel.comparison, part(trying.panel, ChangesTable, "versionTotals")
    assert table.isHidden() or not table.isVisible(), "nothing to show yet"
    trying.control.examine(trying.kernel)
    trying.examiner.end(RIGHT)
    qtbot.waitUntil(lambda: table.isVisible() and table.height() > 5 * table.rowHeight(0), timeout=90_000)

    def place() -> int:
        return table.mapTo(trying.panel, table.rect().topLeft()).y()

    status, was = part(trying.panel, PlainLabel, "examinationStatus"), place()
    for words, lines in (("Version 2: tried again for 3 s.", 1), (f"{LONG}: optimising 12 blocks of code", 2)):
        view.show_status(words)
        qtbot.waitUntil(lambda lines=lines: round(status.height() / status.fontMetrics().lineSpacing()) == lines)
        assert place() == was

    def gap() -> int:
        return status.mapTo(trying.panel, status.rect().topLeft()).y() - place() - table.height()

    qtbot.waitUntil(lambda: 0 <= gap() < status.fontMetrics().lineSpacing())


def test_that_another_target_says_so_where_the_version_before_was_not_examined_since(trying: Trying) -> None:
    """The same text for another target is no save: it keeps its time, and the version before it stays in view."""
    trying.control.examine(trying.kernel)
    trying.examiner.end(RIGHT)
    edited = replace(trying.kernel, text=f"{trying.kernel.text}// edited\n")
    trying.control.examine(edited)
    trying.examiner.end(RIGHT)
    saved = [one.saved for one in versions_of(trying.document.session, "tiled")]
    trying.document.use_file_texts((("tiled", edited.file_text),))
    trying.control.begin(edited)
    combo = part(trying.panel, ComboBox, "versionBefore")
    assert combo.currentText().startswith("with version 1 (previous)")
    trying.control.examine(edited)
    trying.examiner.end(RIGHT, A100)
    assert [one.saved for one in versions_of(trying.document.session, "tiled")] == saved
    assert combo.currentText().startswith("with version 1 (previous)")
    assert "examined again" in trying.said
    registers = trying.rows["registers per thread"]
    assert registers.texts[1:] == ("–", "64", NOT_COMPARED)
    assert registers.button == "", "the text of version 1 was not examined since the file was opened"
    head = part(trying.panel, ChangesTable, "versionTotals").horizontalHeaderItem(0)
    assert head is not None
    assert head.toolTip() == "for A100 (sm_80)", "the head itself has as much of it as there is room for"
    faults = part(trying.panel, PlainLabel, "versionFaults").text()
    assert faults.startswith("Not comparable: version 1 was compiled for the H200 (sm_90), version 2 for the A100")
    listed = [row.texts[:3] for row in part(trying.panel, ChangesTable, "versionList").rows]
    assert listed == [("2 (current)", "sm_80", "64"), ("1 (previous)", "sm_90", "32")]


def test_that_a_text_that_was_recorded_before_another_program_changed_the_file_is_the_first_version(
    trying: Trying, make_recording: Callable[..., TraceRun]
) -> None:
    texts = [f"{trying.kernel.text}// {name}\n" for name in ("recorded", "recorded too")]
    for hour, text in enumerate(texts, start=10):
        trying.document.add_trace(recorded_as(make_recording(), text, f"2026-01-01T{hour}:00:00+00:00"))
    trying.control.examine(trying.kernel)
    for code in (CODE, A100, A100):
        trying.examiner.end(RIGHT, code)
    assert [one.job.kernel.text for one in trying.examiner.asked] == [*texts, trying.kernel.text]
    versions = versions_of(trying.document.session, "tiled")
    assert [one.text for one in versions] == [*texts, trying.kernel.text]
    assert [one.saved[11:13] for one in versions[:2]] == ["10", "11"]
    assert trying.rows["registers per thread"].texts[1:] == ("64", "64", "=")
    trying.control.examine(trying.kernel)
    assert len(trying.examiner.asked) == 4, "versions are not examined again"


def test_that_a_save_meanwhile_waits_for_the_recorded_text(
    trying: Trying, make_recording: Callable[..., TraceRun]
) -> None:
    text = f"{trying.kernel.text}// recorded\n"
    trying.document.add_trace(recorded_as(make_recording(), text, "2026-01-01T10:00:00+00:00"))
    trying.control.examine(trying.kernel)
    saved = replace(trying.kernel, text=f"{trying.kernel.text}// saved\n")
    trying.control.examine(saved)
    for _ in range(2):
        trying.examiner.end(RIGHT)
    assert [one.text for one in versions_of(trying.document.session, "tiled")] == [text, saved.text]


def test_that_a_text_that_came_with_a_session_is_not_run(
    qtbot: QtBot, trying: Trying, make_recording: Callable[..., TraceRun], tmp_path: Path
) -> None:
    brought = recorded_as(make_recording(), f"{trying.kernel.text}// of somebody\n", "2026-01-01T10:00:00+00:00")
    path = tmp_path / "brought.gemmviz"
    save_session(replace(trying.document.session, traces=(brought,)), path)
    with qtbot.waitSignal(trying.document.opened):
        trying.document.open(path)
    assert [trace.source_text for trace in trying.document.session.traces] == [brought.source_text]
    trying.control.examine(trying.kernel)
    trying.examiner.end(RIGHT)
    assert [one.job.kernel.text for one in trying.examiner.asked] == [trying.kernel.text]
