"""Sizes of a kernel whose blocks take the elements of the result as they come: M * N must be a multiple."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import gcd

from gemmviz.adopt.description import ELEMENTS, Description, SizeRule
from gemmviz.adopt.prove.sizes.limits import IsRight, Limits
from gemmviz.domain.shape import Shape

_GRID = re.compile(r"ceil_div\((?:M \* N|N \* M), (\d+)\)")
_EDGES = (1, 3, 12, 16, 17, 40, 96, 129)
_DEPTHS = (1, 4, 8, 16, 32, 64)
"""Multiples of K that are tried, the least first."""
_PARTS = (1, 3, 5, 2)
"""How many such multiples K has at the sizes that are tried, in turn."""


def limits_of_elements(description: Description, is_right: IsRight) -> Limits | None:
    """The rule that M * N is a multiple, for a grid that M * N alone tells: sizes of many forms for which it is one are
    right, and all others that were tried are wrong. None where it does not hold.
    """
    found = _GRID.fullmatch(description.grid[0]) if len(description.grid) == 1 else None
    if found is None or description.equal or description.fixed:
        return None
    tried: dict[Shape, bool | None] = {}

    def right(shape: Shape) -> bool | None:
        if shape not in tried:
            tried[shape] = is_right(shape)
        return tried[shape]

    most = int(found[1])
    for multiple in (one for one in range(2, most + 1) if most % one == 0):
        depth = next((one for one in _DEPTHS if right(Shape(multiple, 3, one)) and right(Shape(3, multiple, one))), 0)
        if not depth:
            continue
        allowed = [*_shapes(multiple, depth)]
        if any(right(one) is False for one in allowed):
            continue
        if any(right(Shape(edge, 3, depth)) is not False for edge in (1, 7, multiple + 1) if 3 * edge % multiple):
            return None
        sizes = tuple(one for one in tried if tried[one] and one.m * one.n % multiple == 0 and one.k % depth == 0)
        return Limits((SizeRule(ELEMENTS, multiple), SizeRule("K", depth)), len(tried), sizes)
    return None


def _shapes(multiple: int, depth: int) -> Iterator[Shape]:
    """Sizes of many forms whose number of elements is a multiple, and whose sums are multiples of `depth` long."""
    for place, edge in enumerate(_EDGES):
        other = multiple // gcd(edge, multiple)
        k = depth * _PARTS[place % len(_PARTS)]
        yield Shape(edge, other, k)
        yield Shape(other, edge, k + depth)
        yield Shape(edge, 3 * other, depth)
        yield Shape(5 * other, edge, depth)
