"""Pictures and animations from the real window: the dialog asked, files written, choices remembered, work stopped."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import act, names_in, part
from PIL import Image
from PIL.GifImagePlugin import GifImageFile
from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QLineEdit, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.cli.app import run_app
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session, save_session
from gemmviz.gui.charts.traffic_chart import TrafficChart
from gemmviz.gui.export.dialog import ExportDialog
from gemmviz.gui.export.film.progress_window import FilmProgressWindow
from gemmviz.gui.export.targets import TRACE_FILES, files_written, states
from gemmviz.gui.export.view_dialog import ViewExportDialog
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.player.player_bar import PlayerBar
from gemmviz.gui.window.main_window import MainWindow


@pytest.fixture
def opened(window: MainWindow, recorded: Session, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    save_session(recorded, tmp_path / "s.gemmviz")
    with qtbot.waitSignal(window.document.opened):
        window.open_path(tmp_path / "s.gemmviz")
    qtbot.waitUntil(lambda: window._player.watched is not None)
    return window


def ask(window: MainWindow, qtbot: QtBot, folder: Path) -> ExportDialog:
    """The dialog, once it knows the frames of the recording, with the memory view alone ticked."""
    act(window, "exportAction")
    return asked(window, qtbot, folder)


def asked(window: MainWindow, qtbot: QtBot, folder: Path) -> ExportDialog:
    dialog = window.findChildren(ExportDialog)[-1]
    qtbot.waitUntil(lambda: dialog.film.counted)
    dialog.findChild(QLineEdit, "exportFolder").setText(str(folder))
    for tick in dialog.findChildren(QCheckBox):
        if tick.objectName().startswith("exportItem_"):
            tick.setChecked(tick.objectName() == "exportItem_memory")
    return dialog


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_that_more_formats_of_a_request_are_those_of_the_request(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path, form: str
) -> None:
    act(opened, "tabMemoryAction")
    page = opened._parts.memory_page
    tiled = next(grid for grid in page._grids if grid.runs[0].spec.kernel == "tiled")
    page.playable_chosen.emit(0, tiled.newest)
    page.findChild(QPushButton, "memoryBanks").click()
    stage = page.stages.in_front
    assert stage is not None
    qtbot.waitUntil(lambda: stage.request is not None)
    act(opened, "exportAction")
    dialog = opened.findChildren(ExportDialog)[-1]
    ticks = [tick for tick in dialog.findChildren(QCheckBox) if tick.objectName().startswith("exportItem_")]
    assert [tick.objectName() for tick in ticks if tick.isChecked()] == ["exportItem_request"]
    dialog.findChild(QLineEdit, "exportFolder").setText(str(tmp_path / "out"))
    for each in ("png", "svg", "pdf", "csv"):
        dialog.findChild(QCheckBox, f"export{each.capitalize()}").setChecked(each == form)
    part(dialog, QPushButton, "exportOk").click()
    qtbot.waitUntil(lambda: message(dialog).startswith("Wrote 1 file"))
    assert names_in(tmp_path / "out") == {f"request.{form}"}
    if form == "png":
        with Image.open(tmp_path / "out" / "request.png") as image:
            assert image.size == (3840, 2160)
            assert len(image.convert("RGB").getcolors(1 << 24)) > 50
    elif form == "svg":
        assert "<title>tiled" in (tmp_path / "out" / "request.svg").read_text()
    else:
        (one,) = PdfReader(tmp_path / "out" / "request.pdf").pages
        assert (one.mediabox.width, one.mediabox.height) == (2880, 1620)
        assert "tiled" in one.extract_text()
    dialog.close()


def message(dialog: ExportDialog) -> str:
    return str(dialog.findChild(QLabel, "exportMessage").text())


def film_window(window: MainWindow) -> FilmProgressWindow:
    return part(window, FilmProgressWindow, "filmWindow")


def film_message(window: MainWindow) -> str:
    return str(part(window, QLabel, "filmMessage").text())


def test_that_a_view_that_is_still_opening_is_not_exported(window: MainWindow, qtbot: QtBot) -> None:
    """Neither the first page in place of a session or a lesson, nor a page of memory without its picture."""
    told: list[str] = []
    window._exports.notified.connect(lambda _kind, words, _details: told.append(words))
    path = next(each.path for each in load_examples() if each.id == "cpu-four")
    with qtbot.waitSignal(window.document.opened):
        window.open_path(path)
        act(window, "exportViewAction")
    assert told == [f"{path.name} is still opening. Export this view when it is shown"]
    bar = part(window, PlayerBar, "playerBar")
    qtbot.waitUntil(lambda: bar.is_opening)
    act(window, "tabMemoryAction")
    act(window, "exportViewAction")
    assert told[1:] == ["The recording is still opening. Export this view when it is shown"]
    qtbot.waitUntil(lambda: not bar.is_opening)
    window.open_lesson("tiling")
    act(window, "exportViewAction")
    assert told[2].startswith("The lesson “")
    assert not window.findChildren(ViewExportDialog)
    qtbot.waitUntil(lambda: part(window, LessonPage, "lessonPage").lesson is not None)
    act(window, "exportViewAction")
    assert len(told) == 3
    assert window.findChildren(ViewExportDialog)


def test_that_pictures_and_an_animation_leave_the_window_and_the_choice_is_kept(
    opened: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog = ask(opened, qtbot, tmp_path / "out")
    assert part(opened, QCheckBox, "exportItem_memory").text() == "Memory view, frame 1 of 10", "as played"
    combo = dialog.findChild(QComboBox, "exportRecording")
    combo.setCurrentIndex(0)
    combo.activated.emit(0)
    qtbot.waitUntil(lambda: dialog.film.counted)
    file = "tiled_9x7x10_memory_block_1_2_frame_3"
    tick = part(opened, QCheckBox, "exportItem_memory")
    assert tick.text() == "Memory view, frame 3 of 7"
    assert file in tick.toolTip()
    dialog.findChild(QComboBox, "exportFilmSize").setCurrentText("960 × 540")
    dialog.findChild(QSpinBox, "exportTo").setValue(2)
    dialog.findChild(QCheckBox, "exportAnimate").setChecked(False)
    dialog.findChild(QCheckBox, "exportGif").setChecked(True)
    tick.click()  # the picture, too
    before = dialog.choice()
    dialog.findChild(QPushButton, "exportOk").click()
    qtbot.waitUntil(lambda: film_message(opened).startswith("Wrote"))
    assert film_message(opened) == f"Wrote 2 files to {tmp_path / 'out'}"
    assert names_in(tmp_path / "out") == {f"{file}.png", "tiled_9x7x10_memory_block_1_2.gif"}
    with Image.open(tmp_path / "out" / "tiled_9x7x10_memory_block_1_2.gif") as film:
        assert isinstance(film, GifImageFile)
        assert (film.size, film.n_frames) == ((960, 540), 2)
    opened.player.seek(7)
    part(film_window(opened), QPushButton, "filmAgain").click()
    assert not film_window(opened).isVisible()
    again = asked(opened, qtbot, tmp_path / "out")
    assert part(opened, QCheckBox, "exportItem_memory").text() == "Memory view, frame 8 of 10", "the one looked at"
    assert again.choice().film is None, "an animation is ordered anew each time"
    part(again, QCheckBox, "exportGif").setChecked(True)
    part(again, QCheckBox, "exportItem_memory").click()
    assert again.choice().film != before.film, "of the block that is played"
    combo = again.findChild(QComboBox, "exportRecording")
    combo.setCurrentIndex(0)
    combo.activated.emit(0)
    qtbot.waitUntil(lambda: again.film.counted)
    assert again.choice() == before
    again.close()


def test_that_only_the_tables_that_are_ticked_are_written(opened: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    for place, (name, wanted) in enumerate(
        (
            ("traffic", {"traffic.csv"}),
            ("runs", {"runs.csv", "samples.csv"}),
            ("recordings", {f"tiled_and_naive-{file}" for file in TRACE_FILES if file != "skipped.csv"}),
        )
    ):
        folder = tmp_path / str(place)
        dialog = ask(opened, qtbot, folder)
        for tick in dialog.findChildren(QCheckBox):
            if tick.objectName().startswith("exportItem_"):
                tick.setChecked(tick.objectName() == f"exportItem_{name}")
        dialog.findChild(QCheckBox, "exportPng").setChecked(False)
        dialog.findChild(QCheckBox, "exportCsv").setChecked(True)
        dialog.findChild(QPushButton, "exportOk").click()
        qtbot.waitUntil(lambda dialog=dialog: message(dialog).startswith("Wrote"))
        assert names_in(folder) == wanted
        dialog.close()


def test_that_the_window_can_be_used_while_an_animation_is_made_and_stopping_it_leaves_nothing(
    opened: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog, shown = ask(opened, qtbot, tmp_path / "out"), film_window(opened)
    part(dialog, QCheckBox, "exportPng").setChecked(False)
    part(dialog, QCheckBox, "exportFrames").setChecked(True)
    assert QApplication.activeModalWidget() is dialog
    part(dialog, QPushButton, "exportOk").click()
    qtbot.waitUntil(lambda: "video frames" in film_message(opened))
    assert shown.isVisible()
    assert QApplication.activeModalWidget() is None
    told: list[str] = []
    opened._exports.notified.connect(lambda _kind, words, _details: told.append(words))
    act(opened, "exportAction")
    assert QApplication.activeModalWidget() is None, "one export at a time"
    assert told == ["The animation is being made. Wait for it, or stop it."]
    qtbot.mouseClick(part(opened, QPushButton, "filmClose"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: film_message(opened).startswith("Stopped"))
    assert names_in(tmp_path / "out") == set()
    kept = tmp_path / "out" / "naive_9x7x10_memory_block_0_0_frames"
    kept.mkdir()
    (kept / "thesis.tex").touch()
    dialog = ask(opened, qtbot, tmp_path / "out")
    assert not shown.isVisible()
    part(dialog, QCheckBox, "exportPng").setChecked(False)
    part(dialog, QCheckBox, "exportFrames").setChecked(True)
    part(dialog, QPushButton, "exportOk").click()
    qtbot.waitUntil(lambda: "thesis.tex" in message(dialog))
    assert message(dialog).endswith("it holds thesis.tex. Move that or choose another folder")
    assert names_in(tmp_path / "out") == {"naive_9x7x10_memory_block_0_0_frames"}
    assert names_in(kept) == {"thesis.tex"}
    dialog.close()
    assert not dialog.isVisible()


@pytest.mark.parametrize("are_all_shown", [False, True])
def test_that_exported_traffic_is_of_the_recordings_that_the_page_shows(
    opened: MainWindow, tmp_path: Path, qtbot: QtBot, are_all_shown: bool
) -> None:
    other = tmp_path / "other.gemmviz"
    trace = ["trace", "--size", "7x9x10", "--out", str(other), "--kernel", "tiled", "--param", "TILE=4"]
    assert run_app(trace) == 0
    opened.document.add_trace(load_session(other).traces[0])
    act(opened, "tabTrafficAction")
    page = opened.findChild(TrafficChart)
    qtbot.waitUntil(lambda: len(page.traces) == 1)
    if are_all_shown:
        part(page, QPushButton, "trafficOtherSizes").click()
    dialog = ask(opened, qtbot, tmp_path)
    for name in ("exportItem_memory", "exportPng", "exportItem_traffic", "exportCsv"):
        part(dialog, QCheckBox, name).setChecked(name in ("exportItem_traffic", "exportCsv"))
    part(dialog, QPushButton, "exportOk").click()
    qtbot.waitUntil(lambda: message(dialog).startswith("Wrote"))
    rows = (tmp_path / "traffic.csv").read_text().splitlines()[1:]
    sizes = [tuple(row.split(",")[5:8]) for row in rows]
    assert sizes == ([("9", "7", "10")] * 2 if are_all_shown else []) + [("7", "9", "10")]
    assert len(page.traces) == len(sizes)


def test_that_an_export_that_is_stopped_counts_the_files_that_are_there(
    opened: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog, out = ask(opened, qtbot, tmp_path / "out"), tmp_path / "out"
    for tick in dialog.findChildren(QCheckBox):
        if tick.objectName().startswith("exportItem_"):
            tick.setChecked(True)
    for form in ("exportSvg", "exportCsv", "exportFrames"):
        dialog.findChild(QCheckBox, form).setChecked(True)
    dialog.findChild(QPushButton, "exportOk").click()
    qtbot.waitUntil(lambda: "video frames" in film_message(opened))
    part(opened, QPushButton, "filmClose").click()
    qtbot.waitUntil(lambda: film_message(opened).startswith("Stopped"))
    assert len(names_in(out)) > 3
    assert film_message(opened) == f"Stopped. Complete: {len(names_in(out))} files."
    (out / "mine.txt").touch()
    before = names_in(out)
    assert files_written([out / name for name in before], states([out / name for name in before])) == ()
