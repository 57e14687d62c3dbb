"""Editing a kernel in the whole window, by keys and clicks: what a save shows, what is never lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from driving import act, part
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QTextCursor
from PySide6.QtWidgets import QComboBox, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.versions import recording_of_version, versions_of
from gemmviz.domain.shape import Shape
from gemmviz.explain.source.worth import Worth
from gemmviz.gui.control.editor_control import EditorControl
from gemmviz.gui.editor.changes_table import ChangesTable
from gemmviz.gui.editor.comparison_view import QUEUED
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.editor.version_dialog import VersionDialog
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.question import Answer, Question
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.resources import resource_folder

pytestmark = pytest.mark.usefixtures("nvrtc")

TEXT = (resource_folder("kernels") / "cuda" / "tiled_transposed.cu").read_text(encoding="utf-8")
STORE = "As[TILE][TILE]"
Key, Control = Qt.Key, Qt.KeyboardModifier.ControlModifier


class Editing:
    """A window in which `mine.cu` is edited."""

    def __init__(self, window: MainWindow, qtbot: QtBot, path: Path) -> None:
        self.window, self.qtbot, self.path = window, qtbot, path
        self.panel = part(window, EditorPanel, "editorPanel")
        self.edit = self.panel.edit
        self.control: EditorControl = window._editor
        self.ended: list[Any] = []
        self.control._versions._examiner.ended.connect(self.ended.append)

    def open(self) -> None:
        """Click *Edit* and wait until the first version is examined."""
        self.qtbot.mouseClick(part(self.window, QToolButton, "sourceEdit"), Qt.MouseButton.LeftButton)
        self.until_ended(1)

    def until_ended(self, count: int) -> None:
        """Wait for so many ends of examinations in all."""
        self.qtbot.waitUntil(lambda: len(self.ended) >= count)

    def replace(self, old: str, new: str) -> None:
        """Find a text and type another in its place."""
        found = self.edit.document().find(old, 0)
        assert not found.isNull(), old
        self.edit.setTextCursor(found)
        self.qtbot.keyClicks(self.edit, new)

    def save(self) -> None:
        """Press Ctrl+S in the text, and wait until the worker has ended with it."""
        count = len(self.ended)
        self.qtbot.keyClick(self.edit, Key.Key_S, Control)
        self.until_ended(count + 1)

    @property
    def numbers(self) -> list[int]:
        return [one.number for one in versions_of(self.window.document.session, "mine")]

    def rows(self, name: str) -> dict[str, tuple[tuple[str, ...], Worth]]:
        table = part(self.window, ChangesTable, name)
        return {row.texts[0]: (row.texts[1:], row.worth) for row in table.rows}


@pytest.fixture
def editing(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> Editing:
    path = tmp_path / "mine.cu"
    path.write_text(TEXT, encoding="utf-8")
    window.open_path(path)
    qtbot.waitUntil(lambda: window._set_up.experiment.kernel == "mine")
    window._set_up.set_experiment(replace(window._set_up.experiment, shape=Shape(32, 32, 32)))
    return Editing(window, qtbot, path)


@pytest.fixture(autouse=True)
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Answer]:
    """What a person answers to the questions that come; a test that expects none ends without one."""
    found: list[Answer] = []
    monkeypatch.setattr(Question, "ask", lambda *_: found.pop(0) if found else Answer.DISCARD)
    return found


def test_that_an_error_is_underlined_mended_and_what_changed_is_shown(editing: Editing, qtbot: QtBot) -> None:
    editing.open()
    assert editing.numbers == [1]
    assert editing.edit.isVisible()
    assert not part(editing.window, QToolButton, "sourceEdit").isVisible()

    editing.replace("float acc = 0.0f", "float ac = 0.0f")
    assert "edited" in editing.panel._state.text()
    editing.save()
    faults = editing.edit.faults
    line = 1 + TEXT[: TEXT.index("acc +=")].count("\n")
    assert [fault.line for fault in faults] == [line, 1 + TEXT[: TEXT.index("= acc;")].count("\n")], "each in its place"
    assert editing.panel.fault.accessibleName().startswith(f"Line {line}: identifier")
    assert editing.numbers == [1], "what does not compile is no version"
    said = editing.panel.comparison.findChild(PlainLabel, "versionFaults")
    assert said.text() == "", "nothing is examined any more"
    assert editing.path.read_text(encoding="utf-8") == editing.edit.text()

    editing.replace("float ac = 0.0f", "float acc = 0.0f")
    editing.replace(STORE, "As[TILE][TILE + 1]")
    editing.save()
    assert editing.edit.faults == ()
    assert editing.numbers == [1, 2]
    totals = editing.rows("versionTotals")
    (before, after, change), worth = totals["excess wavefronts"]
    assert worth is Worth.BETTER
    assert int(before) > int(after)
    assert change.endswith("better")
    assert totals["shared memory per block"][1] is Worth.OTHER, "as many blocks fit"
    assert totals["result"] == (("correct", "correct", "="), Worth.SAME)
    store = 1 + TEXT[: TEXT.index("As[tx][ty]")].count("\n")
    assert editing.edit.margin.changes[store].words == f"{before}→{after}"
    editing.edit.go_to(1)
    qtbot.keyClick(editing.edit, Key.Key_Return)
    qtbot.waitUntil(lambda: bool(editing.edit.changed))
    assert editing.edit.margin.changes[store + 1].words == f"{before}→{after}", "figures go with their lines"


def test_that_an_earlier_text_is_taken_back_and_nothing_is_written_before_a_save(
    editing: Editing, qtbot: QtBot
) -> None:
    editing.open()
    editing.replace(STORE, "As[TILE][TILE + 1]")
    editing.save()
    changed = editing.edit.text()
    qtbot.mouseClick(part(editing.window, QPushButton, "versionsVersions"), Qt.MouseButton.LeftButton)
    assert list(editing.rows("versionList")) == ["2 (current)", "1 (previous)"]
    part(editing.window, ChangesTable, "versionList").selectRow(1)
    qtbot.mouseClick(part(editing.window, QPushButton, "versionTexts"), Qt.MouseButton.LeftButton)
    dialog = part(editing.window, VersionDialog, "versionDialog")
    assert [str(line.side) for line in dialog.lines if str(line.side) in "+-"] == ["-", "+"]
    qtbot.mouseClick(part(editing.window, QPushButton, "versionDialogTake"), Qt.MouseButton.LeftButton)
    assert editing.edit.text() == TEXT
    assert editing.path.read_text(encoding="utf-8") == changed
    editing.edit.undo()
    assert editing.edit.text() == changed
    editing.edit.redo()
    editing.save()
    assert editing.path.read_text(encoding="utf-8") == TEXT
    assert editing.numbers == [1, 2], "the same text is the same version"
    assert editing.rows("versionTotals")["excess wavefronts"][1] is Worth.WORSE, "compared with version 2"
    traces = [one for one in editing.window.document.session.traces if one.spec.kernel == "mine"]
    assert len(traces) == 2, "one recording for each version"


def test_that_the_picture_of_the_version_before_stands_beside_the_newest(editing: Editing, qtbot: QtBot) -> None:
    window, document = editing.window, editing.window.document
    editing.open()
    editing.replace(STORE, "As[TILE][TILE + 1]")
    editing.save()
    qtbot.mouseClick(part(window, QPushButton, "versionsVersions"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(part(window, QPushButton, "versionPictures"), Qt.MouseButton.LeftButton)

    def played() -> list[Any]:
        return [each.run if each is not None else None for each in window._player.played]

    def recordings() -> list[Any]:
        return [recording_of_version(document.session, one) for one in versions_of(document.session, "mine")]

    qtbot.waitUntil(lambda: played() == recordings())
    assert editing.edit.isVisible(), "the editor stays where it is"
    assert window.focusWidget() is window._parts.memory_page.panes[0].view, "Space plays the pictures"
    editing.replace("TILE + 1", "TILE + 2")
    editing.save()
    qtbot.waitUntil(lambda: played() == [recordings()[0], recordings()[2]])


def test_that_two_saves_one_after_the_other_make_one_version(editing: Editing, qtbot: QtBot) -> None:
    editing.open()
    editing.replace(STORE, "As[TILE][TILE + 1]")
    qtbot.keyClick(editing.edit, Key.Key_S, Control)
    editing.replace("TILE + 1", "TILE + 3")
    qtbot.keyClick(editing.edit, Key.Key_S, Control)
    qtbot.waitUntil(lambda: editing.numbers == [1, 2])
    newest = versions_of(editing.window.document.session, "mine")[-1]
    assert newest.text == editing.edit.text()
    assert "TILE + 3" in newest.text


def test_that_closing_asks_for_text_that_is_not_saved(editing: Editing, answers: list[Answer]) -> None:
    editing.open()
    editing.window.document.new()
    editing.replace(STORE, "As[TILE][TILE + 1]")
    answers.append(Answer.CANCEL)
    editing.window.close()
    assert editing.window.isVisible()
    answers.append(Answer.CANCEL)
    part(editing.window, QPushButton, "editorDone").click()
    assert editing.edit.isVisible()
    answers.append(Answer.SAVE)
    part(editing.window, QPushButton, "editorDone").click()
    assert not editing.edit.isVisible()
    assert "TILE + 1" in editing.path.read_text(encoding="utf-8")


def test_that_a_file_that_another_editor_wrote_is_shown_and_examined(editing: Editing, qtbot: QtBot) -> None:
    editing.open()
    editing.path.write_text(TEXT.replace(STORE, "As[TILE][TILE + 1]"), encoding="utf-8")
    qtbot.waitUntil(lambda: editing.numbers == [1, 2])
    assert "As[TILE][TILE + 1]" in editing.edit.text()
    assert not editing.control.is_modified
    editing.edit.undo()
    assert editing.edit.text() == TEXT, "what stood there before can be brought back"


def test_that_text_here_is_kept_where_another_editor_wrote_and_a_save_asks(
    editing: Editing, qtbot: QtBot, answers: list[Answer]
) -> None:
    editing.open()
    editing.replace(STORE, "As[TILE][TILE + 1]")
    mine, theirs = editing.edit.text(), TEXT.replace(STORE, "As[TILE][TILE + 7]")
    editing.path.write_text(theirs, encoding="utf-8")
    qtbot.waitUntil(lambda: "Another program has changed mine.cu" in editing.panel.strip.words)
    assert editing.edit.text() == mine
    answers.append(Answer.CANCEL)
    qtbot.keyClick(editing.edit, Key.Key_S, Control)
    assert editing.path.read_text(encoding="utf-8") == theirs
    answers.append(Answer.REPLACE)
    editing.save()
    assert editing.path.read_text(encoding="utf-8") == mine
    assert editing.panel.strip.words == ""


def test_that_a_file_that_cannot_be_written_is_told_and_saved_elsewhere(
    editing: Editing, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editing.open()
    target = tmp_path / "real.cu"
    editing.path.rename(target)
    editing.path.symlink_to(target)  # as a read-only folder, but for root too
    editing.replace(STORE, "As[TILE][TILE + 1]")
    qtbot.keyClick(editing.edit, Key.Key_S, Control)
    assert editing.panel.strip.words.startswith("Not saved: ")
    assert str(editing.path) in editing.panel.strip.words
    assert target.read_text(encoding="utf-8") == TEXT
    other = tmp_path / "other.cu"
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: str(other))
    qtbot.mouseClick(part(editing.window, QPushButton, "editorStrip0"), Qt.MouseButton.LeftButton)
    assert other.read_text(encoding="utf-8") == editing.edit.text()
    qtbot.waitUntil(lambda: editing.window._set_up.experiment.kernel == "other")
    assert editing.panel.strip.words == ""


def test_that_the_chosen_kernel_of_the_catalogue_is_edited_as_a_copy(
    window: MainWindow,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make_recording: Callable[..., TraceRun],
) -> None:
    asked: list[str] = []

    def choose(_window: object, _title: str, proposed: str, _filter: str) -> str:
        asked.append(Path(proposed).name)
        return str(tmp_path / "copy")

    monkeypatch.setattr(FileDialog, "name_to_save", choose)
    window.document.add_trace(make_recording())
    assert window.document.session.traces[-1].spec.kernel != "naive"
    window._set_up.set_experiment(replace(window._set_up.experiment, kernel="naive", shape=Shape(32, 32, 32)))
    shipped = window._set_up.kernel.path
    assert part(window, QAction, "editKernelAction").text() == "&Edit naive", "not the kernel of the recording in view"
    act(window, "editKernelAction")
    assert asked == ["my_naive.cu"]
    copy = tmp_path / "copy.cu"
    assert copy.read_bytes() == shipped.read_bytes()
    qtbot.waitUntil(lambda: window._set_up.experiment.kernel == "copy")
    assert window._editor.path == copy
    qtbot.waitUntil(lambda: len(versions_of(window.document.session, "copy")) == 1)


def test_that_a_kernel_that_never_ends_is_told_and_the_next_save_is_examined(editing: Editing) -> None:
    editing.open()
    editing.replace("k0 += TILE", "k0 += 0")
    editing.save()
    newest = versions_of(editing.window.document.session, "mine")[-1]
    assert newest.compilation is not None
    assert newest.check is None
    assert newest.faults[0].startswith("Not recorded: the kernel failed: line 35: a loop that never ends: ")
    assert editing.edit.faults
    for fault, told in zip(editing.edit.faults, newest.faults, strict=True):
        assert f"line {fault.line}" in told
        assert fault.words in told
    editing.replace("k0 += 0", "k0 += TILE + 0")
    editing.save()
    assert editing.edit.faults == ()
    newest = versions_of(editing.window.document.session, "mine")[-1]
    assert newest.faults == ()
    assert newest.check is not None
    assert newest.check.passed


def test_that_an_access_out_of_bounds_is_underlined_where_its_line_is_by_now(editing: Editing, qtbot: QtBot) -> None:
    editing.open()
    editing.replace("C[row * N + col]", "C[N * M + row * N + col]")
    line = 1 + TEXT[: TEXT.index("C[row * N + col]")].count("\n")
    count = len(editing.ended)
    qtbot.keyClick(editing.edit, Key.Key_S, Control)
    editing.edit.go_to(1)
    qtbot.keyClick(editing.edit, Key.Key_Return)
    editing.until_ended(count + 1)
    assert {fault.line for fault in editing.edit.faults} == {line + 1}
    assert "out of bounds" in editing.edit.fault_at(line + 1)
    assert f"(line {line})" in editing.edit.fault_at(line + 1), "as it was saved"


def test_that_a_worker_that_is_killed_while_it_examines_costs_that_save_alone(editing: Editing, qtbot: QtBot) -> None:
    editing.open()
    examiner = editing.control._versions._examiner
    assert examiner._client is not None
    worker = examiner._client._at_work.worker
    assert worker is not None
    editing.replace("k0 += TILE", "k0 += 0")  # so that it is still at work
    qtbot.keyClick(editing.edit, Key.Key_S, Control)
    qtbot.waitUntil(lambda: examiner._now is not None and examiner._now.compilation is not None)
    os.kill(worker.pid, signal.SIGKILL)
    editing.until_ended(2)
    assert any("ended" in words or "stopped" in words or "crash" in words for words in editing.ended[-1].faults)
    editing.replace("k0 += 0", "k0 += TILE")
    editing.save()
    assert editing.ended[-1].check is not None


def test_that_a_wrong_header_is_shown_at_its_line(editing: Editing, qtbot: QtBot) -> None:
    editing.open()
    editing.replace("[launch]", "[lunch]")
    qtbot.keyClick(editing.edit, Key.Key_S, Control)
    status = part(editing.panel, PlainLabel, "examinationStatus")
    qtbot.waitUntil(lambda: "lunch" in status.text() and status.property("role") == "refusal")
    assert len(editing.ended) == 1, "there is nothing to compile"


def test_that_escape_gives_the_focus_back_and_the_windows_keys_are_the_editors_meanwhile(
    editing: Editing, qtbot: QtBot
) -> None:
    editing.open()
    assert editing.edit.hasFocus()
    experiment = editing.window.experiment
    editing.replace(STORE, "x")
    qtbot.keyClick(editing.edit, Key.Key_Z, Control)
    assert editing.window.experiment == experiment, "Ctrl+Z is the text's"
    assert "x[TILE]" not in editing.edit.text()
    qtbot.keyClick(editing.edit, Key.Key_Escape)
    assert not editing.edit.hasFocus()
    assert editing.edit.isVisible()
    assert editing.edit.textCursor().position() >= 0
    editing.edit.moveCursor(QTextCursor.MoveOperation.Start)


def test_that_versions_come_from_the_session_and_go_with_it(editing: Editing, qtbot: QtBot) -> None:
    editing.open()
    session = editing.window.document.session
    combo = part(editing.window, QComboBox, "versionBefore")
    editing.window.document.new()
    assert combo.count() == 0
    assert not editing.rows("versionTotals"), "nothing was examined in this session"
    editing.window.document.take_recovered(session, "before")
    qtbot.waitUntil(lambda: list(editing.rows("versionList")) == ["1"])


def test_that_the_text_that_was_opened_is_the_first_version_however_soon_another_is_saved(
    editing: Editing, qtbot: QtBot
) -> None:
    qtbot.mouseClick(part(editing.window, QToolButton, "sourceEdit"), Qt.MouseButton.LeftButton)
    editing.replace(STORE, "As[TILE][TILE + 1]")
    qtbot.keyClick(editing.edit, Key.Key_S, Control)
    qtbot.waitUntil(lambda: editing.panel.comparison.findChild(PlainLabel, "versionFaults").text() == QUEUED)
    assert not editing.ended
    editing.until_ended(2)
    first, second = versions_of(editing.window.document.session, "mine")
    assert (first.number, first.text, second.number, second.text) == (1, TEXT, 2, editing.edit.text())
    before, after = editing.panel.comparison.compared
    assert before is not None
    assert after is not None
    assert (before.version.number, after.version.number) == (1, 2)
    assert QUEUED not in editing.panel.comparison.findChild(PlainLabel, "versionFaults").text()
