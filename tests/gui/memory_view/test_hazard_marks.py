"""Hazards where they happen, in recordings of kernels that are wrong on purpose."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BlockTrace, Space
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.values import OutOfBounds
from gemmviz.trace.hazards.rules import race as race_rule
from gemmviz.trace.hazards.rules.hazard_marks import hazard_marks
from gemmviz.trace.hazards.rules.mark import HazardMark

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]


def marks(run: TraceRun, trace: BlockTrace) -> list[tuple[HazardMark, ...]]:
    frames = Frames(trace)
    return [hazard_marks(frames.frame(i), run.hazards, trace) for i in range(len(frames))]


def test_that_a_missing_barrier_shows_on_the_slots_that_two_threads_share(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("no_second_barrier.cu", "32x32x32", (1, 1))
    found = [mark for frame in marks(run, block_of(run)) for mark in frame]
    races = [mark for mark in found if mark.kind is HazardKind.RACE]
    assert {mark.array.name for mark in races} == {"As", "Bs"}
    assert all(len(mark.threads) == 2 and mark.words.startswith("Race, line ") for mark in races)
    assert races[0].about(races[0].array.name, int(races[0].rows[0]), int(races[0].columns[0]))
    assert not races[0].about("C", 0, 0)


@pytest.mark.parametrize("mode", [FrameMode.STEP, FrameMode.REQUEST])
@pytest.mark.parametrize("file", ["no_first_barrier.cu", "no_second_barrier.cu"])
def test_that_a_race_shows_in_every_frame_that_touches_what_is_stored_before_the_next_barrier(
    recorded: Record, block_of: BlockOf, mode: FrameMode, file: str
) -> None:
    """Told by looking at every access of the interval, one by one."""
    run = recorded(file, "17x9x20", (1, 1))
    trace = block_of(run)
    frames = Frames(trace, mode)
    races = {frozenset(hazard.sites) for hazard in run.hazards if hazard.kind is HazardKind.RACE}
    everything = accesses_of(trace)
    told = 0
    for index in range(0, len(frames), 1 if mode is FrameMode.STEP else 7):
        frame = frames.frame(index)
        expected = {
            (name, element)
            for slot, thread, site, name, element in everything.get(frame.epoch, [])
            if frame.slots[0] <= slot < frame.slots[1] and frame.warps[0] <= thread // LANES < frame.warps[1]
            if any(
                {site, other} in races and thread != another and (name, element) == there
                for _, another, other, *place in everything.get(frame.epoch, [])
                if (there := tuple(place)) == (name, element)
            )
        }
        found = [mark for mark in hazard_marks(frame, run.hazards, trace) if mark.kind is HazardKind.RACE]
        marked = {
            (mark.array.name, row * mark.array.columns + column)
            for mark in found
            for row, column in zip(mark.rows.tolist(), mark.columns.tolist(), strict=True)
        }
        assert marked == expected, frame.caption
        for mark in found:
            assert f"{mark.array.name}[" in mark.words
            assert all(f"thread {thread} " in mark.words for thread in mark.threads), mark.words
            assert "interval 0" not in mark.words
        told += bool(marked)
    assert told > 2


def accesses_of(trace: BlockTrace) -> dict[int, list[tuple[int, int, int, str, int]]]:
    """By epoch: slot, thread, site, and the array and element of every access of shared memory."""
    found: dict[int, list[tuple[int, int, int, str, int]]] = {}
    sites = {site.index: site for site in trace.sites}
    for warp, slot, lane in np.argwhere(trace.addresses != INACTIVE).tolist():
        site = int(trace.slot_site[slot])
        if site == BARRIER_SITE or sites[site].space is not Space.SHARED:
            continue
        address = int(trace.addresses[warp, slot, lane])
        array = next(each for each in trace.arrays if each.base <= address < each.base + each.nbytes)
        element = (address - array.base) // array.element_bytes
        row = (slot, warp * LANES + lane, site, array.name, element)
        found.setdefault(int(trace.slot_epoch[slot]), []).append(row)
    return found


def test_that_a_read_of_what_nobody_wrote_shows_on_that_slot(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("unwritten_slot.cu", "32x32x32", (0, 0))
    found = [mark for frame in marks(run, block_of(run)) for mark in frame if mark.kind is HazardKind.UNWRITTEN_READ]
    assert found
    assert found[0].array.name == "As"
    assert set(found[0].columns.tolist()) == {0}
    assert len(found[0].threads) == 1
    assert f": thread {found[0].threads[0]} reads As[" in found[0].words


def test_that_an_access_outside_lies_just_beside_its_array(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("guard_one_too_far.cu", "17x17x17", (2, 2))
    found = [mark for frame in marks(run, block_of(run)) for mark in frame]
    assert found
    assert {mark.kind for mark in found} == {HazardKind.OUT_OF_BOUNDS}
    assert found[0].array.name == "A"
    assert set(found[0].rows.tolist()) == {17}
    assert found[0].words.startswith("Outside A, line 19: 8 accesses, the first by thread ")


def test_that_one_access_outside_is_said_in_the_singular(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("guard_one_too_far.cu", "17x17x17", (2, 2))
    trace = block_of(run)
    frame = Frames(trace).frame(0)
    outside = OutOfBounds(frame.out_of_bounds.thread[:1], frame.out_of_bounds.site[:1], frame.out_of_bounds.address[:1])
    (mark,) = hazard_marks(replace(frame, out_of_bounds=outside), (), trace)
    assert mark.words == f"Outside A, line 19: an access by thread {outside.thread[0]}"


def test_that_a_sound_kernel_has_no_marks(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("tiled", "17x33x5", (8, 4), TILE=4)
    assert [mark for frame in marks(run, block_of(run)) for mark in frame] == []


@pytest.mark.parametrize("mode", list(FrameMode))
@pytest.mark.parametrize("file", ["no_first_barrier.cu", "no_second_barrier.cu"])
def test_that_a_recording_without_racing_accesses_shows_the_same_where_barriers_of_the_block_are_all_that_orders_them(
    recorded: Record, block_of: BlockOf, file: str, mode: FrameMode
) -> None:
    """Recordings of older versions keep none of them."""
    run = recorded(file, "17x9x20", (1, 1))
    trace = block_of(run)
    older = replace(trace, racing=None)
    frames = Frames(trace, mode)

    def shown(block: BlockTrace, order: range) -> dict[int, list[tuple[object, ...]]]:
        return {
            index: [
                (m.words, m.threads, m.rows.tolist(), m.columns.tolist())
                for m in hazard_marks(frames.frame(index), run.hazards, block)
            ]
            for index in order
        }

    expected = shown(trace, range(len(frames)))
    assert any(expected.values())
    assert shown(older, range(len(frames))) == expected
    assert shown(older, range(len(frames) - 1, -1, -1)) == expected


def test_that_nothing_is_kept_of_an_older_trace_that_is_gone(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("no_second_barrier.cu", "17x9x20", (1, 1))
    trace = replace(block_of(run), racing=None)
    hazard_marks(Frames(trace).frame(0), run.hazards, trace)
    key = id(trace.addresses)
    assert key in race_rule._made
    del trace
    gc.collect()
    assert key not in race_rule._made


@pytest.mark.parametrize("file", ["no_first_barrier.cu", "no_second_barrier.cu"])
def test_that_a_race_is_told_with_the_two_threads_of_its_finding(
    recorded: Record, block_of: BlockOf, file: str
) -> None:
    """The command line and the list of hazards tell the finding, the picture its frame."""
    run = recorded(file, "32x32x32", (1, 1))
    races = [hazard for hazard in run.hazards if hazard.kind is HazardKind.RACE]
    assert races
    found = [mark for frame in marks(run, block_of(run)) for mark in frame if mark.kind is HazardKind.RACE]
    for hazard in races:
        told = hazard.detail.partition(" between barriers")[0]
        assert any(mark.threads == hazard.threads and told in mark.words for mark in found), told
