"""What could not be checked within its time limit is tried again: by itself once, and where a person asks for it. Texts
that were recorded before another program changed the file are examined before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from driving import part
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.kernels.kernel_version import Check, Compilation
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.session import save_session
from gemmviz.domain.session.versions import versions_of
from gemmviz.domain.shape import Shape
from gemmviz.engine.messages import ExamineRequest
from gemmviz.explain.source.version_figures import NOT_CHECKED, NOT_COMPARED
from gemmviz.gui.control.version_control import WAITS, VersionControl
from gemmviz.gui.editor.changes_table import ChangesTable
from gemmviz.gui.editor.comparison_view import CHECK_AGAIN
from gemmviz.gui.editor.examination import FIRST_LAUNCH_LIMIT_S, LAUNCH_LIMIT_S, LONG_LAUNCH_LIMIT_S, SetUp
from gemmviz.gui.editor.examiner import SaveFindings
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.work.experiment import default_experiment

CODE = Compilation("H200", "sm_90", "NVRTC 13.0", Resources(32))
A100 = Compilation("NVIDIA A100", "sm_80", "NVRTC 13.0", Resources(64))
RIGHT = Check(Shape(65, 63, 67), passed=True, max_error_over_ug=0.5, bound=3.0)


class AskedExaminer(QObject):
    """Keeps what it is asked to examine, and ends it when a test says how."""

    progressed, found, ended = Signal(str), Signal(object), Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[ExamineRequest] = []
        self.current: ExamineRequest | None = None

    @property
    def is_busy(self) -> bool:
        return self.current is not None

    @property
    def limits_s(self) -> list[float]:
        return [one.conditions.launch_limit_s for one in self.asked]

    def examine(self, work: ExamineRequest) -> None:
        self.asked.append(work)
        self.current = work

    def cancel(self) -> None:
        self.current = None

    def close(self) -> None:
        self.current = None

    def end(self, check: Check | None, code: Compilation = CODE, trace: TraceRun | None = None) -> None:
        """End what is examined: with a result, or because the time ran out."""
        work, self.current = self.current, None
        assert work is not None
        limit = f"Not checked: the kernel did not end within {work.conditions.launch_limit_s:g} s"
        findings = SaveFindings(
            work, code, trace=trace, check=check, faults=[] if check else [limit], is_out_of_time=check is None
        )
        self.found.emit(findings)
        self.ended.emit(findings)


@dataclass
class Trying:
    """A version control with an examiner that a test ends."""

    examiner: AskedExaminer
    panel: EditorPanel
    document: SessionDocument
    control: VersionControl
    kernel: Kernel
    set_up: list[SetUp]
    place: list[str]

    def choose_target(self, target: str) -> None:
        """Choose another target GPU, as a person does in the experiment."""
        self.set_up[0] = replace(self.set_up[0], experiment=replace(self.set_up[0].experiment, target=target))
        self.control.follow_target()

    @property
    def rows(self) -> dict[str, Any]:
        return {row.texts[0]: row for row in part(self.panel, ChangesTable, "versionTotals").rows}

    @property
    def said(self) -> str:
        return part(self.panel, PlainLabel, "examinationStatus").text()


@pytest.fixture
def trying(qtbot: QtBot) -> Iterator[Trying]:
    catalogue = load_catalogue()
    panel, document, examiner = EditorPanel(), SessionDocument(), AskedExaminer()
    qtbot.addWidget(panel)
    panel.setStyleSheet(style_sheet(LIGHT))
    panel.show()
    set_up = [SetUp(default_experiment(catalogue), (0, 0, 0))]
    place = ["here"]
    control = VersionControl(panel, document, examiner, lambda: set_up[0], lambda _: place[0])  # type: ignore[arg-type]
    kernel = catalogue.get("tiled")
    control.begin(kernel)
    yield Trying(examiner, panel, document, control, kernel, set_up, place)
    control.close()


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


def saved_twice_then_for_a100(trying: Trying) -> Kernel:
    """Two versions are examined, and by itself the newest again for another target that is chosen."""
    edited = replace(trying.kernel, text=f"{trying.kernel.text}// edited\n")
    for kernel in (trying.kernel, edited):
        trying.control.examine(kernel)
        trying.examiner.end(RIGHT, CODE)
    trying.control.follow_target()
    assert not trying.examiner.is_busy, "the target is the same"
    trying.choose_target("NVIDIA A100")
    assert trying.examiner.asked[-1].job.kernel is edited
    trying.examiner.end(RIGHT, A100)
    return edited


def test_that_the_version_before_is_compiled_for_another_target_too_by_itself(trying: Trying) -> None:
    saved_twice_then_for_a100(trying)
    assert trying.examiner.asked[-1].job.kernel is trying.kernel
    assert trying.said.startswith("Version 1: for sm_80, too. ")
    trying.examiner.end(RIGHT, A100)
    assert trying.said.startswith("Version 1: compiled for sm_80, too, in ")
    assert trying.rows["registers per thread"].texts[1:] == ("64", "64", "=")
    assert (len(trying.examiner.asked), trying.examiner.is_busy) == (4, False)
    assert part(trying.panel, PlainLabel, "versionFaults").text() == ""


def test_that_a_version_that_does_not_come_out_for_a_target_is_tried_for_it_once_and_then_when_asked(
    trying: Trying,
) -> None:
    saved_twice_then_for_a100(trying)
    trying.examiner.end(RIGHT)  # again for the former target
    assert not trying.examiner.is_busy
    row = trying.rows["registers per thread"]
    assert (row.button, row.texts[3]) == (CHECK_AGAIN, ""), "the button stands in the place of the words"
    trying.control.check_again(1)
    assert "trying again" in trying.said
    trying.examiner.end(RIGHT, A100)
    assert trying.rows["registers per thread"].texts[1:] == ("64", "64", "=")


def test_that_a_version_that_is_chosen_to_compare_with_is_compiled_for_the_target_too(trying: Trying) -> None:
    edited = saved_twice_then_for_a100(trying)
    trying.examiner.end(RIGHT, A100)
    newest = replace(edited, text=f"{edited.text}// again\n")
    trying.control.examine(newest)
    trying.examiner.end(RIGHT)  # for the first target, for which version 2 was not compiled last
    assert trying.examiner.asked[-1].job.kernel is edited
    trying.examiner.end(RIGHT)
    trying.panel.comparison.before_chosen.emit(1)
    assert trying.examiner.asked[-1].job.kernel is trying.kernel


def recorded_as(recording: TraceRun, text: str, finished: str) -> TraceRun:
    """The recording as one of `tiled` when its file had that text."""
    spec = replace(recording.spec, kernel="tiled")
    return replace(recording, spec=spec, source_name="tiled.cu", source_text=text, finished=finished)


def test_that_the_version_before_is_recorded_at_the_size_of_the_newest_too(
    trying: Trying, make_recording: Callable[..., TraceRun]
) -> None:
    edited = replace(trying.kernel, text=f"{trying.kernel.text}// edited\n")
    small, large = Shape(64, 64, 32), Shape(128, 96, 32)

    def end(kernel: Kernel, shape: Shape, hour: int) -> None:
        recording = make_recording()
        spec = replace(recording.spec, shape=shape)
        loads = {"a_loads": np.ones(shape.m * shape.k), "b_loads": np.ones(shape.k * shape.n)}
        made = recorded_as(replace(recording, spec=spec, **loads), kernel.file_text, f"2027-01-01T{hour}:00:00+00:00")
        trying.examiner.end(RIGHT, trace=made)

    trying.control.examine(trying.kernel)
    end(trying.kernel, small, 10)
    trying.set_up[0] = replace(trying.set_up[0], experiment=replace(trying.set_up[0].experiment, shape=large))
    trying.control.examine(edited)
    end(edited, large, 11)
    asked = trying.examiner.asked[-1]
    assert asked.job.kernel is trying.kernel
    assert (asked.conditions.shape, asked.job.params) == (large, trying.examiner.asked[0].job.params)
    assert trying.said.startswith(f"Version 1: at {large.words}, too. ")
    end(trying.kernel, large, 12)
    assert trying.said.startswith(f"Version 1: recorded at {large.words}, too, in ")
    assert part(trying.panel, PlainLabel, "versionFaults").text() == ""
    trying.control.examine(replace(edited, text=f"{edited.text}// again\n"))
    end(trying.examiner.asked[-1].job.kernel, small, 13)
    assert trying.examiner.asked[-1].job.kernel is edited
    end(edited, large, 14)  # it comes to nothing
    assert not trying.examiner.is_busy, "once is enough"
    assert "at another size" in part(trying.panel, PlainLabel, "versionFaults").text()


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
