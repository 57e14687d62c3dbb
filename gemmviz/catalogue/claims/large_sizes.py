"""The sizes at which races of a kernel are looked for beside the small one: as large as every block can be recorded at,
and sums as long as those that results are compared with, for one block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from gemmviz.catalogue.claims.claimed_size import ClaimedSize
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.catalogue.claims.recorded_size import MOST_PRODUCTS, blocks_at, recorded_size
from gemmviz.domain.edge_case_sizes import LONG, Sizes
from gemmviz.domain.shape import Shape

LONGEST = LONG + 1
"""The largest size of a dimension: as far as results are compared, and nothing that a tile has divides it."""
_BESIDE = (17, 19, 19)
"""M, N and K where another dimension is long: two tiles of 16, the second one with little work."""
_HALVINGS = 4
"""How often the longest K is halved."""


def large_sizes(claims: Claims) -> list[Shape]:
    """Claimed sizes beyond the small one: M, N and K large together, M and N large together, and each dimension long
    with the others small, each as large as MOST_PRODUCTS and LONGEST allow; and the home, where most is examined.
    """
    small = _sizes(recorded_size(claims))
    axes = [axis for axis in claims.axes if axis.step]
    of_result = [axis for axis in axes if 2 not in axis.places]
    ways = [(small, axes), (_shortened(claims, small, axes, of_result), of_result)]
    ways += [(_shortened(claims, small, axes, [axis]), [axis]) for axis in axes]
    found = [*(_grown(claims, base, grown) for base, grown in ways if grown), _sizes(claims.home)]
    return [Shape(*one) for one in dict.fromkeys(found) if one != small and prod(one) <= MOST_PRODUCTS]


def long_sums(claims: Claims, known_k: int) -> list[Shape]:
    """Claimed sizes with the longest K at which results are compared, and with K halved in turn, M and N small; none
    whose K is not beyond the `known_k` that races were looked for with.
    """
    axis = next(one for one in claims.axes if 2 in one.places)
    if not axis.step:
        return []
    m, n, k = max(claims.long(), key=lambda one: one[2], default=_sizes(claims.home))
    if k <= known_k and not axis.is_joint:  # with M and N as large as a tile, K is not compared as far as others
        m, n, k = axis.at(_shortened(claims, _sizes(recorded_size(claims)), claims.axes, [axis]), LONG)
    found = dict[Shape, None]()
    for halvings in range(_HALVINGS + 1):
        steps = (axis.of((m, n, k)) >> halvings) // axis.step * axis.step
        sizes = axis.at((m, n, k), steps)
        if sizes[2] > known_k and claims.is_claimed(sizes):
            found[Shape(*sizes)] = None
    return [*found]


def products_of_block(claims: Claims, shape: Shape) -> int:
    """The products of a block at a claimed size, if blocks have equal shares."""
    return prod((shape.m, shape.n, shape.k)) // blocks_at(claims, shape)


def _sizes(shape: Shape) -> Sizes:
    return shape.m, shape.n, shape.k


def _shortened(claims: Claims, sizes: Sizes, axes: Sequence[ClaimedSize], kept: Sequence[ClaimedSize]) -> Sizes:
    """The sizes with every axis that is not `kept` about as short as _BESIDE says, where that is claimed."""
    for axis in axes:
        if axis not in kept:
            shorter = axis.at(sizes, axis.from_(-(-_BESIDE[axis.places[0]] // axis.unit[0])))
            sizes = shorter if prod(shorter) < prod(sizes) and claims.is_claimed(shorter) else sizes
    return sizes


def _grown(claims: Claims, sizes: Sizes, axes: Sequence[ClaimedSize]) -> Sizes:
    """The sizes, longer along all of some axes by one factor as far as they may be, then along each by itself."""

    def by(eighths: int) -> Sizes:
        found = sizes
        for axis in axes:
            times = axis.of(sizes)
            found = axis.at(found, times + times * eighths // 8 // axis.step * axis.step)
        return found

    found = _farthest(claims, by, LONGEST * 8)
    for axis in axes:

        def longer(steps: int, axis: ClaimedSize = axis, base: Sizes = found) -> Sizes:
            return axis.at(base, axis.of(base) + steps * axis.step)

        found = _farthest(claims, longer, LONGEST // axis.step)
    return found


def _farthest(claims: Claims, grown: Callable[[int], Sizes], most: int) -> Sizes:
    """`grown` by the largest number up to `most` that is claimed and not too large, found by bisection."""

    def fits(number: int) -> bool:
        one = grown(number)
        return max(one) <= LONGEST and prod(one) <= MOST_PRODUCTS and claims.is_claimed(one)

    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return grown(low)
