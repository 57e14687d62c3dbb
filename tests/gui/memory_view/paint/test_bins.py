"""Elements on pixels, and what of many elements a pixel shows."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from gemmviz.explain.block.pooled import Pyramid
from gemmviz.gui.memory_view.paint.bins import bins
from gemmviz.gui.memory_view.text.detail import Detail, detail_of


def test_that_large_elements_have_a_bin_each_and_only_those_in_sight() -> None:
    found = bins(10.0, 80.0, 8, (25.0, 52.0))
    assert found is not None
    assert found.edges.tolist() == [1, 2, 3, 4, 5]
    assert (found.start, found.stop) == (20.0, 60.0)


@pytest.mark.parametrize("begin", [0.0, 0.3, 17.9])
@pytest.mark.parametrize(("elements", "extent"), [(1037, 300.0), (10, 3.3), (4096, 1.0), (7, 6.9), (5, 0.2)])
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_that_every_element_in_sight_falls_into_a_bin(begin: float, elements: int, extent: float, ratio: float) -> None:
    found = bins(begin, extent, elements, (0.0, 1000.0), ratio)
    assert found is not None
    assert found.edges[0] == 0
    assert found.edges[-1] == elements
    assert np.all(np.diff(found.edges) >= 0)
    assert found.start <= begin + 1e-9
    assert found.stop >= begin + extent - 1e-9


def test_that_nothing_is_drawn_out_of_sight() -> None:
    assert bins(10.0, 5.0, 3, (20.0, 30.0)) is None
    assert bins(10.0, 5.0, 0, (0.0, 30.0)) is None


@pytest.mark.parametrize("shape", [(1037, 1055), (16, 1055), (1, 4096), (700, 3)])
def test_that_a_single_active_row_is_seen_from_far(shape: tuple[int, int]) -> None:
    for row in (0, shape[0] // 2, shape[0] - 1):
        full = np.zeros(shape, np.int32)
        full[row] = 5
        down, across = bins(3.3, 97.0, shape[0], (0, 1000)), bins(1.7, 80.0, shape[1], (0, 1000))
        assert down is not None
        assert across is not None
        pooled = Pyramid(full, np.maximum).pooled(down.edges, across.edges)
        assert np.all(pooled.max(axis=0) == 5)


def test_that_pooling_equals_a_plain_loop() -> None:
    rng = np.random.default_rng(3)
    full = rng.integers(0, 1000, (40, 61)).astype(np.int32)
    rows, columns = np.array([2, 3, 9, 20, 37]), np.array([0, 30, 31, 61])
    expected = [
        [full[top:bottom, left:right].min() for left, right in pairwise(columns)] for top, bottom in pairwise(rows)
    ]
    pyramid = Pyramid(full)
    assert pyramid.pooled(rows, columns).tolist() == expected
    assert pyramid.pooled(rows, columns).tolist() == expected  # from what was kept
    assert pyramid.pooled(rows[:2], columns).tolist() == expected[:1]


@pytest.mark.parametrize(
    ("edge", "detail"),
    [
        (3.9, Detail.TILES),
        (4.0, Detail.ELEMENTS),
        (13.5, Detail.ELEMENTS),
        (13.7, Detail.VALUES),
        (34.0, Detail.VALUES),
    ],
)
def test_that_detail_follows_the_size_of_an_element(edge: float, detail: Detail) -> None:
    assert detail_of(edge, 100.0) is detail_of(100.0, edge) is detail
