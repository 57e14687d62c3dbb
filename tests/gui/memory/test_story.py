"""The whole way of one who watches, through the real window and the real worker: from the choice to the same frame."""

from __future__ import annotations

from pathlib import Path

from driving import act, choose_kernel, compare_with, part, until_idle
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QLineEdit, QPushButton, QSlider, QSpinBox
from pytestqt.qtbot import QtBot

from gemmviz.gui.app import create_window
from gemmviz.gui.export.dialog import ExportDialog
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.scene import Element
from gemmviz.gui.player.frame_slider import FrameSlider
from gemmviz.gui.source.source_view import SourceView
from gemmviz.gui.window.main_window import MainWindow

FIRST, BESIDE = "memoryView", "memoryViewBeside"


def frame_of(window: MainWindow, name: str = FIRST) -> int:
    """The frame a picture shows, from 0; -1 for none."""
    scene = part(window, MemoryView, name).picture_state()
    return scene.picture.frame.index if scene is not None and scene.picture is not None else -1


def block_of(window: MainWindow, name: str = FIRST) -> tuple[int, int, int]:
    scene = part(window, MemoryView, name).picture_state()
    assert scene is not None
    return scene.block


def until_shown(qtbot: QtBot, window: MainWindow, index: int) -> None:
    """Wait until a frame is shown and nothing moves any more."""
    qtbot.waitUntil(lambda: frame_of(window) == index and window.player.arrival == 1.0)


def place_of(window: MainWindow, element: Element, name: str = FIRST) -> QPoint:
    scene = part(window, MemoryView, name).picture_state()
    cell = scene.cell(*element) if scene is not None else None
    assert cell is not None
    return QPoint(int(cell.middle_x), int(cell.middle_y))


def point_at(window: MainWindow, element: Element) -> None:
    view, here = part(window, MemoryView, FIRST), QPointF(place_of(window, element))
    none = Qt.MouseButton.NoButton
    move = QMouseEvent(
        QMouseEvent.Type.MouseMove, here, view.mapToGlobal(here), none, none, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(view, move)


def choose(window: MainWindow, name: str, words: str) -> None:
    combo = part(window, QComboBox, name)
    place = next(i for i in range(combo.count()) if words in combo.itemText(i))
    combo.setCurrentIndex(place)
    combo.activated.emit(place)


def looked_at(window: MainWindow) -> tuple[object, ...]:
    """Mode, heat, what the two keep step by, both recordings, their blocks and their frames."""
    names = ("modeCombo", "heatCombo", "stepByCombo", "memoryCombo", "compareCombo", "blockCombo")
    words = tuple(part(window, QComboBox, name).currentText() for name in names)
    return (*words, frame_of(window), frame_of(window, BESIDE), window.player.index, window.player.count)


def export_window(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    """Through the dialog, the picture of the window alone."""
    act(window, "exportAction")
    dialog = window.findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    for tick in dialog.findChildren(QCheckBox):
        tick.setChecked(tick.objectName() in ("exportItem_window", "exportPng"))
    dialog.findChild(QLineEdit, "exportFolder").setText(str(folder))
    qtbot.mouseClick(dialog.findChild(QPushButton, "exportOk"), Qt.MouseButton.LeftButton)
    message = dialog.findChild(QLabel, "exportMessage")
    qtbot.waitUntil(lambda: message.text().startswith("Wrote"))
    dialog.close()


def record_tiled(qtbot: QtBot, window: MainWindow) -> None:
    for name, value in zip(("sizeM", "sizeN", "sizeK"), (40, 36, 33), strict=True):
        part(window, QSpinBox, name).setValue(value)
    choose_kernel(window, "tiled")
    compare_with(window, set())
    act(window, "recordWholeAction")
    until_idle(qtbot, window)
    until_shown(qtbot, window, 0)
    choose(window, "modeCombo", "By step")
    qtbot.waitUntil(lambda: window.player.count > 20 and frame_of(window) == 0)


def test_that_a_person_watches_a_recording(qtbot: QtBot, window: MainWindow) -> None:
    record_tiled(qtbot, window)
    seen: set[int] = set()
    window.player.frame_changed.connect(seen.add)
    choose(window, "speedCombo", "16")
    act(window, "playAction")
    qtbot.waitUntil(lambda: len(seen) >= 10)
    act(window, "playAction")
    assert not window.player.playing
    at = window.player.index
    until_shown(qtbot, window, at)
    act(window, "stepBackAction")
    until_shown(qtbot, window, at - 1)
    slider = part(window, FrameSlider, "frameSlider")
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(round(slider.place(5)), slider.height() // 2))
    until_shown(qtbot, window, 5)
    act(window, "firstFrameAction")
    until_shown(qtbot, window, 0)

    point_at(window, ("A", 3, 4))
    card = part(window, MemoryView, FIRST).picture_state().card
    assert card is not None
    assert card.title.startswith("A[3,4]")
    assert any(name == "loaded in this frame" for name, _ in card.lines), card.lines

    view = part(window, MemoryView, FIRST)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place_of(window, ("C", 20, 20)))
    until_idle(qtbot, window)
    qtbot.waitUntil(lambda: block_of(window) == (1, 1, 0) and frame_of(window) == 0)
    assert len(window.document.session.traces) == 2
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place_of(window, ("C", 2, 2)))
    qtbot.waitUntil(lambda: block_of(window) == (0, 0, 0) and frame_of(window) == 0)
    assert len(window.document.session.traces) == 2, "it was at hand"
    choose(window, "blockCombo", "(1, 1)")
    qtbot.waitUntil(lambda: block_of(window) == (1, 1, 0) and frame_of(window) == 0)


def test_that_a_person_compares_and_finds_the_same_frame_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    record_tiled(qtbot, window)
    view = part(window, MemoryView, FIRST)
    choose(window, "compareCombo", "Record naive")
    until_idle(qtbot, window)
    qtbot.waitUntil(lambda: frame_of(window, BESIDE) >= 0)
    assert (block_of(window), block_of(window, BESIDE)) == ((0, 0, 0), (0, 0, 0))
    assert [trace.spec.kernel for trace in window.document.session.traces] == ["tiled", "naive"]
    qtbot.mouseClick(part(window, MemoryView, BESIDE), Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert part(window, SourceView, "sourceView").trace.spec.kernel == "naive"
    choose(window, "compareCombo", "none")
    assert part(window, SourceView, "sourceView").trace.spec.kernel == "tiled"

    act(window, "stepForwardAction")
    act(window, "stepForwardAction")
    until_shown(qtbot, window, 2)
    export_window(qtbot, window, tmp_path)
    assert (tmp_path / "window.png").stat().st_size > 10_000
    choose(window, "compareCombo", "naive")
    choose(window, "heatCombo", "sectors")
    choose(window, "stepByCombo", "interval")
    qtbot.waitUntil(lambda: frame_of(window, BESIDE) >= 0)
    act(window, "stepForwardAction")
    qtbot.waitUntil(lambda: window.player.arrival == 1.0)
    qtbot.waitUntil(lambda: frame_of(window) >= 2 and not window.player.playing)
    looked = looked_at(window)
    assert looked[:3] == ("By step", "Colour by: sectors", "Align by: barrier interval")
    path = tmp_path / "kept.gemmviz"
    with qtbot.waitSignal(window.document.saved):
        window.document.save(path)
    assert not window.document.modified
    before = view.grab().toImage()
    with qtbot.waitSignal(window.document.opened):
        window.open_path(path)
    qtbot.waitUntil(lambda: looked_at(window) == looked)
    assert part(window, QSlider, "frameSlider").maximum() == window.player.count - 1
    act(window, "stepForwardAction")
    assert not window.document.modified, "playing is no change"
    act(window, "stepBackAction")
    qtbot.waitUntil(lambda: looked_at(window) == looked and window.player.arrival == 1.0)
    view.clearFocus()
    assert view.grab().toImage() == before

    fresh = create_window(tmp_path / "settings of another")
    assert isinstance(fresh, MainWindow)
    fresh.show()
    fresh.open_path(path)
    qtbot.waitUntil(lambda: looked_at(fresh) == looked)
    assert not fresh.document.modified
    qtbot.waitUntil(lambda: bool(fresh.work.devices))
    fresh.close()
