"""Heat against the recording and against the inspector."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from explained_heat import heat_by_inspector, heat_shown

from gemmviz.domain.recordings.access import AccessKind, BlockTrace, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import Evidence
from gemmviz.explain.block.heat_maps import LEVELS, HeatKind, HeatMaker
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]


def made(run: TraceRun, trace: BlockTrace, mode: FrameMode = FrameMode.PHASE) -> tuple[Frames, HeatMaker]:
    frames = Frames(trace, mode)
    return frames, HeatMaker(run, frames)


def test_that_loads_in_all_are_those_of_the_whole_grid(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("tiled", "17x33x5", TILE=4)
    frames, maker = made(run, block_of(run))
    heat = maker.heat(HeatKind.IN_ALL, frames.frame(0))
    assert heat is not None
    assert np.all(heat.layers["A"].figures.full == 9)  # the blocks beside each other
    assert np.all(heat.layers["B"].figures.full == 5)
    assert (heat.low, heat.high, heat.evidence) == (1, 9, Evidence.RECORDED)
    assert heat.note == "Loads of each element by the whole grid"


def test_that_loads_of_one_block_are_not_passed_off_as_all(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("tiled", "17x33x5", (8, 4), TILE=4)
    frames, maker = made(run, block_of(run))
    heat = maker.heat(HeatKind.IN_ALL, frames.frame(0))
    assert heat is not None
    assert heat.note == "Loads of each element by this block; record the whole grid to see all"


def test_that_loads_so_far_grow_on_one_scale(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("naive", "4x4x4", (0, 0))
    frames, maker = made(run, block_of(run), FrameMode.STEP)
    heats = [maker.heat(HeatKind.SO_FAR, frames.frame(i)) for i in range(len(frames))]
    rows = [heat.layers["A"].figures.full[0].tolist() for heat in heats if heat is not None]
    assert rows == [[4, 0, 0, 0], [4, 4, 0, 0], [4, 4, 4, 0], [4, 4, 4, 4]]
    assert {heat.high for heat in heats if heat is not None} == {4}


def test_that_age_counts_frames_since_a_slot_was_stored(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("tiled", "4x4x4", (0, 0), TILE=2)
    frames, maker = made(run, block_of(run))
    ages = [maker.heat(HeatKind.AGE, frames.frame(i)) for i in range(len(frames))]
    assert [int(age.layers["As"].figures.full[0, 0]) for age in ages if age is not None] == [1, 2, 1, 2, 3]


@pytest.mark.parametrize("kernel", ["tiled_transposed", "tiled_padded", "vectorized", "naive_uncoalesced"])
def test_that_sectors_and_banks_are_those_that_the_inspector_shows(
    recorded: Record, block_of: BlockOf, kernel: str
) -> None:
    run = recorded(kernel, "64x64x64", (0, 0))
    trace = block_of(run)
    frames, maker = made(run, trace)
    frame = frames.frame(0)
    assert heat_shown(maker, frame, HeatKind.SECTORS) == heat_by_inspector(trace, frame, Space.GLOBAL)
    assert heat_shown(maker, frame, HeatKind.BANKS) == heat_by_inspector(trace, frame, Space.SHARED)


def test_that_the_transposed_tile_meets_in_its_banks_and_padding_parts_it(recorded: Record, block_of: BlockOf) -> None:
    def most(kernel: str) -> int:
        run = recorded(kernel, "64x64x64", (0, 0))
        frames, maker = made(run, block_of(run))
        heat = maker.heat(HeatKind.BANKS, frames.frame(0))
        assert heat is not None
        return int(heat.layers["As"].figures.full.max())

    assert most("tiled_transposed") == 8
    assert most("tiled_padded") <= 2


def test_that_levels_leave_out_what_has_no_figure(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("tiled", "4x4x4", (0, 0), TILE=2)
    frames, maker = made(run, block_of(run))
    heat = maker.heat(HeatKind.SECTORS, frames.frame(0))
    assert heat is not None
    levels = heat.levels(np.array([0, 1, 2, 4, 32, 64], np.int32)).tolist()
    assert levels[0] == 0
    assert levels[1] == 1
    assert levels[4] == levels[5] == LEVELS
    steps = np.diff(levels[1:4])
    assert abs(int(steps[0]) - int(steps[1])) <= 1  # every doubling is a step of the same size
    assert heat.marks == (1, 2, 4, 8, 16, 32)
    assert heat.place(1) == 0.0
    assert heat.place(32) == 1.0


def test_that_a_frame_without_such_accesses_says_so(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("tiled", "4x4x4", (0, 0), TILE=2)
    frames, maker = made(run, block_of(run))
    reading = frames.frame(1)
    assert reading.touch("A", AccessKind.LOAD) is None
    heat = maker.heat(HeatKind.SECTORS, reading)
    assert heat is not None
    assert heat.layers == {}
    assert heat.note == "This frame touches no global memory"
    assert maker.heat(HeatKind.NONE, reading) is None
