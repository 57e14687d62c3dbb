"""Sizes at which A or B is large: an index of too few bits shows there."""

from __future__ import annotations

import pytest

from gemmviz.adopt.description import SizeRule
from gemmviz.adopt.prove.sizes.shapes import products_of, shapes_allowed


@pytest.mark.parametrize("matrix", ["mk", "kn"])
def test_that_a_and_b_each_alone_have_more_than_a_million_elements_at_a_cheap_size(matrix: str) -> None:
    shapes = shapes_allowed([SizeRule(one) for one in "MNK"], ["M", "N", "K"], {})
    large = [one for one in shapes if getattr(one, matrix[0]) * getattr(one, matrix[1]) > 1 << 20]
    assert any(products_of(one) < 1 << 21 for one in large)
