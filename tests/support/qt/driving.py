"""How the tests drive the whole window: by the names of its controls, as a script of a person's own would."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QItemSelectionModel, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QPushButton, QTableView, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.window.main_window import MainWindow

W = TypeVar("W", bound=QObject)


def part(window: QWidget, kind: type[W], name: str) -> W:
    """The control of that name."""
    found = window.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def act(window: MainWindow, name: str) -> None:
    """Trigger an action of the menus."""
    action = part(window, QAction, name)
    assert action.isEnabled(), name
    action.trigger()


def until_idle(qtbot: QtBot, window: MainWindow) -> None:
    """Wait for the end of what is running."""
    qtbot.waitUntil(lambda: not window.work.busy)


def press(qtbot: QtBot, window: MainWindow, name: str) -> None:
    """Click a button and wait for what it starts to end."""
    qtbot.mouseClick(part(window, QPushButton, name), Qt.MouseButton.LeftButton)  # type: ignore[no-untyped-call]
    assert window.work.busy
    until_idle(qtbot, window)


def texts_of(window: MainWindow) -> list[list[str]]:
    """The table of results as a person reads it."""
    model = part(window, QTableView, "resultsTable").model()
    rows, columns = range(model.rowCount()), range(model.columnCount())
    return [[str(model.index(row, column).data()) for column in columns] for row in rows]


def choose_kernel(window: MainWindow, kernel_id: str) -> None:
    """Make a kernel the current one."""
    view = part(window, QAbstractItemView, "kernelList")
    flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
    view.selectionModel().setCurrentIndex(view.model().index(_row(view, kernel_id), 0), flag)


def compare_with(window: MainWindow, wanted: set[str]) -> None:
    """Tick these kernels and no others."""
    view = part(window, QAbstractItemView, "kernelList")
    model = view.model()
    for row in range(model.rowCount()):
        index = model.index(row, 0)
        kernel_id = index.data(Qt.ItemDataRole.UserRole).id
        if kernel_id:
            state = Qt.CheckState.Checked if kernel_id in wanted else Qt.CheckState.Unchecked
            if index.data(Qt.ItemDataRole.CheckStateRole) != state:
                assert model.setData(index, state.value, Qt.ItemDataRole.CheckStateRole)


def choose_preset(window: MainWindow, words: str) -> None:
    """Choose the preset whose entry holds these words."""
    combo = part(window, QComboBox, "presetCombo")
    place = next(i for i in range(combo.count()) if words in combo.itemText(i))
    combo.setCurrentIndex(place)
    combo.activated.emit(place)


def names_in(folder: Path) -> set[str]:
    """The files of a folder."""
    return {path.name for path in folder.iterdir()}


def _row(view: QAbstractItemView, kernel_id: str) -> int:
    model = view.model()
    ids = [model.index(row, 0).data(Qt.ItemDataRole.UserRole).id for row in range(model.rowCount())]
    return ids.index(kernel_id)


def bring_to_front(qtbot: QtBot, page: QWidget, button: str) -> None:
    """Click the button of a part of a page, as `memoryBanks`."""
    found = part(page, QPushButton, button)
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)  # type: ignore[no-untyped-call]
    assert found.isChecked()
