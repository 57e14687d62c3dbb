"""The dialog of a handout, from the real window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from driving import act
from pypdf import PdfReader
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import save_session
from gemmviz.gui.export.handout.asked import NOTHING_FOR_HANDOUT
from gemmviz.gui.export.handout.dialog import EMPTY, HandoutDialog
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.window.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def dialog(window: MainWindow, recorded: Session, make_result, tmp_path: Path, qtbot: QtBot) -> HandoutDialog:
    save_session(replace(recorded, runs=(make_result("naive"), make_result("tiled"))), tmp_path / "lecture.gemmviz")
    with qtbot.waitSignal(window.document.opened):
        window.open_path(tmp_path / "lecture.gemmviz")
    act(window, "tabTimingAction")
    act(window, "handoutAction")
    found = window.findChild(HandoutDialog)
    assert isinstance(found, HandoutDialog)
    qtbot.waitUntil(lambda: found.pages is not None, timeout=90_000)
    return found


def test_that_it_begins_with_what_the_session_has_shows_its_pages_and_saves_nothing_without_a_tick(
    dialog: HandoutDialog, qtbot: QtBot
) -> None:
    assert dialog.findChild(QLineEdit, "handoutTitle").text() == "lecture"
    assert dialog.findChild(QCheckBox, "handoutPart_kernel_time").isChecked()
    assert dialog.findChild(QCheckBox, "handoutPart_results").isChecked()
    assert dialog.findChild(QLabel, "handoutPage").text().startswith("Page 1 of ")
    shown = dialog.findChild(QLabel, "handoutPreview").pixmap().toImage()
    paper = shown.pixelColor(3, 3)
    edges = [(x, y) for x in (0, shown.width() - 1) for y in (0, shown.height() - 1)]
    assert all(shown.pixelColor(*edge) != paper for edge in edges), "the paper has an edge on a dialog of its colour"
    before, after = (dialog.findChild(QPushButton, f"handout{name}") for name in ("Previous", "Next"))
    assert (before.isEnabled(), after.isEnabled()) == (False, True)
    after.click()
    assert dialog.findChild(QLabel, "handoutPage").text().startswith("Page 2 of ")
    assert before.isEnabled()
    for tick in dialog.findChildren(QCheckBox):
        tick.setChecked(False)
    qtbot.waitUntil(lambda: dialog.findChild(QLabel, "handoutPreview").text() == EMPTY, timeout=90_000)
    assert not dialog.findChild(QPushButton, "handoutSave").isEnabled()


def test_that_a_saved_handout_has_the_pages_that_were_shown(
    dialog: HandoutDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    proposed: list[str] = []

    def name(_parent: object, _title: str, path: str, _filters: str) -> str:
        proposed.append(path)
        return str(tmp_path / "out")

    monkeypatch.setattr(FileDialog, "name_to_save", name)
    with qtbot.waitSignal(dialog.folder_used) as used:
        dialog.findChild(QPushButton, "handoutSave").click()
    assert Path(proposed[0]).name == "lecture.pdf"
    assert used.args == [tmp_path]
    pages = dialog.pages
    assert pages is not None
    assert len(PdfReader(tmp_path / "out.pdf").pages) == pages.count
    assert dialog.findChild(QLabel, "handoutMessage").text() == f"Saved {tmp_path / 'out.pdf'}"


def test_that_an_empty_session_says_what_to_do(window: MainWindow) -> None:
    act(window, "newAction")
    told: list[str] = []
    window._exports.notified.connect(lambda _kind, words, _details: told.append(words))
    act(window, "handoutAction")
    assert told == [NOTHING_FOR_HANDOUT]
    assert window.findChild(HandoutDialog) is None
