"""Exporting what is on the screen, from the real window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from driving import act
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.result import Session
from gemmviz.domain.session import save_session
from gemmviz.gui.export.dialog import ExportDialog
from gemmviz.gui.export.on_screen import View, with_title
from gemmviz.gui.export.view_dialog import SIZES, ViewExportDialog
from gemmviz.gui.fields import ComboBox
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def opened(window: MainWindow, recorded: Session, make_result, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    runs = (make_result("naive"), make_result("tiled"))
    save_session(replace(recorded, runs=runs), tmp_path / "s.gemmviz")
    with qtbot.waitSignal(window.document.opened):
        window.open_path(tmp_path / "s.gemmviz")
    return window


def ask(window: MainWindow, qtbot: QtBot) -> ViewExportDialog:
    """The dialog, once its picture is there."""
    act(window, "exportViewAction")
    dialog = window.findChildren(ViewExportDialog)[-1]
    qtbot.waitUntil(lambda: dialog.image is not None)
    return dialog


def is_plain(image: QImage) -> bool:
    """Whether nothing is painted."""
    small = image.scaled(64, 36, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
    return len({small.pixelColor(x, y).name() for x in range(64) for y in range(36)}) < 4


def test_that_the_picture_is_exactly_as_large_as_chosen_and_shows_the_chart(
    opened: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    act(opened, "tabTimingAction")
    dialog = ask(opened, qtbot)
    assert SIZES[0] == (1920, 1080)
    assert (dialog.image.width(), dialog.image.height()) == (1920, 1080)
    assert not is_plain(dialog.image)
    assert not dialog.findChild(QLabel, "viewPreview").pixmap().isNull()
    dialog.findChild(ComboBox, "viewSize").setCurrentIndex(1)
    assert (dialog.image.width(), dialog.image.height()) == (1280, 720)
    plain = dialog.image.copy()
    dialog.findChild(QLineEdit, "viewTitle").setText("Tiles win")
    assert dialog.image != plain
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "picture"), ""))
    dialog.findChild(QPushButton, "viewSave").click()
    assert QImage(str(tmp_path / "picture.png")).size() == dialog.image.size()
    assert dialog.findChild(QPushButton, "viewOpenFolder").isEnabled()
    dialog.findChild(QPushButton, "viewCopy").click()
    assert QGuiApplication.clipboard().image().size() == dialog.image.size()
    dialog.close()


def test_that_the_frame_of_the_player_is_the_one_in_the_picture(opened: MainWindow, qtbot: QtBot) -> None:
    act(opened, "tabMemoryAction")
    qtbot.waitUntil(lambda: opened._player.watched is not None)
    pictures = []
    for frame in (0, 2):
        opened.player.seek(frame)
        qtbot.waitUntil(lambda frame=frame: opened._player.watched.index == frame)
        dialog = ask(opened, qtbot)
        assert dialog._view.name == f"memory_frame_{frame + 1}"
        assert dialog.findChild(QLineEdit, "viewTitle").text().startswith("naive · One thread per element")
        pictures.append(dialog.image.copy())
        dialog.close()
    assert pictures[0] != pictures[1]


def test_that_the_large_dialog_ticks_what_is_on_the_screen_and_nothing_else(opened: MainWindow, qtbot: QtBot) -> None:
    for tab, ticked in (("Accuracy", ["error_bound"]), ("Traffic", ["traffic"])):
        act(opened, f"tab{tab}Action")
        dialog = ask(opened, qtbot)
        dialog.findChild(QPushButton, "viewMore").click()
        large = opened.findChildren(ExportDialog)[-1]
        assert [item.name for item in large.choice().items] == ticked
        large.findChild(QPushButton, "exportAll").click()
        assert len(large.choice().items) > 5
        large.findChild(QPushButton, "exportNone").click()
        assert large.choice().items == ()
        large.close()


def test_that_a_view_that_fails_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    def fail() -> None:
        raise MemoryError("too large")

    dialog = ViewExportDialog(View("x", "", lambda *_: QImage(), fail), LIGHT, tmp_path)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: "too large" in dialog.findChild(QLabel, "viewMessage").text())
    assert not dialog.findChild(QPushButton, "viewSave").isEnabled()


@pytest.mark.usefixtures("qapp")
def test_that_a_title_is_text_and_takes_its_own_strip() -> None:
    def paint(_made: object, size: tuple[int, int], _theme: object) -> QImage:
        asked.append(size)
        image = QImage(*size, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.red)
        return image

    asked: list[tuple[int, int]] = []
    view = View("x", "", paint)
    for title in ("", "   ", "<b>Bold</b> \x1b" * 40):
        assert with_title(view, None, title, (400, 300), DARK).width() == 400
    assert asked[0] == asked[1] == (400, 300)
    assert asked[2][1] < 300
