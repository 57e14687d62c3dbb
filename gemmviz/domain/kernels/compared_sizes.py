"""Sizes at which the code of a kernel may do something else, as far as its comparisons with constants tell."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import product
from math import prod

from gemmviz.domain.edge_case_sizes import LONG, Sizes

ComparedSizes = Mapping[str, Collection[int]]
"""By M, N and K the sizes on both sides of comparisons with constants in the code of a kernel."""
NOTHING_COMPARED: ComparedSizes = {}


def sizes_with_compared(base: Sizes, compared: ComparedSizes, most: int = LONG) -> list[Sizes]:
    """The sizes near the `base` of which one dimension has a value that the kernel compares it with, then those of
    which two and all three have one; of each those with the K of the base and the smallest products first. Values
    beyond `most` are left out.
    """
    own = [
        {edge, *(size for size in compared.get(name, ()) if size <= most)}
        for name, edge in zip("MNK", base, strict=True)
    ]
    return sorted(((m, n, k) for m, n, k in product(*own)), key=lambda one: _rank(one, base))


def _rank(sizes: Sizes, base: Sizes) -> tuple[int, bool, int]:
    """How many dimensions differ, whether K does, which most loops compare with small constants, and products."""
    return sum(size != edge for size, edge in zip(sizes, base, strict=True)), sizes[2] != base[2], prod(sizes)
