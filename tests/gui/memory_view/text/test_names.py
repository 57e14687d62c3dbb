"""The names above arrays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import Face, looks_of
from gemmviz.gui.memory_view.text.onchip import onchip_words
from gemmviz.trace.frames.frames import Frames

Record = Callable[..., TraceRun]
Show = Callable[..., tuple[MemoryView, Frames]]


@pytest.mark.parametrize("width", [260, 300, 340, 400, 520, 700])
def test_that_the_name_of_a_sum_is_shortened_not_cut(show: Show, recorded: Record, width: int) -> None:
    view, _ = show(recorded("dot_serial", "1x1x16", THREADS=16), 2)
    for height in (260, 320, 420):
        view.resize(width, height)
        view.present(True)
        scene = view.picture_state()
        assert scene is not None
        names = {item.text for item in onchip_words(scene, looks_of(LIGHT)) if item.face is Face.NAME}
        assert names <= {"sums", "sum of thread 0", "thread 0", "sum"}, (width, height)
