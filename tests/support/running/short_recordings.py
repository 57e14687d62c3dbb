"""Lets the referee look at larger grids at smaller sizes: they take most of the time for a verdict."""

from __future__ import annotations

import pytest

from gemmviz.catalogue.claims import claims, large_sizes
from gemmviz.referee import recordings

_FEW_PRODUCTS = 1 << 17


def shorten_recordings(patch: pytest.MonkeyPatch) -> None:
    """Let the sizes at which every block is recorded be as many as in the program, but smaller, and leave out
    long sums in one block, and comparisons of products that are large in all dimensions.
    """
    patch.setattr(claims, "LARGE_AT_ONCE", ())
    patch.setattr(large_sizes, "MOST_PRODUCTS", _FEW_PRODUCTS)
    patch.setattr(recordings, "LONG_SUM_S", 0.0)
