"""Heat against the recording and against plain counting."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gemmviz.domain.access import INACTIVE, AccessKind, BlockTrace, Space
from gemmviz.domain.terms import Evidence
from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.memory_view.heat_maps import LEVELS, HeatKind, HeatMaker
from gemmviz.trace.frame_values import Frame
from gemmviz.trace.frames import FrameMode, Frames

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
    assert heat.note == "of each element, by the whole grid"


def test_that_loads_of_one_block_are_not_passed_off_as_all(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("tiled", "17x33x5", (8, 4), TILE=4)
    frames, maker = made(run, block_of(run))
    heat = maker.heat(HeatKind.IN_ALL, frames.frame(0))
    assert heat is not None
    assert "the recorded block; record the whole grid to see all" in heat.note


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
def test_that_sectors_and_banks_are_those_of_plain_counting(recorded: Record, block_of: BlockOf, kernel: str) -> None:
    run = recorded(kernel, "64x64x64", (0, 0))
    trace = block_of(run)
    frames, maker = made(run, trace)
    frame = frames.frame(0)
    for kind in (HeatKind.SECTORS, HeatKind.BANKS):
        heat = maker.heat(kind, frame)
        assert heat is not None
        expected = counted(trace, frame, kind)
        assert set(heat.layers) == set(expected)
        for name, figures in expected.items():
            layer = heat.layers[name]
            found = np.zeros((layer.array.rows, layer.array.columns), np.int64)
            box = layer.box
            found[box.row_start : box.row_stop, box.column_start : box.column_stop] = layer.figures.full
            assert {(int(r), int(c)): int(found[r, c]) for r, c in zip(*np.nonzero(found), strict=True)} == figures


def counted(trace: BlockTrace, frame: Frame, kind: HeatKind) -> dict[str, dict[tuple[int, int], int]]:
    """The largest figure of each element, request by request."""
    space = Space.GLOBAL if kind is HeatKind.SECTORS else Space.SHARED
    found: dict[str, dict[tuple[int, int], int]] = {}
    for slot in range(*frame.slots):
        site = trace.slot_site[slot]
        if site < 0:
            continue
        width = trace.sites[site].width_bytes
        for warp in range(trace.addresses.shape[0]):
            lanes = [int(a) for a in trace.addresses[warp, slot] if a != INACTIVE]
            for array in trace.arrays:
                served = [a for a in lanes if array.base <= a < array.base + array.nbytes]
                if array.space is not space or not served:
                    continue
                for at, address in enumerate(served):
                    figure = figure_of(served, at, width, kind)
                    for beside in range(width // 4):
                        place = divmod((address - array.base) // 4 + beside, array.columns)
                        here = found.setdefault(array.name, {})
                        here[place] = max(here.get(place, 0), figure)
    return found


def figure_of(addresses: list[int], at: int, width: int, kind: HeatKind) -> int:
    if kind is HeatKind.SECTORS:
        return len({byte // 32 for address in addresses for byte in range(address, address + width, 4)})
    together = 32 * 4 // width
    group = addresses[at // together * together : (at // together + 1) * together]
    words = {address // 4 + beside for address in group for beside in range(width // 4)}
    own = {(addresses[at] // 4 + beside) % 32 for beside in range(width // 4)}
    return max(sum(word % 32 == bank for word in words) for bank in own)


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
