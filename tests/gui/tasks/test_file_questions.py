"""A disk that does not answer stops nothing: the window lives on, and what is late comes when it comes."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import Session
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.edits import NO_DEVICE
from gemmviz.gui.tasks.file_questions import FileQuestions, answer_in_time


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Opens at the end whatever happens, so that no thread stays behind."""
    event = threading.Event()
    yield event
    event.set()


def test_that_a_quick_answer_comes_at_once_from_another_thread(qtbot: QtBot) -> None:
    questions, found = FileQuestions(), []
    told: list[str] = []
    questions.busy_changed.connect(told.append)
    questions.ask(threading.get_ident, found.append, "looking", patience_s=60.0)
    assert len(found) == 1
    assert found[0] != threading.get_ident()
    questions.ask(lambda: 7, found.append, patience_s=0.0)
    qtbot.waitUntil(lambda: found[1:] == [7])
    assert told == ["", ""]


def test_that_a_late_answer_comes_in_the_windows_thread_and_is_told_meanwhile(
    qtbot: QtBot, gate: threading.Event
) -> None:
    questions, found = FileQuestions(), []
    told: list[str] = []
    questions.busy_changed.connect(told.append)
    questions.ask(gate.wait, lambda _: found.append(QThread.currentThread()), "reading slow.cu", patience_s=0.0)
    assert (told, found, questions.waiting) == (["reading slow.cu"], [], 1)
    gate.set()
    qtbot.waitUntil(lambda: bool(found))
    assert found == [questions.thread()]
    assert told == ["reading slow.cu", ""]
    assert questions.waiting == 0


def test_that_what_a_question_raises_is_raised_where_it_was_asked() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        FileQuestions().ask(fail, lambda _: None, patience_s=60.0)


def test_that_nobody_waits_for_an_open_question_at_the_end(qtbot: QtBot, gate: threading.Event) -> None:
    before = set(threading.enumerate())
    questions, found = FileQuestions(), []
    questions.ask(gate.wait, found.append, patience_s=0.0)
    assert all(thread.daemon for thread in threading.enumerate() if thread not in before)
    del questions
    gc.collect()
    gate.set()
    qtbot.wait(0)
    assert found == []


def test_that_an_answer_in_time_is_taken_and_a_late_one_is_not(gate: threading.Event) -> None:
    assert answer_in_time(lambda: 3, otherwise=5, patience_s=60.0) == 3
    assert answer_in_time(gate.wait, otherwise=False, patience_s=0.01) is False


def test_that_a_session_on_a_dead_disk_keeps_no_other_from_being_opened_or_saved(
    qtbot: QtBot, tmp_path: Path, gate: threading.Event
) -> None:
    written: list[Path] = []

    def load(path: Path) -> Session:
        if path.name == "dead":
            gate.wait()
        return Session(path.name, "0", NO_DEVICE, 0.0)

    document = SessionDocument(load=load, save=lambda _, path: written.append(path))
    document.open(tmp_path / "dead")
    assert document.busy == "opening dead"
    with qtbot.waitSignal(document.saved):
        document.save(tmp_path / "mine")
    with qtbot.waitSignal(document.opened):
        document.open(tmp_path / "live")
    begin = time.monotonic()
    document.wait()
    assert time.monotonic() - begin < 60
    assert (document.session.created, written) == ("live", [tmp_path / "mine"])
    gate.set()
    qtbot.waitUntil(lambda: document.busy == "")
    assert document.session.created == "live"
