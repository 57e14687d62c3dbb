"""The export dialog: what it asks for, what it refuses, and how it shows that work goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import part
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gemmviz.gui.export.choice import ExportChoice, ExportItem
from gemmviz.gui.export.dialog import ExportDialog
from gemmviz.gui.export.form import NamedRow
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.looks.theme import ThemeChoice
from gemmviz.gui.recording.block_names import BlockName
from gemmviz.gui.widgets.dialog_size import FRAME
from gemmviz.trace.frames.plan import FrameMode

BLOCK = BlockName(0, 0, (3, 1, 0), "tiled_memory_block_3_1", "tiled TILE=16")
ITEMS = (ExportItem("timing", "Timing"), ExportItem("window", "Whole window", ("png",)))


@pytest.fixture
def dialog(qtbot: QtBot, tmp_path: Path) -> ExportDialog:
    dialog = ExportDialog(ITEMS, tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    return dialog


def tick(dialog: ExportDialog, name: str, on: bool) -> None:
    dialog.findChild(QCheckBox, name).setChecked(on)


def ok(dialog: ExportDialog) -> QPushButton:
    return dialog.findChild(QPushButton, "exportOk")


def fault(dialog: ExportDialog) -> str:
    label = dialog.findChild(QLabel, "exportFault")
    assert label.isVisible() == bool(label.text())
    return str(label.text())


def test_that_the_dialog_begins_with_a_sound_choice(dialog: ExportDialog, tmp_path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(dialog.export_asked) as told:
        ok(dialog).click()
    assert told.args == [ExportChoice(ITEMS, ("png",), 2, None, ThemeChoice.AUTO, tmp_path)]
    assert dialog.isVisible(), "it stays to show how the export goes"


def test_that_everything_can_be_chosen(dialog: ExportDialog, tmp_path: Path, qtbot: QtBot) -> None:
    tick(dialog, "exportItem_window", False)
    tick(dialog, "exportPng", False)
    tick(dialog, "exportSvg", True)
    tick(dialog, "exportCsv", True)
    dialog.findChild(NamedRow, "exportScale").choose_name("4")
    dialog.findChild(NamedRow, "exportTheme").choose_name("dark")
    dialog.findChild(QComboBox, "exportSize").setCurrentText("1200 × 750")
    dialog.findChild(QLineEdit, "exportFolder").setText(f" {tmp_path / 'new'} ")
    with qtbot.waitSignal(dialog.export_asked) as told:
        ok(dialog).click()
    assert told.args == [ExportChoice(ITEMS[:1], ("svg", "csv"), 4, (1200, 750), ThemeChoice.DARK, tmp_path / "new")]


def test_that_an_own_size_is_typed(dialog: ExportDialog) -> None:
    width, height = (dialog.findChild(QSpinBox, name) for name in ("exportWidth", "exportHeight"))
    assert not width.isVisible()
    dialog.findChild(QComboBox, "exportSize").setCurrentText("custom")
    assert width.isVisible()
    width.setValue(333)
    height.setValue(222)
    assert dialog.choice().size == (333, 222)


def test_that_a_choice_that_cannot_be_made_says_why_above_the_buttons(
    dialog: ExportDialog, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "file").touch()
    dialog.findChild(QLineEdit, "exportFolder").setText(str(tmp_path / "file"))
    assert fault(dialog) == "File is a file. Choose a folder"
    dialog.findChild(QLineEdit, "exportFolder").setText(str(tmp_path))
    tick(dialog, "exportPng", False)
    assert fault(dialog) == "Choose a format"
    for item in ITEMS:
        tick(dialog, f"exportItem_{item.name}", False)
    assert fault(dialog) == "Choose something to export"
    assert not ok(dialog).isEnabled()
    with qtbot.assertNotEmitted(dialog.export_asked):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    tick(dialog, "exportItem_timing", True)
    tick(dialog, "exportCsv", True)
    assert fault(dialog) == ""
    assert ok(dialog).isEnabled()


def test_that_files_that_would_be_replaced_are_named(dialog: ExportDialog, tmp_path: Path) -> None:
    note = dialog.findChild(QLabel, "exportNote")
    assert note.text() == ""
    (tmp_path / "window.png").touch()
    tick(dialog, "exportSvg", True)
    assert note.text() == "Replaces window.png"
    tick(dialog, "exportItem_window", False)
    assert note.text() == ""


def test_that_a_folder_can_be_browsed_for(
    dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [str(tmp_path / "chosen"), ""]
    monkeypatch.setattr(FileDialog, "folder_name", lambda *_: answers.pop(0))
    browse = dialog.findChild(QPushButton, "exportBrowse")
    browse.click()
    browse.click()
    assert dialog.choice().folder == tmp_path / "chosen", "giving up changes nothing"


def test_that_an_export_shows_how_far_it_is_and_can_be_stopped(dialog: ExportDialog, qtbot: QtBot) -> None:
    dialog.show_progress(1, 4, "window.png")
    bar = dialog.findChild(QProgressBar, "exportProgress")
    assert (bar.isVisible(), bar.value(), bar.maximum()) == (True, 1, 4)
    assert dialog.findChild(QLabel, "exportMessage").text() == "1 of 4: window.png"
    assert not ok(dialog).isEnabled()
    assert not dialog.findChild(QLineEdit, "exportFolder").isEnabled()
    with qtbot.waitSignal(dialog.cancel_asked):
        dialog.findChild(QPushButton, "exportCancel").click()
    with qtbot.waitSignal(dialog.cancel_asked):
        dialog.close()
    assert dialog.isVisible(), "it closes when the export has stopped"
    dialog.show_cancelled(0)
    assert dialog.findChild(QLabel, "exportMessage").text() == "Stopped. No file was written."
    dialog.show_cancelled(3)
    assert dialog.findChild(QLabel, "exportMessage").text() == "Stopped. Complete: 3 files."
    assert ok(dialog).isEnabled()
    dialog.findChild(QPushButton, "exportCancel").click()
    assert not dialog.isVisible()


def test_that_a_failure_is_shown_until_something_is_changed(dialog: ExportDialog) -> None:
    dialog.show_progress(0, 2, "timing.png")
    dialog.show_failure("cannot write timing.png: the disk is full")
    message = dialog.findChild(QLabel, "exportMessage")
    assert message.isVisible()
    assert message.property("role") == "refusal"
    assert ok(dialog).isEnabled()
    tick(dialog, "exportSvg", True)
    assert not message.isVisible()


def test_that_the_end_tells_where_the_files_are(dialog: ExportDialog, tmp_path: Path) -> None:
    paths = [tmp_path / "timing.png", tmp_path / "window.png"]
    for path in paths:
        path.touch()
    dialog.show_progress(2, 2, "")
    dialog.show_done(paths)
    assert dialog.findChild(QLabel, "exportMessage").text() == f"Wrote 2 files to {tmp_path}"
    assert dialog.findChild(QLabel, "exportNote").text() == "", "they were just written"
    assert not dialog.findChild(QProgressBar, "exportProgress").isVisible()
    dialog.show_done(paths[:1])
    assert dialog.findChild(QLabel, "exportMessage").text().startswith("Wrote 1 file to")


def test_that_the_folder_can_be_opened_once_something_was_written(
    dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    button = part(dialog, QPushButton, "exportOpenFolder")
    assert not button.isEnabled()
    dialog.show_done([tmp_path / "timing.png"])
    button.click()
    assert opened == [str(tmp_path)]


@pytest.mark.parametrize("block_names", [(), (BLOCK,)])
def test_that_every_control_stays_where_it_is(qtbot: QtBot, tmp_path: Path, block_names: tuple[BlockName, ...]) -> None:
    """Whatever is wrong, replaced, going on, or said at the end."""
    dialog = ExportDialog(ITEMS, tmp_path, block_names=block_names)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    dialog.film.show_frames(FrameMode.PHASE, 20, 1)
    (tmp_path / "window.png").touch()
    folder = dialog.findChild(QLineEdit, "exportFolder")
    names = "exportOk", "exportCancel", "exportPng", "exportSlide", "exportSize", "exportTheme"
    controls = [part(dialog, QWidget, name) for name in names]
    places: list[list[tuple[QPoint, QSize]]] = []

    def look() -> None:
        dialog.layout().activate()
        QApplication.processEvents()
        places.append([(control.mapTo(dialog, QPoint()), control.size()) for control in controls])

    look()
    tick(dialog, "exportSvg", True)
    look()
    if block_names:
        for name in ("exportGif", "exportMp4"):
            tick(dialog, name, True)
        look()
        part(dialog, QComboBox, "exportFilmSize").setCurrentText("custom")
        part(dialog, QSpinBox, "exportFilmWidth").setValue(333)
        part(dialog, QSpinBox, "exportFrom").setValue(7)
        part(dialog, QSpinBox, "exportTo").setValue(3)
        look()
        for name in ("exportGif", "exportMp4"):
            tick(dialog, name, False)
    for name in ("exportItem_timing", "exportItem_window", "exportPng", "exportSvg"):
        tick(dialog, name, False)
    look()
    for name in ("exportItem_timing", "exportPng"):
        tick(dialog, name, True)
    part(dialog, QComboBox, "exportSize").setCurrentText("custom")
    for name in ("exportWidth", "exportHeight"):
        part(dialog, QSpinBox, name).setValue(8000)
    folder.setText(str(tmp_path / "window.png"))
    look()
    folder.setText(str(tmp_path))
    part(dialog, QComboBox, "exportSize").setCurrentText("automatic")
    dialog.show_progress(1, 4, "timing.png")
    look()
    dialog.show_done([tmp_path / "timing.png"])
    look()
    dialog.show_failure("cannot write /home/somebody/figures/timing.png: the disk is full")
    look()
    assert places == places[:1] * len(places)


def test_that_only_the_named_items_are_ticked(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = ExportDialog(ITEMS, tmp_path, ("window",))
    qtbot.addWidget(dialog)
    assert dialog.choice().items == ITEMS[1:]


def test_that_an_animation_takes_the_place_of_a_picture_that_was_only_proposed(qtbot: QtBot, tmp_path: Path) -> None:
    memory = ExportItem("memory", "Memory view", ("png",))
    dialog = ExportDialog((*ITEMS, memory), tmp_path, ["memory"], block_names=(BLOCK,))
    qtbot.addWidget(dialog)
    dialog.film.show_frames(FrameMode.PHASE, 7, 3)
    still = dialog.findChild(QCheckBox, "exportItem_memory")
    assert still.isChecked()
    tick(dialog, "exportGif", True)
    assert not still.isChecked()
    assert still.text().endswith(", left out beside the animation")
    assert ok(dialog).isEnabled(), "the animation alone is something to export"
    assert [path.suffix for path in dialog.choice().paths] == [".gif"]
    tick(dialog, "exportGif", False)
    assert still.isChecked(), "it is proposed again"
    assert "left out" not in still.text()
    tick(dialog, "exportGif", True)
    still.click()
    tick(dialog, "exportMp4", True)
    assert still.isChecked(), "a person wants it, too"
    assert "left out" not in still.text()


def test_that_the_name_of_a_field_stands_at_the_height_of_its_words(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = ExportDialog(ITEMS, tmp_path, block_names=(BLOCK,))
    qtbot.addWidget(dialog)
    dialog.show()
    for name, title in (("exportFps", "Speed"), ("exportFolder", "Folder")):
        field = part(dialog, QWidget, name)
        label = next(label for label in dialog.findChildren(QLabel) if label.text() == title)
        middles = [one.mapTo(dialog, one.rect().center()).y() for one in (field, label)]
        assert abs(middles[0] - middles[1]) <= 1


def test_that_no_picture_is_proposed_for_an_animation_that_is_given_up(qtbot: QtBot, tmp_path: Path) -> None:
    memory = ExportItem("memory", "Memory view", ("png",))
    dialog = ExportDialog((*ITEMS, memory), tmp_path, ["timing"], block_names=(BLOCK,))
    qtbot.addWidget(dialog)
    dialog.film.show_frames(FrameMode.PHASE, 7, 3)
    for on in (True, False):
        tick(dialog, "exportGif", on)
        assert [item.name for item in dialog.choice().items] == ["timing"]


def test_that_a_home_of_nobody_breaks_nothing(dialog: ExportDialog) -> None:
    dialog.findChild(QLineEdit, "exportFolder").setText("~nobody-of-that-name")
    assert dialog.choice().folder == Path("~nobody-of-that-name")


def test_that_every_control_has_a_name_and_can_be_reached(dialog: ExportDialog) -> None:
    seen = set()
    control: QWidget = dialog.nextInFocusChain()
    while control is not dialog and control not in seen:
        seen.add(control)
        control = control.nextInFocusChain()
    for kind in (QCheckBox, QPushButton, QComboBox, QSpinBox):
        for control in dialog.findChildren(kind):
            assert control.objectName(), control
            assert control in seen, control.objectName()
            assert control.accessibleName() or control.property("text"), control.objectName()


def test_that_the_dialog_fits_a_low_screen_with_its_frame_and_scrolls_inside(qtbot: QtBot, tmp_path: Path) -> None:
    items = tuple(ExportItem(f"item{number}", f"Item {number}") for number in range(30))
    dialog = ExportDialog(items, tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    room = dialog.screen().availableSize()
    assert dialog.sizeHint().height() > room.height() - FRAME.height(), "else this tests nothing"
    assert dialog.height() == room.height() - FRAME.height()
    assert dialog.findChild(QScrollArea).verticalScrollBar().maximum() > 0
    assert dialog.minimumSizeHint().height() < 500, "also on a lower screen"
    assert dialog.rect().contains(ok(dialog).geometry())


def test_that_nothing_scrolls_where_there_is_room(dialog: ExportDialog) -> None:
    assert dialog.findChild(QScrollArea).verticalScrollBar().maximum() == 0


def test_that_a_long_title_of_a_recording_is_not_cut_by_the_edge(qtbot: QtBot, tmp_path: Path) -> None:
    title = "sgemm_tpl BM=64 BN=64 BK=8 TM=8  ·  64×64×64  ·  block (0, 0)  ·  version 2 (current)  ·  compiled"
    items = (ExportItem("long", "A long item that makes the left column wide, and wider still, as names do"),)
    dialog = ExportDialog(items, tmp_path, block_names=(BlockName(0, 0, (0, 0, 0), "file", title),))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.resize(dialog.minimumWidth(), dialog.height())
    view, titles = dialog.findChild(QScrollArea).viewport(), dialog.findChild(QComboBox, "exportRecording")
    qtbot.waitUntil(lambda: view.rect().right() >= titles.mapTo(view, titles.rect().topRight()).x(), timeout=500)
