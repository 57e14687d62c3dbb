"""Docks at the right that give way to two pictures in a narrow window, and a person's own choice, which wins."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QMainWindow, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.layout.dock_strips import DockStrips
from gemmviz.gui.layout.side_choice import ROOMY, SideChoice


class Bench:
    """A window with three docks in one place at its right, the second in front."""

    def __init__(self, qtbot: QtBot, width: int = 1280) -> None:
        self.window = QMainWindow()
        qtbot.addWidget(self.window)
        middle, self.pictures = QWidget(), QLabel("pictures")
        column = QVBoxLayout(middle)
        column.addWidget(self.pictures)
        self.window.setCentralWidget(middle)
        self.docks = [QDockWidget(name, self.window) for name in ("Figures", "Source", "This frame")]
        for dock in self.docks:
            dock.setWidget(QLabel(dock.windowTitle()))
            self.window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
        self.window.tabifyDockWidget(self.docks[0], self.docks[1])
        self.window.tabifyDockWidget(self.docks[1], self.docks[2])
        self.docks[1].raise_()
        strips = DockStrips(self.window, {dock.windowTitle(): dock for dock in self.docks}, column)
        self.choice = SideChoice(self.window, self.docks, strips)
        self.window.resize(width, 800)
        self.window.show()

    @property
    def shown(self) -> list[bool]:
        return [not dock.isHidden() for dock in self.docks]

    @property
    def front(self) -> list[str]:
        return [dock.windowTitle() for dock in self.docks if not dock.visibleRegion().isEmpty()]


class SeenWidths(QObject):
    """The widths of a widget after each change of its size that is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.widths: list[int] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent) and isinstance(watched, QWidget) and watched.updatesEnabled():
            self.widths.append(event.size().width())
        return False


def test_that_the_centre_is_not_seen_at_a_width_on_the_way(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    QApplication.processEvents()
    narrow, seen = bench.pictures.width(), SeenWidths(bench.pictures)
    for wants_room in (True, False):
        bench.choice.go(wants_room)
        at_once = bench.pictures.width()
        QApplication.processEvents()
        assert bench.pictures.width() == at_once
        assert seen.widths == []
        assert (at_once > narrow) is wants_room
        assert bench.window.updatesEnabled()


@pytest.mark.parametrize(("width", "shown"), [(1280, False), (ROOMY, True)])
def test_that_they_give_way_in_a_narrow_window_only(qtbot: QtBot, width: int, shown: bool) -> None:
    bench = Bench(qtbot, width)
    bench.choice.go(wants_room=True)
    assert bench.shown == [shown] * 3
    assert bench.choice.has_taken is not shown


def test_that_they_come_back_as_they_were(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.docks[0].hide()
    qtbot.waitUntil(lambda: bench.front == ["Source"])
    bench.choice.go(wants_room=True)
    bench.choice.go(wants_room=True)
    assert bench.shown == [False, False, False]
    bench.choice.go(wants_room=False)
    assert bench.shown == [False, True, True]
    qtbot.waitUntil(lambda: bench.front == ["Source"])


def test_that_the_strip_says_that_they_made_room_and_that_a_click_opens_them(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    buttons = [one for one in bench.window.findChildren(QToolButton) if one.accessibleName() == "Unfold Source"]
    bench.choice.go(wants_room=True)
    assert {one.toolTip() for one in buttons} == {"Source: folded to make room. A click opens it, and it stays open"}
    bench.choice.go(wants_room=False)
    assert {one.toolTip() for one in buttons} == {"Unfold Source"}


def test_that_a_dock_elsewhere_or_on_its_own_stays(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, bench.docks[0])
    bench.docks[1].setFloating(True)
    bench.choice.go(wants_room=True)
    assert bench.shown == [True, True, False]


def test_that_one_that_is_opened_from_the_menu_stays_from_then_on(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.choice.go(wants_room=True)
    bench.docks[2].toggleViewAction().trigger()
    assert bench.shown == [True, True, True]
    qtbot.waitUntil(lambda: bench.front == ["This frame"])
    bench.choice.go(wants_room=False)
    bench.choice.go(wants_room=True)
    assert bench.shown == [True, True, True]
    bench.choice.forget()
    bench.choice.go(wants_room=True)
    assert bench.shown == [False, False, False]


def test_that_more_width_brings_them_back(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.choice.go(wants_room=True)
    bench.window.resize(ROOMY, 800)
    bench.choice.go(wants_room=True)
    assert bench.shown == [True, True, True]
