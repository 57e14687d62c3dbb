"""Messages that come, stack, repeat, and go."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible, QCursor, QGuiApplication, QStatusTipEvent
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.notices import bar as notice_bar
from gemmviz.gui.notices.bar import MOST_KEPT, NoticeBar
from gemmviz.gui.notices.notice import HEIGHT, Notice, NoticeAction, NoticeKind
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.work.device_status import ProgressStatus

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
INFO, WARNING, ERROR = NoticeKind.INFO, NoticeKind.WARNING, NoticeKind.ERROR


@pytest.fixture
def bar(qtbot: QtBot) -> NoticeBar:
    made = NoticeBar(LIGHT)
    qtbot.addWidget(made)
    made.setGeometry(200, 200, 700, 30)
    made.show()
    QCursor.setPos(0, 0)  # a pointer left on the bar by another test would hold messages
    return made


def shown(bar: NoticeBar) -> Notice | None:
    return next((notice for notice in bar.findChildren(Notice) if not notice.isHidden()), None)


def others(bar: NoticeBar) -> QMenu:
    menu = bar.findChild(QToolButton, "noticesMore").menu()
    menu.aboutToShow.emit()
    return menu


def test_that_the_newest_is_shown_and_the_others_are_counted(bar: NoticeBar) -> None:
    for kind, text in ((INFO, "a"), (ERROR, "b"), (WARNING, "c"), (ERROR, "d"), (WARNING, "e")):
        bar.show_notice(kind, text)
    assert bar.texts() == ("e", "d", "c", "b", "a")
    assert shown(bar).text == "e"
    assert bar.findChild(QToolButton, "noticesMore").text() == "4 more"


def test_that_earlier_messages_are_not_counted_where_something_else_is_read(bar: NoticeBar) -> None:
    more = bar.findChild(QToolButton, "noticesMore")
    bar.show_notice(WARNING, "a")
    bar.fold()
    assert (more.isHidden(), more.text()) == (False, "1 message")
    bar.set_quiet(True)
    assert more.isHidden()
    bar.show_notice(WARNING, "b")
    assert (more.isHidden(), more.text()) == (False, "1 more"), "what comes now is read, and what was before it"
    bar.fold()
    assert more.isHidden()
    bar.set_quiet(False)
    assert (more.isHidden(), more.text()) == (False, "2 messages")


def test_that_the_button_says_how_grave_the_gravest_message_behind_it_is(bar: NoticeBar) -> None:
    more = bar.findChild(QToolButton, "noticesMore")
    bar.show_notice(WARNING, "race on line 13")
    bar.show_notice(INFO, "saved")
    assert more.property("notice") == "warning"
    bar.show_notice(ERROR, "b")
    bar.show_notice(INFO, "recorded")
    assert more.property("notice") == "error"
    assert [entry.icon().isNull() for entry in others(bar).actions()[:3]] == [False] * 3
    bar._bring_to_front(next(one for one in bar.findChildren(Notice) if one.kind is ERROR))
    assert more.property("notice") == "warning", "what is in front has its own colour"


def test_that_an_earlier_message_is_brought_to_the_front(bar: NoticeBar) -> None:
    for text in "abc":
        bar.show_notice(ERROR, text)
    entries = others(bar).actions()
    assert [entry.text() for entry in entries if not entry.isSeparator()] == ["b", "a", "Dismiss all"]
    entries[1].trigger()
    assert bar.texts() == ("a", "c", "b")
    assert shown(bar).text == "a"


def test_that_messages_about_earlier_work_fold_and_come_back(bar: NoticeBar) -> None:
    bar.show_notice(NoticeKind.HINT, "look here")
    bar.show_notice(ERROR, "a")
    more = bar.findChild(QToolButton, "noticesMore")
    bar.fold()
    assert (shown(bar).text, more.text()) == ("look here", "1 more")
    bar.settle("none")
    shown(bar).dismissed.emit(shown(bar))
    assert shown(bar) is None
    assert (more.text(), more.isHidden(), bar.texts()) == ("1 message", False, ("a",))
    others(bar).actions()[0].trigger()
    assert (shown(bar).text, more.isHidden()) == ("a", True)
    bar.fold()
    bar.show_notice(WARNING, "b")
    assert (shown(bar).text, more.text()) == ("b", "1 more")


def test_that_what_to_do_next_is_read_again_without_a_click_once_other_work_is_over(bar: NoticeBar) -> None:
    bar.show_notice(ERROR, "grave")
    bar.show_notice(NoticeKind.HINT, "record naive next", cause="lesson")
    bar.fold()
    bar.step_back("lesson")
    assert (shown(bar), bar.findChild(QToolButton, "noticesMore").text()) == (None, "2 messages")
    bar.come_back()
    assert (shown(bar).text, bar.findChild(QToolButton, "noticesMore").text()) == ("record naive next", "1 more")
    bar.step_back("lesson")
    bar.show_notice(WARNING, "newer")
    bar.come_back()
    assert shown(bar).text == "newer", "what came from the work itself stays in front"


def test_that_an_info_about_earlier_work_goes_when_other_work_begins(bar: NoticeBar) -> None:
    bar.show_notice(ERROR, "a")
    bar.show_notice(NoticeKind.INFO, "Cancelled before there was a result")
    bar.fold()
    assert bar.texts() == ("a",)


def test_that_a_short_hint_that_comes_beside_work_has_one_line(qtbot: QtBot, window: MainWindow) -> None:
    bar = window.findChild(NoticeBar, "noticeBar")
    bar.clear()
    height = window.statusBar().height()
    progress = window.findChild(ProgressStatus, "progressStatus")
    progress.show_progress("race_broken: recording on the PTX machine", 0.0)
    bar.show_notice(NoticeKind.HINT, "This is the recording of lesson 4.", actions=(NoticeAction("Back", print),))
    QApplication.processEvents()
    qtbot.waitUntil(lambda: (bar.height(), window.statusBar().height()) == (HEIGHT, height))
    progress.clear_progress()
    bar.clear()


def test_that_nothing_moves_when_messages_come_and_go(window: MainWindow) -> None:
    bar = window.findChild(NoticeBar, "noticeBar")
    bar.clear()
    pages = window.findChild(QStackedWidget)
    before = pages.geometry(), window.minimumSizeHint(), window.statusBar().geometry()
    for kind, number in zip((INFO, WARNING, ERROR, ERROR), range(4), strict=True):
        bar.show_notice(kind, f"{number} " + "a long message of many words " * 12, "line\n" * 30)
        QApplication.processEvents()
        assert (pages.geometry(), window.minimumSizeHint(), window.statusBar().geometry()) == before
    shown(bar).findChild(QPushButton, "noticeDetailsButton").click()
    QApplication.processEvents()
    assert (pages.geometry(), window.statusBar().geometry()) == (before[0], before[2])
    bar.clear()
    QApplication.processEvents()
    assert pages.geometry() == before[0]


def test_that_a_long_message_is_cut_at_its_end_and_whole_in_its_details(qtbot: QtBot, bar: NoticeBar) -> None:
    long = "1 " + "many words of one message " * 40
    bar.show_notice(ERROR, long.strip())
    notice = shown(bar)
    qtbot.waitUntil(lambda: notice.findChild(QPushButton, "noticeDetailsButton").isVisible())
    label = notice.findChild(QLabel, "noticeText")
    assert label.text().startswith("1 many words")
    assert label.text().endswith("…")
    assert notice.height() == HEIGHT
    notice.findChild(QPushButton, "noticeDetailsButton").click()
    assert bar.findChild(QPlainTextEdit, "noticeDetails").toPlainText() == long.strip()


def test_that_an_error_leaves_when_its_cause_is_settled(bar: NoticeBar) -> None:
    bar.show_notice(ERROR, "tiled does not compile", cause="tiled")
    bar.show_notice(ERROR, "naive does not compile", cause="naive")
    bar.show_notice(WARNING, "of nothing")
    bar.settle("tiled")
    assert bar.texts() == ("of nothing", "naive does not compile")
    bar.settle("")
    assert len(bar.texts()) == 2


def test_that_the_next_message_about_a_cause_takes_the_place_of_the_last(bar: NoticeBar) -> None:
    bar.show_notice(WARNING, "Needs M = 1", cause="refused")
    bar.show_notice(WARNING, "Needs N = 1", cause="refused")
    assert bar.texts() == ("Needs N = 1",)


def test_that_a_hint_stays_until_it_is_dismissed(qtbot: QtBot, bar: NoticeBar) -> None:
    bar.show_notice(NoticeKind.HINT, "look at this")
    bar.show_notice(INFO, "goes")
    bar.fold()
    assert bar.texts() == ("look at this",)
    qtbot.mouseClick(shown(bar).findChild(QToolButton, "noticeDismiss"), Qt.MouseButton.LeftButton)
    assert bar.texts() == ()


def test_that_a_message_of_any_kind_has_two_lines_at_most_and_moves_nothing(window: MainWindow) -> None:
    window.resize(1280, 800)
    bar = window.findChild(NoticeBar, "noticeBar")
    bar.clear()
    QApplication.processEvents()
    before = window.statusBar().height(), window.findChild(QStackedWidget).geometry()
    action = NoticeAction("Back", lambda: None)
    for kind, (words, lines, end) in product(NoticeKind, ((10, 1, "."), (40, 2, "."), (90, 2, "…"))):
        text = " ".join(["word"] * words) + "."
        bar.show_notice(kind, text, actions=(action,))
        QApplication.processEvents()
        label = shown(bar).findChild(PlainLabel, "noticeText")
        assert (len(label.text().splitlines()), label.text()[-1]) == (lines, end)
        assert shown(bar).findChild(QPushButton, "noticeDetailsButton").isVisible() is (end == "…")
        assert label.height() >= 2 * label.fontMetrics().height()
        assert (window.statusBar().height(), window.findChild(QStackedWidget).geometry()) == before
    shown(bar).findChild(QPushButton, "noticeDetailsButton").click()
    assert window.findChild(QPlainTextEdit, "noticeDetails").toPlainText() == text
    bar.clear()


def test_that_a_repeated_message_is_the_newest(bar: NoticeBar) -> None:
    for kind, text in ((WARNING, "a"), (ERROR, "b"), (INFO, "c"), (WARNING, "a")):
        bar.show_notice(kind, text)
    assert bar.texts() == ("a", "c", "b")


def test_that_a_dismissed_message_makes_room_for_the_one_before(qtbot: QtBot, bar: NoticeBar) -> None:
    for text in "ab":
        bar.show_notice(ERROR, text)
    qtbot.mouseClick(shown(bar).findChild(QToolButton, "noticeDismiss"), Qt.MouseButton.LeftButton)
    assert shown(bar).text == "a"
    assert bar.findChild(QToolButton, "noticesMore").isHidden()


def test_that_the_same_message_again_is_counted(bar: NoticeBar) -> None:
    for _ in range(3):
        bar.show_notice(ERROR, "The worker ended")
    bar.show_notice(ERROR, "The worker ended", "other details")
    assert bar.texts() == ("The worker ended", "The worker ended")
    counted = next(notice for notice in bar.findChildren(Notice) if not notice.details)
    assert counted.findChild(QLabel, "noticeCount").text() == "× 3"
    assert counted.accessibleName() == "Error: The worker ended, 3 times"


def test_that_an_info_stays_in_the_line_until_it_is_dismissed_or_other_work_begins(
    qtbot: QtBot, bar: NoticeBar
) -> None:
    for kind in (WARNING, ERROR, INFO):
        bar.show_notice(kind, str(kind))
    assert not any(timer.isActive() for timer in bar.findChildren(QTimer)), "no message goes by itself"
    assert shown(bar).text == "info"
    qtbot.mouseClick(shown(bar).findChild(QToolButton, "noticeDismiss"), Qt.MouseButton.LeftButton)
    assert bar.texts() == ("error", "warning")
    bar.show_notice(INFO, "saved")
    bar.fold()
    assert bar.texts() == ("error", "warning")


def test_that_an_info_can_be_read_again_after_a_newer_message(bar: NoticeBar) -> None:
    bar.show_notice(INFO, "saved")
    bar.show_notice(INFO, "copied")
    bar.show_notice(ERROR, "failed")
    assert (shown(bar).text, bar.texts()) == ("failed", ("failed", "copied", "saved"))
    others(bar).actions()[1].trigger()
    assert shown(bar).text == "saved"


def test_that_details_open_and_can_be_copied(qtbot: QtBot, bar: NoticeBar) -> None:
    bar.show_notice(ERROR, "Does not compile", "line 1\nline 2 <b>")
    notice = shown(bar)
    assert bar.findChild(QPlainTextEdit, "noticeDetails") is None
    qtbot.mouseClick(notice.findChild(QPushButton, "noticeDetailsButton"), Qt.MouseButton.LeftButton)
    details = bar.findChild(QPlainTextEdit, "noticeDetails")
    assert details.isVisibleTo(bar)
    assert details.toPlainText() == "line 1\nline 2 <b>"
    bar.findChild(QPushButton, "noticeCopy").click()
    assert QGuiApplication.clipboard().text() == "Does not compile\n\nline 1\nline 2 <b>"


def test_that_no_details_mean_no_button(bar: NoticeBar) -> None:
    bar.show_notice(INFO, "Saved")
    assert shown(bar).findChild(QPushButton, "noticeDetailsButton").isHidden()


def test_that_an_action_is_done_and_the_message_goes(qtbot: QtBot, bar: NoticeBar) -> None:
    done: list[str] = []
    bar.show_notice(WARNING, "Gone", "", [NoticeAction("Find it", lambda: done.append("found"))])
    button = shown(bar).findChild(QPushButton, "noticeAction")
    assert button.text() == "Find it"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (done, bar.texts()) == (["found"], ())


def test_that_actions_stay_where_they_are_and_lie_over_nothing_at_any_width(bar: NoticeBar) -> None:
    actions = [NoticeAction(text, lambda: None) for text in ("Edit the kernel", "Totals and hazards", "Back to it")]
    places = set()
    for width in (1400, 700, 420, 330, 200, 700):
        bar.setFixedWidth(width)
        bar.clear()
        bar.show_notice(
            WARNING, "A race in the kernel, which two threads of one block have, and no barrier", "all", actions
        )
        notice = shown(bar)
        parts = [each for each in notice.findChildren(QWidget) if each.parent() is notice and each.isVisible()]
        for part, other in combinations(parts, 2):
            assert not part.geometry().intersects(other.geometry()), (width, part.objectName(), other.objectName())
        buttons = [each for each in parts if isinstance(each, QPushButton) and each.objectName() == "noticeAction"]
        assert all(each.width() >= each.sizeHint().width() for each in buttons)
        assert len(buttons) >= {1400: 3, 700: 2, 420: 1}.get(width, 0)
        places |= {(each.text(), each.x()) for each in buttons}
    assert len(places) == 3


def test_that_a_flood_is_bounded(bar: NoticeBar) -> None:
    for number in range(MOST_KEPT + 20):
        bar.show_notice(ERROR, f"fault {number}")
    assert len(bar.texts()) == MOST_KEPT
    assert bar.texts()[0] == f"fault {MOST_KEPT + 19}"
    others(bar).actions()[-1].trigger()
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
        notice = shown(bar)
        labels = [label for label in notice.findChildren(QLabel) if label.isVisibleTo(notice)]
        assert str(kind).capitalize() in [label.text() for label in labels]
        pictures.append(
            next(label.pixmap() for label in labels if not label.pixmap().isNull()).toImage().createMaskFromColor(0)
        )
        bar.clear()
    assert pictures[0] != pictures[1]


def test_that_a_theme_is_put_on_live(bar: NoticeBar) -> None:
    bar.show_notice(ERROR, "x")
    icon = next(label for label in shown(bar).findChildren(QLabel) if not label.pixmap().isNull())
    before = icon.pixmap().toImage()
    bar.set_theme(DARK)
    assert icon.pixmap().toImage() != before


def test_that_a_message_is_never_hidden_by_a_tip(window: MainWindow) -> None:
    bar = window.findChild(NoticeBar)
    assert bar is not None
    bar.clear()
    view = window.findChild(QWidget, "scheduleTimeline")
    tip = view.statusTip()
    assert tip
    QApplication.sendEvent(view, QStatusTipEvent(tip))
    assert window.statusBar().currentMessage() == tip
    bar.show_notice(ERROR, "No header.")
    assert window.statusBar().currentMessage() == "", "not by one that was there before"
    QApplication.sendEvent(view, QStatusTipEvent(tip))
    assert window.statusBar().currentMessage() == "", "nor by one that comes later"
    bar.clear()
    QApplication.sendEvent(view, QStatusTipEvent(tip))
    assert window.statusBar().currentMessage() == tip
