"""The totals so far below two pictures: on one scale, and of the moment that the pictures show. Without a worker."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from gemmviz.domain.figures import count
from gemmviz.domain.recordings.multiply_adds import multiply_adds_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.recording.grids import Playable
from gemmviz.gui.recording.totals import RecordingTotals
from gemmviz.gui.recording.totals_beside import TotalsBeside
from gemmviz.trace.explain import totals_of

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
    qtbot.waitUntil(
        lambda: all(
            each.frame is not None and each.facts is not None and each.frame.index == each.facts.count - 1
            for each in both._playbacks
        )
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
    both._sync.seek(both._playbacks[0], 1)  # tiled adds the products of a tile, and naive has added as many
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
    assert len(set(tiled)) == len(set(naive)) == 1  # both up to the end of the frames that the captions name


def texts(parts: Parts, name: str) -> str:
    found = parts.memory_page.findChild(QLabel, name)
    assert isinstance(found, QLabel)
    return found.text()


def side(parts: Parts, name: str) -> QAbstractButton:
    found = parts.memory_page.findChild(QAbstractButton, name)
    assert isinstance(found, QAbstractButton)
    return found


@pytest.fixture
def totals_page(both: MemoryControl, parts: Parts) -> Parts:
    """The totals of `tiled` 8 and naive."""
    assert all(both.played)
    parts.memory_page.show_view("totals")
    return parts


def test_that_totals_and_hazards_tell_both_kernels_by_name(totals_page: Parts, both: MemoryControl) -> None:
    totals = totals_page.recording.findChild(TotalsBeside)
    assert totals is not None
    assert totals.isVisible()
    per = "per 1000\nmultiply-adds"
    heads = [head.text() for head in totals._heads if head.isVisible()]
    assert heads == ["", "tiled\nTILE=8", per, "naive\nTHREAD=16", per, "ratio"], "their blocks do unequal work"
    rows = {labels[0].text(): [label.text() for label in labels[1:]] for labels in totals._cells}
    tiled, naive = (playable.run for playable in both.played if playable is not None)
    expected = [count(totals_of(run).shared_load_requests) for run in (tiled, naive)]
    assert rows["shared load requests"][::2][:2] == expected
    one, other = (totals_of(run).global_load_requests for run in (tiled, naive))
    first, first_per, second, second_per, ratio = rows["global load requests"]
    assert [first, second] == [count(one), count(other)]
    work = [multiply_adds_of(run) or 0 for run in (tiled, naive)]
    assert work[1] == 4 * work[0] > 0
    of_work = [1000 * requests / each for requests, each in zip((one, other), work, strict=True)]
    assert [float(first_per), float(second_per)] == pytest.approx(of_work, rel=0.01)
    left, right = (float(each) for each in ratio.split(" : "))
    assert left / right == pytest.approx(of_work[0] / of_work[1], rel=0.01)
    assert texts(totals_page, "totalsBesideSentence").endswith("Ratios are of figures per multiply-add.")
    named = [line.partition(":")[0] for line in texts(totals_page, "recordingClean").split("\n\n")]
    assert named == ["tiled TILE=8", "naive THREAD=16"]


def test_that_the_switch_shows_the_source_of_either_and_keeps_the_totals(totals_page: Parts) -> None:
    recording = totals_page.recording
    assert side(totals_page, "leftSide").isVisible()
    assert recording.shown() is not None
    assert recording.shown().spec.kernel == "tiled"
    side(totals_page, "rightSide").click()
    assert recording.shown().spec.kernel == "naive"
    totals = recording.findChild(TotalsBeside)
    assert totals is not None
    assert totals._heads[1].text() == "tiled\nTILE=8"
    side(totals_page, "leftSide").click()
    assert recording.shown().spec.kernel == "tiled"


def test_that_one_picture_has_its_own_totals_again(totals_page: Parts, both: MemoryControl) -> None:
    both._on_playable(1, None)
    totals, alone = (totals_page.recording.findChild(kind) for kind in (TotalsBeside, RecordingTotals))
    assert totals is not None
    assert alone is not None
    assert (totals.isVisible(), alone.isVisible()) == (False, True)
    assert not side(totals_page, "leftSide").isVisible()


def test_that_hazards_of_the_other_kernel_are_told_in_words(
    parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    racy, tiled = recorded("no_first_barrier.cu", "32x32x32", (0, 0)), recorded("tiled", "32x32x32", (0, 0), TILE=16)
    assert racy.hazards
    parts.memory_page.show()
    control.show_session(session_of(racy, tiled))
    control._on_playable(0, Playable(tiled))
    control._on_playable(1, Playable(racy))
    parts.memory_page.show_view("totals")
    said = texts(parts, "recordingClean")
    assert f"{racy.spec.kernel}" in said
    assert f"race in line {racy.hazards[0].line}" in said
    side(parts, "rightSide").click()
    assert texts(parts, "recordingHazardsHead").startswith(f"Hazards at the right: {len(racy.hazards)}")
    assert texts(parts, "recordingClean").startswith("tiled TILE=16: No hazards found")
