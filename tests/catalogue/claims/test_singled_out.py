"""The size that a kernel names is tried before those on both sides of it."""

from __future__ import annotations

from gemmviz.catalogue.claims.singled_out import singled_out_first
from gemmviz.domain.shape import Shape


def test_that_a_size_between_two_others_comes_first() -> None:
    sizes = [Shape(37, 41, k) for k in (76, 78, 77)]
    assert singled_out_first(sizes) == [Shape(37, 41, 77), Shape(37, 41, 76), Shape(37, 41, 78)]
    tied = [Shape(m, m, 9) for m in (1, 32, 34, 33)]
    assert singled_out_first(tied) == [Shape(m, m, 9) for m in (33, 1, 32, 34)]


def test_that_other_sizes_keep_their_order() -> None:
    sizes = [Shape(5, 5, 2), Shape(5, 5, 1), Shape(5, 5, 4)]
    assert singled_out_first(sizes) == sizes
