"""What the tests of the memory view share: recordings of kernels, made once, and shades as text."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.shades import ElementRole, Roles
from gemmviz.gui.memory_view.shared_shades import HELD, READ, STALE, WRITTEN, Slot
from gemmviz.trace.frames.frames import Frames, natural_mode
from gemmviz.trace.frames.plan import FrameMode

BlockOf = Callable[..., BlockTrace]
Show = Callable[..., tuple[MemoryView, Frames]]


@pytest.fixture(scope="session")
def as_text() -> Callable[[Roles], str]:
    """Roles of a matrix as rows of letters: . untouched, - to come, r and w loaded and stored before, R and W now."""
    signs = {
        ElementRole.UNTOUCHED: ".",
        ElementRole.TO_COME: "-",
        ElementRole.LOADED_BEFORE: "r",
        ElementRole.STORED_BEFORE: "w",
        ElementRole.LOADED_NOW: "R",
        ElementRole.STORED_NOW: "W",
    }
    return lambda roles: "\n".join("".join(signs[ElementRole(role)] for role in row) for row in roles.tolist())


@pytest.fixture(scope="session")
def slots_as_text() -> Callable[[Roles], str]:
    """Shades of slots, each a letter: . unwritten, 0 a zero, * computed, a b elements, # never touched; behind it "~"
    for stale, "r" and "w" for read and written now.
    """
    signs = {Slot.UNWRITTEN: ".", Slot.ZERO: "0", Slot.OTHER: "*", Slot.A: "a", Slot.B: "b", Slot.UNUSED: "#"}

    def sign(shade: int) -> str:
        flags = "".join(letter for flag, letter in ((STALE, "~"), (READ, "r"), (WRITTEN, "w")) if shade & flag)
        return signs[Slot(shade & HELD)] + flags

    return lambda shades: "\n".join(" ".join(sign(shade) for shade in row) for row in shades.tolist())


@pytest.fixture
def show(qtbot: QtBot, block_of: BlockOf) -> Show:
    """A view of a recorded block at a frame, and its frames."""

    def made(
        run: TraceRun, index: int = 0, theme: Theme = LIGHT, mode: FrameMode | None = None, number: int = 0
    ) -> tuple[MemoryView, Frames]:
        view = MemoryView(theme)
        qtbot.addWidget(view)
        view.resize(980, 560)
        trace = block_of(run, number)
        frames = Frames(trace, mode or natural_mode(trace))
        view.show_recording(run, trace, frames)
        view.show_frame(frames.frame(index))
        return view, frames

    return made
