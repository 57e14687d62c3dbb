"""The first page: one click to a lesson, by mouse or by keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.files.recent_files import RecentFile
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.welcome.card import Card, CardButton, CardKind
from gemmviz.gui.welcome.first_page import MOST_RECENT, NARROW, FirstPage

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
CARDS = (
    Card(CardKind.LESSON, "Naive against tiles", "What tiling saves, at 512.", "512"),
    Card(CardKind.LESSON, "Odd sizes", "What happens at the edges.", "odd"),
    Card(CardKind.OPEN, "Open a session", "Go on where you stopped."),
    Card(CardKind.KERNEL, "Bring a kernel", "A .cu or .cl file. " * 12),
)


@pytest.fixture
def page(qtbot: QtBot) -> FirstPage:
    made = FirstPage(CARDS, LIGHT)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    return made


def card(page: FirstPage, name: str) -> CardButton:
    found = page.findChild(CardButton, name)
    assert isinstance(found, CardButton), name
    return found


def test_that_a_lesson_asks_with_its_own_payload(qtbot: QtBot, page: FirstPage) -> None:
    for name, payload in (("lessonCard_512", "512"), ("lessonCard_odd", "odd")):
        with qtbot.waitSignal(page.lesson_asked) as asked:
            qtbot.mouseClick(card(page, name), Qt.MouseButton.LeftButton)
        assert asked.args == [payload]


def test_that_the_other_cards_ask_for_files(qtbot: QtBot, page: FirstPage) -> None:
    with qtbot.waitSignal(page.open_asked):
        qtbot.keyClick(card(page, "openCard"), Qt.Key.Key_Space)
    with qtbot.waitSignal(page.kernel_asked):
        qtbot.keyClick(card(page, "kernelCard"), Qt.Key.Key_Return)


def test_that_the_cards_are_reached_with_tab_in_order(qtbot: QtBot, page: FirstPage) -> None:
    page.activateWindow()
    card(page, "lessonCard_512").setFocus()
    order = []
    for _ in CARDS:
        focus = page.focusWidget()
        order.append(focus.objectName() if focus else "")
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    assert order == ["lessonCard_512", "lessonCard_odd", "openCard", "kernelCard"]


def test_that_a_card_is_high_enough_for_its_words(qtbot: QtBot, page: FirstPage) -> None:
    for width in (900, 420):
        page.resize(width, 700)
        for button in page.findChildren(CardButton):
            qtbot.waitUntil(lambda button=button: button.height() >= button.layout().heightForWidth(button.width()))  # type: ignore[misc]
            for label in button.findChildren(QLabel):
                assert button.rect().contains(label.geometry()), (button.objectName(), label.text())


def test_that_words_are_what_a_screen_reader_says(page: FirstPage) -> None:
    button = card(page, "lessonCard_512")
    assert button.accessibleName() == "Naive against tiles"
    assert button.accessibleDescription() == button.toolTip() == "What tiling saves, at 512."


def test_that_recent_files_are_offered_and_missing_ones_only_named(qtbot: QtBot, page: FirstPage) -> None:
    rows = [RecentFile(f"/w/{n}.gemmviz", f"{n}.gemmviz", "/w", exists=n != 1) for n in range(7)]
    for _ in range(2):
        page.show_recent(rows)
    buttons = [page.findChild(QPushButton, f"firstRecent{n}") for n in range(1, MOST_RECENT + 1)]
    assert [button.isEnabled() for button in buttons] == [True, False, True, True]
    assert "not there any more" in buttons[1].text()
    assert page.findChild(QPushButton, f"firstRecent{MOST_RECENT + 1}") is None
    with qtbot.waitSignal(page.recent_asked) as asked:
        qtbot.mouseClick(buttons[2], Qt.MouseButton.LeftButton)
    assert asked.args == ["/w/2.gemmviz"]


def test_that_no_recent_files_leave_no_heading(page: FirstPage) -> None:
    page.show_recent([RecentFile("/w/a", "a", "/w", True)])
    page.show_recent([])
    assert not [label for label in page.findChildren(QLabel) if label.text() == "Recent files" and label.isVisible()]


def test_that_a_narrow_page_gives_the_pictures_room_to_the_words(page: FirstPage) -> None:
    picture = page.findChild(QWidget, "paperPicture")
    shown = []
    for width in (NARROW + 10, NARROW - 10, NARROW + 10):
        page.resize(width, 700)
        shown.append(picture.isVisible())
    assert shown == [True, False, True]


def test_that_a_theme_reaches_picture_and_cards(page: FirstPage) -> None:
    before = page.grab().toImage()
    page.set_theme(DARK)
    assert page.grab().toImage() != before
