"""The dialog that asks for names of files: names have room, its look is kept, and what is asked is answered."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFileSystemModel,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gemmviz.gui.files import file_dialog
from gemmviz.gui.files.file_dialog import CHANGED, FILE_SIZE, KIND, NAME, FileDialog
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import DARK, LIGHT

LONG = "tiled_transposed.gemmviz"


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Let every test begin with the usual size and columns."""
    before = FileDialog._last_size, FileDialog._last_columns
    FileDialog._last_size, FileDialog._last_columns = file_dialog.USUAL_SIZE, None
    yield
    FileDialog._last_size, FileDialog._last_columns = before


@pytest.fixture
def shown(qtbot: QtBot, tmp_path: Path) -> FileDialog:
    (tmp_path / LONG).touch()
    return show(qtbot, tmp_path)


def show(qtbot: QtBot, folder: Path) -> FileDialog:
    dialog = FileDialog(None, "Open", str(folder), "All files (*)")
    qtbot.addWidget(dialog)
    dialog.setStyleSheet(style_sheet(LIGHT))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.show()
    qtbot.waitUntil(lambda: tree(dialog).model().rowCount(tree(dialog).rootIndex()) > 0)
    return dialog


def tree(dialog: FileDialog) -> QTreeView:
    found = dialog.findChild(QTreeView, "treeView")
    assert isinstance(found, QTreeView)
    return found


def columns(dialog: FileDialog) -> QHeaderView:
    return tree(dialog).header()


def test_that_the_text_of_every_column_has_room(shown: FileDialog) -> None:
    view = tree(shown)
    assert columns(shown).length() <= view.viewport().width(), "nothing lies beyond the edge"
    for column in (NAME, FILE_SIZE, KIND, CHANGED):
        assert view.sizeHintForColumn(column) <= columns(shown).sectionSize(column), column


def test_that_the_next_dialog_is_as_the_last_was_left(qtbot: QtBot, shown: FileDialog, tmp_path: Path) -> None:
    shown.resize(700, 480)
    columns(shown).resizeSection(KIND, 61)
    shown.reject()
    again = show(qtbot, tmp_path)
    assert again.size() == QSize(700, 480)
    assert columns(again).sectionSize(KIND) == 61


@pytest.mark.parametrize("answer", [QDialog.DialogCode.Accepted, QDialog.DialogCode.Rejected])
@pytest.mark.usefixtures("qapp")
def test_that_names_are_answered_and_none_where_the_dialog_is_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: QDialog.DialogCode
) -> None:
    file, mine = tmp_path / "mine.cu", "my kernel.cu"
    file.touch()
    seen: list[tuple[str, QFileDialog.FileMode, QFileDialog.AcceptMode]] = []

    def ask(dialog: FileDialog) -> int:
        seen.append((Path(dialog.directory().absolutePath()).name, dialog.fileMode(), dialog.acceptMode()))
        if dialog.acceptMode() == QFileDialog.AcceptMode.AcceptOpen:
            dialog.selectFile(str(tmp_path if dialog.fileMode() == QFileDialog.FileMode.Directory else file))
        return answer

    monkeypatch.setattr(FileDialog, "exec", ask)
    found = (
        FileDialog.name_to_open(None, "Open", str(tmp_path), "All files (*)"),
        FileDialog.names_to_open(None, "Open", str(tmp_path), "All files (*)"),
        FileDialog.name_to_save(None, "Save", str(tmp_path / mine), "CUDA kernel (*.cu)"),
        FileDialog.folder_name(None, "Export to", str(tmp_path)),
    )
    is_answered = answer is QDialog.DialogCode.Accepted
    wanted = (str(file), [str(file)], str(tmp_path / mine), str(tmp_path)) if is_answered else ("", [], "", "")
    assert found == wanted
    modes, accepts = QFileDialog.FileMode, QFileDialog.AcceptMode
    assert [one[1:] for one in seen] == [
        (modes.ExistingFile, accepts.AcceptOpen),
        (modes.ExistingFiles, accepts.AcceptOpen),
        (modes.AnyFile, accepts.AcceptSave),
        (modes.Directory, accepts.AcceptOpen),
    ]
    assert {one[0] for one in seen[:3]} == {tmp_path.name}


def typed(dialog: FileDialog, text: str) -> str:
    """Type a text, press Open, and give what is said of it; "" where nothing is wrong."""
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    field.setText(text)
    field.textEdited.emit(text)
    box = dialog.findChild(QDialogButtonBox, "buttonBox")
    box.button(QDialogButtonBox.StandardButton.Open).click()
    said = dialog.findChild(QLabel, "fileFault")
    return said.text() if said.isVisible() else ""


@pytest.mark.parametrize("how", ["{}", " {} ", "'{}'", '"{}"', "escaped", "file", "~"])
def test_that_a_path_opens_as_it_is_typed_or_pasted_from_a_shell(
    shown: FileDialog, tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = tmp_path / "my runs" / "the best.gemmviz"
    wanted.parent.mkdir()
    wanted.touch()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    ways = {
        "escaped": str(wanted).replace(" ", "\\ "),
        "file": wanted.as_uri(),
        "~": "~/my runs/the best.gemmviz",
    }
    if how == "escaped" and os.name != "posix":
        pytest.skip("a backslash parts folders here")
    assert typed(shown, ways.get(how, how).format(wanted)) == ""
    assert shown.result() == QDialog.DialogCode.Accepted
    assert [Path(name) for name in shown.selectedFiles()] == [wanted]


def test_that_what_is_wrong_with_a_path_is_said_and_goes_when_it_is_mended(shown: FileDialog, tmp_path: Path) -> None:
    missing = f"{tmp_path} has no file “tild.gemmviz”. Check the name, or choose one of the list."
    assert typed(shown, str(tmp_path / "tild.gemmviz")) == missing
    assert typed(shown, str(tmp_path / "nowhere" / "x.gemmviz")) == (
        f"{tmp_path} has no folder “nowhere”. Check the path."
    )
    assert shown.isVisible()
    assert typed(shown, LONG) == ""
    assert not shown.isVisible()


def test_that_a_folder_that_is_typed_is_gone_to(shown: FileDialog, tmp_path: Path) -> None:
    inner = tmp_path / "in here"
    inner.mkdir()
    assert typed(shown, f"'{inner}'") == ""
    assert shown.isVisible()
    assert Path(shown.directory().absolutePath()) == inner


def test_that_a_typed_path_opens_though_qt_selected_a_folder_it_passes_through(
    shown: FileDialog, tmp_path: Path
) -> None:
    view = tree(shown)
    model, flag = view.model(), QItemSelectionModel.SelectionFlag
    assert isinstance(model, QFileSystemModel)
    field = shown._field
    assert field is not None
    field.setText(str(tmp_path / LONG))
    view.selectionModel().select(model.index(str(tmp_path)), flag.ClearAndSelect | flag.Rows)
    shown.accept()
    assert shown.result() == QDialog.DialogCode.Accepted
    assert [Path(name) for name in shown.selectedFiles()] == [tmp_path / LONG]


def test_that_enter_takes_what_is_typed_and_suggestions_have_the_theme_of_the_window(
    qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    window = QWidget()
    window.setStyleSheet(style_sheet(DARK))
    qtbot.addWidget(window)
    dialog = FileDialog(window, "Save", str(tmp_path / "mine.csv"), "Tables (*.csv)")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.show()
    field, popup = dialog._field, dialog._suggestions
    assert field is not None
    assert popup is not None
    field.selectAll()
    qtbot.keyClicks(field, str(tmp_path / "ou"))
    qtbot.waitUntil(popup.isVisible)
    assert popup.styleSheet() == window.styleSheet()
    with qtbot.waitSignal(dialog.accepted):
        qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert dialog.selectedFiles() == [str(tmp_path / "ou")]
    assert not popup.isVisible()
