"""On the whole screen a key and a click list the notes of a picture that it has no room for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontInfo, QImage
from PySide6.QtWidgets import QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.charts.notes_label import NotesLabel
from gemmviz.gui.commands.commands import Command
from gemmviz.gui.commands.shortcuts_dialog import ShortcutsDialog
from gemmviz.gui.looks.fonts import NORMAL
from gemmviz.gui.looks.projector import DIALOG_POINTS, LEAST_WORDS, USUAL_HEIGHT
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.presentation.follower import notes_of
from gemmviz.gui.presentation.hint import FadingHint
from gemmviz.gui.presentation.notes_dialog import NotesDialog
from gemmviz.gui.presentation.picture_screen import NOTES, PictureScreen
from gemmviz.gui.presentation.rows_dialog import RowsDialog
from gemmviz.gui.widgets.plain_label import PlainLabel

COMMANDS = (Command("File", "Open", ("Ctrl+O",)),)
FOUND = "Bars are medians.", "Circles are means."


@pytest.fixture
def screen(qtbot: QtBot) -> PictureScreen:
    found = PictureScreen(lambda size: QImage(*size, QImage.Format.Format_RGB32), "timing", LIGHT)
    found.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(found)
    found.resize(640, 400)
    found.show()
    return found


def lists(screen: PictureScreen) -> list[NotesDialog]:
    return [dialog for dialog in screen.findChildren(NotesDialog) if dialog.isVisible()]


def test_that_a_key_leads_back_to_the_lesson_that_filled_a_chart(qtbot: QtBot, screen: PictureScreen) -> None:
    hint, gone = screen.findChild(FadingHint), list[str]()
    qtbot.keyClick(screen, Qt.Key.Key_B)
    assert screen.isVisible(), "there is no lesson to go back to"
    screen.set_way_back("Back to lesson 1", lambda: gone.append("back"))
    assert "B  back to lesson 1" in hint.text()
    qtbot.keyClick(screen, Qt.Key.Key_B)
    assert gone == ["back"]
    assert not screen.isVisible()


def test_that_a_key_lists_all_notes_and_escape_closes_the_list_alone(qtbot: QtBot, screen: PictureScreen) -> None:
    screen.set_notes(FOUND)
    assert NOTES in screen.findChild(FadingHint).text()
    qtbot.keyClick(screen, Qt.Key.Key_N)
    (dialog,) = lists(screen)
    said = [label.text() for label in dialog.findChildren(PlainLabel)]
    assert [note for note in said if note in FOUND] == list(FOUND)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not lists(screen)
    assert screen.isVisible()


@pytest.mark.parametrize("height", [800, 1080])
def test_that_dialogs_over_a_presentation_have_its_type(qtbot: QtBot, height: int) -> None:
    scale = height / USUAL_HEIGHT
    factor = DIALOG_POINTS / NORMAL * scale
    for dialog in (
        NotesDialog(FOUND, factor=factor),
        RowsDialog((), (), (), factor=factor),
        ShortcutsDialog(COMMANDS, factor=factor),
    ):
        qtbot.addWidget(dialog)
        words = [*dialog.findChildren(PlainLabel), *dialog.findChildren(QPushButton)]
        for widget in words:
            widget.ensurePolished()
            assert QFontInfo(widget.font()).pixelSize() >= int(LEAST_WORDS * scale), widget.objectName()
        assert words


def test_that_a_click_near_the_bottom_lists_them_too(qtbot: QtBot, screen: PictureScreen) -> None:
    screen.set_notes(FOUND)
    qtbot.mouseClick(screen, Qt.MouseButton.LeftButton, pos=QPoint(320, 100))
    assert not lists(screen)
    qtbot.mouseClick(screen, Qt.MouseButton.LeftButton, pos=QPoint(320, 360))
    assert len(lists(screen)) == 1


def test_that_a_picture_without_notes_has_no_such_key(qtbot: QtBot, screen: PictureScreen) -> None:
    qtbot.keyClick(screen, Qt.Key.Key_N)
    assert not lists(screen)
    assert NOTES not in screen.findChild(FadingHint).text()


def test_that_the_notes_are_those_of_the_charts_in_sight(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    shown, hidden = NotesLabel(page), NotesLabel(page)
    shown.write(FOUND)
    hidden.write(("It is higher.",))
    hidden.hide()
    assert notes_of(page) == FOUND
    assert notes_of(None) == ()


@pytest.mark.parametrize("factor", [1.0, 1.4])
def test_that_the_list_of_notes_is_as_high_as_its_notes_need(qtbot: QtBot, factor: float) -> None:
    few, more = NotesDialog(FOUND[:1], factor=factor), NotesDialog(FOUND * 3, factor=factor)
    for dialog in (few, more):
        qtbot.addWidget(dialog)
        dialog.show()
        bar = dialog.findChild(QScrollArea).verticalScrollBar()
        assert bar.maximum() == 0, "nothing is left to scroll to"
    assert few.height() + 40 < more.height() < 480 * factor
