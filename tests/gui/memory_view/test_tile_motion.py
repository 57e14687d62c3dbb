"""What travels from where to where."""

from __future__ import annotations

from collections.abc import Callable

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.memory_view.tile_motion import TileMotion, tile_motions
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.regions import Rectangle

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
PART = Rectangle(0, 2, 2, 4)
SLOTS = Rectangle(0, 2, 0, 2)


def test_that_tiles_go_into_shared_memory_and_on_to_c(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("tiled", "4x4x4", (1, 0), TILE=2)))
    assert tile_motions(frames.frame(2), PART) == (
        TileMotion("A", Rectangle(0, 2, 2, 4), "As", SLOTS, "A"),
        TileMotion("B", Rectangle(2, 4, 2, 4), "Bs", SLOTS, "B"),
    )
    assert tile_motions(frames.frame(3), PART) == (
        TileMotion("As", SLOTS, "C", PART, "A"),
        TileMotion("Bs", SLOTS, "C", PART, "B"),
    )
    assert tile_motions(frames.frame(4), PART) == ()
    assert tile_motions(frames.frame(3), None) == ()


def test_that_without_shared_memory_loads_go_straight_to_the_threads(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("naive", "4x4x4", (0, 0))), FrameMode.STEP)
    part = Rectangle(0, 4, 0, 4)
    assert tile_motions(frames.frame(1), part) == (
        TileMotion("A", Rectangle(0, 4, 1, 2), "C", part, "A"),
        TileMotion("B", Rectangle(1, 2, 0, 4), "C", part, "B"),
    )


def test_that_sums_in_shared_memory_belong_to_no_input(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("dot", "1x1x16", (0, 0), THREADS=4)))
    assert {motion.matrix for motion in tile_motions(frames.frame(1), Rectangle(0, 1, 0, 1))} == {""}


def test_that_zeros_beside_a_tile_change_nothing_of_whose_elements_are_read(
    recorded: Record, block_of: BlockOf
) -> None:
    """Of a block of 128 x 128 three quarters of the slots hold zeros at this size."""
    frames = Frames(block_of(recorded("double_buffered", "32x32x16", (0, 0))))
    part = Rectangle(0, 32, 0, 32)
    read = [motion for at in range(len(frames)) for motion in tile_motions(frames.frame(at), part)]
    assert {(motion.source, motion.matrix) for motion in read if motion.target == "C"} == {("As", "A"), ("Bs", "B")}


def test_that_what_is_loaded_for_shared_memory_goes_there_when_it_is_stored(
    recorded: Record, block_of: BlockOf
) -> None:
    """Request by request: load A, store As, load B, store Bs; no number goes into a sum before it is multiplied."""
    frames = Frames(block_of(recorded("tiled", "4x4x4", (1, 0), TILE=2)), FrameMode.REQUEST)
    moved = [tile_motions(frames.frame(index), PART, {"A", "B"}) for index in range(4)]
    assert moved[0] == moved[2] == ()
    assert moved[1] == (TileMotion("A", Rectangle(0, 2, 0, 2), "As", SLOTS, "A"),)
    assert moved[3] == (TileMotion("B", Rectangle(0, 2, 2, 4), "Bs", SLOTS, "B"),)
