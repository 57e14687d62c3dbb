"""The sums of a thread, from what it read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.arithmetic import Sum, is_small, sums_of
from gemmviz.gui.memory_view.text.sums import SumLine, SumNumbers, sum_lines
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
A = np.arange(1, 17, dtype=np.float32).reshape(4, 4)
B = np.arange(2, 18, dtype=np.float32).reshape(4, 4)


def lines_of(sums: Sequence[Sum]) -> tuple[SumLine, ...]:
    return sum_lines(sums, SumNumbers.of(sums))


def test_that_a_sum_grows_by_a_tile_at_a_time(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("tiled", "4x4x4", (1, 0), TILE=2)))
    sums = [sums_of(frames, 2, i, A, B) for i in range(len(frames))]  # thread 2 makes C[1, 2]
    assert all((found[0].row, found[0].column) == (1, 2) for found in sums)
    assert [[term.k for term in found[0].terms] for found in sums] == [[], [0, 1], [0, 1], [0, 1, 2, 3], [0, 1, 2, 3]]
    assert [found[0].stored for found in sums] == [False] * 4 + [True]
    totals = [term.total for term in sums[-1][0].terms]
    assert totals == np.cumsum(A[1] * B[:, 2]).tolist()
    assert sums[-1][0].total == (A @ B)[1, 2]
    assert sums[0][0].total == 0.0


@pytest.mark.parametrize("kernel", ["naive", "naive_uncoalesced", "row_shared", "tiled_transposed", "cl_row_private"])
def test_that_every_thread_has_added_up_its_elements_in_the_end(
    recorded: Record, block_of: BlockOf, kernel: str
) -> None:
    trace = block_of(recorded(kernel, "4x4x4", (0, 0)))
    frames = Frames(trace)
    product, made = A @ B, set()
    for thread in range(trace.threads):
        for found in sums_of(frames, thread, len(frames) - 1, A, B):
            assert found.total == product[found.row, found.column]
            assert found.stored
            made.add((found.row, found.column))
    assert len(made) >= 4


def test_that_a_thread_with_a_patch_of_c_has_a_sum_for_each_element(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("register_2d", "8x8x4", (0, 0), BM=16, BN=16, BK=4, TM=2, TN=2)))
    a, b = np.arange(32, dtype=np.float32).reshape(8, 4), np.arange(32, dtype=np.float32).reshape(4, 8)
    sums = sums_of(frames, 0, len(frames) - 1, a, b)
    assert [(found.row, found.column) for found in sums] == [(0, 0), (1, 0)] or len(sums) > 1
    assert all(found.total == (a @ b)[found.row, found.column] for found in sums)


def test_that_without_values_the_terms_are_named_only(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("naive", "4x4x4", (0, 0))), FrameMode.STEP)
    found = sums_of(frames, 0, 1)
    assert [term.k for term in found[0].terms] == [0, 1]
    assert found[0].total is None
    assert lines_of(found) == (
        SumLine("", "C[0,0]", "", ""),
        SumLine("=", "A[0,0]·B[0,0]", "", ""),
        SumLine("+", "A[0,1]·B[1,0]", "", ""),
    )


def test_that_the_sums_read_as_on_paper(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("tiled", "4x4x4", (1, 0), TILE=2)))
    assert lines_of(sums_of(frames, 2, 1, A, B)) == (
        SumLine("", "C[1,2]", "", ""),
        SumLine("=", "A[1,0]·B[0,2]", "5·4", "20"),
        SumLine("+", "A[1,1]·B[1,2]", "6·8", "68"),
    )
    assert lines_of(sums_of(frames, 2, 0, A, B)) == (
        SumLine("", "C[1,2]", "", ""),
        SumLine("=", "0", "", "nothing added yet"),
    )
    assert lines_of(sums_of(frames, 2, 4, A, B))[0] == SumLine("", "C[1,2]", "", "stored")


def test_that_a_thread_of_a_dot_product_has_its_own_share(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("dot", "1x1x8", (0, 0), THREADS=4)))
    found = sums_of(frames, 1, len(frames) - 1, np.ones((1, 8), np.float32), np.ones((8, 1), np.float32))
    assert [term.k for term in found[0].terms] == [1]


def test_that_only_small_products_are_written_out(recorded: Record, block_of: BlockOf) -> None:
    assert is_small(block_of(recorded("tiled", "4x4x4", (1, 0), TILE=2)))
    assert not is_small(block_of(recorded("tiled", "17x33x5", (8, 4), TILE=4)))


def test_that_a_thread_the_block_does_not_have_is_named(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("tiled", "4x4x4", (1, 0), TILE=2)))
    with pytest.raises(IndexError, match="thread 4: the block has threads 0 to 3"):
        sums_of(frames, 4, 0)
