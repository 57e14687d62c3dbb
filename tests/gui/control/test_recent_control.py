"""The list of recent files asks which are there on threads of their own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.control import recent_control
from gemmviz.gui.control.recent_control import RecentControl
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.recent_files import is_file
from gemmviz.gui.files.session_control import SessionControl
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.preferences import Preferences
from gemmviz.gui.welcome.first_page import FirstPage


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_that_a_dead_disk_keeps_no_other_file_from_being_marked(
    qtbot: QtBot, tmp_path: Path, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def look(path: str) -> bool:
        asked.append(Path(path).name)
        if Path(path).name == "dead":
            gate.wait()
        return is_file(path)

    monkeypatch.setattr(recent_control, "is_file", look)
    memory, menu = Preferences(tmp_path / "settings"), QMenu()
    for name in ("there", "gone", "dead"):
        memory.use_file(tmp_path / name)
    (tmp_path / "there").touch()
    page = FirstPage((), LIGHT)
    qtbot.addWidget(page)
    control = RecentControl(memory, menu, page)

    def enabled() -> list[bool]:
        return [action.isEnabled() for action in menu.actions()[:3]]

    assert enabled() == [True, True, True]
    qtbot.waitUntil(lambda: enabled() == [True, False, True])
    control.show()
    assert asked.count("dead") == 1
    gate.set()
    qtbot.waitUntil(lambda: enabled() == [False, False, True])


def test_that_kernel_files_that_are_opened_are_kept_too(qtbot: QtBot, tmp_path: Path) -> None:
    window, page, menu = QWidget(), FirstPage((), LIGHT), QMenu()
    for widget in (window, page):
        qtbot.addWidget(widget)
    memory = Preferences(tmp_path / "settings")
    files = SessionControl(window, SessionDocument(lambda: datetime(2026, 1, 2, 12, tzinfo=UTC)), tmp_path)
    RecentControl(memory, menu, page, window).connect_files(files)
    mine = tmp_path / "mine.cu"
    mine.touch()
    files.open_path(mine)
    assert memory.recent == (str(mine),)
    assert menu.actions()[0].isEnabled()
