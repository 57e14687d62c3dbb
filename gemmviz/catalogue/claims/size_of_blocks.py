"""Claimed sizes whose grids have certain blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod

from gemmviz.catalogue.claims.claimed_size import ClaimedSize
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.catalogue.claims.recorded_size import recorded_size
from gemmviz.domain.edge_case_sizes import Sizes
from gemmviz.domain.kernels.compared_blocks import Block, ComparedBlocks
from gemmviz.domain.shape import Shape

_LARGEST, _MOST_ELEMENTS = 1 << 16, 1 << 24
"""Of a dimension, and of a matrix."""
_IsReached = Callable[[Block], bool]
"""Whether a grid is as large as is wanted along one axis, or in all."""


def sizes_of_blocks(claims: Claims, compared: ComparedBlocks, known: Iterable[Shape]) -> list[Shape]:
    """Small claimed sizes whose grids have the blocks that a kernel compares its own with, as far as those of the
    `known` sizes have none: one size for all of them, else one for each axis of the grid, and one for their numbers.
    Blocks that no size has are left out.
    """
    grids, found = [_grid(claims, (one.m, one.n, one.k)) for one in known], list[Shape]()
    wanted: list[list[_IsReached]] = [
        [_reaches(axis, place) for axis, place in enumerate(corner) if place] for corner in compared.corners()
    ]
    if compared.numbers:
        most = max(compared.numbers)
        wanted.append([lambda grid: most < prod(grid)])
    for reaches in wanted:
        if any(all(reached(grid) for reached in reaches) for grid in grids):
            continue
        if (sizes := _grown(claims, reaches)) is not None:
            found.append(Shape(*sizes))
            grids.append(_grid(claims, sizes))
    return found


def _reaches(axis: int, place: int) -> _IsReached:
    return lambda grid: place < grid[axis]


def _grid(claims: Claims, sizes: Sizes) -> Block:
    return claims.kernel.plan(Shape(*sizes), claims.params, claims.device).launch.grid


def _grown(claims: Claims, wanted: Sequence[_IsReached]) -> Sizes | None:
    """The size of the usual recording, each dimension longer as far as the grid asks for it; None where none has it."""
    small = recorded_size(claims)
    sizes = small.m, small.n, small.k
    for is_reached in wanted:
        if is_reached(_grid(claims, sizes)):
            continue
        reached = [
            found
            for axis in claims.axes
            if axis.step and (found := _longer(claims, sizes, axis, is_reached)) is not None
        ]
        if not reached:
            return None
        sizes = min(reached, key=prod)
    return sizes


def _longer(claims: Claims, sizes: Sizes, axis: ClaimedSize, is_reached: _IsReached) -> Sizes | None:
    """The sizes with the least length along an axis at which the grid reaches what is wanted, found by bisection."""

    def at(steps: int) -> Sizes:
        return axis.at(sizes, axis.of(sizes) + steps * axis.step)

    def is_enough(steps: int) -> bool:
        return not claims.is_claimed(at(steps)) or is_reached(_grid(claims, at(steps)))

    low, high = 0, (_LARGEST // max(axis.unit) - axis.of(sizes)) // axis.step
    if high <= 0 or not is_enough(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    m, n, k = found = at(high)
    return found if claims.is_claimed(found) and max(m * n, m * k, n * k) <= _MOST_ELEMENTS else None
