"""A message that says what to do with a kernel is read only while that kernel is in front."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.notices.notice import Notice, NoticeKind


@pytest.fixture
def bar(qtbot: QtBot) -> NoticeBar:
    made = NoticeBar(LIGHT)
    qtbot.addWidget(made)
    made.resize(700, 30)
    made.show()
    return made


def shown(bar: NoticeBar) -> str:
    return next((notice.text for notice in bar.findChildren(Notice) if not notice.isHidden()), "")


def more(bar: NoticeBar) -> QToolButton:
    found: QToolButton = bar.findChild(QToolButton, "noticesMore")
    return found


def test_that_a_message_about_kernels_that_are_not_here_waits_for_the_end_of_a_lesson(bar: NoticeBar) -> None:
    bar.show_notice(NoticeKind.INFO, "saved")
    bar.show_notice(NoticeKind.HINT, "open the files", waits_for_lessons=True)
    bar.follow_kernel("tiled")
    assert shown(bar) == "open the files"
    bar.set_quiet(True)
    assert shown(bar) == "saved"
    bar.set_quiet(False)
    assert shown(bar) == "open the files"


def test_that_a_message_about_a_kernel_goes_with_it_and_stays_out_of_lessons(bar: NoticeBar) -> None:
    bar.follow_kernel("mine")
    bar.show_notice(NoticeKind.INFO, "saved")
    bar.show_notice(NoticeKind.OFFER, "describe mine anew", kernel="mine")
    assert shown(bar) == "describe mine anew"
    bar.follow_kernel("tiled")
    assert shown(bar) == "saved"
    assert more(bar).text() == "1 more"
    bar.follow_kernel("mine")
    assert shown(bar) == "describe mine anew"
    bar.set_quiet(True)
    assert shown(bar) == "saved"
    bar.set_quiet(False)
    bar.follow_kernel("tiled")
    menu = more(bar).menu()
    menu.aboutToShow.emit()
    menu.actions()[0].trigger()
    assert shown(bar) == "describe mine anew", "a person wants to read it"
