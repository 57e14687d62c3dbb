"""The window keeps its size: what is shown has the room there is."""

from __future__ import annotations

from collections.abc import Callable

from driving import act, part
from PySide6.QtWidgets import QApplication, QComboBox, QDockWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.recording.combo import MOST_WIDTH
from gemmviz.gui.window.main_window import MainWindow


def test_that_the_window_keeps_its_size_whatever_it_shows(
    qtbot: QtBot, window: MainWindow, recorded: Callable[..., TraceRun]
) -> None:
    act(window, "tabMemoryAction")
    window.resize(1280, 800)
    page = window.findChild(MemoryPage)
    combo = part(window, QComboBox, "compareCombo")
    for run in (
        recorded("tiled", "17x33x20"),
        recorded("tiled_transposed", "17x33x20"),
        recorded("tiled_transposed", "17x33x20", (1, 1)),
    ):
        window.document.add_trace(run)
        qtbot.waitUntil(lambda: window.player.count > 0)
    for place in (1, 0, 1):
        combo.setCurrentIndex(place)
        combo.activated.emit(place)
        qtbot.waitUntil(lambda place=place: page.is_compared is (place > 0))
        QApplication.processEvents()
        assert (window.width(), window.height()) == (1280, 800)
    for dock in window.findChildren(QDockWidget):
        dock.toggleViewAction().trigger()
        dock.show()
        QApplication.processEvents()
        assert window.width() == 1280


def test_that_the_lists_take_a_second_row_before_one_is_cut(
    qtbot: QtBot, window: MainWindow, recorded: Callable[..., TraceRun]
) -> None:
    act(window, "tabMemoryAction")
    for run in (recorded("tiled", "17x33x20"), recorded("tiled_transposed", "17x33x20")):
        window.document.add_trace(run)
    lists = [part(window, QComboBox, name) for name in ("memoryCombo", "compareCombo", "heatCombo")]
    qtbot.waitUntil(lambda: lists[0].isVisible())
    rows = set[int]()
    for width in range(1280, 2300, 60):
        window.resize(width, 800)
        qtbot.waitUntil(lambda: all(each.width() >= min(each.sizeHint().width(), MOST_WIDTH) for each in lists))
        rows.add(len({each.mapTo(window, each.rect().center()).y() // 8 for each in lists}))
    assert rows == {1, 2}
