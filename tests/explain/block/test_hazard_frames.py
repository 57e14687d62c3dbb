"""Frames found to have accesses at fault are exactly those in which the picture marks some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.hazard import HazardKind, by_gravity
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.frame_facts import facts_of
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.hazards.rules.hazard_frames import hazard_frames
from gemmviz.trace.hazards.rules.hazard_marks import hazard_marks

FAULTY = Path(__file__).parents[2] / "data" / "faulty"
FILES = (
    "no_first_barrier.cu",
    "no_second_barrier.cu",
    "member_race.cu",
    "unwritten_slot.cu",
    "guard_one_too_far.cu",
    "member_too_far.cu",
    "far_write.cu",
    "misaligned.cu",
    "two_blocks.cu",
    "other_block_reads.cu",
)

WHOLE = ("unwritten_slot.cu", "two_blocks.cu", "other_block_reads.cu")
"""Recorded with all blocks of the grid; of the others two blocks are enough."""


@pytest.mark.parametrize("mode", list(FrameMode))
@pytest.mark.parametrize("file", FILES)
def test_that_the_frames_found_are_those_the_picture_marks(
    recorded: Callable[..., TraceRun], block_of: Callable[..., BlockTrace], file: str, mode: FrameMode
) -> None:
    run = recorded(file, "17x9x20", (0, 0), (0, 2)) if file not in WHOLE else recorded(file, "17x9x20")
    traces = [block_of(run, number) for number in range(len(run.blocks))]
    marked = 0
    for trace in traces:
        frames = Frames(trace, mode)
        expected = [i for i in range(len(frames)) if hazard_marks(frames.frame(i), run.hazards, trace)]
        found = hazard_frames(frames, run.hazards)
        assert found is not None
        assert found.tolist() == expected
        marked += len(expected)
    assert marked > 0


def test_that_a_picture_leads_with_the_race_that_the_list_of_hazards_leads_with(
    recorded: Callable[..., TraceRun], block_of: Callable[..., BlockTrace]
) -> None:
    run = recorded("no_second_barrier.cu", "17x9x20", (0, 0), (0, 2))
    (race, *_), frames = by_gravity(run.hazards), Frames(block_of(run, 0))
    within_warp = replace(race, line=99, threads=(0, 1))
    hazards = (within_warp, replace(race, threads=(0, 32)))
    led = [
        marks[0].words for i in range(len(frames)) if (marks := hazard_marks(frames.frame(i), hazards, frames.trace))
    ]
    assert led
    assert not [words for words in led if words.startswith("Race, line 99")]


def test_that_a_block_that_returns_first_has_no_barrier_at_fault_beside_one_that_has(
    recorded: Callable[..., TraceRun], block_of: Callable[..., BlockTrace], tmp_path: Path
) -> None:
    text = (FAULTY / "divergent_barrier.cu").read_text(encoding="utf-8")
    path = tmp_path / "returns_first.cu"
    leaves = "if (blockIdx.y == 0) {\n        C[ty * N + tx] = 0.0f;\n        return;\n    }\n    if (row >= M)"
    path.write_text(text.replace("if (row >= M)", leaves), encoding="utf-8")
    run = recorded(str(path), "17x9x20", (0, 0), (0, 2))
    assert {hazard.kind for hazard in run.hazards} == {HazardKind.DIVERGENT_BARRIER}
    without, with_faults = (Frames(block_of(run, number)) for number in range(2))
    assert facts_of(without, run.hazards).barriers_at_fault == ()
    assert hazard_frames(without, run.hazards) is not None
    assert [fault.place.line for _, _, fault in facts_of(with_faults, run.hazards).barriers_at_fault] == [27, 30] * 3


def test_that_nothing_is_looked_for_where_that_would_be_too_much(
    recorded: Callable[..., TraceRun], block_of: Callable[..., BlockTrace]
) -> None:
    run = recorded("unwritten_slot.cu", "17x9x20")
    frames = Frames(block_of(run))
    assert hazard_frames(frames, run.hazards, most_accesses=100) is None
    assert hazard_frames(frames, (), most_accesses=0) is not None


def test_that_racing_accesses_that_are_known_are_not_looked_for(
    recorded: Callable[..., TraceRun], block_of: Callable[..., BlockTrace]
) -> None:
    run = recorded("no_second_barrier.cu", "17x9x20", (0, 0))
    trace = block_of(run)
    found = hazard_frames(Frames(trace), run.hazards, most_accesses=0)
    assert found is not None
    assert found.size
    assert hazard_frames(Frames(replace(trace, racing=None)), run.hazards, most_accesses=100) is None


def test_that_a_kernel_without_faults_has_no_such_frames(
    recorded: Callable[..., TraceRun], block_of: Callable[..., BlockTrace]
) -> None:
    run = recorded("tiled", "17x9x20", (0, 0))
    found = hazard_frames(Frames(block_of(run)), run.hazards)
    assert found is not None
    assert found.tolist() == []
