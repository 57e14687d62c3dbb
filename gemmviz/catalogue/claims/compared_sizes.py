"""Claimed sizes at which the code of a kernel may do something else, since it compares its own with constants."""

from __future__ import annotations

from math import prod

from gemmviz.catalogue.claims.claimed_size import ClaimedSize
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.catalogue.claims.recorded_size import recorded_size
from gemmviz.domain.edge_case_sizes import Sizes
from gemmviz.domain.kernels.compared_sizes import ComparedSizes, sizes_with_compared
from gemmviz.domain.shape import Shape

_LARGEST, _MOST_PRODUCTS = 1 << 16, 1 << 24
_SHORT = 17
"""Dimensions beside a long one: two tiles of 16."""
_MOST = 40
"""Sizes that are taken."""


def claimed_compared_sizes(claims: Claims, compared: ComparedSizes) -> list[Shape]:
    """Claimed sizes near the recorded one of which one dimension has a value that the kernel compares it with, or the
    next that is claimed, then those of which several have one: results are compared at these, and races looked for.

    Raises:
        NoSizeError: no size is claimed.
    """
    small = recorded_size(claims)
    base = small.m, small.n, small.k
    found = dict[Sizes, None]()
    for wanted in sizes_with_compared(base, compared, _LARGEST):
        sizes = _claimed(claims, base, wanted)
        if sizes != base and prod(sizes) <= _MOST_PRODUCTS and claims.is_claimed(sizes):
            found[sizes] = None
        if len(found) == _MOST:
            break
    return [Shape(*one) for one in found]


def _claimed(claims: Claims, base: Sizes, wanted: Sizes) -> Sizes:
    """The base with each way in which claimed sizes differ as far along as is wanted of one of its dimensions; where
    that is too large, with the others short.
    """
    sizes, others = base, list[ClaimedSize]()
    for axis in claims.axes:
        found = next((place for place in axis.places if wanted[place] != base[place]), None)
        if axis.step and found is not None:
            unit = axis.unit[axis.places.index(found)]
            sizes = axis.at(sizes, axis.reached(-(-wanted[found] // unit)))
        elif axis.step:
            others.append(axis)
    for axis in others if prod(sizes) > _MOST_PRODUCTS else ():
        sizes = axis.at(sizes, min(axis.of(sizes), axis.reached(-(-_SHORT // axis.unit[0]))))
    return sizes
