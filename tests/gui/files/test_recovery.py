"""What a window left unsaved is offered at the next start, and stays until it is safe elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from driving import part
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.recovery.folders import claimed, folders_in, recovery_root
from gemmviz.domain.recovery.lost import find_lost
from gemmviz.domain.recovery.writer import RecoveryWriter, Snapshot
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.session.session import load_session
from gemmviz.gui.app import create_window
from gemmviz.gui.control.editor_wiring import kept_table
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.files.autosave import Autosave
from gemmviz.gui.files.edits import NO_DEVICE
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.widgets.question import Answer, Question
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.work.experiment import to_dict
from gemmviz.resources import resource_folder


@pytest.fixture
def root() -> Path:
    return recovery_root(Path(os.environ["GEMMVIZ_STATE_DIR"]))


@pytest.fixture
def start(qapp: QApplication, tmp_path: Path) -> Iterator[Callable[[], MainWindow]]:
    """Opens another window of the same person; all end without a question, as killed ones do."""
    assert qapp
    made: list[MainWindow] = []

    def open_one() -> MainWindow:
        window = create_window(tmp_path / "settings")
        assert isinstance(window, MainWindow)
        window.show()
        made.append(window)
        return window

    yield open_one
    for window in made:
        window.end.end_at_once()
        window.close()


@pytest.fixture
def example() -> Session:
    made = (load_session(example.path) for example in load_examples())
    return next(one for one in made if one.runs and one.traces)


def leave(root: Path, session: Session, name: str = "", experiment: dict[str, object] | None = None) -> Path:
    """What a window leaves that was killed."""
    writer = RecoveryWriter(root, lambda: datetime(2026, 11, 22, 14, 2, tzinfo=UTC))
    writer.keep(Snapshot(session, None, name, experiment or {}))
    writer.release()
    assert writer.folder is not None
    return writer.folder


def offers(window: MainWindow) -> list[str]:
    return [text for text in part(window, NoticeBar, "noticeBar").texts() if text.startswith("Recover ")]


def told(window: MainWindow) -> str:
    return "\n".join(part(window, NoticeBar, "noticeBar").texts())


def answer(qtbot: QtBot, window: MainWindow, words: str) -> None:

    def found() -> list[QPushButton]:
        buttons = window.findChildren(QPushButton, "noticeAction")
        return [button for button in buttons if button.text() == words and button.isVisible()]

    qtbot.waitUntil(lambda: bool(found()))
    qtbot.mouseClick(found()[0], Qt.MouseButton.LeftButton)


def until_kept(qtbot: QtBot, window: MainWindow) -> None:
    autosave = window.findChild(Autosave)
    assert autosave is not None
    qtbot.waitUntil(lambda: autosave.wait(90) and autosave.folder is not None)


def test_that_a_lost_session_is_offered_and_comes_back_with_its_choices(
    qtbot: QtBot, start: Callable[[], MainWindow], root: Path, example: Session
) -> None:
    first = start()
    wanted = {**to_dict(first.experiment), "size": "65x33x17", "seed": 7}
    folder = leave(root, example, "mine.gemmviz", wanted)
    window = start()
    qtbot.waitUntil(lambda: len(offers(window)) == 1)
    assert f"{len(example.runs)} runs" in offers(window)[0]
    assert "of mine.gemmviz" in offers(window)[0]
    answer(qtbot, window, "Recover")
    qtbot.waitUntil(lambda: bool(window.document.session.runs))
    session = window.document.session
    assert [run.timing.kernel_ms for run in session.runs] == [run.timing.kernel_ms for run in example.runs]
    assert [trace.spec for trace in session.traces] == [trace.spec for trace in example.traces]
    assert window.document.modified
    assert (window.document.path, window.document.name) == (None, "mine.gemmviz (recovered)")
    assert (str(window.experiment.shape), window.experiment.seed) == ("65x33x17", 7)
    qtbot.waitUntil(lambda: not folder.exists())  # once the window's own data hold it, and not before
    until_kept(qtbot, window)
    assert len(folders_in(root)) == 1
    assert find_lost(root) == ()


def test_that_an_own_kernel_is_in_the_list_and_in_the_editor_again(
    qtbot: QtBot, start: Callable[[], MainWindow], root: Path, tmp_path: Path, make_result: Callable[..., RunResult]
) -> None:
    path = tmp_path / "mine.cu"
    path.write_text((resource_folder("kernels") / "cuda" / "tiled.cu").read_text(encoding="utf-8"), encoding="utf-8")
    gone = tmp_path / "gone.cu"
    run = make_result()
    session = Session("2026-12-01T03:00:00+00:00", "1", run.device, 1.0, (run,))
    wanted: dict[str, object] = {
        "kernel": "mine",
        "size": "65x33x17",
        "files": [str(path), str(gone), 7],
        "edited": str(path),
    }
    leave(root, session, "", wanted)
    window = start()
    window.resize(1280, 800)
    answer(qtbot, window, "Recover")
    qtbot.waitUntil(lambda: window._editor.path == path)
    assert (window.experiment.kernel, str(window.experiment.shape)) == ("mine", "65x33x17")
    assert part(window, EditorPanel, "editorPanel").isVisible()
    assert part(window, QDockWidget, "experimentDock").isHidden(), "the editor has its room"
    table = kept_table(window._set_up, window._editor)
    assert (table["files"], table["edited"]) == ([str(path)], str(path)), "it is kept for the next time"


def test_that_an_end_in_mid_recovery_loses_nothing(
    qtbot: QtBot, start: Callable[[], MainWindow], root: Path, example: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = leave(root, example)
    monkeypatch.setattr(RecoveryWriter, "keep", lambda *_: (_ for _ in ()).throw(MemoryError))
    window = start()
    answer(qtbot, window, "Recover")
    qtbot.waitUntil(lambda: bool(window.document.session.runs))
    qtbot.waitUntil(lambda: "cannot be kept for recovery" in told(window))
    assert told(window).count("cannot be kept for recovery") == 1
    assert folder.exists()
    with claimed(folder) as is_free:
        assert not is_free  # no other window takes it meanwhile


def test_that_discard_can_be_undone_and_later_asks_again(
    qtbot: QtBot, start: Callable[[], MainWindow], root: Path, example: Session
) -> None:
    leave(root, example)
    window = start()
    answer(qtbot, window, "Discard")
    assert folders_in(root) == []
    answer(qtbot, window, "Undo")
    assert len(offers(window)) == 1
    answer(qtbot, window, "Later")
    assert offers(window) == []
    again = start()
    qtbot.waitUntil(lambda: len(offers(again)) == 1)
    answer(qtbot, again, "Discard")
    assert again.close()
    assert list(root.iterdir()) == []


def test_that_each_lost_window_is_offered_and_another_window_may_be_faster(
    qtbot: QtBot, start: Callable[[], MainWindow], root: Path, example: Session
) -> None:
    folders = [leave(root, example) for _ in range(3)]
    window = start()
    qtbot.waitUntil(lambda: len(offers(window)) == 3)
    with claimed(folders[0]), claimed(folders[1]), claimed(folders[2]):  # the buttons do not tell which is which
        answer(qtbot, window, "Recover")
        assert "another window" in told(window)
    assert not window.document.modified


def test_that_results_that_came_in_are_asked_for_before_they_are_replaced(
    qtbot: QtBot,
    start: Callable[[], MainWindow],
    root: Path,
    example: Session,
    make_result: Callable[..., RunResult],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = leave(root, example)
    window = start()
    qtbot.waitUntil(lambda: len(offers(window)) == 1)
    window.document.add_run(make_result(), 1.0)
    asked: list[str] = []

    def say(_parent: object, _title: str, words: str, *_: object) -> Answer:
        asked.append(words)
        return Answer.CANCEL if len(asked) == 1 else Answer.DISCARD

    monkeypatch.setattr(Question, "ask", say)
    answer(qtbot, window, "Recover")
    qtbot.waitUntil(lambda: len(asked) == 1)
    qtbot.waitUntil(lambda: len(offers(window)) == 1)
    assert len(window.document.session.runs) == 1
    assert folder.exists()
    answer(qtbot, window, "Recover")
    qtbot.waitUntil(lambda: len(window.document.session.runs) == len(example.runs))


def test_that_a_damaged_file_is_told_and_all_else_comes_back(
    qtbot: QtBot, start: Callable[[], MainWindow], root: Path, example: Session
) -> None:
    folder = leave(root, example)
    (folder / "000002.gemmviz").write_bytes(b"PK\x03\x04 damaged")
    window = start()
    answer(qtbot, window, "Recover")
    qtbot.waitUntil(lambda: "000002.gemmviz could not be read" in told(window))
    assert len(window.document.session.runs) == len(example.runs)
    assert len(window.document.session.traces) == len(example.traces) - 1
    assert str(root / "damaged") in told(window)


def test_that_a_save_and_a_discard_leave_no_recovery_data(
    qtbot: QtBot,
    start: Callable[[], MainWindow],
    root: Path,
    tmp_path: Path,
    make_result: Callable[..., RunResult],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = start()
    window.document.add_run(make_result(), 1.0)
    until_kept(qtbot, window)
    with qtbot.waitSignal(window.document.saved):
        window.document.save(tmp_path / "kept.gemmviz")
    qtbot.waitUntil(lambda: folders_in(root) == [])
    window.document.add_run(make_result("naive"), 1.0)
    until_kept(qtbot, window)
    monkeypatch.setattr(Question, "ask", lambda *_: Answer.DISCARD)
    assert window.close()
    assert list(root.iterdir()) == []


def test_that_the_end_of_the_desktop_keeps_everything_and_asks_nothing(
    start: Callable[[], MainWindow],
    root: Path,
    make_result: Callable[..., RunResult],
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("asked")

    monkeypatch.setattr(Question, "ask", never)
    window = start()
    window.document.add_run(make_result(), 1.0)
    window.end.on_logout()
    assert len(folders_in(root)) == 1
    window.document.add_run(make_result("naive"), 1.0)
    assert window.close()
    qtbot.waitUntil(lambda: [lost.runs for lost in find_lost(root)] == [2])  # once its lock is released


def test_that_nothing_is_told_or_done_after_the_end(start: Callable[[], MainWindow]) -> None:
    window = start()
    assert window.close()
    window.tell_fault("late", "")
    assert "late" not in told(window)
    assert window.document.session.device == NO_DEVICE or not window.document.modified
