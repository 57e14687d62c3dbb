"""Which block makes which part of C, read off one block and held against all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.recordings.access import BlockTrace, MappedArray, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import record
from gemmviz.explain.block.grid_of_blocks import BlockGrid, Order, grid_of, part_of_c
from gemmviz.explain.block.timeline import stores_of
from gemmviz.gui.memory_view.block_analysis import analyse_block, recorded_blocks
from gemmviz.measure.bench import Watch
from gemmviz.trace.frames.regions import EMPTY, Rectangle

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
GPU = [
    kernel.id
    for kernel in load_catalogue().kernels
    if kernel.has_accesses and not kernel.needs_cuda and "dot" not in kernel.id
]


def array(rows: int, columns: int) -> MappedArray:
    return MappedArray("C", Space.GLOBAL, 1 << 40, rows, columns)


@pytest.mark.parametrize("kernel", GPU)
def test_that_one_block_tells_where_all_others_lie(recorded: Record, block_of: BlockOf, kernel: str) -> None:
    size = "64x48x16"
    first = recorded(kernel, size, (0, 0))
    grid = recorded_blocks(first).grid
    assert grid is not None
    x, y = (extent - 1 for extent in first.launch.grid[:2])
    for block in {(x, y), (x // 2, y), (x, y // 2)}:
        other = block_of(recorded(kernel, size, block))
        c = next(a for a in other.arrays if a.name == "C")
        part, _ = part_of_c(other, c)
        assert grid.part_of(*block) == part
        made = {divmod(element, c.columns) for element in stores_of(other, c).element.tolist()}
        assert {grid.block_at(row, column) for row, column in made} == {block}


def test_that_every_element_of_c_belongs_to_the_block_whose_part_holds_it() -> None:
    for order, launch in ((Order.ACROSS, (5, 3)), (Order.DOWN, (3, 5))):
        grid = BlockGrid(order, 17, 33, 7, 7, launch)
        for row in range(17):
            for column in range(33):
                block = grid.block_at(row, column)
                assert block is not None
                assert grid.part_of(*block).holds(row, column)


def test_that_blocks_may_run_through_c_element_by_element() -> None:
    grid = grid_of(Launch((3, 1, 1), (32, 1, 1)), array(7, 11), {(1, 0): Rectangle(2, 6, 0, 11)})
    assert grid is not None
    assert grid.order is Order.THROUGH
    assert not grid.has_lines
    assert grid.block_at(5, 8) == (1, 0)
    assert grid.block_at(5, 9) == (2, 0)
    assert grid.part_of(2, 0) == Rectangle(5, 7, 0, 11)
    assert grid.part_of(9, 0) == EMPTY


def test_that_neighbours_in_x_decide_where_both_orders_agree() -> None:
    launch, part = Launch((4, 4, 1), (4, 4, 1)), {(0, 0): Rectangle(0, 4, 0, 4)}
    across, down = grid_of(launch, array(16, 16), part), grid_of(launch, array(16, 16), part, goes_down=True)
    assert across is not None
    assert down is not None
    assert across.block_at(4, 8) == (2, 1)
    assert down.block_at(4, 8) == (1, 2)


def test_that_a_grid_that_fits_no_order_is_not_made_up() -> None:
    assert grid_of(Launch((5, 7, 1), (4, 4, 1)), array(16, 16), {(2, 3): Rectangle(1, 3, 2, 5)}) is None
    assert grid_of(Launch((4, 4, 1), (4, 4, 1)), array(16, 16), {}) is None
    assert grid_of(Launch((4, 4, 2), (4, 4, 1)), array(16, 16), {(0, 0): Rectangle(0, 4, 0, 4)}) is None


REVERSED = """/*---
title = "Reversed"
entry = "reversed"
args = ["A", "B", "C", "D", "M", "N", "K"]
beta = 1.0
[launch]
block = ["8", "8"]
grid = ["N // 8", "M // 8"]
---*/
__global__ void reversed(const float *A, const float *B, const float *C, float *D, int M, int N, int K)
{
    const int x = gridDim.x - 1 - blockIdx.x, y = (blockIdx.y + blockIdx.x) % gridDim.y;
    const int row = y * 8 + threadIdx.y, col = x * 8 + threadIdx.x;
    float sum = C[row * N + col];
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    D[row * N + col] = sum;
}
"""


def test_that_blocks_of_another_order_lie_where_they_store_the_result(tmp_path: Path) -> None:
    """The grid of blocks is turned and skewed, and the result is D."""
    path = tmp_path / "reversed.cu"
    path.write_text(REVERSED, encoding="utf-8")
    kernel = load_user_kernel(path)
    job, conditions = Job(kernel, kernel.params({})), Conditions(Shape(24, 32, 4))
    run = record(job, conditions, find_device("machine"), [(0, 0, 0), (1, 0, 0), (2, 1, 0)], Watch())
    found = recorded_blocks(run)
    assert found.grid is None
    assert found.parts == {
        (0, 0): Rectangle(0, 8, 24, 32),
        (1, 0): Rectangle(8, 16, 16, 24),
        (2, 1): Rectangle(0, 8, 8, 16),
    }
    for stored in run.blocks:
        assert analyse_block(stored.trace(run.sites, run.arrays)).part == found.parts[stored.block[0], stored.block[1]]
