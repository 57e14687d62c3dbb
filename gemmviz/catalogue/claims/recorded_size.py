"""The size that the referee records a kernel at: small, and of two blocks or more in each dimension."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from gemmviz.catalogue.claims.claimed_size import ClaimedSize
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.domain.edge_case_sizes import Sizes
from gemmviz.domain.shape import Shape

MOST_PRODUCTS = 1 << 22
"""Of a size whose every block is recorded."""
MOST_TIED_PRODUCTS = 1 << 19
"""Of a size whose dimensions a rule ties to each other, and which is recorded in both forms."""
_SHAPES: tuple[Sizes, ...] = (
    *((37, 41, 67), (70, 66, 67), (37, 41, 19), (70, 66, 19), (13, 11, 19), (1, 1, 1021), (1, 67, 37), (67, 1, 37)),
    *((37, 37, 19), (37, 41, 37), (37, 19, 19), (37, 37, 37)),
)
"""Small sizes that nothing divides, with K beyond the usual tiles first; the smallest of the claims for a kernel that
takes none of them.
"""
_DOUBLINGS = 12
"""As many times a dimension is made twice as much larger while a second block is looked for."""


_LEAST_K, _TILES = 67, 3
"""K from which on it spans several of the usual tiles, and how many steps of its rule it has at least, which are tiles
where a kernel takes whole ones only.
"""


def recorded_size(claims: Claims) -> Shape:
    """A claimed size at which M, N and K are shared among two blocks or more each, if they ever are, and K spans
    several tiles, as far as MOST_PRODUCTS allow.
    """
    home = (claims.home.m, claims.home.n, claims.home.k)
    telling = [one for one in _SHAPES if one.count(1) <= home.count(1)]
    found = next((one for one in telling if claims.is_claimed(one)), None)
    sizes = found if found is not None else _most_blocks(claims)
    for axis in sorted(claims.axes, key=lambda one: 2 in one.places):  # K last: it rarely changes the grid
        sizes = _with_two_blocks(claims, sizes, axis)
    return Shape(*_with_several_tiles(claims, sizes))


def _most_blocks(claims: Claims) -> Sizes:
    """The small size of the claims or, of sizes that a rule ties to each other, one of more blocks."""
    small = (claims.small.m, claims.small.n, claims.small.k)
    tied = [one for one in claims.related if prod(one) <= MOST_TIED_PRODUCTS]
    return max((small, *tied), key=lambda one: blocks_at(claims, Shape(*one)))


def blocks_at(claims: Claims, shape: Shape) -> int:
    """How many blocks are launched at a claimed size.

    Raises:
        Refusal: the size is not claimed.
    """
    return claims.blocks_at((shape.m, shape.n, shape.k))


def dimensions_of_one_block(claims: Claims, shape: Shape) -> tuple[str, ...]:
    """Which of M, N and K are shared among no blocks at this size, although they are at a larger one."""
    sizes = (shape.m, shape.n, shape.k)
    found = [axis for axis in claims.axes if not _is_shared(claims, sizes, axis) and _first_shared(claims, sizes, axis)]
    return tuple("MNK"[place] for place in sorted(place for axis in found for place in axis.places))


def _with_two_blocks(claims: Claims, sizes: Sizes, axis: ClaimedSize) -> Sizes:
    """The sizes, made longer along the axis until it is shared among blocks, and then by an eighth, so that the last
    block has some work; as they are where that would be too large or does not come.
    """
    if _is_shared(claims, sizes, axis) or not (first := _first_shared(claims, sizes, axis)):
        return sizes
    most = axis.of(first) + axis.of(first) // 8
    found = [first, *(one for one in _longer(claims, first, axis) if axis.of(one) <= most)]
    return next((one for one in reversed(found) if prod(one) <= MOST_PRODUCTS), sizes)


def _with_several_tiles(claims: Claims, sizes: Sizes) -> Sizes:
    """The sizes with a K of several tiles, or of as many as is claimed and not too large; as they are where none is."""
    axis = next(one for one in claims.axes if 2 in one.places)
    if not axis.step:
        return sizes
    least = axis.reached(-(-max(_LEAST_K, _TILES * axis.step) // axis.unit[-1]))
    longer = [axis.at(sizes, times) for times in (least, *reversed(axis.times)) if axis.of(sizes) < times <= least]
    return next((one for one in longer if prod(one) <= MOST_PRODUCTS and claims.is_claimed(one)), sizes)


def _is_shared(claims: Claims, sizes: Sizes, axis: ClaimedSize) -> bool:
    """Whether there are fewer blocks at the least size along the axis."""
    least = next((axis.at(sizes, times) for times in axis.times if claims.is_claimed(axis.at(sizes, times))), sizes)
    return blocks_at(claims, Shape(*least)) < blocks_at(claims, Shape(*sizes))


def _first_shared(claims: Claims, sizes: Sizes, axis: ClaimedSize) -> Sizes | None:
    """The least size, longer along the axis, that has more blocks; None where none has."""
    now = blocks_at(claims, Shape(*sizes))
    return next((one for one in _longer(claims, sizes, axis) if blocks_at(claims, Shape(*one)) > now), None)


def _longer(claims: Claims, sizes: Sizes, axis: ClaimedSize) -> Iterator[Sizes]:
    """Claimed sizes, in turn longer along the axis."""
    if not axis.step:
        return
    doubled = (axis.times[-1] + axis.step * (1 << power) for power in range(_DOUBLINGS))
    for times in (*axis.times, *doubled):
        if times > axis.of(sizes) and claims.is_claimed(longer := axis.at(sizes, times)):
            yield longer
