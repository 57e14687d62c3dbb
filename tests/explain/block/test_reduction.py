"""Trees of sums, read off recordings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.reduction import Addition, reduction_tree

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]


def test_that_the_tree_says_who_adds_what_into_what(recorded: Record, block_of: BlockOf) -> None:
    tree = reduction_tree(block_of(recorded("dot", "1x1x16", (0, 0), THREADS=4)))
    assert tree is not None
    assert tree.leaves == (0, 1, 2, 3)
    assert [level.additions for level in tree.levels] == [
        (Addition(0, 0, (0, 2)), Addition(1, 1, (1, 3))),
        (Addition(0, 0, (0, 1)),),
    ]
    assert [level.epoch for level in tree.levels] == [1, 2]
    assert [tree.done(epoch) for epoch in range(4)] == [0, 0, 1, 2]


@pytest.mark.parametrize("threads", [2, 32, 512, 1024])
def test_that_every_level_halves_the_threads(recorded: Record, block_of: BlockOf, threads: int) -> None:
    tree = reduction_tree(block_of(recorded("dot", "1x1x5000", (0, 0), THREADS=threads)))
    assert tree is not None
    counts = [len(tree.leaves), *(len(level.additions) for level in tree.levels)]
    assert counts == [threads >> place for place in range(threads.bit_length())]


@pytest.mark.parametrize(
    ("kernel", "size"), [("dot_serial", "1x1x300"), ("tiled", "4x4x4"), ("naive", "4x4x4"), ("row_shared", "4x4x4")]
)
def test_that_nothing_else_is_taken_for_a_tree(recorded: Record, block_of: BlockOf, kernel: str, size: str) -> None:
    assert reduction_tree(block_of(recorded(kernel, size, (0, 0)))) is None
