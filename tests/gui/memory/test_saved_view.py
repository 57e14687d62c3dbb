"""What was looked at on the page of memory comes back with the session, whatever was opened before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from driving import part
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import save_session
from gemmviz.domain.session.shown import Shown, ShownFrame
from gemmviz.explain.requests.what_if import NewLayout, Swizzle
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
    qtbot.waitUntil(lambda: stages.banks.new_layout == LAYOUT, timeout=20_000)
    if not is_compared:
        return
    qtbot.waitUntil(lambda: stages.banks.request is not None and not stages.banks.is_busy, timeout=20_000)
    for name, layout in (("rightSide", NewLayout(3)), ("leftSide", LAYOUT)):
        part(window, QPushButton, name).click()
        assert stages.banks.new_layout == layout, "each picture has its own"
