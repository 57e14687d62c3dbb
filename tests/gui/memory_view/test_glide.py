"""What travels from where to where."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.memory_view.glide import Flow, flows, travelled
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.trace.frames.frames import FrameMode, Frames
from gemmviz.trace.frames.regions import Rectangle

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
PART = Rectangle(0, 2, 2, 4)
SLOTS = Rectangle(0, 2, 0, 2)


def test_that_tiles_go_into_shared_memory_and_on_to_c(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("tiled", "4x4x4", (1, 0), TILE=2)))
    assert flows(frames.frame(2), PART) == (
        Flow("A", Rectangle(0, 2, 2, 4), "As", SLOTS, "A"),
        Flow("B", Rectangle(2, 4, 2, 4), "Bs", SLOTS, "B"),
    )
    assert flows(frames.frame(3), PART) == (Flow("As", SLOTS, "C", PART, "A"), Flow("Bs", SLOTS, "C", PART, "B"))
    assert flows(frames.frame(4), PART) == ()
    assert flows(frames.frame(3), None) == ()


def test_that_without_shared_memory_loads_go_straight_to_the_threads(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("naive", "4x4x4", (0, 0))), FrameMode.STEP)
    part = Rectangle(0, 4, 0, 4)
    assert flows(frames.frame(1), part) == (
        Flow("A", Rectangle(0, 4, 1, 2), "C", part, "A"),
        Flow("B", Rectangle(1, 2, 0, 4), "C", part, "B"),
    )


def test_that_sums_in_shared_memory_belong_to_no_input(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("dot", "1x1x16", (0, 0), THREADS=4)))
    assert {flow.matrix for flow in flows(frames.frame(1), Rectangle(0, 1, 0, 1))} == {""}


def test_that_a_tile_starts_at_its_source_and_arrives() -> None:
    source, target = Box(0, 100, 20, 20), Box(200, 0, 40, 40)
    assert travelled(source, target, -1.0) == travelled(source, target, 0.0) == source
    assert travelled(source, target, 1.0) == travelled(source, target, 7.0) == target
    middle = travelled(source, target, 0.5)
    assert (middle.x, middle.y, middle.width) == pytest.approx((100, 50, 30))
    xs = [travelled(source, target, step / 10).x for step in range(11)]
    assert xs == sorted(xs)


def test_that_what_is_loaded_for_shared_memory_goes_there_when_it_is_stored(
    recorded: Record, block_of: BlockOf
) -> None:
    """Request by request: load A, store As, load B, store Bs; no number goes into a sum before it is multiplied."""
    frames = Frames(block_of(recorded("tiled", "4x4x4", (1, 0), TILE=2)), FrameMode.REQUEST)
    moved = [flows(frames.frame(index), PART, {"A", "B"}) for index in range(4)]
    assert moved[0] == moved[2] == ()
    assert moved[1] == (Flow("A", Rectangle(0, 2, 0, 2), "As", SLOTS, "A"),)
    assert moved[3] == (Flow("B", Rectangle(0, 2, 2, 4), "Bs", SLOTS, "B"),)
