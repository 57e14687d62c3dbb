"""Tabs that do not fit side by side stand closer."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.layout.page_tabs import IS_TIGHT, PageTabs
from gemmviz.gui.looks.appearance import apply_theme
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.pages.table import PAGES

NARROWEST = 526
"""Pixels that the tabs have beside the experiment and the source in a window 1280 pixels wide."""
TITLES = ("Memory", *(page.title for page in PAGES))


def shown(qtbot: QtBot, titles: tuple[str, ...]) -> tuple[QWidget, PageTabs]:
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    layout.setContentsMargins(0, 0, 0, 0)
    tabs = PageTabs((title, QWidget()) for title in titles)
    layout.addWidget(tabs)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, window, LIGHT)
    window.resize(NARROWEST, 200)
    window.show()
    return window, tabs


def width_of(tabs: PageTabs) -> int:
    bar = tabs.tabBar()
    return sum(bar.tabRect(index).width() for index in range(bar.count()))


@pytest.mark.parametrize("further", [0, 1], ids=["today's pages", "a further page"])
def test_that_all_tabs_are_in_sight_in_the_narrowest_window(qtbot: QtBot, further: int) -> None:
    _, tabs = shown(qtbot, TITLES + ("Registers",) * further)
    assert width_of(tabs) <= NARROWEST
    assert bool(tabs.tabBar().property(IS_TIGHT)) == bool(further)


def test_that_tabs_stand_apart_again_where_there_is_room(qtbot: QtBot) -> None:
    window, tabs = shown(qtbot, (*TITLES, "Registers"))
    close = width_of(tabs)
    window.resize(900, 200)
    qtbot.waitUntil(lambda: width_of(tabs) > close)
    tabs.removeTab(tabs.count() - 1)
    window.resize(NARROWEST, 200)
    qtbot.waitUntil(lambda: tabs.tabBar().width() == NARROWEST)
    assert not tabs.tabBar().property(IS_TIGHT)
