"""How high the table below the charts is: as its rows need, as far as charts have room, unless a person drags it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.layout.dock_height import BOTTOM_HEIGHT, LOW_HEIGHT, DockHeight, table_height, wants_height


@pytest.mark.parametrize(
    ("needed", "window", "height"),
    [
        (150, 800, LOW_HEIGHT),
        (900, 800, LOW_HEIGHT),  # charts have their height first
        (150, 900, BOTTOM_HEIGHT),  # two rows need less
        (300, 900, 300),  # six rows are whole
        (450, 900, BOTTOM_HEIGHT + 50),  # charts keep their height where the table would scroll anyway
        (380, 1080, 380),
        (900, 1080, BOTTOM_HEIGHT + 140),
        (900, 600, LOW_HEIGHT),
    ],
)
def test_that_a_table_is_as_high_as_it_needs_where_charts_have_room(needed: int, window: int, height: int) -> None:
    assert table_height(needed, window) == height


def test_that_a_plane_wants_the_height_of_the_table_in_a_window_that_is_not_high(qtbot: QtBot) -> None:
    chart = TimingChart()
    qtbot.addWidget(chart)
    assert not wants_height("Timing", chart, 800)
    chart.set_view(TimingView.ROOFLINE)
    assert wants_height("Timing", chart, 800)
    assert not wants_height("Timing", chart, 1080)
    assert wants_height("Memory", None, 1080)


class Bench:
    """A window with a dock below its centre."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot, self.needed = qtbot, 120
        self.window, self.dock = QMainWindow(), QDockWidget("Results")
        qtbot.addWidget(self.window)
        self.window.setCentralWidget(QWidget())
        self.dock.setWidget(QWidget())
        self.window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.dock)
        self.height = DockHeight(self.window, self.dock, lambda: self.needed)
        self.window.resize(1280, 1000)
        self.window.show()
        qtbot.waitExposed(self.window)
        self.height.reset()

    def fitted(self, needed: int) -> int:
        """The height of the dock once its table needs so much."""
        self.needed = needed
        self.height.fit()
        self.qtbot.waitUntil(lambda: not self.height._fit_later.isActive() and not self.height._note_later.isActive())
        return self.dock.widget().height()


def test_that_the_dock_follows_its_rows(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    assert bench.fitted(300) == pytest.approx(300, abs=2)
    assert bench.fitted(120) + 40 > BOTTOM_HEIGHT > bench.fitted(120)


def test_that_what_qt_gives_in_a_smaller_window_is_no_choice_of_a_person(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.window.centralWidget().setMinimumHeight(300)
    bench.window.resize(1280, 1200)
    bench.fitted(1000)
    assert bench.dock.height() == pytest.approx(BOTTOM_HEIGHT + 200, abs=2)
    bench.window.resize(1280, 700)
    squeezed = table_height(1000, 1200)
    qtbot.waitUntil(lambda: bench.dock.height() < squeezed - 20)
    bench.fitted(1000)
    assert bench.dock.height() == pytest.approx(LOW_HEIGHT, abs=2)
    assert bench.window.centralWidget().height() > bench.dock.height()


def test_that_a_dock_that_comes_back_has_the_height_for_the_window_of_now(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.window.centralWidget().setMinimumHeight(300)
    bench.window.resize(1280, 1200)
    bench.fitted(1000)
    bench.dock.hide()
    bench.window.resize(1280, 700)
    bench.dock.show()
    qtbot.waitUntil(lambda: bench.dock.height() == pytest.approx(LOW_HEIGHT, abs=2))


def test_that_the_height_that_a_person_gave_it_stays_until_the_layout_is_reset(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.fitted(300)
    bench.window.resizeDocks([bench.dock], [411], Qt.Orientation.Vertical)
    qtbot.waitUntil(lambda: bench.dock.height() == pytest.approx(411, abs=2))
    dragged = bench.dock.height()
    for needed in (200, 320):
        bench.fitted(needed)
        bench.height.release()
        assert bench.dock.height() == dragged
    bench.window.resize(1280, 1040)
    bench.fitted(200)
    assert bench.dock.height() == dragged, "also in a window of another height"
    bench.height.reset()
    assert bench.fitted(300) == pytest.approx(300, abs=2)
