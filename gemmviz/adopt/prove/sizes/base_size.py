"""The size at which a description is checked first."""

from __future__ import annotations

from collections.abc import Mapping
from math import lcm

from gemmviz.adopt.prove.grid import Cover
from gemmviz.adopt.prove.meaning import Meaning, equal_dimensions
from gemmviz.domain.shape import Shape

_MOST_PRODUCTS = 1 << 24
"""Of a base with a fixed dimension; where there are more, the dimensions that are not fixed have fewer steps."""


def base_size(cover: Cover, meaning: Meaning, fixed: Mapping[str, int]) -> Shape:
    """A size that the cover divides, with M, N and K different, as far as they are not fixed; of few steps beside a
    large fixed dimension.
    """
    downs = [down for down, _ in cover.steps if down]
    rights = [right for _, right in cover.steps if right]
    rows, columns = (lcm(16, *downs), lcm(16, *rights))
    flat = max(1, cover.flat)
    values = {meaning.rows: 2 * rows if rows >= 32 else 64, meaning.columns: 3 * columns if columns >= 32 else 96}
    is_of_whole_lines = cover.rows > 1 and flat == cover.rows * cover.columns
    is_along_one_axis = len([one for one in cover.steps if one != (0, 0)]) == 1
    if flat > 1 and is_along_one_axis and not is_of_whole_lines and values[meaning.columns] % flat:
        values[meaning.columns] = lcm(values[meaning.columns], min(flat, 1024))
    names = meaning.values
    if len(names) == 3 and len(set(names.values())) == 1 and not fixed:
        edge = max(64, lcm(*values.values()) if lcm(*values.values()) <= 512 else max(values.values()))
        return Shape(edge, edge, edge)
    depth = next(one for one in (128, 256, 320, 512) if one not in values.values())
    values["K"] = depth
    for one, two in equal_dimensions(names):
        values[two] = values[one] = lcm(values[one], values[two])
    values |= fixed
    few = {meaning.rows: 2 * rows, meaning.columns: 3 * columns}
    if fixed and not equal_dimensions(names) and values["M"] * values["N"] * values["K"] > _MOST_PRODUCTS:
        values |= {name: min(values[name], few[name]) for name in few if name not in fixed and name != "K"}
    return Shape(values["M"], values["N"], values["K"])
