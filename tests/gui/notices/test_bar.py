"""Messages that come, stack, repeat, and go."""

from __future__ import annotations

import pytest
from gemmviz.gui.notices.stack import LEAST_HEIGHT, MOST_HEIGHT, NoticeStack
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QAccessible, QCursor, QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.main_window import MainWindow
from gemmviz.gui.notices import bar as notice_bar
from gemmviz.gui.notices.bar import MOST_KEPT, MOST_SHOWN, NoticeBar
from gemmviz.gui.notices.notice import Notice, NoticeAction, NoticeKind

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
INFO, WARNING, ERROR = NoticeKind.INFO, NoticeKind.WARNING, NoticeKind.ERROR


@pytest.fixture
def bar(qtbot: QtBot) -> NoticeBar:
    made = NoticeBar(LIGHT, fade_ms=30)
    qtbot.addWidget(made)
    made.setGeometry(200, 200, 700, 300)
    QCursor.setPos(0, 0)  # a pointer left on the bar by another test would hold messages
    return made


def shown(bar: NoticeBar) -> list[Notice]:
    notices = [notice for notice in bar.findChildren(Notice) if not notice.isHidden()]
    return sorted(notices, key=bar.findChild(NoticeStack).column.indexOf)


def test_that_an_empty_bar_takes_no_room(bar: NoticeBar) -> None:
    assert bar.isHidden()
    bar.show_notice(ERROR, "Lost")
    assert not bar.isHidden()
    bar.clear()
    assert bar.isHidden()


def test_that_the_newest_stands_above(bar: NoticeBar) -> None:
    for kind, text in ((INFO, "a"), (ERROR, "b"), (WARNING, "c"), (ERROR, "d"), (WARNING, "e")):
        bar.show_notice(kind, text)
    assert bar.texts() == ("e", "d", "c", "b", "a")
    assert [notice.text for notice in shown(bar)] == ["e", "d"]
    assert bar.findChild(QLabel, "noticesMoreText").text() == "and 3 more"


def test_that_a_repeated_message_is_the_newest(bar: NoticeBar) -> None:
    for kind, text in ((WARNING, "a"), (ERROR, "b"), (INFO, "c"), (WARNING, "a")):
        bar.show_notice(kind, text)
    assert bar.texts() == ("a", "c", "b")


def test_that_a_dismissed_message_makes_room_for_a_counted_one(qtbot: QtBot, bar: NoticeBar) -> None:
    for text in "abc":
        bar.show_notice(ERROR, text)
    qtbot.mouseClick(shown(bar)[0].findChild(QToolButton, "noticeDismiss"), Qt.MouseButton.LeftButton)
    assert [notice.text for notice in shown(bar)] == ["b", "a"]
    assert bar.findChild(QLabel, "noticesMoreText").parentWidget().isHidden()


def test_that_the_same_message_again_is_counted(bar: NoticeBar) -> None:
    for _ in range(3):
        bar.show_notice(ERROR, "The worker ended")
    bar.show_notice(ERROR, "The worker ended", "other details")
    assert bar.texts() == ("The worker ended", "The worker ended")
    counted = shown(bar)[1]
    assert counted.findChild(QLabel, "noticeCount").text() == "× 3"
    assert counted.accessibleName() == "Error: The worker ended, 3 times"


def test_that_an_info_goes_by_itself_and_what_warns_stays(qtbot: QtBot, bar: NoticeBar) -> None:
    for kind in (WARNING, ERROR, INFO):
        bar.show_notice(kind, str(kind))
    qtbot.waitUntil(lambda: bar.texts() == ("error", "warning"))


def test_that_an_info_nobody_could_see_yet_does_not_go(qtbot: QtBot, bar: NoticeBar) -> None:
    bar.show_notice(INFO, "saved")
    for text in "ab":
        bar.show_notice(ERROR, text)
    bar.show_notice(INFO, "seen")
    qtbot.waitUntil(lambda: bar.texts() == ("b", "a", "saved"))
    bar.clear()


def test_that_an_info_in_sight_goes_though_errors_stay(qtbot: QtBot, bar: NoticeBar) -> None:
    for text in "ab":
        bar.show_notice(ERROR, text)
    bar.show_notice(INFO, "new")
    assert "new" in bar.texts()
    qtbot.waitUntil(lambda: "new" not in bar.texts())


def test_that_long_messages_scroll(qtbot: QtBot, bar: NoticeBar) -> None:
    bar.show_notice(ERROR, "One line")
    stack = bar.findChild(NoticeStack)
    assert stack.minimumSizeHint().height() == stack.sizeHint().height() <= LEAST_HEIGHT  # it has no scroll bar
    for number in range(4):
        bar.show_notice(ERROR, f"{number} " + "many words of one message " * 40)
    qtbot.waitUntil(lambda: stack.sizeHint().height() == MOST_HEIGHT)
    assert stack.minimumSizeHint().height() == LEAST_HEIGHT
    assert stack.height() <= MOST_HEIGHT


def test_that_messages_do_not_make_the_window_taller(qtbot: QtBot, window: MainWindow) -> None:
    bar = window.findChild(NoticeBar, "noticeBar")
    for kind, number in zip((INFO, WARNING, ERROR, ERROR), range(4), strict=True):
        bar.show_notice(kind, f"{number} " + "a long message of many words " * 12, "line\n" * 30)
    bar.findChildren(QPushButton, "noticeDetailsButton")[-1].click()
    qtbot.waitUntil(lambda: bar.findChild(NoticeStack).height() > LEAST_HEIGHT)
    assert window.minimumSizeHint().height() < 700


def test_that_the_pointer_holds_an_info(qtbot: QtBot, bar: NoticeBar) -> None:
    bar.show_notice(INFO, "held")
    held = shown(bar)[0]
    QApplication.sendEvent(held, QEnterEvent(QPointF(), QPointF(), QPointF()))
    bar.show_notice(INFO, "goes")
    qtbot.waitUntil(lambda: bar.texts() == ("held",))
    QApplication.sendEvent(held, QEvent(QEvent.Type.Leave))
    qtbot.waitUntil(lambda: bar.texts() == ())


def test_that_details_open_and_can_be_copied(qtbot: QtBot, bar: NoticeBar) -> None:
    bar.show_notice(ERROR, "Does not compile", "line 1\nline 2 <b>")
    notice = shown(bar)[0]
    assert bar.findChild(QPlainTextEdit, "noticeDetails") is None
    qtbot.mouseClick(notice.findChild(QPushButton, "noticeDetailsButton"), Qt.MouseButton.LeftButton)
    details = bar.findChild(QPlainTextEdit, "noticeDetails")
    assert details.isVisibleTo(bar)
    assert details.toPlainText() == "line 1\nline 2 <b>"
    bar.findChild(QPushButton, "noticeCopy").click()
    assert QGuiApplication.clipboard().text() == "Does not compile\n\nline 1\nline 2 <b>"


def test_that_no_details_mean_no_button(bar: NoticeBar) -> None:
    bar.show_notice(INFO, "Saved")
    assert shown(bar)[0].findChild(QPushButton, "noticeDetailsButton").isHidden()


def test_that_an_action_is_done_and_the_message_goes(qtbot: QtBot, bar: NoticeBar) -> None:
    done: list[str] = []
    bar.show_notice(WARNING, "Gone", "", [NoticeAction("Find it", lambda: done.append("found"))])
    button = shown(bar)[0].findChild(QPushButton, "noticeAction")
    assert button.text() == "Find it"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (done, bar.texts()) == (["found"], ())


def test_that_text_is_text_and_can_be_selected(bar: NoticeBar) -> None:
    bar.show_notice(ERROR, "a <b>tag</b> & more")
    label = shown(bar)[0].findChild(QLabel, "noticeText")
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert label.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByKeyboard


def test_that_a_flood_is_bounded(bar: NoticeBar) -> None:
    for number in range(MOST_KEPT + 20):
        bar.show_notice(ERROR, f"fault {number}")
    assert len(bar.texts()) == MOST_KEPT
    assert bar.texts()[0] == f"fault {MOST_KEPT + 19}"
    assert len(shown(bar)) == MOST_SHOWN
    bar.findChild(QPushButton, "noticesClear").click()
    assert bar.texts() == ()


def test_that_screen_readers_are_told(bar: NoticeBar, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[QAccessible.Event, str]] = []

    class Told:
        Event = QAccessible.Event

        @staticmethod
        def updateAccessibility(event: object) -> None:
            told.append((event.type(), event.object().accessibleName()))  # type: ignore[attr-defined]

    monkeypatch.setattr(notice_bar, "QAccessible", Told)
    bar.show_notice(WARNING, "The device is hot")
    assert told == [(QAccessible.Event.Alert, "Warning: The device is hot")]


def test_that_the_kind_is_a_word_and_a_shape_not_only_a_colour(bar: NoticeBar) -> None:
    pictures = []
    for kind in (WARNING, ERROR):
        bar.show_notice(kind, "x")
        notice = shown(bar)[0]
        labels = [label for label in notice.findChildren(QLabel) if label.isVisibleTo(notice)]
        assert str(kind).capitalize() in [label.text() for label in labels]
        pictures.append(
            next(label.pixmap() for label in labels if not label.pixmap().isNull()).toImage().createMaskFromColor(0)
        )
        bar.clear()
    assert pictures[0] != pictures[1]


def test_that_a_theme_is_put_on_live(bar: NoticeBar) -> None:
    bar.show_notice(ERROR, "x")
    icon = next(label for label in shown(bar)[0].findChildren(QLabel) if not label.pixmap().isNull())
    before = icon.pixmap().toImage()
    bar.set_theme(DARK)
    assert icon.pixmap().toImage() != before
