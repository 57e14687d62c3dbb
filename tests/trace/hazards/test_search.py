"""Which blocks are searched."""

from __future__ import annotations

import numpy as np
import pytest

from gemmviz.trace.hazards.search import FEWEST_BLOCKS, searched_blocks

GRID = (40, 30, 1)
ALL = np.arange(40 * 30, dtype=np.int32)


def test_that_all_are_searched_where_the_budget_allows_it() -> None:
    assert searched_blocks(ALL, GRID, accesses=100, budget=120_000) == set(range(1200))
    assert searched_blocks(ALL[:5], GRID, accesses=10**12) == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(("accesses", "wanted"), [(1000, 120), (10**9, FEWEST_BLOCKS)])
def test_that_a_sample_is_as_large_as_the_budget_allows_and_has_corners_and_edges(accesses: int, wanted: int) -> None:
    found = searched_blocks(ALL, GRID, accesses, budget=120_000)
    assert 0.8 * wanted <= len(found) <= wanted
    assert {0, 39, 29 * 40, 30 * 40 - 1} <= found
    assert len([index for index in found if index % 40 == 39]) >= wanted // 8
    assert len([index for index in found if index // 40 == 29]) >= wanted // 8
    inside = [index for index in found if index % 40 < 39 and index // 40 < 29]
    assert len({index % 40 for index in inside}) >= 0.8 * min(wanted // 2, 30)


def test_that_a_grid_of_one_row_or_of_chosen_blocks_has_its_ends() -> None:
    assert {0, 999} <= searched_blocks(np.arange(1000, dtype=np.int32), (1000, 1, 1), 10**6, 10**7)
    chosen = np.arange(41, 1000, 7, dtype=np.int32)
    assert searched_blocks(chosen, GRID, 10**6, 10**7) <= set(chosen.tolist())


def test_that_no_accesses_are_no_trouble() -> None:
    assert searched_blocks(ALL, GRID, 0) == set(range(1200))
