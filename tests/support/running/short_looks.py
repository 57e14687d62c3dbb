"""Lets `adopt` try and record a kernel at smaller sizes: the largest ones take two thirds of the time for a look."""

from __future__ import annotations

import pytest

from gemmviz.adopt.parameters import parameter_search
from gemmviz.adopt.prove.sizes import shapes
from gemmviz.adopt.recordings import races
from gemmviz.domain.shape import Shape

_MOST_PRODUCTS = 1 << 20
_LARGE = {"M": 140, "N": 132, "K": 265}


def shorten_recordings(patch: pytest.MonkeyPatch) -> None:
    """Let whole grids be recorded at the size that the program takes for what it records often, and single blocks with
    sums half as long.
    """
    patch.setattr(races, "_SMALL", races.OF_FEW_BLOCKS)
    patch.setattr(races, "_LARGE", _LARGE)


def try_no_further_values(patch: pytest.MonkeyPatch) -> None:
    """Let no further values of a file's constants be tried, which takes as long as all else."""
    patch.setattr(parameter_search, "_MOST_SETTINGS", 0)


def try_no_large_sizes(patch: pytest.MonkeyPatch) -> None:
    """Let rules for sizes be tried at none of which a whole product takes longer than all smaller ones."""
    patch.setattr(shapes, "_LARGE_AT_ONCE", ())
    forms = tuple(one for one in shapes._FORMS if shapes.products_of(Shape(*one)) < _MOST_PRODUCTS)
    patch.setattr(shapes, "_FORMS", forms)
