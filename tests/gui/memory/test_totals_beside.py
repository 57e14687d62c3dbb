"""The totals so far below two pictures: on one scale, and of the moment that the pictures show. Without a worker."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.domain.figures import count
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.recording.grids import Playable

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]


@pytest.fixture
def both(qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf) -> MemoryControl:
    """`tiled` 8 with naive beside it, both at their first frames."""
    naive, tiled = recorded("naive", "40x36x33", (1, 1)), recorded("tiled", "40x36x33", (1, 1), TILE=8)
    parts.memory_page.show()
    control.show_session(session_of(naive, tiled))
    control._on_playable(0, Playable(tiled))
    control._on_playable(1, Playable(naive))
    qtbot.waitUntil(lambda: all(playback.frame is not None for playback in control._playbacks))
    return control


def test_that_totals_of_both_are_counted_on_one_scale(qtbot: QtBot, parts: Parts, both: MemoryControl) -> None:
    strips = [pane.totals for pane in parts.memory_page.panes]
    qtbot.waitUntil(lambda: all(strip.lines for strip in strips))
    both.player.last()
    last = both._playbacks[1]
    qtbot.waitUntil(
        lambda: last.frame is not None and last.facts is not None and last.frame.index == last.facts.count - 1
    )
    loads, stores, moved, each, excess = zip(*(strip.parts for strip in strips), strict=True)
    assert [strip.lines[3].value for strip in strips] == ["1", "16"]
    assert [strip.lines[4].value for strip in strips] == ["0", "–"]  # naive has no shared memory
    for tiled, naive in (loads, moved, each):
        assert tiled < naive == 1.0
    assert (stores, excess) == ((0.25, 1.0), (0.0, 0.0))  # blocks of 8 x 8 and of 16 x 16 elements
    evidence = ["recorded", "recorded", "derived", "derived", "recorded"]
    assert [line.evidence.value for line in strips[0].lines] == evidence


def test_that_totals_count_with_their_picture_within_a_frame(qtbot: QtBot, parts: Parts, both: MemoryControl) -> None:
    strips, views = [pane.totals for pane in parts.memory_page.panes], (parts.memory, parts.beside)
    qtbot.waitUntil(lambda: all(strip.lines for strip in strips))
    both.player.step_forward()
    qtbot.waitUntil(lambda: all(each.frame is not None and each.frame.index > 0 for each in both._playbacks))
    counted = []
    for fraction in (0.0, 0.25, 0.5, 0.75, 1.0):
        for playback in both._playbacks:
            playback.show_arrival(fraction)
        load_counters = [scene.load_counters for view in views if (scene := view.picture_state()) is not None]
        assert [strip.lines[0].value for strip in strips] == [
            count(each.global_loads) for each in load_counters if each
        ]
        counted.append([each.global_loads for each in load_counters if each])
    tiled, naive = zip(*counted, strict=True)
    assert len(set(tiled)) == 1  # it reads its tile in this frame
    assert naive[0] == naive[3] < naive[4]  # its loads count once its tiles have arrived
