"""Which of some sizes a kernel singles out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from gemmviz.domain.shape import Shape

_NEIGHBOURS = [step for step in product((0, 1), repeat=3) if any(step)]


def singled_out_first(sizes: Sequence[Shape]) -> list[Shape]:
    """The sizes, those first that have one of the others on both sides, by 1 along some dimensions: where a kernel
    compares K with 77, sizes with K = 76, 77 and 78 are tried, and it is 77 that it may treat apart.
    """
    known = {*sizes}

    def is_between(one: Shape) -> bool:
        return any(
            Shape(one.m - m, one.n - n, one.k - k) in known and Shape(one.m + m, one.n + n, one.k + k) in known
            for m, n, k in _NEIGHBOURS
            if min(one.m - m, one.n - n, one.k - k) > 0
        )

    return sorted(sizes, key=lambda one: not is_between(one))
