"""What Copy puts on the clipboard on the page of memory: the picture, or both with their names."""

from __future__ import annotations

import numpy as np
import pytest
from driving import act, part
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.runs.result import Session
from gemmviz.gui.export.pictures.side_by_side import HEAD, named_pictures
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.window.main_window import MainWindow


def copied(window: MainWindow) -> QImage:
    act(window, "copyAction")
    return QGuiApplication.clipboard().image()


def test_that_a_copied_chart_has_all_its_notes_however_low_the_window_is(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.document.opened):
        window.open_path(next(each.path for each in load_examples() if each.id == "gpu-ladder"))
    act(window, "tabTimingAction")
    window.resize(1280, 760)
    timing = window._parts.timing
    qtbot.waitUntil(lambda: timing.isVisible() and timing.figure is not None and bool(timing.figure.rows))
    image = copied(window)
    assert image.height() > 1.5 * timing.height() * timing.devicePixelRatioF(), "27 rows and every note"
    assert "naive" in QGuiApplication.clipboard().text()


def is_there(window: MainWindow, name: str) -> bool:
    return bool(part(window, MemoryView, name).accessibleDescription())


def colours(image: QImage, left: int, right: int, bottom: int) -> set[str]:
    return {QColor(image.pixel(x, y)).name() for x in range(left, right) for y in range(bottom)}


def test_that_copy_takes_one_picture_or_both_with_their_names(
    window: MainWindow, recorded: Session, qtbot: QtBot
) -> None:
    for trace in recorded.traces:
        window.document.add_trace(trace)
    act(window, "tabMemoryAction")
    qtbot.waitUntil(lambda: is_there(window, "memoryView"))
    view = part(window, MemoryView, "memoryView")
    qtbot.waitUntil(lambda: copied(window).size() == view.size() * view.devicePixelRatioF())
    combo = part(window, QComboBox, "compareCombo")
    combo.setCurrentIndex(1)
    combo.activated.emit(1)
    qtbot.waitUntil(lambda: is_there(window, "memoryViewBeside"))
    page = part(window, MemoryPage, "memoryPage")
    added = QSize(0, HEAD)
    qtbot.waitUntil(lambda: copied(window).size() == page.pictures.size() + added)
    image = copied(window)
    first, second = QGuiApplication.clipboard().text().split("\n")
    assert (first.split()[0], second.split()[0]) == ("naive", "tiled")
    assert first.endswith("block (0, 0)")
    half = image.width() // 2
    for left, right in ((0, half), (half, image.width())):
        assert LIGHT.text in colours(image, left, right, HEAD), "the name"
    assert page.panes[0].is_active, "the sign is there again"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_that_names_stand_above_their_parts_at_any_scale(qtbot: QtBot, theme: Theme, scale: float) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    whole.resize(400, 100)
    parts = QWidget(whole), QWidget(whole)
    for place, each in enumerate(parts):
        each.setGeometry(200 * place, 0, 200, 100)
    image = named_pictures(whole, [(parts[0], ""), (parts[1], "tiled")], theme, scale)
    assert (image.width(), image.height()) == (round(400 * scale), round((100 + HEAD) * scale))
    rows = np.array([[image.pixelColor(x, y).name() for x in range(image.width())] for y in range(round(HEAD * scale))])
    assert set(rows[:, : round(200 * scale)].ravel()) == {theme.canvas}
    assert theme.text in set(rows[:, round(200 * scale) :].ravel())
