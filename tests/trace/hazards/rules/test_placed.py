"""In which frame a hazard is announced: where its first access at fault runs, not where its line runs first."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.explain.requests.frame_facts import facts_of
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.hazards.hazards import find_hazards
from gemmviz.trace.hazards.rules.table import RULES


@pytest.mark.parametrize("mode", [FrameMode.REQUEST, FrameMode.STEP])
def test_that_an_access_outside_its_array_is_announced_where_it_leaves_it(
    trace_of: Callable[..., BlockTrace], mode: FrameMode
) -> None:
    slots = "\n".join(f"0 | B:{step}" for step in range(8))
    trace = trace_of("9 global load 4 B", slots, "B global 1x7")
    (hazard,) = find_hazards(trace)
    assert hazard.kind is HazardKind.OUT_OF_BOUNDS
    frames = Frames(trace, mode)
    assert facts_of(frames, (hazard,)).marks.hazards.tolist() == [frames.frame_at(7, 0)]
    assert mode is FrameMode.STEP or frames.frame_at(7, 0) == 7


def test_that_a_hazard_of_several_warps_is_announced_where_its_sentence_says(
    trace_of: Callable[..., BlockTrace],
) -> None:
    slots = "0 | B:7 | B:0\nbarrier\n0 | B:0 | B:7"
    trace = trace_of("9 global load 4 B", slots, "B global 1x7")
    (hazard,) = find_hazards(trace)
    assert (hazard.threads, hazard.epoch) == ((0, 32), 0), "the second warp is at fault behind the barrier alone"
    assert RULES[hazard.kind].place(trace, hazard) == (0, 0)
