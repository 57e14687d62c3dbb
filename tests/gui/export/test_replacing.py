"""The window asks once before it replaces files; a no leaves everything as it was, and so does a link."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import act, names_in
from nasty import EXAMPLES
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.export.dialog import ExportDialog
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.files.replacing import replacing_words
from gemmviz.gui.widgets.question import Answer, Question
from gemmviz.gui.window.main_window import MainWindow


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions put; the answer is what stands last in it, at first "Cancel"."""
    questions: list[str] = []

    def answer(_parent: object, _title: str, text: str, *_: object) -> Answer:
        questions.append(text)
        return Answer.REPLACE if len(questions) > 1 else Answer.CANCEL

    monkeypatch.setattr(Question, "ask", answer)
    return questions


@pytest.fixture
def dialog(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> ExportDialog:
    """The export of the tables of one chart and of all runs into tmp_path / "out", where two of its files are."""
    with qtbot.waitSignal(window.document.opened):
        window.open_path(EXAMPLES / "cpu-sweep.gemmviz")
    out = tmp_path / "out"
    out.mkdir()
    for name in ("runs.csv", "sweep_1.csv"):
        (out / name).write_text("mine", encoding="utf-8")
    act(window, "exportAction")
    made = window.findChildren(ExportDialog)[-1]
    made.findChild(QLineEdit, "exportFolder").setText(str(out))
    for tick in made.findChildren(QCheckBox):
        if tick.objectName().startswith("exportItem_"):
            tick.setChecked(tick.objectName() in ("exportItem_sweep", "exportItem_runs"))
    made.findChild(QCheckBox, "exportPng").setChecked(False)
    made.findChild(QCheckBox, "exportCsv").setChecked(True)
    return made


def press_export(dialog: ExportDialog) -> None:
    dialog.findChild(QPushButton, "exportOk").click()


def message(dialog: ExportDialog) -> str:
    return str(dialog.findChild(QLabel, "exportMessage").text())


def test_that_an_export_asks_once_and_a_no_leaves_everything(
    dialog: ExportDialog, asked: list[str], tmp_path: Path, qtbot: QtBot
) -> None:
    out = tmp_path / "out"
    assert dialog.findChild(QLabel, "exportNote").text() == "Replaces runs.csv, sweep_1.csv"
    press_export(dialog)
    assert asked == [f"2 of these files are already in {out}. Replace them?\n\nruns.csv\nsweep_1.csv"]
    assert names_in(out) == {"runs.csv", "sweep_1.csv"}
    assert (out / "runs.csv").read_text(encoding="utf-8") == "mine"
    press_export(dialog)
    qtbot.waitUntil(lambda: message(dialog).startswith("Wrote 3 files"))
    assert len(asked) == 2
    assert (out / "runs.csv").read_text(encoding="utf-8") != "mine"


@pytest.mark.skipif(not hasattr(Path, "hardlink_to"), reason="links")
def test_that_an_export_never_goes_through_a_link(dialog: ExportDialog, asked: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "precious").write_text("mine", encoding="utf-8")
    (out / "samples.csv").symlink_to("../precious")
    press_export(dialog)
    assert "it is a link to ../precious" in message(dialog)
    assert asked == []
    assert (tmp_path / "precious").read_text(encoding="utf-8") == "mine"
    assert (out / "runs.csv").read_text(encoding="utf-8") == "mine"


def test_that_a_name_to_which_the_window_adds_a_suffix_is_asked_about(
    window: MainWindow, asked: list[str], tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "mine.gemmviz"
    there.write_bytes(b"mine")
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: str(tmp_path / "mine"))
    act(window, "saveAsAction")
    assert asked == [f"mine.gemmviz is already in {tmp_path}. Replace it?"]
    window.document.wait()
    assert there.read_bytes() == b"mine"
    with qtbot.waitSignal(window.document.saved):
        act(window, "saveAsAction")
    assert there.read_bytes()[:2] == b"PK"


def test_that_a_session_file_that_another_program_changed_is_asked_about(
    window: MainWindow, asked: list[str], tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "mine.gemmviz"
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: str(there))
    with qtbot.waitSignal(window.document.saved):
        act(window, "saveAsAction")
    there.write_bytes(b"theirs")
    act(window, "saveAction")
    qtbot.waitUntil(lambda: len(asked) == 1)
    assert asked[0].startswith("Another program has changed mine.gemmviz since it was opened or saved here.")
    assert there.read_bytes() == b"theirs"
    with qtbot.waitSignal(window.document.saved):
        act(window, "saveAction")
    assert len(asked) == 2
    assert there.read_bytes()[:2] == b"PK"


def test_that_of_many_files_the_first_are_named() -> None:
    words = replacing_words([Path(f"/x/{number}.png") for number in range(9)])
    assert (
        words
        == "9 of these files are already in /x. Replace them?\n\n"
        + "\n".join(f"{number}.png" for number in range(6))
        + "\nand 3 more"
    )
