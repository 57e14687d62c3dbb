"""The About box."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.about.dialog import AboutDialog

FACTS = (("gemmviz", "1.2.3"), ("Python", "3.13"), ("Device", "a <b>CPU</b>"))
LICENCES = (("gemmviz", "Do as you like"), ("Font", "Embed it"))


def made(qtbot: QtBot) -> AboutDialog:
    dialog = AboutDialog(FACTS, LICENCES)
    qtbot.addWidget(dialog)
    return dialog


def test_that_versions_are_shown_as_they_are(qtbot: QtBot) -> None:
    dialog = made(qtbot)
    labels = {label.text(): label for label in dialog.findChildren(QLabel)}
    assert {"gemmviz 1.2.3", "3.13", "a <b>CPU</b>"} <= set(labels)
    assert labels["a <b>CPU</b>"].textFormat() is Qt.TextFormat.PlainText


def test_that_copy_info_puts_the_facts_on_the_clipboard(qtbot: QtBot) -> None:
    dialog = made(qtbot)
    button = dialog.findChild(QPushButton, "copyInfo")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "gemmviz: 1.2.3\nPython: 3.13\nDevice: a <b>CPU</b>\n"
    assert button.text() == "Copied"


def test_that_each_licence_can_be_read(qtbot: QtBot) -> None:
    dialog = made(qtbot)
    text, which = dialog.findChild(QPlainTextEdit, "licenceText"), dialog.findChild(QComboBox, "licenceCombo")
    assert text.toPlainText() == "Do as you like"
    which.setCurrentIndex(1)
    assert text.toPlainText() == "Embed it"
    assert text.isReadOnly()


def test_that_close_closes(qtbot: QtBot) -> None:
    dialog = made(qtbot)
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.findChild(QPushButton, "closeAbout"), Qt.MouseButton.LeftButton)


def test_that_no_facts_and_no_licences_are_no_fault(qtbot: QtBot) -> None:
    dialog = AboutDialog((), ())
    qtbot.addWidget(dialog)
    assert dialog.findChild(QPlainTextEdit, "licenceText").toPlainText() == ""
