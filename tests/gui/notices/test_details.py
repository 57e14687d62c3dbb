"""The sheet with what a message has to say in full."""

from __future__ import annotations

import pytest
from driving import act, part
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QDockWidget, QPlainTextEdit, QPushButton, QTabBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.notices.details import NoticeDetails, is_log
from gemmviz.gui.notices.notice import NoticeKind
from gemmviz.gui.window.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
SENTENCES = "Every rung from one thread per element to tensor cores, and the library. Each idea adds a speed-up. " * 3
LOG = "kernel.cu:3: error: no such thing\n  float a = nothing_of_the_kind;\n            ^~~~~~~\n"


@pytest.fixture
def window_of_bar(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(700, 400)
    bar = NoticeBar(LIGHT)
    bar.setParent(made)
    bar.setGeometry(100, 320, 560, 30)
    made.show()
    return made


def opened(window: QWidget, details: str) -> NoticeDetails:
    bar = window.findChild(NoticeBar)
    bar.show_notice(NoticeKind.ERROR, details[:8], details)
    bar.findChildren(QPushButton, "noticeDetailsButton")[-1].click()
    return window.findChildren(NoticeDetails)[-1]


def shown_sheets(window: QWidget) -> list[NoticeDetails]:
    return [sheet for sheet in window.findChildren(NoticeDetails) if sheet.isVisible()]


def all_is_seen(sheet: NoticeDetails) -> bool:
    text = sheet.findChild(QPlainTextEdit, "noticeDetails")
    return text.verticalScrollBar().maximum() == 0 == text.horizontalScrollBar().maximum()


def test_that_the_details_of_every_example_are_seen_whole_in_a_small_window(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1280, 800)
    window.show()
    bar = part(window, NoticeBar, "noticeBar")
    for example in load_examples():
        with qtbot.waitSignal(window.document.opened):
            act(window, f"exampleAction_{example.id}")
        bar.findChildren(QPushButton, "noticeDetailsButton")[-1].click()
        sheet = shown_sheets(window)[-1]
        qtbot.waitUntil(lambda: all_is_seen(sheet))  # noqa: B023
        assert example.text in sheet.findChild(QPlainTextEdit).toPlainText()
        assert window.rect().contains(sheet.geometry())
        bar.clear()


def test_that_sentences_wrap_and_the_lines_of_a_log_stay(window_of_bar: QWidget) -> None:
    assert (is_log(SENTENCES), is_log(LOG)) == (False, True)
    for text, mode in ((SENTENCES, "WidgetWidth"), (LOG, "NoWrap")):
        edit = opened(window_of_bar, text).findChild(QPlainTextEdit)
        assert edit.lineWrapMode() is QPlainTextEdit.LineWrapMode[mode]
        window_of_bar.findChild(NoticeBar).clear()


def test_that_the_sheet_is_as_wide_as_its_message_and_follows_it(qtbot: QtBot, window_of_bar: QWidget) -> None:
    bar, sheet = window_of_bar.findChild(NoticeBar), opened(window_of_bar, SENTENCES)
    qtbot.waitUntil(lambda: (sheet.x(), sheet.width()) == (100, 560))
    high = sheet.height()
    bar.setGeometry(QRect(40, 330, 480, 30))
    qtbot.waitUntil(lambda: (sheet.x(), sheet.width()) == (40, 480))
    assert sheet.geometry().bottom() < 330, "above the message, which stays to be read"
    assert sheet.height() > high
    qtbot.waitUntil(lambda: all_is_seen(sheet))
    assert window_of_bar.rect().contains(sheet.geometry())


def test_that_pages_and_panels_that_come_leave_the_sheet_above_them(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1280, 800)
    window.show()
    bar = part(window, NoticeBar, "noticeBar")
    with qtbot.waitSignal(window.document.opened):
        act(window, "exampleAction_gpu-ladder")
    bar.findChildren(QPushButton, "noticeDetailsButton")[-1].click()
    sheet = shown_sheets(window)[-1]
    pages = next(one for one in window.findChildren(QTabBar) if one.isVisible() and one.tabText(0) == "Memory")
    for page in (0, 1, 0):
        pages.setCurrentIndex(page)
        qtbot.waitUntil(lambda: window.children()[-1] is sheet)
        source = part(window, QDockWidget, "sourceDock")
        qtbot.waitUntil(lambda: source.visibleRegion().isEmpty() is (page == 1))  # noqa: B023


def test_that_esc_closes_the_details(qtbot: QtBot, window_of_bar: QWidget) -> None:
    for is_in_text in (True, False):
        sheet = opened(window_of_bar, SENTENCES)
        button = window_of_bar.findChild(QPushButton, "noticeDetailsButton")
        qtbot.keyClick(sheet.findChild(QPlainTextEdit) if is_in_text else button, Qt.Key.Key_Escape)
        assert not shown_sheets(window_of_bar)
        assert not button.isChecked()


def test_that_tab_leads_from_the_button_into_the_details(window_of_bar: QWidget) -> None:
    sheet = opened(window_of_bar, SENTENCES)
    button = window_of_bar.findChild(QPushButton, "noticeDetailsButton")
    assert button.nextInFocusChain() is sheet.findChild(QPlainTextEdit)


def test_that_the_details_go_with_their_message(window_of_bar: QWidget) -> None:
    opened(window_of_bar, SENTENCES)
    window_of_bar.findChild(QToolButton, "noticeDismiss").click()
    assert not shown_sheets(window_of_bar)


def test_that_only_the_details_of_one_message_are_open(window_of_bar: QWidget) -> None:
    opened(window_of_bar, SENTENCES)
    newest = opened(window_of_bar, LOG)
    assert shown_sheets(window_of_bar) == [newest]


def test_that_the_sheet_takes_no_room_from_what_lies_below(window_of_bar: QWidget) -> None:
    bar = window_of_bar.findChild(NoticeBar)
    bar.show_notice(NoticeKind.ERROR, "Does not compile", LOG * 40)
    before = bar.sizeHint(), bar.minimumSizeHint()
    bar.findChild(QPushButton, "noticeDetailsButton").click()
    assert (bar.sizeHint(), bar.minimumSizeHint()) == before
    assert shown_sheets(window_of_bar)[0].height() < 320
