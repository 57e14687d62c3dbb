"""The page of the referee has one button for one deed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.referee.page import RefereePage
from gemmviz.referee.finding import Ruling

MakeRuling = Callable[..., Ruling]


def test_that_there_is_one_button_for_one_deed(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    page, action = RefereePage(), QAction("&Judge")
    qtbot.addWidget(page)
    page.show()
    page.offer(action)
    page.set_readiness("tiled", "")

    def seen() -> list[str]:
        return [
            button.text()
            for button in page.findChildren(QPushButton)
            if button.isVisible() and "Judge" in button.text()
        ]

    assert seen() == ["Judge"], "in the middle of the empty page"
    page.show_progress("starting")
    assert seen() == []
    page.show_ruling(make_ruling())
    page.show_progress("")
    page.refresh()
    assert seen() == ["Judge tiled"]
    page.show_age("Judged at 13:03:12, before the file was changed", "")
    assert seen() == ["Judge tiled"], "which judges it again"
    page.set_readiness("naive", "")
    assert sorted(seen()) == ["Judge again", "Judge naive"], "two kernels"
