"""The slider marks every frame in which something goes wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.explain.requests.frame_facts import FrameMarks, facts_of
from gemmviz.explain.requests.pairing import moments_of
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.files.edits import with_hazards_of_launch
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.memory import hazard_search
from gemmviz.gui.memory.hazard_sentences import hazard_words
from gemmviz.gui.player.frame_slider import FrameSlider
from gemmviz.gui.recording.grids import Playable
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.hazards.rules.hazard_frames import hazard_frames

Record = Callable[..., TraceRun]


def slider_of(parts: Parts) -> FrameSlider:
    slider = parts.player_bar.findChild(FrameSlider, "frameSlider")
    assert slider is not None
    return slider


def marks_of(parts: Parts) -> FrameMarks:
    return slider_of(parts)._marks


@pytest.mark.parametrize("file", ["no_second_barrier.cu", "unwritten_slot.cu", "divergent_barrier.cu", "misaligned.cu"])
def test_that_every_frame_is_marked_that_has_a_hazard_to_tell(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: Callable[..., Session], file: str
) -> None:
    run = recorded(file, "17x33x20", recorded(file, "17x33x20").hazards[0].block[:2])
    control.show_session(session_of(run))
    for mode in (None, FrameMode.REQUEST):
        if mode is not None:
            parts.player_bar.mode_chosen.emit(mode)
        qtbot.waitUntil(lambda mode=mode: control.player.count > 0 and mode in (None, control._playbacks[0].mode))
        qtbot.waitUntil(lambda: marks_of(parts).are_all)
        facts = control._playbacks[0].facts
        assert facts is not None
        frames = Frames(facts.trace, facts.mode)
        told = [i for i in range(len(frames)) if hazard_words(frames.frame(i), run, facts)]
        assert marks_of(parts).hazards.tolist() == told
        assert len(told) >= facts_of(frames, run.hazards).marks.hazards.size > 0
    assert "every frame with a hazard" in slider_of(parts).toolTip()


def test_that_the_tooltip_tells_where_only_first_examples_are_marked(
    qtbot: QtBot,
    parts: Parts,
    control: MemoryControl,
    recorded: Record,
    session_of: Callable[..., Session],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Frames] = []
    monkeypatch.setattr(hazard_search, "hazard_frames", lambda frames, _: asked.append(frames))
    control.show_session(session_of(recorded("no_second_barrier.cu", "17x33x20")))
    qtbot.waitUntil(lambda: bool(asked) and marks_of(parts).hazards.size > 0)
    assert not marks_of(parts).are_all
    assert "the first frame of each hazard" in slider_of(parts).toolTip()


def test_that_the_hazards_of_the_other_picture_are_marked_at_the_frames_that_go_with_them(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: Callable[..., Session]
) -> None:
    good, faulty = recorded("tiled", "17x33x20", TILE=4), recorded("no_second_barrier.cu", "17x33x20")
    control.show_session(session_of(faulty, good))
    control._open(1, Playable(faulty))
    qtbot.waitUntil(lambda: all(each.facts is not None for each in control._playbacks))
    qtbot.waitUntil(lambda: marks_of(parts).are_all and marks_of(parts).beside.size > 0)
    first, second = (playback.facts for playback in control._playbacks)
    assert first is not None
    assert second is not None
    marks, step = marks_of(parts), control._sync.step
    moments = moments_of(first, second, step)
    assert control.player.count == moments.count
    assert marks.hazards.size == 0, "the one whose barriers are marked has no hazard itself"
    theirs = set(hazard_frames(Frames(second.trace, second.mode), faulty.hazards).tolist())
    assert set(moments.frames[1][marks.beside].tolist()) == theirs
    tip = slider_of(parts).toolTip()
    assert "Hollow triangles mark every frame with a hazard in the other picture" in tip
    assert "Hollow red triangles: every frame with a hazard" not in tip
    control._open(1, None)
    qtbot.waitUntil(lambda: marks_of(parts).beside.size == 0)
    assert "triangles" not in slider_of(parts).toolTip()


def test_that_a_race_between_blocks_is_marked_in_every_block_that_takes_part(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: Callable[..., Session]
) -> None:
    whole = recorded("two_blocks.cu", "20x20x4")
    other = with_hazards_of_launch(recorded("two_blocks.cu", "20x20x4", (1, 2)), (whole,))
    for run in (whole, other):
        control.show_session(session_of(run))
        control._open(0, Playable(run))
        qtbot.waitUntil(lambda: control._playbacks[0].facts is not None and marks_of(parts).are_all)
        facts = control._playbacks[0].facts
        assert facts is not None
        assert facts.trace.block == run.blocks[0].block
        last = marks_of(parts).hazards.tolist()[-1]
        (said,) = hazard_words(Frames(facts.trace, facts.mode).frame(last), run, facts)
        assert said.startswith(f"Block race, line {whole.hazards[0].line}: thread 0 writes C[0,")
        assert "another block touches it too" in said
        assert "first example alone" not in slider_of(parts).toolTip()


def test_that_one_more_block_keeps_the_hazards_of_the_whole_grid(recorded: Record) -> None:
    whole, block = recorded("two_blocks.cu", "20x20x4"), recorded("two_blocks.cu", "20x20x4", (0, 1))
    assert not block.hazards, "alone it has nobody to race with"
    assert with_hazards_of_launch(block, (whole,)).hazards == whole.hazards
    assert with_hazards_of_launch(block, (recorded("two_blocks.cu", "20x20x5"),)) is block, "another launch"
    assert with_hazards_of_launch(whole, (block,)) is whole
