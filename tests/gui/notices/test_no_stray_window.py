"""Nothing that belongs into the window is ever shown as a window of its own, not even for a moment.

A widget made visible before it has a parent is one; it flashes, and takes the posted end of the program with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from driving import act, part
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QDialog, QDockWidget, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.session.session import load_session
from gemmviz.engine.client import Client
from gemmviz.engine.messages import WorkerLost
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.notices.notice import NoticeAction, NoticeKind
from gemmviz.gui.window.main_window import MainWindow

KNOWN = (MainWindow, QDialog, QDockWidget, QMenu)


class Watch(QObject):
    """Notes every widget without a parent that is shown and is none of KNOWN."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            is_known = isinstance(watched, KNOWN) or watched.metaObject().className() == "QTipLabel"
            if not is_known:
                self.found.append(f"{type(watched).__name__} {watched.objectName()}")
        return False


@pytest.fixture
def watch(qapp: QApplication) -> Iterator[Watch]:
    made = Watch()
    qapp.installEventFilter(made)
    yield made
    qapp.removeEventFilter(made)


def test_that_the_watch_finds_what_it_is_for(qtbot: QtBot, watch: Watch) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    label.setHidden(False)
    assert watch.found == ["QLabel "]


def test_that_no_notice_flashes(watch: Watch, window: MainWindow) -> None:
    bar = part(window, NoticeBar, "noticeBar")
    for kind, details in product(NoticeKind, ("", "a line\n    of a log")):
        for _ in range(2):
            bar.show_notice(kind, "Something was told", details)
        bar.show_notice(kind, "Something is offered", details, [NoticeAction("Do it", lambda: None)])
    window.tell_fault("no such thing", "Traceback")
    bar.clear()
    assert watch.found == []


def test_that_what_the_worker_says_after_the_close_is_dropped(
    qapp: QApplication, watch: Watch, window: MainWindow
) -> None:
    client = window.findChild(Client)
    assert client is not None
    bar = part(window, NoticeBar, "noticeBar")
    client.happened.emit(WorkerLost(1, -15, "tiled", "before the close"))
    assert window.close()
    client.happened.emit(WorkerLost(1, -15, "tiled", "after the close"))
    qapp.processEvents()
    assert [text for text in bar.texts() if "the close" in text] == []
    assert watch.found == []
    assert not window.isVisible()


def test_that_no_page_and_no_dialog_flashes(qtbot: QtBot, watch: Watch, window: MainWindow, tmp_path: Path) -> None:
    for example in load_examples():
        window.document.take_recovered(load_session(example.path), example.title)
    for name in ("tabTimingAction", "tabMemoryAction", "tabScheduleAction", "exportAction"):
        act(window, name)
    qtbot.waitUntil(lambda: window.findChild(QDialog, "exportDialog") is not None)
    part(window, QDialog, "exportDialog").reject()
    window.document.new()
    with qtbot.waitSignal(window.document.failed):
        window.open_path(tmp_path / "gone.gemmviz")
    assert watch.found == []
