"""What was found in a file is read, copied, followed to a line, and taken back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QTextBrowser
from pytestqt.qtbot import QtBot

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.reasons import Reason
from gemmviz.adopt.sidecar import write_sidecar
from gemmviz.catalogue.values.values_left_out import ValueLeftOut
from gemmviz.domain.kernels.call import Storage
from gemmviz.gui.kernels.found_dialog import FoundDialog, FoundReport

STORAGES = Storage(), Storage(), Storage(), Storage()
DESCRIBED = Description("mm", (), (), ("A", "B", "C", "M", "N", "K"), STORAGES, ("16",), ("M",))
MM = KernelFinding("mm", 3, DESCRIBED, notes=("right at 16x16x16, where line 7 is reached <b>",))


@pytest.fixture
def report(tmp_path: Path) -> FoundReport:
    path = tmp_path / "k.cu"
    written = write_sidecar(path, DESCRIBED).read_text(encoding="utf-8")
    add = KernelFinding("add", 9, None, (Reason(f"{path}:9: it adds"),))
    return FoundReport(path, (MM, add), written)


@pytest.fixture
def dialog(qtbot: QtBot, report: FoundReport) -> FoundDialog:
    made = FoundDialog(report)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(made)
    made.show()
    return made


def shown(dialog: FoundDialog) -> str:
    page = dialog.findChild(QTextBrowser, "foundPage")
    assert isinstance(page, QTextBrowser)
    return page.toPlainText()


def test_that_every_kernel_is_told_as_the_window_says_it_and_the_description_as_it_is(dialog: FoundDialog) -> None:
    page = shown(dialog)
    assert "mm (line 3)" in page
    assert "Verified: C = A·B, takes every size that was tried" in page
    assert "right at 16×16×16, where line 7 is reached <b>" in page
    assert page.index("add (line 9)") > page.index("mm (line 3)")
    assert "line 9: it adds" in page
    assert str(dialog.report.path.parent) not in f"{page}{dialog.report.text}", "the file is named above"
    assert 'entry = "mm"' in page
    label = dialog.findChild(QLabel, "foundWritten")
    assert isinstance(label, QLabel)
    assert label.text() == "Written beside the file: k.cu.toml"


def test_that_everything_is_copied_as_text(dialog: FoundDialog, qtbot: QtBot) -> None:
    qtbot.mouseClick(dialog.findChild(QPushButton, "foundCopy"), Qt.MouseButton.LeftButton)
    text = QApplication.clipboard().text()
    assert text.startswith("k.cu. Written beside the file: k.cu.toml\n\nmm (line 3): verified: C = A·B")
    assert "  called as mm(A, B, C, M, N, K)\n" in text
    assert dialog.report.written.strip() in text


def test_that_a_line_that_a_sentence_names_is_a_link_to_it(dialog: FoundDialog, qtbot: QtBot) -> None:
    page = dialog.findChild(QTextBrowser, "foundPage")
    assert isinstance(page, QTextBrowser)
    assert 'href="7"' in page.toHtml()
    with qtbot.waitSignal(dialog.line_asked) as asked:
        page.anchorClicked.emit(QUrl("7"))
    assert asked.args == [dialog.report.path, 7]


def test_that_a_description_as_it_was_written_can_be_deleted(dialog: FoundDialog, qtbot: QtBot) -> None:
    button = dialog.findChild(QPushButton, "foundTakeBack")
    assert isinstance(button, QPushButton)
    with qtbot.waitSignal(dialog.taken_back) as taken:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert taken.args == [dialog.report.path]
    assert not dialog.report.description.exists()
    assert not button.isEnabled()
    assert dialog.report.written_words == "Nothing is written beside the file"


def test_that_a_description_that_was_changed_since_is_not_deleted(report: FoundReport, qtbot: QtBot) -> None:
    report.description.write_text("entry = 'other'\n", encoding="utf-8")
    dialog = FoundDialog(report)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    button = dialog.findChild(QPushButton, "foundTakeBack")
    assert isinstance(button, QPushButton)
    assert not button.isEnabled()
    assert "was changed since gemmviz wrote it" in button.toolTip()
    dialog._on_take_back()  # as where it changes while the dialog is open
    assert report.description.exists()


def test_that_a_description_from_before_is_named_and_never_deleted(report: FoundReport, qtbot: QtBot) -> None:
    """A person may have written it by hand."""
    dialog = FoundDialog(FoundReport(report.path, (), report.written))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    assert dialog.report.written_words == "Beside the file: k.cu.toml"
    assert "perhaps by hand" in dialog.report.no_deletion
    dialog._on_take_back()
    assert report.description.exists()


def test_that_a_changed_file_is_said_to_be_a_later_version_and_can_be_looked_at_again(
    report: FoundReport, dialog: FoundDialog, qtbot: QtBot
) -> None:
    report.path.write_text("an earlier text", encoding="utf-8")
    dialog.show_report(FoundReport(report.path, (MM,), report.written, "an earlier text"))
    label, button = dialog.findChild(QLabel, "foundOutdated"), dialog.findChild(QPushButton, "foundLookAgain")
    assert isinstance(label, QLabel)
    assert isinstance(button, QPushButton)
    assert not label.isVisible()
    report.path.write_text("a later text", encoding="utf-8")
    dialog.show_whether_outdated()
    assert (label.isVisible(), label.text()) == (True, "This is of an earlier version of k.cu.")
    assert dialog.report.text.startswith("This is of an earlier version of k.cu.\n\nk.cu. Written beside")
    with qtbot.waitSignal(dialog.look_asked) as asked:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked.args == [report.path]


def test_that_a_description_alone_tells_what_it_says_in_words_and_whether_the_file_was_changed_since(
    report: FoundReport, dialog: FoundDialog
) -> None:
    left_out = (ValueLeftOut("TILE", 64, "wrong at 7x5x3"),)
    alone = FoundReport(report.path, (), report.written, left_out=left_out)
    report.path.write_text("text", encoding="utf-8")
    os.utime(report.path, (1.0, 1.0))
    dialog.show_report(alone)
    assert alone.outdated_words == ""
    page = shown(dialog)
    assert "C = A·B, takes every size that was tried" in page.split("k.cu.toml")[0]
    assert "TILE = 64: wrong at 7×5×3" in page
    os.utime(report.path)
    os.utime(report.description, (1.0, 1.0))
    assert alone.outdated_words == "k.cu was changed after k.cu.toml was written."


def test_that_a_description_that_cannot_be_deleted_is_said_to_stay(
    dialog: FoundDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path, *, missing_ok: bool) -> None:
        raise PermissionError(13, f"Permission denied (missing_ok={missing_ok})")

    monkeypatch.setattr(Path, "unlink", refuse)
    dialog._on_take_back()
    label = dialog.findChild(QLabel, "foundWritten")
    assert isinstance(label, QLabel)
    assert label.text().startswith("k.cu.toml cannot be deleted: Permission denied")
    assert dialog.report.is_as_written
