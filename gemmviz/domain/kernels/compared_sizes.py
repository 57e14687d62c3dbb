"""Sizes at which the code of a kernel may do something else, as far as its comparisons with constants tell."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from math import isqrt, prod

from gemmviz.domain.edge_case_sizes import LONG, Sizes

ComparedSizes = Mapping[str, Collection[int]]
"""By M, N and K the sizes on both sides of comparisons with constants in the code of a kernel; by MN and the like
those of the product."""
NOTHING_COMPARED: ComparedSizes = {}


def sizes_with_compared(base: Sizes, compared: ComparedSizes, most: int = LONG) -> list[Sizes]:
    """The sizes near the `base` of which one dimension has a value that the kernel compares it with, then those of
    which two and all three have one, or whose product has one; of each those with the K of the base and the smallest
    products first. Values beyond `most` are left out.
    """
    own = [
        {edge, *(size for size in compared.get(name, ()) if size <= most)}
        for name, edge in zip("MNK", base, strict=True)
    ]
    found = {(m, n, k) for m, n, k in product(*own)}
    for names, values in compared.items():
        if len(names) > 1:
            found |= {
                one for value in values for one in _around(base, names, value) if 0 < min(one) <= max(one) <= most
            }
    return sorted(found, key=lambda one: _rank(one, base))


def _around(base: Sizes, names: str, value: int) -> Iterator[Sizes]:
    """The base with one dimension at which the product of those that are named passes a value; of two dimensions the
    pair nearest to each other whose product it is.
    """
    for name in sorted({*names}):
        others = prod(base["MNK".index(one)] for one in names if one != name)
        least = int((value / others) ** (1 / names.count(name)))
        yield from (_with(base, {name: size}) for size in (least, least + 1))
    if len({*names}) == len(names) == 2:
        short = next(size for size in range(isqrt(value), 0, -1) if value % size == 0)
        yield _with(base, dict(zip(names, (short, value // short), strict=True)))


def _with(base: Sizes, sizes: Mapping[str, int]) -> Sizes:
    m, n, k = (sizes.get(name, edge) for name, edge in zip("MNK", base, strict=True))
    return m, n, k


def _rank(sizes: Sizes, base: Sizes) -> tuple[int, bool, int]:
    """How many dimensions differ, whether K does, which most loops compare with small constants, and products."""
    return sum(size != edge for size, edge in zip(sizes, base, strict=True)), sizes[2] != base[2], prod(sizes)
