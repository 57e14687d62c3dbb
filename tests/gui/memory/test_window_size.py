"""The window keeps its size: what is shown has the room there is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from driving import act, part
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QDockWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.recording.combo import MOST_WIDTH
from gemmviz.gui.widgets.fields import ComboBox
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


def test_that_with_all_panels_folded_the_lists_take_one_row_at_1280_by_800(
    qtbot: QtBot, window: MainWindow, recorded: Callable[..., TraceRun]
) -> None:
    """Height limits the picture there; the list of colours has shorter words instead."""
    window.resize(1280, 800)
    act(window, "tabMemoryAction")
    for name in ("naive", "tiled_global_accumulate"):
        window.document.add_trace(recorded(name, "17x33x20", (0, 0), (1, 0)))
    lists = [part(window, ComboBox, name) for name in ("memoryCombo", "blockCombo", "compareCombo", "heatCombo")]
    qtbot.waitUntil(lambda: window.player.count > 0 and lists[0].isVisible())

    def rows() -> set[int]:
        return {each.mapTo(window, each.rect().center()).y() // 8 for each in lists}

    assert len(rows()) > 1
    act(window, "foldAllAction")
    qtbot.waitUntil(lambda: len(rows()) == 1)
    qtbot.waitUntil(lambda: all(each.width() >= each.sizeHint().width() for each in lists))
    for place in range(lists[-1].count()):
        lists[-1].setCurrentIndex(place)
        assert "…" not in lists[-1].shown_text()


def choose(combo: QComboBox, place: int) -> None:
    combo.setCurrentIndex(place)
    combo.activated.emit(place)
    QApplication.processEvents()


@pytest.mark.parametrize("size", [(1280, 800), (1440, 900), (1920, 1080)])
def test_that_no_list_or_button_of_the_page_is_cut(
    qtbot: QtBot, window: MainWindow, recorded: Callable[..., TraceRun], size: tuple[int, int]
) -> None:
    window.resize(*size)
    act(window, "tabMemoryAction")
    for name in ("tiled_global_accumulate", "tiled_transposed"):
        window.document.add_trace(recorded(name, "17x33x20", (0, 0), (1, 0)))
    page = window.findChild(MemoryPage)
    compare = part(window, QComboBox, "compareCombo")
    qtbot.waitUntil(lambda: window.player.count > 0 and compare.isVisible())
    own = next(place for place in range(compare.count()) if compare.itemText(place).endswith("another block"))
    for beside in (0, 1, own):
        choose(compare, beside)
        qtbot.waitUntil(lambda beside=beside: page.is_compared is (beside > 0) and window.player.count > 0)
        for name in ("memoryCombo", "heatCombo", "stepByCombo", "blockCombo", "compareBlockCombo"):
            combo = part(window, ComboBox, name)
            for place in range(combo.count()) if combo.isVisible() else ():
                choose(combo, place)
                QApplication.processEvents()
                shown = combo.shown_text()
                assert "…" not in shown, f"{name}, two pictures: {page.is_compared}: {shown}"
        assert "…" not in part(window, ComboBox, "compareCombo").shown_text()
        for button in page.findChildren(QAbstractButton):
            if button.isVisible() and button.text():
                assert button.width() >= button.sizeHint().width(), button.objectName()
