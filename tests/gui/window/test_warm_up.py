"""What is made ready before it is seen, and that nobody notices."""

from __future__ import annotations

import time
from itertools import pairwise

from driving import act
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDockWidget, QLabel, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.charts.timing_chart import TimingChart
from gemmviz.gui.figures.panel import FiguresPanel
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.window.warm_up import WarmUp, warm_up


class Hidden(QObject):
    """Counts how often a widget goes out of sight."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.times += event.type() is QEvent.Type.Hide
        return False


def done(qtbot: QtBot, window: MainWindow) -> None:
    (warm_up,) = window.findChildren(WarmUp)
    qtbot.waitUntil(lambda: warm_up.left == 0)


def picture(window: MainWindow) -> QImage:
    return window.grab().toImage()


def test_that_steps_are_done_one_at_a_turn(qtbot: QtBot) -> None:
    seen: list[int] = []
    turns: list[float] = []

    def step(number: int) -> None:
        seen.append(number)
        turns.append(time.perf_counter())

    warm_up = WarmUp([lambda number=number: step(number) for number in range(4)])
    assert (seen, warm_up.left) == ([], 4)
    qtbot.waitUntil(lambda: warm_up.left == 0)
    assert seen == [0, 1, 2, 3]
    assert all(later - one > 0.005 for one, later in pairwise(turns))


def test_that_a_person_sees_nothing_of_it(qtbot: QtBot, window: MainWindow) -> None:
    done(qtbot, window)
    shown = {part.objectName() for part in window.findChildren(QDockWidget) if part.isVisible()}
    assert shown == set()
    assert not window.findChild(QTabWidget, "tabs").isVisible()
    assert window.findChild(QWidget, "firstPage").isVisible()
    before = picture(window)
    window.repaint()
    assert picture(window) == before
    figures = window.findChild(FiguresPanel)
    assert not any(label.text() for label in figures.findChildren(QLabel) if label.property("role") == "figure")
    chart = window.findChild(TimingChart)
    assert chart.figure is not None
    assert chart.figure.rows == ()
    assert not window.isWindowModified()
    # but the first run finds its marks and labels made
    assert len(chart.plot.box.allChildItems()) > 8
    assert len(figures.findChildren(QLabel)) > 90


def test_that_what_is_in_sight_is_left_alone(qtbot: QtBot, window: MainWindow) -> None:
    done(qtbot, window)
    act(window, "tabTimingAction")
    chart = window.findChild(TimingChart)
    hidden = Hidden(chart)
    again = warm_up(window, LIGHT)
    qtbot.waitUntil(lambda: again.left == 0)
    assert hidden.times == 0
    assert chart.isVisible()
    assert window.findChild(QTabWidget, "tabs").currentWidget() is chart


def test_that_a_window_that_is_closed_meanwhile_stays_closed(qtbot: QtBot, window: MainWindow) -> None:
    done(qtbot, window)
    again = warm_up(window, LIGHT)
    assert again.left
    window.close()
    gone = Hidden(window)
    qtbot.waitUntil(lambda: again.left == 0)
    assert (window.isVisible(), gone.times) == (False, 0)
