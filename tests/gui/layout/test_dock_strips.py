"""Docks that are folded to strips: one button each, groups, keys, and the next start."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QDockWidget,
    QLabel,
    QMainWindow,
    QTabBar,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.layout.action_table import ACTIONS
from gemmviz.gui.layout.dock_strips import BOTTOM, LEFT, RIGHT, DockStrips

DOCKS = {"Set-up": LEFT, "Figures": RIGHT, "Source": RIGHT, "Results": BOTTOM}


class Bench:
    """A window with docks at three edges; those at the right share one place."""

    def __init__(self, qtbot: QtBot) -> None:
        self.window, self.qtbot = QMainWindow(), qtbot
        qtbot.addWidget(self.window)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(QLabel("picture"), 1)
        self.window.setCentralWidget(middle)
        self.docks = {}
        for title, area in DOCKS.items():
            dock = self.docks[title] = QDockWidget(title, self.window)
            dock.setObjectName(title)
            dock.setWidget(QLabel(title))
            self.window.addDockWidget(area, dock)
        self.window.tabifyDockWidget(self.docks["Figures"], self.docks["Source"])
        self.actions = Actions(self.window, ACTIONS)
        self.strips = DockStrips(self.window, self.docks, column, self.actions)
        self.window.resize(900, 700)
        self.window.show()

    def wait_for(self, *folded: str) -> None:
        """Until exactly these have a button in a strip."""
        self.qtbot.waitUntil(lambda: sorted(self.strips.folded()) == sorted(folded))

    def close(self, title: str) -> None:
        button = self.docks[title].findChild(QAbstractButton, "qt_dockwidget_closebutton")
        assert isinstance(button, QAbstractButton)
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_that_the_button_of_a_dock_folds_its_group_and_a_strip_unfolds_it(bench: Bench, qtbot: QtBot) -> None:
    bench.close("Source")
    bench.wait_for("Figures", "Source")
    strip = bench.window.findChild(QToolBar, "rightStrip")
    assert strip.isVisible()
    button = bench.window.findChild(QToolButton, "SourceUnfoldrightStrip")
    assert button.accessibleName() == "Unfold Source"
    assert button.height() > button.width()  # its name is turned
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    bench.wait_for()
    assert not strip.isVisible()
    assert not bench.docks["Source"].visibleRegion().isEmpty()
    assert not bench.docks["Figures"].isHidden()


def test_that_bars_of_tabs_have_a_name_and_empty_ones_take_no_keyboard(bench: Bench) -> None:
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    empty = QTabBar(bench.window)
    bench.actions["foldLeftAction"].trigger()
    bench.wait_for("Set-up")
    bars = bench.window.findChildren(QTabBar, options=direct)
    assert {bar.accessibleName() for bar in bars} == {"Panels"}
    assert empty.focusPolicy() is Qt.FocusPolicy.NoFocus
    assert {bar.focusPolicy() for bar in bars if bar.count()} == {Qt.FocusPolicy.TabFocus}


def test_that_a_single_dock_is_hidden_by_the_menu_alone(bench: Bench) -> None:
    bench.docks["Source"].toggleViewAction().trigger()
    bench.wait_for("Source")
    bench.docks["Source"].toggleViewAction().trigger()
    bench.wait_for()


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("foldLeftAction", ["Set-up"]),
        ("foldRightAction", ["Figures", "Source"]),
        ("foldBottomAction", ["Results"]),
        ("foldAllAction", list(DOCKS)),
    ],
)
def test_that_keys_fold_and_unfold(bench: Bench, name: str, folded: list[str]) -> None:
    assert bench.actions[name].shortcut().toString()
    width = bench.window.width()
    bench.actions[name].trigger()
    bench.wait_for(*folded)
    bench.actions[name].trigger()
    bench.wait_for()
    assert bench.window.width() == width


@pytest.mark.parametrize("name", ["foldRightAction", "foldAllAction"])
@pytest.mark.parametrize("title", ["Figures", "Source"])
def test_that_the_dock_that_was_in_front_is_so_again(bench: Bench, qtbot: QtBot, name: str, title: str) -> None:
    bench.docks[title].raise_()
    qtbot.waitUntil(lambda: not bench.docks[title].visibleRegion().isEmpty())
    bench.actions[name].trigger()
    qtbot.waitUntil(bench.docks[title].isHidden)
    bench.actions[name].trigger()
    qtbot.waitUntil(lambda: not bench.docks[title].visibleRegion().isEmpty())


def test_that_what_was_folded_before_all_stays_so(bench: Bench) -> None:
    bench.actions["foldLeftAction"].trigger()
    bench.wait_for("Set-up")
    bench.actions["foldAllAction"].trigger()
    bench.wait_for(*DOCKS)
    bench.actions["foldAllAction"].trigger()
    bench.wait_for("Set-up")


def test_that_folded_docks_are_folded_at_the_next_start(bench: Bench, qtbot: QtBot) -> None:
    bench.actions["foldRightAction"].trigger()
    bench.wait_for("Figures", "Source")
    state = bench.window.saveState(3)
    other = Bench(qtbot)
    assert other.window.restoreState(state, 3)
    other.wait_for("Figures", "Source")
    assert other.window.findChild(QToolBar, "rightStrip").isVisible()


def test_that_folding_a_dock_at_the_bottom_moves_no_dock_at_the_sides(bench: Bench) -> None:
    sides = [bench.docks[title] for title in ("Set-up", "Source")]
    bench.window.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
    bench.window.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
    bench.qtbot.waitUntil(lambda: sides[0].height() == bench.window.height())
    before = [dock.geometry() for dock in sides]
    bench.actions["foldBottomAction"].trigger()
    bench.wait_for("Results")
    strip = bench.window.findChild(QToolBar, "bottomStrip")
    assert strip.isVisible()
    bench.qtbot.waitUntil(lambda: strip.width() == bench.window.centralWidget().width())
    assert [dock.geometry() for dock in sides] == before


def test_that_a_dock_the_window_does_not_have_now_has_no_button(bench: Bench) -> None:
    """The first page takes all docks away: there is nothing to unfold."""
    bench.window.removeDockWidget(bench.docks["Results"])
    bench.actions["foldLeftAction"].trigger()
    bench.wait_for("Set-up")
    bench.actions["foldAllAction"].trigger()
    bench.actions["foldAllAction"].trigger()
    assert bench.docks["Results"].isHidden()
