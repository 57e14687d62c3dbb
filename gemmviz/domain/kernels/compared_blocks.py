"""The blocks that the code of a kernel treats apart, as far as its comparisons tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

Block = tuple[int, int, int]
"""The x, y and z of a block in its grid."""
_MOST = 64
"""Blocks that are named at once."""
_NONE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ComparedBlocks:
    """Places along x, y and z of a grid, and numbers of blocks (x fastest), at which a comparison of a kernel with a
    constant changes its outcome: the last one before and the first one behind.
    """

    places: tuple[frozenset[int], frozenset[int], frozenset[int]] = (_NONE, _NONE, _NONE)
    numbers: frozenset[int] = _NONE

    def __bool__(self) -> bool:
        return any(self.places) or bool(self.numbers)

    def within(self, grid: Block) -> list[Block]:
        """The blocks of a grid that stand at such a place along each axis that has some, first or last along the
        others, and those with such numbers; _MOST at most.
        """
        found: dict[Block, None] = {}
        if any(self.places):
            axes = [
                sorted({*(places or {0, count - 1})} & {*range(count)})
                for places, count in zip(self.places, grid, strict=True)
            ]
            found = dict.fromkeys(product(*axes))
        x, y, _ = grid
        numbered = (one for one in sorted(self.numbers) if one < prod(grid))
        found |= dict.fromkeys((one % x, one // x % y, one // (x * y)) for one in numbered)
        return [*found][:_MOST]

    def few_of(self, grid: Block) -> list[Block]:
        """A few blocks of a large grid, in the order in which they tell most: the first and the last one, those that
        the kernel compares its own with, along x and y the first two, the middle one and the last two, along z the
        first and the last one.
        """
        x, y, z = ({0, 1, count // 2, count - 2, count - 1} & {*range(count)} for count in grid)
        found = sorted((one, two, three) for three in z & {0, grid[2] - 1} for two in y for one in x)
        return [*dict.fromkeys((found[0], found[-1], *self.within(grid), *found))]

    def corners(self) -> Iterator[Block]:
        """The places that a grid must have for all of them to be in it, then for those of each axis alone."""
        farthest = [max(places, default=0) for places in self.places]
        corners = [tuple(farthest)]
        corners += [tuple(far if at == axis else 0 for at, far in enumerate(farthest)) for axis in range(3)]
        yield from dict.fromkeys((x, y, z) for x, y, z in corners if x or y or z)
