"""The text of a message: plain, copied by mouse and keys, without a caret."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.notices.notice import Notice, NoticeAction, NoticeKind
from gemmviz.gui.widgets.focus_ring import FocusRing

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def bar(qtbot: QtBot) -> NoticeBar:
    made = NoticeBar(LIGHT)
    qtbot.addWidget(made)
    made.setGeometry(200, 200, 700, 30)
    made.show()
    return made


def shown(bar: NoticeBar) -> Notice:
    return next(notice for notice in bar.findChildren(Notice) if not notice.isHidden())


def test_that_text_is_text_and_can_be_selected(bar: NoticeBar) -> None:
    bar.show_notice(NoticeKind.ERROR, "a <b>tag</b> & more")
    label = shown(bar).findChild(QLabel, "noticeText")
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert label.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse


def test_that_a_message_with_the_focus_shows_no_caret_and_is_copied_whole(qtbot: QtBot, bar: NoticeBar) -> None:
    bar.resize(240, bar.height())
    bar.show_notice(NoticeKind.INFO, "A message that is longer than its line, so that a part of it gives way")
    label = shown(bar).findChild(QLabel, "noticeText")
    without = label.grab().toImage()
    label.setFocus(Qt.FocusReason.TabFocusReason)
    ring = label.findChild(FocusRing)
    assert ring.isVisible(), "where the keys go is seen"
    ring.hide()
    assert label.grab().toImage() == without, "no caret"
    qtbot.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == shown(bar).text


def test_that_a_click_on_the_text_of_a_message_leaves_the_keys_where_they_were(qtbot: QtBot, bar: NoticeBar) -> None:
    bar.show_notice(NoticeKind.INFO, "The run has ended")
    label = shown(bar).findChild(QLabel, "noticeText")
    bar.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    bar.setFocus()
    qtbot.mouseClick(label, Qt.MouseButton.LeftButton)
    assert not label.hasFocus()
    label.setFocus(Qt.FocusReason.TabFocusReason)  # Tab still reaches it, to copy it
    assert label.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_that_the_words_of_a_message_come_before_its_second_action(bar: NoticeBar) -> None:
    """As while a picture is being prepared, when the bar is narrow."""
    actions = [NoticeAction(text, lambda: None, keeps=True) for text in ("Show it", "Back to tiled")]
    words = "race_broken TILE=8: race on lines 36 and 40."
    bar.resize(490, bar.height())
    bar.show_notice(NoticeKind.WARNING, words, "what raced", actions)
    notice = shown(bar)
    label = notice.findChild(QLabel, "noticeText")
    buttons = [each.text() for each in notice.findChildren(QPushButton, "noticeAction") if each.isVisible()]
    assert buttons == ["Show it"]
    assert label.text().replace("\n", " ") == words
    bar.resize(1200, bar.height())
    notice.review()
    assert all(each.isVisible() for each in notice.findChildren(QPushButton, "noticeAction"))
