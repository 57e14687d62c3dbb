"""What is known of frames before they are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from gemmviz.domain.recordings.access import BARRIER_SITE
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.frame_facts import facts_of
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode


@pytest.fixture(scope="module")
def tiled(recorded: Callable[..., TraceRun]) -> TraceRun:
    return recorded("tiled", "4x4x4", TILE=2)


@pytest.fixture(scope="module")
def racy(recorded: Callable[..., TraceRun]) -> TraceRun:
    return recorded("no_second_barrier.cu", "16x16x16")


def frames_of(run: TraceRun, mode: FrameMode) -> Frames:
    return Frames(run.blocks[0].trace(run.sites, run.arrays), mode)


def test_that_phases_end_at_barriers(tiled: TraceRun) -> None:
    facts = facts_of(frames_of(tiled, FrameMode.PHASE), tiled.hazards)
    assert facts.count == 5
    assert facts.marks.barriers.tolist() == [0, 1, 2, 3]
    assert facts.marks.hazards.tolist() == []
    assert facts.shares[-1] == 1.0


@pytest.mark.parametrize("mode", list(FrameMode))
def test_that_a_marked_frame_is_the_last_of_its_epoch(tiled: TraceRun, mode: FrameMode) -> None:
    frames = frames_of(tiled, mode)
    facts = facts_of(frames, ())
    epochs = [frames.frame(index).epoch for index in range(len(frames))]
    ends = [i for i in range(len(frames) - 1) if epochs[i] != epochs[i + 1]]
    assert facts.marks.barriers.tolist() == ends


@pytest.mark.parametrize("mode", list(FrameMode))
def test_that_a_hazard_is_marked_where_its_access_runs(racy: TraceRun, mode: FrameMode) -> None:
    assert [hazard.kind for hazard in racy.hazards] == [HazardKind.RACE] * len(racy.hazards) != []
    here = [hazard for hazard in racy.hazards if hazard.block == (0, 0, 0)]
    frames = frames_of(racy, mode)
    marked = facts_of(frames, racy.hazards).marks.hazards.tolist()
    assert marked
    for index in marked:
        frame = frames.frame(index)
        assert any(site.index == hazard.sites[-1] for hazard in here for site in frame.sites)
        assert frame.epoch in {hazard.epoch for hazard in here}


def test_that_hazards_of_other_blocks_and_of_no_epoch_are_not_marked(racy: TraceRun) -> None:
    hazard = racy.hazards[0]
    others = (replace(hazard, block=(7, 7, 0)), replace(hazard, epoch=999))
    assert facts_of(frames_of(racy, FrameMode.PHASE), others).marks.hazards.tolist() == []


def test_that_a_hazard_without_a_site_is_marked_in_its_epoch(tiled: TraceRun) -> None:
    somewhere = Hazard(HazardKind.RACE, 1, "", (0, 0, 0), (), 2, 1, "")
    missed = Hazard(HazardKind.DIVERGENT_BARRIER, 1, "", (0, 0, 0), (3,), 1, 1, "")
    frames = frames_of(tiled, FrameMode.PHASE)
    assert facts_of(frames, (somewhere, missed)).marks.hazards.tolist() == [1, 2]


def test_that_a_trace_without_slots_has_no_frames(tiled: TraceRun) -> None:
    trace = tiled.blocks[0].trace(tiled.sites, tiled.arrays)
    empty = replace(
        trace,
        slot_site=np.zeros(0, np.int32),
        slot_epoch=np.zeros(0, np.int32),
        addresses=trace.addresses[:, :0],
        snapshots=(),
    )
    facts = facts_of(Frames(empty), tiled.hazards)
    assert (facts.count, facts.shares.size, facts.marks.barriers.size) == (0, 0, 0)
    assert np.count_nonzero(trace.slot_site == BARRIER_SITE) == 4


def test_that_a_hazard_is_found_again_in_another_recording_of_its_block(racy: TraceRun) -> None:
    here = [hazard for hazard in racy.hazards if hazard.block == (0, 0, 0)]
    facts = facts_of(frames_of(racy, FrameMode.PHASE), racy.hazards)
    for hazard in here:
        index = facts.frame_of(replace(hazard, detail="told in other words", count=1))
        assert index is not None
        assert hazard in facts.hazards_in(index)
    assert facts.frame_of(replace(here[0], block=(1, 0, 0))) is None
    assert facts.hazards_in(facts.count - 1) == ()


def test_that_phases_are_counted_by_their_barriers(tiled: TraceRun) -> None:
    assert [facts_of(frames_of(tiled, mode), ()).phases for mode in FrameMode] == [5, 5, 5]
