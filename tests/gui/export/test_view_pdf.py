"""What is on the screen as a PDF: one page of the chosen size, painted as shapes, its words as text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from driving import act
from pypdf import PdfReader
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import save_session
from gemmviz.gui.export.drawn_view import ViewOnScreen
from gemmviz.gui.export.view_dialog import ViewExportDialog
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.window.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def opened(window: MainWindow, recorded: Session, make_result, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    runs = (make_result("naive"), make_result("tiled"))
    save_session(replace(recorded, runs=runs), tmp_path / "s.gemmviz")
    with qtbot.waitSignal(window.document.opened):
        window.open_path(tmp_path / "s.gemmviz")
    return window


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that every dialog is told to write."""
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: str(tmp_path / "page.pdf"))
    monkeypatch.setattr("gemmviz.gui.export.saving.with_suffix_asked", lambda _parent, name, _suffix: Path(name))
    return tmp_path / "page.pdf"


def shown_dialog(window: MainWindow, qtbot: QtBot) -> ViewExportDialog:
    act(window, "exportViewAction")
    dialog = window.findChildren(ViewExportDialog)[-1]
    qtbot.waitUntil(lambda: dialog.image is not None)
    return dialog


def saved(dialog: ViewExportDialog, target: Path) -> tuple[tuple[float, float], str]:
    """The size of the page that the dialog writes, in points, and its words."""
    dialog.findChild(QPushButton, "viewPdf").click()
    (page,) = PdfReader(target).pages
    return (float(page.mediabox.width), float(page.mediabox.height)), " ".join(page.extract_text().split())


def test_that_a_chart_is_a_page_of_the_chosen_size_with_its_title(
    opened: MainWindow, qtbot: QtBot, target: Path
) -> None:
    act(opened, "tabTimingAction")
    dialog = shown_dialog(opened, qtbot)
    dialog.findChild(QLineEdit, "viewTitle").setText("Tiles win")
    size, text = saved(dialog, target)
    assert size == (1440, 810), "1920 × 1080 pixels at 96 an inch"
    assert "Tiles win" in text
    assert "naive" in text
    dialog.findChild(ComboBox, "viewSize").setCurrentIndex(1)
    dialog.findChild(QCheckBox, "viewLarge").setChecked(True)
    size, text = saved(dialog, target)
    assert size == (960, 540)
    assert "tiled" in text
    dialog.close()


def test_that_a_frame_of_memory_is_a_page_with_its_values(opened: MainWindow, qtbot: QtBot, target: Path) -> None:
    act(opened, "tabMemoryAction")
    qtbot.waitUntil(lambda: opened._player.watched is not None)
    dialog = shown_dialog(opened, qtbot)
    size, text = saved(dialog, target)
    assert size == (1440, 810)
    assert "naive THREAD" in text
    assert "A[0,0]" in text
    dialog.close()


def test_that_what_can_only_be_painted_offers_no_page(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = ViewExportDialog(
        ViewOnScreen("x", "", lambda *_: QImage(8, 8, QImage.Format.Format_RGB32)), LIGHT, tmp_path
    )
    qtbot.addWidget(dialog)
    assert dialog.findChild(QPushButton, "viewPdf").isHidden()
    assert not dialog.findChild(QPushButton, "viewSave").isHidden()


@pytest.mark.parametrize(("is_left", "title"), [(False, "naive and tiled"), (True, "tiled and naive")])
def test_that_a_page_of_two_pictures_is_named_after_both(
    qtbot: QtBot, tmp_path: Path, target: Path, is_left: bool, title: str
) -> None:
    def paint(*_: object) -> QImage:
        return QImage(8, 8, QImage.Format.Format_RGB32)

    view = ViewOnScreen(
        "x",
        "naive",
        paint,
        beside_title="tiled",
        beside_is_left=is_left,
        paint_both=paint,
        draw=lambda _made, painter, _look: painter.drawText(40, 40, "words"),
    )
    dialog = ViewExportDialog(view, LIGHT, tmp_path)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.image is not None)
    dialog.findChild(QPushButton, "viewPdf").click()
    metadata = PdfReader(target).metadata
    assert metadata is not None
    assert metadata.title == title
