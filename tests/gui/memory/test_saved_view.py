"""What was looked at on the page of memory comes back with the session, whatever was opened before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from driving import act, part
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session, save_session
from gemmviz.domain.session.shown import Shown, ShownFrame
from gemmviz.explain.requests.what_if import NewLayout, Swizzle
from gemmviz.gui.memory.memory_views import MEMORY_VIEWS, SEGMENTS
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.window.main_window import MainWindow

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]
LAYOUT = NewLayout(2, Swizzle.PIECES_64)
GPU = next(example.path for example in load_examples() if example.id == "gpu-ladder")


def opened(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    with qtbot.waitSignal(window.document.opened, timeout=20_000):
        window.document.open(path)
    qtbot.waitUntil(lambda: window.player.count > 0, timeout=20_000)


@pytest.mark.parametrize("is_compared", [False, True])
def test_that_a_layout_of_the_banks_comes_back_after_another_session(
    qtbot: QtBot, window: MainWindow, recorded: Record, session_of: SessionOf, tmp_path: Path, is_compared: bool
) -> None:
    runs = [recorded(kernel, "64x64x64", (0, 0), TILE=16) for kernel in ("tiled_padded", "tiled_transposed")]
    path = tmp_path / "mine.gemmviz"
    beside = ShownFrame(0, 0, "barrier", 2, 3) if is_compared else None
    kept = Shown(ShownFrame(1, 0, "barrier", 2, 2, str(Swizzle.PIECES_64)), beside, tab="Memory")
    save_session(replace(session_of(*runs), shown=kept), path)
    stages = part(window, MemoryPage, "memoryPage").stages
    opened(qtbot, window, path)
    part(window, QPushButton, "memoryBanks").click()
    qtbot.waitUntil(lambda: stages.banks.request is not None, timeout=20_000)
    assert stages.banks.new_layout == LAYOUT
    opened(qtbot, window, GPU)
    qtbot.waitUntil(lambda: len(window.document.session.traces) != len(runs))
    opened(qtbot, window, path)
    part(window, QPushButton, "memoryBanks").click()
    qtbot.waitUntil(lambda: stages.banks.new_layout == LAYOUT, timeout=20_000)
    if not is_compared:
        return
    qtbot.waitUntil(lambda: stages.banks.request is not None and not stages.banks.is_busy, timeout=20_000)
    for name, layout in (("rightSide", NewLayout(3)), ("leftSide", LAYOUT)):
        part(window, QPushButton, name).click()
        assert stages.banks.new_layout == layout, "each picture has its own"


@pytest.mark.parametrize("view", MEMORY_VIEWS)
def test_that_a_session_opens_on_the_view_of_memory_it_was_saved_on(
    qtbot: QtBot, window: MainWindow, recorded: Record, session_of: SessionOf, tmp_path: Path, view: str
) -> None:
    race, path = recorded("no_second_barrier.cu", "64x64x64", (0, 0)), tmp_path / "mine.gemmviz"
    save_session(session_of(race), path)
    page = part(window, MemoryPage, "memoryPage")
    opened(qtbot, window, path)
    act(window, "tabMemoryAction")
    buttons = [part(window, QPushButton, segment.object_name) for segment in SEGMENTS]
    buttons[MEMORY_VIEWS.index(view)].click()
    with qtbot.waitSignal(window.document.saved, timeout=20_000):
        window.document.save(path)
    buttons[MEMORY_VIEWS.index(view) - 1].click()
    opened(qtbot, window, path)
    qtbot.waitUntil(lambda: page.view_in_front == view)
    qtbot.waitUntil(lambda: window.player.count > 0, timeout=20_000)
    assert page.view_in_front == view


def test_that_another_layout_is_a_change_of_the_file(
    qtbot: QtBot, window: MainWindow, recorded: Record, session_of: SessionOf, tmp_path: Path
) -> None:
    run, path = recorded("tiled_transposed", "64x64x64", (0, 0), TILE=16), tmp_path / "mine.gemmviz"
    kept = Shown(ShownFrame(0, 0, "barrier", 2, 2, str(Swizzle.PIECES_64)), tab="Memory", memory_view="banks")
    save_session(replace(session_of(run), shown=kept), path)
    banks = part(window, MemoryPage, "memoryPage").stages.banks
    opened(qtbot, window, path)
    qtbot.waitUntil(lambda: banks.request is not None and not banks.is_busy, timeout=20_000)
    assert not window.document.modified, "what the file has is no change"
    assert not window.isWindowModified()
    banks.layouts.step_padding(1)
    assert window.isWindowModified()
    with qtbot.waitSignal(window.document.saved, timeout=20_000):
        window.document.save(path)
    assert not window.isWindowModified()
    shown = load_session(path).shown
    assert shown is not None
    assert shown.first.padding == 3
    banks.layouts.step_swizzle()
    assert window.document.modified
    opened(qtbot, window, path)
    assert not window.document.modified
