"""The large sizes at which races of a kernel are looked for beside the small one, and the blocks that are recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from gemmviz.catalogue.claims.claimed_size import ClaimedSize
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.catalogue.claims.recorded_size import MOST_PRODUCTS, recorded_size
from gemmviz.domain.edge_case_sizes import LONG, Sizes
from gemmviz.domain.shape import Shape

LONGEST = LONG + 1
"""The largest size of a dimension: as far as results are compared, and nothing that a tile has divides it."""
_BESIDE = (17, 19, 19)
"""M, N and K where another dimension is long: two tiles of 16, the second one with little work."""
MOST_IN_PART = 1 << 24
"""Products of a size of which a few blocks are recorded."""


def large_sizes(claims: Claims) -> list[Shape]:
    """Claimed sizes beyond the small one: M, N and K large together, and M and N large together, each as large as
    MOST_PRODUCTS and LONGEST allow; each dimension long with the others small, as large as MOST_IN_PART and LONGEST
    allow, K first a quarter as long, since a block with all of it may take long; and the home, where most is examined.

    Raises:
        NoSizeError: no size is claimed that is tried.
    """
    small = _sizes(recorded_size(claims))
    axes = [axis for axis in claims.axes if axis.step]
    of_result = [axis for axis in axes if 2 not in axis.places]
    ways = [(small, axes, MOST_PRODUCTS, LONGEST)]
    ways += [(_shortened(claims, small, axes, of_result), of_result, MOST_PRODUCTS, LONGEST)]
    for axis in axes:
        base, most = _shortened(claims, small, axes, [axis]), MOST_PRODUCTS if axis.is_joint else MOST_IN_PART
        ways += [(base, [axis], most, LONGEST // 4)] if axis.places == (2,) else []
        ways += [(base, [axis], most, LONGEST)]
    found = [_grown(claims, base, grown, most, longest) for base, grown, most, longest in ways if grown]
    home = _sizes(claims.home)
    found += [home] if prod(home) <= MOST_PRODUCTS else []
    return [Shape(*one) for one in dict.fromkeys(found) if one != small and prod(one) <= MOST_IN_PART]


def is_recorded_whole(shape: Shape) -> bool:
    """Whether every block can be recorded at a size; a few are at a larger one (`end_blocks`)."""
    return prod(_sizes(shape)) <= MOST_PRODUCTS


def end_blocks(grid: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """A few blocks of a large grid, the first and the last one leading: along x and y the first two, the middle one and
    the last two, along z the first and the last one.
    """
    x, y, z = ({0, 1, count // 2, count - 2, count - 1} & {*range(count)} for count in grid)
    found = sorted((one, two, three) for three in z & {0, grid[2] - 1} for two in y for one in x)
    return [*dict.fromkeys((found[0], found[-1], *found))]


def _sizes(shape: Shape) -> Sizes:
    return shape.m, shape.n, shape.k


def _shortened(claims: Claims, sizes: Sizes, axes: Sequence[ClaimedSize], kept: Sequence[ClaimedSize]) -> Sizes:
    """The sizes with every axis that is not `kept` about as short as _BESIDE says, where that is claimed."""
    for axis in axes:
        if axis not in kept:
            shorter = axis.at(sizes, axis.from_(-(-_BESIDE[axis.places[0]] // axis.unit[0])))
            sizes = shorter if prod(shorter) < prod(sizes) and claims.is_claimed(shorter) else sizes
    return sizes


def _grown(claims: Claims, sizes: Sizes, axes: Sequence[ClaimedSize], most: int, longest: int) -> Sizes:
    """The sizes, longer along all of some axes by one factor as far as they may be, then along each by itself."""

    def by(eighths: int) -> Sizes:
        found = sizes
        for axis in axes:
            times = axis.of(sizes)
            found = axis.at(found, times + times * eighths // 8 // axis.step * axis.step)
        return found

    found = _farthest(claims, by, longest * 8, most, longest)
    for axis in axes:

        def longer(steps: int, axis: ClaimedSize = axis, base: Sizes = found) -> Sizes:
            return axis.at(base, axis.of(base) + steps * axis.step)

        found = _farthest(claims, longer, longest // axis.step, most, longest)
    return found


def _farthest(claims: Claims, grown: Callable[[int], Sizes], most: int, most_products: int, longest: int) -> Sizes:
    """`grown` by the largest number up to `most` that is claimed and not too large, found by bisection."""

    def fits(number: int) -> bool:
        one = grown(number)
        return max(one) <= longest and prod(one) <= most_products and claims.is_claimed(one)

    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return grown(low)
