"""Whose session it is: one of a person, a copy of an example, or one that lessons began."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.session.session import save_session
from gemmviz.gui.files.document import SessionDocument

Make = Callable[..., RunResult]


@pytest.fixture
def document(qtbot: QtBot) -> SessionDocument:
    del qtbot
    return SessionDocument(lambda: datetime(2026, 1, 2, 12, tzinfo=UTC))


@pytest.fixture
def example(document: SessionDocument, make_result: Make, host: Device, tmp_path: Path) -> Path:
    """A session with one run, to be opened as a copy."""
    path = tmp_path / "example.gemmviz"
    save_session(replace(document.session, device=host, runs=(make_result(),)), path)
    return path


@pytest.fixture
def left(document: SessionDocument) -> list[str]:
    """The examples that were left."""
    names: list[str] = []
    document.example_left.connect(names.append)
    return names


def test_that_an_example_that_was_saved_is_no_copy_to_be_saved_any_more(
    document: SessionDocument, make_result: Make, example: Path, left: list[str], tmp_path: Path, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(document.opened):
        document.open_copy(example, "Four by four")
    with qtbot.waitSignal(document.saved):
        document.save(tmp_path / "lecture.gemmviz")
    document.add_run(make_result(), 1.0)
    assert (document.name, left) == ("lecture.gemmviz", [])


def test_that_lessons_have_a_session_of_their_own_unless_there_is_nothing_in_it(
    document: SessionDocument, make_result: Make, tmp_path: Path, qtbot: QtBot
) -> None:
    assert document.is_for_lessons
    document.begin_lessons()
    document.add_run(make_result(), 1.0)
    document.begin_lessons()
    assert (len(document.session.runs), document.name) == (1, "Runs of lessons"), "lessons began it"
    with qtbot.waitSignal(document.saved):
        document.save(tmp_path / "lessons.gemmviz")
    assert document.is_for_lessons
    with qtbot.waitSignal(document.opened):
        document.open(tmp_path / "lessons.gemmviz")
    assert not document.is_for_lessons, "it is a person's file now"
    document.begin_lessons()
    assert (document.session.runs, document.path, document.modified) == ((), None, False)


def test_that_an_example_becomes_a_copy_at_its_first_change(
    document: SessionDocument, make_result: Make, example: Path, left: list[str], qtbot: QtBot
) -> None:
    with qtbot.waitSignal(document.opened):
        document.open_copy(example, "Four by four")
    assert (document.name, left) == ("Four by four", [])
    document.add_run(make_result(), 1.0)
    document.add_run(make_result(), 1.0)
    assert (document.name, left) == ("Copy of Four by four", ["Four by four"])
    assert document.path is None
    assert document.modified


def test_that_a_session_of_ones_own_is_no_example(
    document: SessionDocument, make_result: Make, example: Path, left: list[str], qtbot: QtBot
) -> None:
    with qtbot.waitSignal(document.opened):
        document.open_copy(example, "An example")
    with qtbot.waitSignal(document.opened):
        document.open(example)
    document.add_run(make_result(), 1.0)
    document.take_recovered(document.session, "An example")
    document.add_run(make_result(), 1.0)
    assert left == []


def test_that_an_example_is_left_for_an_experiment_and_a_session_of_ones_own_is_not(
    document: SessionDocument, make_result: Make, example: Path, left: list[str], qtbot: QtBot
) -> None:
    closed: list[tuple[Path, str]] = []
    document.example_closed.connect(lambda path, title: closed.append((path, title)))
    with qtbot.waitSignal(document.opened):
        document.open_copy(example, "Four by four")
    document.leave_example()
    assert closed == [(example, "Four by four")]
    assert (document.session.runs, document.has_name, document.modified) == ((), False, False)
    document.add_run(make_result(), 1.0)
    document.leave_example()
    assert len(document.session.runs) == 1
    with qtbot.waitSignal(document.opened):
        document.open_copy(example, "Four by four")
    document.add_run(make_result(), 1.0)
    document.leave_example()
    assert document.name == "Copy of Four by four", "what a person has changed is kept"
    assert (len(closed), left) == (1, ["Four by four"])
