"""Sizes as far out as those at which a kernel was proven, for further values of its parameters."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from math import prod

from gemmviz.adopt.description import Description, dimension_of
from gemmviz.adopt.parameters.forms import NUMBER
from gemmviz.domain.shape import Shape

_TIMES, _MORE = 2, 3
"""A loop whose steps and whose reach differ leaves a gap, or ends early, within two steps."""
_LEAST = 5
"""Of dimensions beside one that is large."""
_MOST_ELEMENTS = 1 << 21
"""Of the largest matrix at such a size."""
_SIZE = re.compile(r"\b[MNK]\b")


def reach_sizes(
    described: Description, right: Sequence[Shape], values: Collection[int], multiples: Mapping[str, int]
) -> list[Shape]:
    """Sizes of which M, N or K is large: as large as at any of the sizes that were `right`, and so large that blocks,
    tiles and loops of any of these `values` reach an end and begin again; also where the number of blocks does not grow
    with the result. `multiples` are those that dimensions must be.
    """
    fixed = dict(described.fixed)
    step = max(prod(map(int, described.block)), *values)
    blocks = prod(map(_most_blocks, described.grid))
    proven = {name: max(dimension_of(one, name) for one in right) for name in "MNK"}
    small = {name: _multiple(_LEAST, multiples.get(name, 1)) for name in "MNK"} | fixed
    found = []
    for name in "MNK":
        if name in fixed:
            continue
        group = _equal_to(name, described.equal)
        beside = max(size for other, size in small.items() if other not in group) if len(group) < len(small) else 1
        wanted = _TIMES * step * (blocks if name != "K" else 1) + _MORE
        size = max(proven[name], min(wanted, _MOST_ELEMENTS // beside)) if len(group) == 1 else proven[name]
        size = _multiple(size, multiples.get(name, 1))
        found.append({**small, **dict.fromkeys(group, size)})
    return [*dict.fromkeys(Shape(one["M"], one["N"], one["K"]) for one in found)]


def remainder_sizes(described: Description, values: Collection[int], multiples: Mapping[str, int]) -> list[Shape]:
    """Small sizes of which M, N or K is one less and one more than a multiple of each of the `values`, as near as
    `multiples` allow: what is left over by a loop of such steps is nearly all of a step there, and nearly nothing.
    """
    fixed = dict(described.fixed)
    small = {name: _multiple(_LEAST, multiples.get(name, 1)) for name in "MNK"} | fixed
    found = []
    for value in values:
        for name in "MNK":
            of = multiples.get(name, 1)
            for size in ((_TIMES * value - 1) // of * of, _multiple(_TIMES * value + 1, of)):
                group = _equal_to(name, described.equal)
                if not fixed.keys() & group and 0 < size ** len(group) <= _MOST_ELEMENTS:
                    found.append({**small, **dict.fromkeys(group, size)})
    return [*dict.fromkeys(Shape(one["M"], one["N"], one["K"]) for one in found)]


def _equal_to(name: str, pairs: Sequence[tuple[str, str]]) -> set[str]:
    """A dimension and those that have to be equal to it."""
    found = {name}
    for pair in (*pairs, *pairs):
        found |= {*pair} if found & {*pair} else set()
    return found


def _multiple(size: int, of: int) -> int:
    return -(-size // of) * of


def _most_blocks(text: str) -> int:
    """How many blocks an axis of a grid has where sizes do not make them more; 1 where they do."""
    numbers = [int(one) for one in NUMBER.findall(text)]
    return max([1, *numbers]) if numbers and (not _SIZE.search(text) or "min(" in text) else 1
