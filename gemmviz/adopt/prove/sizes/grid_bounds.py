"""The sizes of which a grid has more blocks along an axis than a GPU launches, told by the expression of the grid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gemmviz.adopt.description import SizeRule, dimension_of
from gemmviz.catalogue.gpus import emulated
from gemmviz.domain.edge_case_sizes import LONG
from gemmviz.domain.shape import Shape

_DIMENSION = r"(?:ceil_div\(([MNK]), \d+\)|([MNK]))"
_PRODUCT = re.compile(rf"({_DIMENSION}) \* ({_DIMENSION})")


def grid_bounds(grid: Sequence[str]) -> Iterator[SizeRule]:
    """The largest number of blocks along each axis that is a product of two dimensions, or of their tiles, and within
    reach of the sizes that are tried: "M * N" is at most 65535 where there are so many blocks along y.
    """
    largest = Shape(LONG, LONG, LONG)
    for text, most in zip(grid, emulated().max_grid, strict=False):
        found = _PRODUCT.fullmatch(text)
        if found is None or most is None or dimension_of(largest, text) <= most:
            continue
        parts = sorted(((found[2] or found[3], found[1]), (found[5] or found[6], found[4])), key=_place)
        if parts[0][0] != parts[1][0]:
            yield SizeRule(" * ".join(part for _, part in parts), most=most)


def _place(part: tuple[str, str]) -> int:
    return "MNK".index(part[0])
