"""What Record records at once: a small grid whole, else the block in view, else the first one. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.catalogue.recordable import FIRST_BLOCK, kept_blocks
from gemmviz.domain.figures import count, counted
from gemmviz.domain.shape import Shape
from gemmviz.gui.experiment.block import Block, block_words
from gemmviz.gui.kernels.availability import Availability

ONLY = "the only block"
"""What a grid of one block is called on the button and in the menu."""


@dataclass(frozen=True, slots=True)
class InView:
    """The block that the memory page shows, with its product's size and its launch's grid."""

    shape: Shape
    grid: Block
    block: Block


@dataclass(frozen=True, slots=True)
class RecordChoice:
    """The blocks of a recording, none for the whole grid, and the words for a button and its tooltip."""

    blocks: tuple[Block, ...]
    text: str
    tip: str


def recording_of(
    availability: Availability | None, shape: Shape, in_view: InView | None
) -> tuple[Block, RecordChoice] | tuple[None, None]:
    """The grid of what can be recorded and what Record records of it; None twice where nothing can."""
    if availability is None or availability.plan is None:
        return None, None
    grid = availability.plan.launch.grid
    return grid, usual_recording(grid, shape, in_view)


def usual_recording(grid: Block, shape: Shape, in_view: InView | None) -> RecordChoice:
    """What Record records of a launch with this grid and size."""
    x, y, z = grid
    blocks = x * y * z
    if every := kept_blocks(grid, shape):
        which = ONLY if blocks == 1 else f"all {counted(blocks, 'block')}"
        return RecordChoice(every, f"Record {which}", f"Record every memory access of {which}")
    if in_view is not None and (in_view.shape, in_view.grid) == (shape, grid):
        return _one(in_view.block, grid, "the block that the memory page shows")
    return _one(FIRST_BLOCK, grid, "the first one, as gemmviz trace does")


def other_recordings(grid: Block) -> Sequence[tuple[str, str, tuple[Block, ...]]]:
    """For the menu: a name, words, and the blocks, none for the whole grid."""
    x, y, z = grid
    middle, last, blocks = (x // 2, y // 2, z // 2), (x - 1, y - 1, z - 1), x * y * z
    if blocks == 1:
        return [("recordWholeAction", f"{ONLY[:1].upper()}{ONLY[1:]}", (FIRST_BLOCK,))]
    has_middle = middle not in (FIRST_BLOCK, last)
    between = [("recordMiddleAction", f"Middle block {block_words(middle, grid)}", (middle,))] if has_middle else []
    return [
        ("recordWholeAction", f"Whole grid ({counted(blocks, 'block')})", ()),
        ("recordFirstAction", f"First block {block_words(FIRST_BLOCK, grid)}", (FIRST_BLOCK,)),
        *between,
        ("recordLastAction", f"Last block {block_words(last, grid)}", (last,)),
    ]


def _one(block: Block, grid: Block, why: str) -> RecordChoice:
    if grid == (1, 1, 1):
        return RecordChoice((block,), f"Record {ONLY}", f"Record every memory access of {ONLY}")
    words = block_words(block, grid)
    blocks = count(grid[0] * grid[1] * grid[2])
    tip = f"Record every memory access of block {words}, {why}; the grid has {blocks} blocks"
    return RecordChoice((block,), f"Record block {words}", tip)
