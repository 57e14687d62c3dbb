"""Hazards where they happen, in recordings of kernels that are wrong on purpose."""

from __future__ import annotations

from collections.abc import Callable

from gemmviz.domain.access import BlockTrace
from gemmviz.domain.hazard import HazardKind
from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.memory_view.hazard_marks import HazardMark, hazard_marks
from gemmviz.trace.frames import Frames

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]


def marks(run: TraceRun, trace: BlockTrace) -> list[tuple[HazardMark, ...]]:
    frames = Frames(trace)
    return [hazard_marks(frames.frame(i), run.hazards) for i in range(len(frames))]


def test_that_a_missing_barrier_shows_on_the_slots_that_two_threads_share(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("no_second_barrier.cu", "32x32x32", (1, 1))
    found = [mark for frame in marks(run, block_of(run)) for mark in frame]
    races = [mark for mark in found if mark.kind is HazardKind.RACE]
    assert {mark.array.name for mark in races} == {"As", "Bs"}
    assert all(len(mark.threads) == 2 and mark.words.startswith("Race, line ") for mark in races)
    assert races[0].about(races[0].array.name, int(races[0].rows[0]), int(races[0].columns[0]))
    assert not races[0].about("C", 0, 0)


def test_that_a_read_of_what_nobody_wrote_shows_on_that_slot(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("unwritten_slot.cu", "32x32x32", (0, 0))
    found = [mark for frame in marks(run, block_of(run)) for mark in frame if mark.kind is HazardKind.UNWRITTEN_READ]
    assert found
    assert found[0].array.name == "As"
    assert set(found[0].columns.tolist()) == {0}


def test_that_an_access_outside_lies_just_beside_its_array(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("guard_one_too_far.cu", "17x17x17", (2, 2))
    found = [mark for frame in marks(run, block_of(run)) for mark in frame]
    assert found
    assert {mark.kind for mark in found} == {HazardKind.OUT_OF_BOUNDS}
    assert found[0].array.name == "A"
    assert set(found[0].rows.tolist()) == {17}
    assert found[0].words.startswith("Outside A, line 19: 8 accesses, the first by thread ")


def test_that_a_sound_kernel_has_no_marks(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("tiled", "17x33x5", (8, 4), TILE=4)
    assert [mark for frame in marks(run, block_of(run)) for mark in frame] == []
