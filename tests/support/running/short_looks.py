"""Lets `adopt` try and record a kernel at fewer and smaller sizes: the others take most of the time for a look."""

from __future__ import annotations

import pytest

from gemmviz.adopt.parameters import parameter_search
from gemmviz.adopt.prove.sizes import shapes
from gemmviz.adopt.recordings import races
from gemmviz.adopt.recordings.large_size_races import FurtherRaces
from gemmviz.domain.shape import Shape

_MOST_PRODUCTS = 1 << 20
_EVERY = 4
"""One in so many of the small sizes with every remainder is tried."""


def record_one_size(patch: pytest.MonkeyPatch) -> None:
    """Let kernels be recorded at one size, the one that the program takes for what it records often."""
    patch.setattr(races.shape_to_record, "__defaults__", (races.OF_FEW_BLOCKS,))
    patch.setattr(races, "large_size_races", lambda *_: FurtherRaces())
    patch.setattr(races, "_SHORT", races.OF_FEW_BLOCKS)


def try_no_further_values(patch: pytest.MonkeyPatch) -> None:
    """Let no further values of a file's constants be tried, which takes as long as all else."""
    patch.setattr(parameter_search, "_MOST_SETTINGS", 0)


def try_few_further_values(patch: pytest.MonkeyPatch, most: int) -> None:
    """Let so many settings of a file's constants be tried at most: twice and half of each value come first."""
    patch.setattr(parameter_search, "_MOST_SETTINGS", most)


def try_no_large_sizes(patch: pytest.MonkeyPatch) -> None:
    """Let rules for sizes be tried at none of which a whole product takes longer than all smaller ones, and at fewer
    small ones.
    """
    patch.setattr(shapes, "LARGE_AT_ONCE", ())
    forms = tuple(one for one in shapes._FORMS if shapes.products_of(Shape(*one)) < _MOST_PRODUCTS)
    patch.setattr(shapes, "_FORMS", forms)
    small = tuple(shapes._remainders())[::_EVERY]
    patch.setattr(shapes, "_remainders", lambda: iter(small))
