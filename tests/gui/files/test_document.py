"""The session under work: what is in it, its file, and whether that is up to date, with files off the GUI's thread."""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunError, RunResult, Session
from gemmviz.domain.session.session import SessionError, load_session, save_session
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.session_control import unsaved_words

Make = Callable[..., RunResult]
Record = Callable[..., TraceRun]


def noon() -> datetime:
    return datetime(2026, 1, 2, 12, tzinfo=UTC)


@pytest.fixture
def document(qtbot: QtBot) -> SessionDocument:
    del qtbot
    return SessionDocument(noon)


class Gate:
    """Lets a save wait until it is told to go on, and remembers what was saved."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.saved: list[tuple[int, Path]] = []
        self.threads: list[object] = []

    def save(self, session: Session, path: Path) -> None:
        assert self.open.wait(10)
        self.threads.append(QThread.currentThread())
        self.saved.append((len(session.runs), path))

    def load(self, path: Path) -> Session:
        assert self.open.wait(10)
        return load_session(path)


def test_that_a_new_session_is_empty_and_unmodified(document: SessionDocument, host: Device, qtbot: QtBot) -> None:
    assert document.session.created == "2026-01-02T12:00:00+00:00"
    assert not document.modified
    assert document.path is None
    with qtbot.waitSignal(document.changed):
        document.new(host)
    assert document.session.device == host
    document.new()
    assert document.session.device == host


def test_that_everything_added_is_told_and_makes_it_modified(
    document: SessionDocument, make_result: Make, make_recording: Record, qtbot: QtBot
) -> None:
    for add in (
        lambda: document.add_run(make_result(), 1.5),
        lambda: document.add_error(RunError("a", "b")),
        lambda: document.add_trace(make_recording()),
    ):
        document.new()
        assert not document.modified
        with qtbot.waitSignal(document.changed):
            add()
        assert document.modified
    assert document.memory_bytes > 0


def test_that_a_removal_can_be_undone(document: SessionDocument, make_result: Make, qtbot: QtBot) -> None:
    runs = [make_result() for _ in range(3)]
    for run in runs:
        document.add_run(run, 1.0)
    with qtbot.waitSignal(document.changed):
        removed = document.remove([runs[1]])
    assert document.session.runs == (runs[0], runs[2])
    with qtbot.waitSignal(document.changed):
        document.restore(removed)
    assert document.session.runs == tuple(runs)
    with qtbot.assertNotEmitted(document.changed):
        nothing = document.remove([make_result()])
        document.restore(nothing)


def test_that_naming_the_device_needs_no_saving(document: SessionDocument, host: Device, make_result: Make) -> None:
    document.set_device(host)
    assert document.session.device == host
    assert not document.modified
    document.add_run(make_result(), 1.0)
    document.set_device(host)
    assert document.session.device == make_result().device, "a session that has runs keeps its device"


def test_that_a_sweep_gets_a_number_of_its_own(document: SessionDocument, make_result: Make) -> None:
    assert document.next_sweep() == 1
    assert document.next_sweep() == 2
    document.add_run(make_result(sweep=7), 1.0)
    assert document.next_sweep() == 8
    document.new()
    assert document.next_sweep() == 1


def test_that_a_saved_session_opens_as_it_was(
    document: SessionDocument, make_result: Make, make_recording: Record, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "one.gemmviz"
    document.add_run(make_result(ms=(1.0, 2.0)), 1.5)
    document.add_trace(make_recording())
    with qtbot.waitSignal(document.saved) as told:
        document.save(path)
    assert told.args == [path]
    assert (document.path, document.modified) == (path, False)
    other = SessionDocument(noon)
    with qtbot.waitSignals([other.changed, other.opened]):
        other.open(path)
    assert (other.path, other.modified) == (path, False)
    assert other.session.runs[0].timing.kernel_ms == document.session.runs[0].timing.kernel_ms
    assert other.session.traces[0].source_text == document.session.traces[0].source_text


def test_that_what_comes_during_a_save_is_not_saved_but_not_forgotten(make_result: Make, qtbot: QtBot) -> None:
    gate = Gate()
    document = SessionDocument(noon, save=gate.save)
    document.add_run(make_result(), 1.0)
    document.save(Path("a"))
    assert document.busy == "saving a"
    document.add_run(make_result(), 1.0)
    with qtbot.waitSignal(document.saved):
        gate.open.set()
    assert gate.saved == [(1, Path("a"))]
    assert gate.threads[0] is not QThread.currentThread()
    assert document.modified
    assert document.busy == ""


def test_that_a_second_save_waits_for_the_first(make_result: Make, qtbot: QtBot) -> None:
    gate = Gate()
    document = SessionDocument(noon, save=gate.save)
    saved: list[Path] = []
    document.saved.connect(saved.append)
    document.add_run(make_result(), 1.0)
    document.save(Path("a"))
    document.add_run(make_result(), 1.0)
    document.save(Path("b"))
    gate.open.set()
    qtbot.waitUntil(lambda: len(saved) == 2)
    assert gate.saved == [(1, Path("a")), (2, Path("b"))]
    assert (document.path, document.modified) == (Path("b"), False)


def test_that_a_failed_save_leaves_the_file_and_the_document(
    document: SessionDocument, make_result: Make, tmp_path: Path, qtbot: QtBot
) -> None:
    document.add_run(make_result(), 1.0)
    with qtbot.assertNotEmitted(document.saved), qtbot.waitSignal(document.failed) as told:
        document.save(tmp_path / "missing" / "one.gemmviz")
    assert "does not exist" in told.args[0]
    assert document.modified
    assert document.path is None


def test_that_a_full_memory_is_told_in_words(make_result: Make, qtbot: QtBot) -> None:
    def no_room(session: Session, path: Path) -> None:
        del session, path
        raise MemoryError

    document = SessionDocument(noon, save=no_room)
    document.add_run(make_result(), 1.0)
    with qtbot.waitSignal(document.failed) as told:
        document.save(Path("one"))
    assert told.args == ["cannot save one: it does not fit in memory"]


@pytest.mark.parametrize("fault", ["missing", "truncated", "foreign", "empty", "newer", "folder"])
def test_that_a_file_that_cannot_be_opened_changes_nothing(
    document: SessionDocument, make_result: Make, tmp_path: Path, qtbot: QtBot, fault: str
) -> None:
    path = tmp_path / "bad.gemmviz"
    spoil(path, fault)
    document.add_run(make_result(), 1.0)
    before = document.session
    with qtbot.assertNotEmitted(document.changed), qtbot.waitSignal(document.failed) as told:
        document.open(path)
    with pytest.raises(SessionError) as reason:
        load_session(path)
    assert told.args == [str(reason.value)]
    assert document.session is before
    assert document.modified
    assert document.path is None


def spoil(path: Path, fault: str) -> None:
    match fault:
        case "truncated":
            save_session(SessionDocument(noon).session, path)
            path.write_bytes(path.read_bytes()[:-20])
        case "foreign":
            path.write_bytes(b"\x89PNG\r\n")
        case "empty":
            path.touch()
        case "newer":
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("manifest.json", '{"format": "gemmviz-session", "version": 99}')
        case "folder":
            path.mkdir()


def test_that_runs_that_come_during_an_open_are_not_lost(make_result: Make, tmp_path: Path, qtbot: QtBot) -> None:
    gate = Gate()
    path = tmp_path / "one.gemmviz"
    save_session(SessionDocument(noon).session, path)
    document = SessionDocument(noon, load=gate.load)
    document.open(path)
    document.add_run(make_result(), 1.0)
    with qtbot.waitSignal(document.failed) as told:
        gate.open.set()
    assert "new results came in meanwhile" in told.args[0]
    assert len(document.session.runs) == 1


def test_that_the_device_that_shows_up_during_an_open_is_no_hindrance(
    host: Device, tmp_path: Path, qtbot: QtBot
) -> None:
    gate = Gate()
    path = tmp_path / "one.gemmviz"
    save_session(SessionDocument(noon).session, path)
    document = SessionDocument(noon, load=gate.load)
    document.open(path)
    document.set_device(host)
    with qtbot.waitSignal(document.opened):
        gate.open.set()


def test_that_of_two_opens_the_later_counts(make_result: Make, tmp_path: Path, qtbot: QtBot) -> None:
    base = SessionDocument(noon).session
    for name, count in (("one", 1), ("two", 2)):
        save_session(replace(base, runs=tuple(make_result() for _ in range(count))), tmp_path / name)
    gate = Gate()
    document = SessionDocument(noon, load=gate.load)
    opened: list[Path] = []
    document.opened.connect(opened.append)
    document.open(tmp_path / "one")
    document.open(tmp_path / "two")
    gate.open.set()
    qtbot.waitUntil(lambda: document.busy == "")
    assert opened == [tmp_path / "two"]
    assert len(document.session.runs) == 2


def test_that_a_save_of_the_old_session_does_not_name_the_new_one(make_result: Make, qtbot: QtBot) -> None:
    gate = Gate()
    document = SessionDocument(noon, save=gate.save)
    document.add_run(make_result(), 1.0)
    document.save(Path("old"))
    document.new()
    with qtbot.waitSignal(document.saved):
        gate.open.set()
    assert document.path is None
    assert not document.modified


def test_that_waiting_ends_when_the_file_is_written(
    document: SessionDocument, make_result: Make, tmp_path: Path
) -> None:
    document.wait()
    document.add_run(make_result(), 1.0)
    document.save(tmp_path / "one.gemmviz")
    document.wait()
    assert len(load_session(tmp_path / "one.gemmviz").runs) == 1


def test_that_an_error_nobody_foresaw_is_not_swallowed(qtbot: QtBot) -> None:
    def broken(path: Path) -> Session:
        raise KeyError(str(path))

    document = SessionDocument(noon, load=broken)
    with qtbot.captureExceptions() as caught:
        document.open(Path("one"))
        qtbot.waitUntil(lambda: bool(caught))
    assert caught[0][0] is KeyError
    assert document.busy == ""


def test_that_a_file_that_another_program_changed_is_not_replaced_in_silence(
    document: SessionDocument, make_result: Make, tmp_path: Path, qtbot: QtBot
) -> None:
    path, saved = tmp_path / "one.gemmviz", list[Path]()
    document.saved.connect(saved.append)
    document.add_run(make_result(), 1.0)
    document.save(path)
    document.save(path)  # what is known of the file when it is asked for is older than the first save
    qtbot.waitUntil(lambda: len(saved) == 2)
    save_session(replace(document.session, created="2026-01-03T12:00:00+00:00"), path)
    theirs = path.read_bytes()
    with qtbot.waitSignal(document.foreign) as told:
        document.save(path)
    assert told.args == [path]
    assert path.read_bytes() == theirs
    assert document.busy == ""
    with qtbot.waitSignal(document.saved):
        document.save(path, anyway=True)
    assert load_session(path).created == document.session.created
    path.unlink()
    with qtbot.waitSignal(document.saved):  # what is gone is no loss
        document.save(path)


def test_that_an_opened_file_is_watched_and_one_that_was_not_taken_over_is_not(
    make_result: Make, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "one.gemmviz"
    document = SessionDocument(noon)
    save_session(document.session, path)
    with qtbot.waitSignal(document.opened):
        document.open(path)
    save_session(replace(document.session, created="2026-01-03T12:00:00+00:00"), path)
    document.open(path)
    with qtbot.waitSignal(document.failed):
        document.add_run(make_result(), 1.0)  # so that what is being read is not taken over
    with qtbot.waitSignal(document.foreign):
        document.save(path)
    assert document.modified


def test_that_what_is_not_saved_is_counted_by_kind(
    document: SessionDocument, make_result: Make, make_recording: Record, tmp_path: Path, qtbot: QtBot
) -> None:
    document.add_run(make_result(), 1.0)
    assert unsaved_words(document) == "This session holds 1 unsaved run."
    with qtbot.waitSignal(document.saved):
        document.save(tmp_path / "mine.gemmviz")
    document.add_run(make_result(), 1.0)
    document.add_run(make_result(), 1.0)
    document.add_trace(make_recording())
    assert unsaved_words(document) == "“mine.gemmviz” holds 2 unsaved runs and 1 unsaved recording."
    document.add_trace(make_recording())
    assert "1 unsaved recording." in unsaved_words(document), "Memory lists blocks of one launch as one recording"
    document.remove(document.session.runs[1:])
    document.remove(document.session.traces)
    assert unsaved_words(document) == "“mine.gemmviz” holds unsaved changes."


def test_that_texts_of_files_are_no_change_and_in_no_file(tmp_path: Path) -> None:
    document = SessionDocument()
    document.use_file_texts((("mine", "text"),))
    assert not document.modified
    assert document.session.file_texts == (("mine", "text"),)
    document.new()
    assert document.session.file_texts == (("mine", "text"),), "they are of the machine, not of a session"
    save_session(document.session, tmp_path / "s.gemmviz")
    assert load_session(tmp_path / "s.gemmviz").file_texts == ()
