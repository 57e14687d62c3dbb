"""The code that was recorded: shown, coloured, copied."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.explain.source.tokens import TokenKind
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.source.highlight import word_colour
from gemmviz.gui.source.instrumented_dialog import InstrumentedDialog

PRELUDE = "\n".join(f"#define GV_{number} {number}" for number in range(200))
TEXT = f'{PRELUDE}\n#line 1 "x.cu"\n' + "\n".join(f"for (;;) GV_LOAD({number}); // read" for number in range(80))


@pytest.fixture
def dialog(qtbot: QtBot) -> InstrumentedDialog:
    dialog = InstrumentedDialog()
    qtbot.addWidget(dialog)
    return dialog


def text_of(dialog: InstrumentedDialog) -> QPlainTextEdit:
    return dialog.findChild(QPlainTextEdit, "instrumentedText")


def colours_of(document: QTextDocument, line: int) -> set[str]:
    return {part.format.foreground().color().name() for part in document.findBlockByNumber(line).layout().formats()}


def test_that_the_text_is_shown_from_where_the_kernel_begins(dialog: InstrumentedDialog, qtbot: QtBot) -> None:
    dialog.show_text("x.cu", TEXT)
    qtbot.waitExposed(dialog)
    assert not dialog.isModal()
    assert dialog.windowTitle() == "Recorded code of x.cu"
    assert text_of(dialog).toPlainText() == TEXT
    assert text_of(dialog).isReadOnly()
    assert text_of(dialog).firstVisibleBlock().text() == '#line 1 "x.cu"'


def test_that_ptx_is_shown_from_its_kernel(dialog: InstrumentedDialog, qtbot: QtBot) -> None:
    dialog.show_text("x.cu", "//\n" * 90 + ".visible .entry x(\n" + "ret;\n" * 90)
    qtbot.waitExposed(dialog)
    assert text_of(dialog).firstVisibleBlock().text() == ".visible .entry x("


def test_that_its_words_have_the_colours_of_the_theme(dialog: InstrumentedDialog) -> None:
    for theme in (LIGHT, DARK):
        dialog.set_theme(theme)
        dialog.show_text("x.cu", TEXT)
        found = colours_of(text_of(dialog).document(), 201)
        wanted = {word_colour(kind, theme) for kind in (TokenKind.KEYWORD, TokenKind.NUMBER, TokenKind.COMMENT)}
        assert wanted <= found


def test_that_it_is_copied_whole(dialog: InstrumentedDialog, qtbot: QtBot) -> None:
    dialog.show_text("x.cu", TEXT)
    qtbot.mouseClick(dialog.findChild(QPushButton, "instrumentedCopy"), Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == TEXT


def test_that_a_recording_without_it_is_said_to_have_none(dialog: InstrumentedDialog, qtbot: QtBot) -> None:
    dialog.show_text("x.cu", "")
    assert not text_of(dialog).isVisible()
    assert not dialog.findChild(QPushButton, "instrumentedCopy").isEnabled()
    qtbot.mouseClick(dialog.findChild(QPushButton, "instrumentedClose"), Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()
    dialog.show_text("x.cu", TEXT)
    assert text_of(dialog).isVisible()
