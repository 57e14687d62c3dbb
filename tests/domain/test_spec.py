"""What a launch says of its blocks."""

from __future__ import annotations

import pytest

from gemmviz.domain.spec import Launch


def test_that_linear_indices_go_through_the_grid_with_x_fastest_then_y() -> None:
    launch = Launch((3, 2, 2), (16, 16, 1))
    assert [launch.block_at(index) for index in range(launch.blocks)] == [
        (0, 0, 0),
        (1, 0, 0),
        (2, 0, 0),
        (0, 1, 0),
        (1, 1, 0),
        (2, 1, 0),
        (0, 0, 1),
        (1, 0, 1),
        (2, 0, 1),
        (0, 1, 1),
        (1, 1, 1),
        (2, 1, 1),
    ]


@pytest.mark.parametrize("grid", [(1, 1, 1), (17, 1, 1), (1, 33, 1), (5, 1, 3)])
def test_that_every_block_of_the_grid_has_one_index(grid: tuple[int, int, int]) -> None:
    launch = Launch(grid, (1, 1, 1))
    blocks = [launch.block_at(index) for index in range(launch.blocks)]
    assert len(set(blocks)) == launch.blocks
    assert tuple(max(axis) + 1 for axis in zip(*blocks, strict=True)) == grid
