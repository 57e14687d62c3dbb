"""A recording played through the real window: record, play, step, scrub, jump, another block, save, open."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import LONG_MS, act, choose_kernel, compare_with, part, until_idle
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QLabel, QSlider, QSpinBox, QToolButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.main_window import MainWindow
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.source.source_view import SourceView


@pytest.fixture
def played(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """`tiled` 16 at 33x17x40, all blocks recorded, the first frame shown."""
    for name, value in zip(("sizeM", "sizeN", "sizeK"), (33, 17, 40), strict=True):
        part(window, QSpinBox, name).setValue(value)
    choose_kernel(window, "tiled")
    compare_with(window, set())
    record(qtbot, window)
    return window


def record(qtbot: QtBot, window: MainWindow) -> None:
    act(window, "recordAction")
    until_idle(qtbot, window)
    qtbot.waitUntil(lambda: caption(window).startswith("Phase 1 of"), timeout=LONG_MS)


def caption(window: MainWindow) -> str:
    return part(window, QLabel, "frameCaption").accessibleName() or part(window, QLabel, "frameCaption").text()


def shown(window: MainWindow) -> int:
    """The number of the frame that is shown, from 1."""
    return int(caption(window).split()[1])


def test_that_a_recording_is_played_from_its_first_frame(qtbot: QtBot, played: MainWindow) -> None:
    assert part(played, QSlider, "frameSlider").maximum() == 6
    assert "A[0:16, 0:16]" in caption(played)
    qtbot.mouseClick(part(played, QToolButton, "playButton"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown(played) >= 2, timeout=10_000)
    qtbot.mouseClick(part(played, QToolButton, "playButton"), Qt.MouseButton.LeftButton)


def test_that_steps_go_both_ways_and_the_slider_anywhere(qtbot: QtBot, played: MainWindow) -> None:
    for _ in range(2):
        act(played, "stepForwardAction")
    qtbot.waitUntil(lambda: shown(played) == 3, timeout=10_000)
    act(played, "stepBackAction")
    qtbot.waitUntil(lambda: shown(played) == 2, timeout=10_000)
    act(played, "lastFrameAction")
    qtbot.waitUntil(lambda: shown(played) == 7, timeout=10_000)
    assert "store C" in caption(played)


def test_that_the_running_lines_are_lit(qtbot: QtBot, played: MainWindow) -> None:
    source = part(played, SourceView, "sourceView")
    text = played.document.session.traces[0].source_text.splitlines()
    lit = {text[line - 1].split("[")[0].strip() for line in source.lit_lines()}
    assert lit == {"As", "Bs"}
    act(played, "lastFrameAction")
    qtbot.waitUntil(lambda: shown(played) == 7, timeout=10_000)
    assert any("C[row * N + col]" in text[line - 1] for line in source.lit_lines())


def test_that_a_line_leads_to_the_frame_in_which_it_runs(qtbot: QtBot, played: MainWindow) -> None:
    text = played.document.session.traces[0].source_text.splitlines()
    line = next(number for number, words in enumerate(text, 1) if "C[row * N + col] =" in words)
    part(played, SourceView, "sourceView").line_chosen.emit(line)
    qtbot.waitUntil(lambda: shown(played) == 7, timeout=10_000)


def test_that_another_block_is_recorded_by_a_click(qtbot: QtBot, played: MainWindow) -> None:
    part(played, MemoryView, "memoryView").block_chosen.emit(1, 2)
    until_idle(qtbot, played)
    traces = played.document.session.traces
    assert [block.block for block in traces[-1].blocks] == [(1, 2, 0)]
    assert traces[-1].spec == traces[0].spec
    qtbot.waitUntil(lambda: "A[32" in caption(played), timeout=10_000)


def test_that_frames_of_warp_requests_can_be_had(qtbot: QtBot, played: MainWindow) -> None:
    combo = part(played, QComboBox, "modeCombo")
    place = next(i for i in range(combo.count()) if "request" in combo.itemText(i))
    combo.setCurrentIndex(place)
    combo.activated.emit(place)
    qtbot.waitUntil(lambda: caption(played).startswith("Request 1 of"), timeout=LONG_MS)


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
    qtbot.waitUntil(lambda: shown(played) == 2 and played.player.glide == 1.0, timeout=10_000)
    before = view.grab().toImage()
    with qtbot.waitSignal(played.document.saved, timeout=LONG_MS):
        played.document.save(path)
    with qtbot.waitSignal(played.document.opened, timeout=LONG_MS):
        played.open_path(path)
    qtbot.waitUntil(lambda: caption(played).startswith("Phase 1 of"), timeout=10_000)
    act(played, "stepForwardAction")
    qtbot.waitUntil(lambda: shown(played) == 2 and played.player.glide == 1.0, timeout=10_000)
    assert view.grab().toImage() == before


def test_that_the_player_has_its_keys(played: MainWindow) -> None:
    keys = {played.findChild(QAction, name).shortcut().toString() for name in ("playAction", "stepBackAction")}
    assert keys == {"Space", ","}
