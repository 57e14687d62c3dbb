"""A recording played through the real window: record, play, step, scrub, jump, another block, save, open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from driving import act, choose_kernel, compare_with, part, until_idle
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QDockWidget,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSlider,
    QSpinBox,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.hazard import by_gravity
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.app import create_window
from gemmviz.gui.memory.chosen_note import ChosenNote
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.player.player_bar import NOTHING
from gemmviz.gui.presentation.screen import PresentationScreen
from gemmviz.gui.source.source_view import SourceView
from gemmviz.gui.window.main_window import MainWindow

FAULTY = Path(__file__).parents[2] / "data" / "faulty"


@pytest.fixture(scope="module")
def kept() -> Iterator[list[tuple[MainWindow, TraceRun]]]:
    """Room for one window for all tests of this file, and what it recorded."""
    made: list[tuple[MainWindow, TraceRun]] = []
    yield made
    for window, _ in made:
        window.document.new()
        window.close()


def recorded_once(qtbot: QtBot, folder: Path) -> tuple[MainWindow, TraceRun]:
    """A window, and its recording of `tiled` 16 at 33x17x40, all blocks."""
    made = create_window(folder)
    assert isinstance(made, MainWindow)
    made.show()
    qtbot.waitUntil(lambda: bool(made.work.devices))
    set_up(made)
    act(made, "recordWholeAction")
    until_idle(qtbot, made)
    return made, made.document.session.traces[0]


@pytest.fixture
def played(
    qtbot: QtBot, kept: list[tuple[MainWindow, TraceRun]], tmp_path_factory: pytest.TempPathFactory
) -> MainWindow:
    """The window with nothing but that recording, at its first frame."""
    if not kept:
        kept.append(recorded_once(qtbot, tmp_path_factory.mktemp("settings")))
    ((window, trace),) = kept
    window.document.new()
    qtbot.waitUntil(lambda: caption(window) == NOTHING)
    set_up(window)
    act(window, "resetLayoutAction")
    act(window, "tabMemoryAction")
    window.resize(1280, 800)
    window.document.add_trace(trace)
    qtbot.waitUntil(lambda: caption(window).startswith("Barrier interval 1 of"))
    return window


def set_up(window: MainWindow) -> None:
    for name, value in zip(("sizeM", "sizeN", "sizeK"), (33, 17, 40), strict=True):
        part(window, QSpinBox, name).setValue(value)
    choose_kernel(window, "tiled")
    compare_with(window, set())


def caption(window: MainWindow) -> str:
    return part(window, QLabel, "frameCaption").accessibleName() or part(window, QLabel, "frameCaption").text()


def shown(window: MainWindow) -> int:
    """The number of the frame that is shown, from 1; 0 while frames are prepared."""
    number = caption(window).partition(" of ")[0].split()[-1]
    return int(number) if number.isdecimal() else 0


def test_that_a_recording_is_played_from_its_first_frame(qtbot: QtBot, played: MainWindow) -> None:
    assert part(played, QSlider, "frameSlider").maximum() == 6
    assert "rows 0–15, columns 0–15 of A" in caption(played)
    qtbot.mouseClick(part(played, QToolButton, "playButton"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown(played) >= 2)
    qtbot.mouseClick(part(played, QToolButton, "playButton"), Qt.MouseButton.LeftButton)


def test_that_steps_go_both_ways_and_the_slider_anywhere(qtbot: QtBot, played: MainWindow) -> None:
    for _ in range(2):
        act(played, "stepForwardAction")
    qtbot.waitUntil(lambda: shown(played) == 3)
    act(played, "stepBackAction")
    qtbot.waitUntil(lambda: shown(played) == 2)
    act(played, "lastFrameAction")
    qtbot.waitUntil(lambda: shown(played) == 7)
    assert caption(played).endswith("store rows 0–15, columns 0–15 of C")


def test_that_the_running_lines_are_lit(qtbot: QtBot, played: MainWindow) -> None:
    source = part(played, SourceView, "sourceView")
    text = played.document.session.traces[0].source_text.splitlines()
    lit = {text[line - 1].split("[")[0].strip() for line in source.lit_lines()}
    assert lit == {"As", "Bs", "__syncthreads();"}
    act(played, "lastFrameAction")
    qtbot.waitUntil(lambda: shown(played) == 7)
    assert any("C[row * N + col]" in text[line - 1] for line in source.lit_lines())


def test_that_a_line_leads_to_the_frame_in_which_it_runs(qtbot: QtBot, played: MainWindow) -> None:
    text = played.document.session.traces[0].source_text.splitlines()
    line = next(number for number, words in enumerate(text, 1) if "C[row * N + col] =" in words)
    part(played, SourceView, "sourceView").line_chosen.emit(line)
    qtbot.waitUntil(lambda: shown(played) == 7)


def test_that_another_block_is_recorded_by_a_click(qtbot: QtBot, played: MainWindow) -> None:
    part(played, MemoryView, "memoryView").block_chosen.emit(1, 2)
    until_idle(qtbot, played)
    traces = played.document.session.traces
    assert [block.block for block in traces[-1].blocks] == [(1, 2, 0)]
    assert traces[-1].spec == traces[0].spec
    qtbot.waitUntil(lambda: "load row 32" in caption(played))


def test_that_frames_of_warp_requests_can_be_had(qtbot: QtBot, played: MainWindow) -> None:
    combo = part(played, QComboBox, "modeCombo")
    place = next(i for i in range(combo.count()) if "request" in combo.itemText(i))
    combo.setCurrentIndex(place)
    combo.activated.emit(place)
    qtbot.waitUntil(lambda: caption(played).startswith("Warp request 1 of"))


def test_that_every_heat_is_shown(played: MainWindow) -> None:
    combo, view = part(played, QComboBox, "heatCombo"), part(played, MemoryView, "memoryView")
    pictures = []
    for place in range(combo.count()):
        combo.setCurrentIndex(place)
        combo.activated.emit(place)
        pictures.append(view.grab().toImage())
    assert all(one != other for i, one in enumerate(pictures) for other in pictures[:i])


def test_that_a_saved_recording_shows_the_same_frame(qtbot: QtBot, played: MainWindow, tmp_path: Path) -> None:
    view, path = part(played, MemoryView, "memoryView"), tmp_path / "kept.gemmviz"
    act(played, "stepForwardAction")
    qtbot.waitUntil(lambda: shown(played) == 2 and played.player.arrival == 1.0)
    before = view.grab().toImage()
    with qtbot.waitSignal(played.document.saved):
        played.document.save(path)
    with qtbot.waitSignal(played.document.opened):
        played.open_path(path)
    source, opened = part(played, SourceView, "sourceView"), played.document.session.traces[0]
    qtbot.waitUntil(lambda: source.trace is opened and shown(played) == 2)
    qtbot.waitUntil(lambda: played.player.index == 1 and played.player.arrival == 1.0)
    assert view.grab().toImage() == before


def test_that_the_player_has_its_keys(played: MainWindow) -> None:
    keys = {played.findChild(QAction, name).shortcut().toString() for name in ("playAction", "stepBackAction")}
    assert keys == {"Space", ","}


def test_that_its_keys_work_wherever_nothing_is_typed(qtbot: QtBot, played: MainWindow) -> None:
    played.activateWindow()
    for name in ("memoryView", "heatCombo", "kernelList", "frameSlider", "playButton", "resultsTable", "sourceLines"):
        control = part(played, QWidget, name)
        control.setFocus()
        qtbot.waitUntil(control.hasFocus)
        qtbot.keyClick(control, ".")
        assert played.player.index == 1, name
        qtbot.keyClick(control, ",")
        assert played.player.index == 0, name
    view = part(played, MemoryView, "memoryView")
    view.setFocus()
    for key, index in ((Qt.Key.Key_End, 6), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(view, key)
        assert played.player.index == index
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert played.player.playing
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert not played.player.playing
    at = played.player.index
    field = part(played, QLineEdit, "resultsFilter")
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClicks(field, "a. ,b")
    assert (field.text(), played.player.index, played.player.playing) == ("a. ,b", at, False)


def test_that_escape_clears_what_is_chosen_from_anywhere(qtbot: QtBot, played: MainWindow) -> None:
    played.activateWindow()
    clear = part(played, QAction, "clearChosenAction")
    assert not clear.isEnabled()
    part(played, QSpinBox, "threadSpin").setValue(9)
    assert clear.isEnabled()
    combo = part(played, QComboBox, "heatCombo")
    combo.setFocus()
    qtbot.waitUntil(combo.hasFocus)
    qtbot.keyClick(combo, Qt.Key.Key_Escape)
    spin, view = part(played, QSpinBox, "threadSpin"), part(played, MemoryView, "memoryView")
    assert spin.value() == -1
    assert not clear.isEnabled()
    scene = view.picture_state()
    assert scene is not None
    assert scene.example is not None
    assert spin.text() == f"auto: {scene.example.thread}", "as the legend of the picture says"


def test_that_the_source_beside_memory_is_that_of_the_recording_in_view(qtbot: QtBot, played: MainWindow) -> None:
    source, note = part(played, SourceView, "sourceView"), part(played, ChosenNote, "chosenNote")
    trace = played.document.session.traces[0]
    qtbot.waitUntil(lambda: source.lit_lines() != ())
    assert note.isHidden()
    for page in ("memoryAnimation", "memoryBanks", "memorySectors"):
        choose_kernel(played, trace.spec.kernel)
        part(played, QAbstractButton, page).click()
        choose_kernel(played, "naive")
        assert source.trace is trace
        qtbot.waitUntil(lambda: source.lit_lines() != ())  # on Banks and Sectors once their request is found
        assert note.isVisible()
        words = part(played, QLabel, "chosenNoteText").text()
        assert words == "This is the recording of tiled. The chosen kernel, naive, is not recorded."
    act(played, "tabTimingAction")
    assert (source.trace, source.lit_lines()) == (None, ())
    act(played, "tabMemoryAction")
    assert source.trace is trace
    qtbot.waitUntil(lambda: source.lit_lines() != ())
    choose_kernel(played, trace.spec.kernel)
    assert note.isHidden()
    part(played, QAbstractButton, "memoryAnimation").click()


def test_that_the_chosen_kernel_is_recorded_from_the_note_and_its_recording_comes_back(
    qtbot: QtBot, played: MainWindow
) -> None:
    source, note = part(played, SourceView, "sourceView"), part(played, ChosenNote, "chosenNote")
    choose_kernel(played, "naive")
    part(played, QPushButton, "chosenNoteRecord").click()
    assert not part(played, QPushButton, "chosenNoteRecord").isEnabled()
    until_idle(qtbot, played)
    qtbot.waitUntil(lambda: source.trace is played.document.session.traces[-1])
    assert source.trace.spec.kernel == "naive"
    assert note.isHidden()
    choose_kernel(played, "tiled")
    qtbot.waitUntil(lambda: source.trace is played.document.session.traces[0] and source.lit_lines() != ())
    assert note.isHidden()


def test_that_two_pictures_and_the_results_fit_a_small_screen(qtbot: QtBot, played: MainWindow) -> None:
    for theme in ("themeDark", "themeLight"):  # the style of the application went with the test before
        act(played, theme)
    part(played, MemoryView, "memoryView").block_chosen.emit(1, 2)
    until_idle(qtbot, played)
    combo = part(played, QComboBox, "compareCombo")
    qtbot.waitUntil(lambda: combo.count() > 1)
    part(played, QDockWidget, "resultsDock").show()
    place = next(i for i in range(combo.count()) if "another block" in combo.itemText(i))
    combo.setCurrentIndex(place)
    combo.activated.emit(place)
    part(played, QSpinBox, "threadSpin").setValue(3)
    beside = part(played, MemoryView, "memoryViewBeside")
    qtbot.waitUntil(beside.isVisible)
    assert (played.minimumSizeHint().width() <= 1280, played.minimumSizeHint().height() <= 800) == (True, True)
    assert (played.width(), played.height()) == (1280, 800)


def test_that_a_fault_of_ones_own_kernel_is_seen_where_it_happens(qtbot: QtBot, played: MainWindow) -> None:
    window = played
    window.open_path(FAULTY / "no_second_barrier.cu")
    qtbot.waitUntil(lambda: window.experiment.kernel == "no_second_barrier")
    act(window, "recordWholeAction")
    until_idle(qtbot, window)
    qtbot.waitUntil(lambda: caption(window).startswith("Barrier interval 1 of 6"))
    part(window, QPushButton, "memoryTotals").click()
    hazards = part(window, QListWidget, "recordingHazards")
    place = hazards.visualItemRect(hazards.item(0)).center()
    qtbot.mouseClick(hazards.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: shown(window) == 2)
    hazard = by_gravity(window.document.session.traces[-1].hazards)[0]
    assert part(window, QPushButton, "memoryAnimation").isChecked()
    said = part(window, QLabel, "memoryPaneHazard").text()
    assert said.startswith(f"! Race, line {hazard.line}")
    assert all(f"thread {thread}" in said for thread in hazard.threads[:2])
    assert hazard.line in part(window, SourceView, "sourceView").lit_lines()

    view = part(window, MemoryView, "memoryView")
    mark = view.picture_state().picture.hazards[0]
    cell = view.picture_state().cell(mark.array.name, int(mark.rows[0]), int(mark.columns[0]))
    at, none = QPointF(cell.middle_x, cell.middle_y), Qt.MouseButton.NoButton
    move = QMouseEvent(QMouseEvent.Type.MouseMove, at, view.mapToGlobal(at), none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view, move)
    card = view.picture_state().card
    assert f"line {hazard.line}" in card.hazard
    assert f"thread {mark.threads[0]} " in card.hazard


def test_that_the_keys_go_to_the_picture_when_a_recording_comes(qtbot: QtBot, played: MainWindow) -> None:
    kernels = part(played, QAbstractItemView, "kernelList")
    kernels.setFocus()
    trace = played.document.session.traces[0]
    played.document.add_trace(replace(trace))
    qtbot.waitUntil(lambda: played.focusWidget() is part(played, MemoryView, "memoryView"))
    field = part(played, QLineEdit, "resultsFilter")
    field.setFocus()
    played.document.add_trace(replace(trace))
    qtbot.waitUntil(lambda: played._player.played[0].run is played.document.session.traces[-1])
    assert played.focusWidget() is field, "somebody types"


def test_that_the_finder_and_the_list_of_keys_open_over_the_presentation(qtbot: QtBot, played: MainWindow) -> None:
    played.activateWindow()
    act(played, "presentAction")
    screen = part(played, PresentationScreen, "presentation")
    qtbot.waitUntil(screen.isActiveWindow)
    for key, modifier, name in (
        (Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier, "commandPalette"),
        (Qt.Key.Key_F1, Qt.KeyboardModifier.NoModifier, "shortcutsDialog"),
    ):
        qtbot.keyClick(screen, key, modifier)
        dialog = screen.findChild(QDialog, name)
        assert dialog is not None
        assert dialog.isVisible()
        dialog.reject()
        qtbot.waitUntil(screen.isActiveWindow)
    act(played, "tabTimingAction")
    qtbot.waitUntil(lambda: played._player.presentation.screen is None)
    (chart,) = (each for each in QApplication.topLevelWidgets() if each.objectName() == "chartPresentation")
    assert chart.accessibleName() == "Presentation: Timing"
    chart.close()
