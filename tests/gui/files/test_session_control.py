"""Which folder the dialogs for files begin in, and when it is asked about unsaved work."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.session.session import SessionError, save_session
from gemmviz.gui.files.document import LESSONS, SessionDocument
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.files.session_control import OWN_SESSION, SessionControl
from gemmviz.gui.widgets.question import Answer, Question


@pytest.fixture
def document(qtbot: QtBot) -> SessionDocument:
    del qtbot
    return SessionDocument(lambda: datetime(2026, 1, 2, 12, tzinfo=UTC))


@pytest.mark.parametrize("asks", [True, False])
def test_that_open_begins_where_a_session_was_saved_last(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, document: SessionDocument, asks: bool
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    begins: list[str] = []
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    elsewhere.mkdir()
    control = SessionControl(window, document, home)
    used: list[Path] = []
    control.folder_used.connect(used.append)
    monkeypatch.setattr(FileDialog, "name_to_open", lambda *words: (begins.append(words[2]), "")[1])
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: str(elsewhere / "mine.gemmviz"))
    control.open()
    with qtbot.waitSignal(document.saved):
        if asks:
            control.save()
        else:
            document.save(elsewhere / "mine.gemmviz")  # as where a session has its file already
    control.open()
    assert begins == [str(home), str(elsewhere)]
    assert used == [elsewhere]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("", "session.gemmviz"),
        ("The ladder on a GPU", "The ladder on a GPU.gemmviz"),
        ('Copy of a/b: "c"?', "Copy of a b c.gemmviz"),
        ("...", "session.gemmviz"),
    ],
)
def test_that_a_first_save_proposes_the_name_of_the_session(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    document: SessionDocument,
    title: str,
    name: str,
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    proposed: list[str] = []
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *words: (proposed.append(words[2]), "")[1])
    document.take_recovered(document.session, title)
    SessionControl(window, document, tmp_path).save()
    assert proposed == [str(tmp_path / name)]


def test_that_kernel_files_that_are_opened_leave_an_example_first(
    qtbot: QtBot, tmp_path: Path, document: SessionDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    control = SessionControl(window, document, tmp_path)
    done: list[object] = []
    monkeypatch.setattr(document, "leave_example", lambda: done.append("left"))
    monkeypatch.setattr(document, "open", done.append)
    control.kernels_chosen.connect(done.append)
    mine, session = tmp_path / "mine.cu", tmp_path / "runs.gemmviz"
    control.open_path(mine)
    control.open_dropped((session, mine))
    assert done == ["left", (mine,), "left", (mine,), session]
    control.open_dropped((session,))
    assert done[5:] == [session], "a session file asks for itself"


@pytest.mark.parametrize(("answer", "is_left"), [(Answer.DISCARD, True), (Answer.CANCEL, False)])
def test_that_kernel_files_that_are_opened_begin_a_session_apart_from_that_of_lessons(
    qtbot: QtBot,
    tmp_path: Path,
    document: SessionDocument,
    monkeypatch: pytest.MonkeyPatch,
    make_result: Callable[..., RunResult],
    answer: Answer,
    is_left: bool,
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    control = SessionControl(window, document, tmp_path)
    taken: list[object] = []
    asked: list[str] = []
    monkeypatch.setattr(Question, "ask", lambda *words: (asked.append(words[2]), answer)[1])
    control.kernels_chosen.connect(taken.append)
    mine = tmp_path / "mine.cu"
    document.begin_lessons()
    control.open_path(mine)
    assert (taken, asked, document.name != LESSONS) == ([(mine,)], [], True), "nothing is in it yet"
    document.begin_lessons()
    document.add_run(make_result(), 1.0)
    control.open_path(mine)
    assert len(asked) == 1
    assert asked[0].endswith(OWN_SESSION)
    assert (len(taken), document.name != LESSONS, not document.session.runs) == (1 + is_left, is_left, is_left)


@pytest.mark.parametrize("is_sound", [False, True])
def test_that_a_file_is_looked_at_before_unsaved_work_is_asked_about(
    qtbot: QtBot,
    tmp_path: Path,
    document: SessionDocument,
    monkeypatch: pytest.MonkeyPatch,
    make_result: Callable[..., RunResult],
    *,
    is_sound: bool,
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    control = SessionControl(window, document, tmp_path)
    asked: list[str] = []
    monkeypatch.setattr(Question, "ask", lambda *words: (asked.append(words[1]), Answer.CANCEL)[1])
    file = tmp_path / "other.gemmviz"
    if is_sound:
        save_session(document.session, file)
    else:
        file.write_text("hello")
    document.add_run(make_result(), 1.0)
    told: list[str] = []
    document.failed.connect(told.append)
    control.open_path(file)
    qtbot.waitUntil(lambda: bool(asked or told))
    assert (len(asked), len(told)) == ((1, 0) if is_sound else (0, 1))
    assert all(words.startswith(f"cannot open {file}: it is not a session file. ") for words in told)


class SlowDisk:
    """Saves that end when they are let go, and fail where they are told to."""

    def __init__(self) -> None:
        self.go, self.fails = threading.Event(), False

    def save(self, session: Session, path: Path) -> None:
        assert self.go.wait(90)
        if self.fails:
            raise SessionError(f"cannot save {path}: the disk is full")
        path.write_text(session.created)


@pytest.fixture
def slow_disk() -> Iterator[SlowDisk]:
    disk = SlowDisk()
    yield disk
    disk.go.set()


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("closes", [False, True])
def test_that_what_would_lose_work_waits_for_a_save_that_runs_before_it_asks(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, slow_disk: SlowDisk, *, fails: bool, closes: bool
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    document = SessionDocument(lambda: datetime(2026, 1, 2, 12, tzinfo=UTC), save=slow_disk.save)
    control = SessionControl(window, document, tmp_path)
    asked: list[str] = []
    done: list[str] = []
    monkeypatch.setattr(Question, "ask", lambda *words: (asked.append(words[2]), Answer.CANCEL)[1])
    control.may_close.connect(lambda: done.append("closed"))
    document.take_recovered(document.session, "Mine")
    assert document.modified
    slow_disk.fails = fails
    document.save(tmp_path / "mine.gemmviz")
    if closes:
        assert not control.ask_to_close()
    else:
        control.once_safe(lambda: done.append("opened"), otherwise=lambda: done.append("cancelled"))
    assert (asked, done) == ([], []), "the save still runs"
    with qtbot.waitSignal(document.failed if fails else document.saved):
        slow_disk.go.set()
    assert len(asked) == fails, "only a save that failed leaves something to lose"
    assert done == ([] if fails and closes else ["cancelled"] if fails else ["closed" if closes else "opened"])


def test_that_it_is_asked_at_once_where_a_save_that_runs_has_not_all(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, slow_disk: SlowDisk
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    document = SessionDocument(lambda: datetime(2026, 1, 2, 12, tzinfo=UTC), save=slow_disk.save)
    asked: list[str] = []
    monkeypatch.setattr(Question, "ask", lambda *words: (asked.append(words[2]), Answer.CANCEL)[1])
    document.take_recovered(document.session, "Mine")
    document.save(tmp_path / "mine.gemmviz")
    document.change_layout()
    assert not SessionControl(window, document, tmp_path).ask_to_close()
    assert len(asked) == 1
    with qtbot.waitSignal(document.saved):
        slow_disk.go.set()


def test_that_of_a_file_of_another_kind_it_is_said_which_kernel_files_there_are(
    qtbot: QtBot, tmp_path: Path, document: SessionDocument
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    control = SessionControl(window, document, tmp_path)
    (tmp_path / "note.txt").write_text("hello")
    with qtbot.waitSignal(document.failed) as told:
        control.open_path(tmp_path / "note.txt")
    assert "it is not a session file. " in told.args[0]
    assert ". Kernel files end in .cu or .cuh (CUDA C), " in told.args[0]


@pytest.mark.parametrize("leaves", [True, False])
def test_that_nothing_is_closed_before_unsaved_text_is_asked_about_too(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    document: SessionDocument,
    make_result: Callable[..., RunResult],
    leaves: bool,
) -> None:
    """For a session, a copy of an example and a new experiment alike."""
    window = QWidget()
    qtbot.addWidget(window)
    other = tmp_path / "other.gemmviz"
    save_session(Session("2026-01-02T12:00:00Z", "1", make_result().device, 0.0), other)
    asked: list[str] = []
    monkeypatch.setattr(Question, "ask", lambda _, title, *__: (asked.append(title), Answer.DISCARD)[1])
    control = SessionControl(window, document, tmp_path)
    control.leave_text = lambda: (asked.append("text"), leaves)[1]
    for replaces in (
        control.new_experiment,
        lambda: control.open_copy(other, "Other"),
        lambda: control.open_path(other),
    ):
        document.add_run(make_result(), 0.0)
        before = document.session
        asked.clear()
        replaces()
        qtbot.waitUntil(lambda: asked == ["Save the session?", "text"])
        qtbot.waitUntil(lambda: not document.busy)
        assert (document.session is before) is not leaves
