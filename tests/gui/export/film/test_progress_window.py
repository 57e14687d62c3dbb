"""The small window of an animation: what it says at each moment, and that it never keeps others from being used."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import part
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QProgressBar, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.figures import count
from gemmviz.gui.export.film.progress_window import FilmProgressWindow


@pytest.fixture
def behind(qtbot: QtBot) -> QWidget:
    made = QWidget()
    made.resize(1280, 800)
    qtbot.addWidget(made)
    return made


@pytest.fixture
def shown(behind: QWidget, qtbot: QtBot) -> FilmProgressWindow:
    made = FilmProgressWindow(behind)
    made.begin((Path("out/tiled.gif"), Path("out/tiled.mp4")))
    qtbot.waitExposed(made)
    return made


def said(shown: FilmProgressWindow) -> str:
    return str(part(shown, QLabel, "filmMessage").text())


def test_that_frames_done_of_all_are_counted(shown: FilmProgressWindow) -> None:
    assert part(shown, QLabel, "filmName").text() == "tiled.gif\ntiled.mp4"
    shown.show_progress(30, 1500, "10 to 15 s left")
    bar = part(shown, QProgressBar, "filmProgress")
    assert (bar.isVisible(), bar.value(), bar.maximum()) == (True, 30, 1500)
    assert said(shown) == f"30 of {count(1500)} video frames, 10 to 15 s left"
    assert not part(shown, QPushButton, "filmAgain").isEnabled()
    assert QApplication.activeModalWidget() is None


def test_that_the_first_close_stops_and_the_second_closes(shown: FilmProgressWindow, qtbot: QtBot) -> None:
    close = part(shown, QPushButton, "filmClose")
    assert close.text() == "Stop"
    for stop in (close.click, shown.close, lambda: qtbot.keyClick(shown, Qt.Key.Key_Escape)):
        with qtbot.waitSignal(shown.stop_asked):
            stop()
    shown.show_stopping()
    assert said(shown) == "Stopping…"
    shown.show_cancelled(0)
    assert said(shown) == "Stopped. No file was written."
    shown.show_cancelled(3)
    assert said(shown) == "Stopped. Complete: 3 files."
    assert close.text() == "Close"
    close.click()
    assert not shown.isVisible()


def test_that_after_the_end_the_folder_can_be_opened_and_another_export_asked_for(
    shown: FilmProgressWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    assert not part(shown, QPushButton, "filmOpenFolder").isEnabled()
    shown.show_failure("cannot write out/tiled.gif: the disk is full")
    assert said(shown) == "Cannot write out/tiled.gif: the disk is full."
    shown.show_done((tmp_path / "tiled.gif", tmp_path / "tiled.mp4"))
    assert said(shown) == f"Wrote 2 files to {tmp_path}"
    assert part(shown, QPushButton, "filmOpenFolder").isEnabled()
    assert not part(shown, QProgressBar, "filmProgress").isVisible()
    with qtbot.waitSignal(shown.again_asked):
        part(shown, QPushButton, "filmAgain").click()


def test_that_the_keys_of_the_window_behind_work_from_here(behind: QWidget, qtbot: QtBot) -> None:
    page, seen = QAction("Timing", behind), list[bool]()
    page.setShortcut("Alt+2")
    page.triggered.connect(lambda: seen.append(True))
    behind.addAction(page)
    shown = FilmProgressWindow(behind)
    shown.begin((Path("out/tiled.gif"),))
    with qtbot.waitActive(shown):
        shown.activateWindow()
    qtbot.keyClick(part(shown, QPushButton, "filmClose"), Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    assert seen == [True]


def test_that_the_window_behind_has_the_keys_once_an_animation_is_made(behind: QWidget, qtbot: QtBot) -> None:
    behind.show()
    shown = FilmProgressWindow(behind)
    shown.begin((Path("out/tiled.gif"),))
    with qtbot.waitActive(shown):
        shown.activateWindow()
    with qtbot.waitActive(behind):
        shown.show_done((Path("out/tiled.gif"),))
    assert shown.isVisible()
