"""When the message that an example was closed comes, and when it goes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import save_session
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.file_notices import follow_document
from gemmviz.gui.files.session_control import SessionControl
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.notices.bar import NoticeBar

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@dataclass
class Told:
    """A document with its messages, and two examples."""

    document: SessionDocument
    notices: NoticeBar
    examples: list[Path]
    qtbot: QtBot

    def leave(self, example: int = 0) -> None:
        """Open an example, and leave it for a kernel file."""
        with self.qtbot.waitSignal(self.document.opened):
            self.document.open_copy(self.examples[example], f"Example {example}")
        self.document.leave_example()

    @property
    def says_closed(self) -> bool:
        return any("is closed and stays as it is" in text for text in self.notices.texts())


@pytest.fixture
def told(qtbot: QtBot, tmp_path: Path, make_result) -> Told:
    window = QWidget()
    document, notices = SessionDocument(parent=window), NoticeBar(LIGHT, window)
    qtbot.addWidget(window)
    follow_document(notices, document, SessionControl(window, document, tmp_path))
    examples = [tmp_path / f"{number}.gemmviz" for number in range(2)]
    for path in examples:
        run = make_result()
        save_session(Session("2026-01-02T12:00:00+00:00", "0.1.0", run.device, 0.0, (run,)), path)
    return Told(document, notices, examples, qtbot)


def test_that_it_offers_the_way_back_until_something_is_in_the_new_session(told: Told, make_result) -> None:
    told.leave()
    assert told.says_closed
    told.document.set_device(make_result().device)
    assert told.says_closed, "there is nothing in it yet"
    told.document.add_run(make_result(), 1.0)
    assert not told.says_closed


def test_that_another_session_and_a_save_settle_it(told: Told, tmp_path: Path) -> None:
    told.leave()
    told.document.new()
    assert not told.says_closed
    told.leave()
    with told.qtbot.waitSignal(told.document.saved):
        told.document.save(tmp_path / "mine.gemmviz")
    assert not told.says_closed


@pytest.mark.parametrize("dismiss_all", [False, True])
def test_that_once_dismissed_it_does_not_come_back_for_the_same_example(told: Told, dismiss_all: bool) -> None:
    told.leave()
    told.document.new()
    told.leave()
    assert told.says_closed, "it went because its cause did: nobody dismissed it"
    if dismiss_all:
        told.notices.clear()
    else:
        told.notices.findChildren(QToolButton, "noticeDismiss")[-1].click()
    told.leave()
    assert not told.says_closed
    told.leave(1)
    assert told.says_closed, "of another example nothing has been told"


def test_that_it_opens_the_example_again(told: Told) -> None:
    told.leave()
    button = next(each for each in told.notices.findChildren(QPushButton) if each.text() == "Open the example again")
    with told.qtbot.waitSignal(told.document.opened):
        button.click()
    assert told.document.name == "Example 0"
    assert not told.says_closed
