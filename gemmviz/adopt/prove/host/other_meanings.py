"""What another instance of a template may compute in the place of what was proven: the same with matrices that lie
otherwise in memory, or something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.types import is_plain_type
from gemmviz.adopt.source.kernels import TemplateParameter
from gemmviz.domain.kernels.call import OPERANDS
from gemmviz.domain.listing import listed
from gemmviz.domain.terms import Layout

_LEAST_TILE = 2
"""Smaller numbers of a template are switches, not edges of a tile."""


def may_mean_otherwise(template: Sequence[TemplateParameter], own: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two instances differ in more than edges of tiles and types of numbers: by a switch, as `TRANSPOSED` and
    `RELU` are, or a class that says how matrices lie. `own` and `other` are their arguments.
    """
    pairs = zip(template, own, other, strict=False)
    return any(
        not (parameter.kind == "type" and is_plain_type(one) and is_plain_type(two))
        and not (one.isdigit() and two.isdigit() and min(int(one), int(two)) >= _LEAST_TILE)
        for parameter, one, two in pairs
        if one != two
    )


def other_layouts(described: Description) -> list[Description]:
    """The descriptions of the same product with other matrices row-major and column-major, those first that differ in
    the fewest.
    """
    names = [name for name in OPERANDS if name in described.arguments]
    found: list[tuple[int, Description]] = []
    for layouts in product((Layout.ROW, Layout.COLUMN), repeat=len(names)):
        chosen = dict(zip(names, layouts, strict=True))
        apart = sum(described.storage(name).layout is not layout for name, layout in chosen.items())
        storages = [
            replace(one, layout=chosen[name]) if name in chosen else one
            for name, one in zip(OPERANDS, described.storages, strict=True)
        ]
        a, b, c, d = storages
        found += [(apart, replace(described, storages=(a, b, c, d)))] if apart else []
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


def layout_words(described: Description, proven: Description) -> str:
    """How the matrices lie where that is not as in what was proven, as text to go on with: ", with A column-major and B
    row-major"; "" for nothing.
    """
    apart = [name for name in OPERANDS if described.storage(name).layout is not proven.storage(name).layout]
    by_layout = {one: [name for name in apart if described.storage(name).layout is one] for one in Layout}
    said = [f"{listed(names)} {layout.value}-major" for layout, names in by_layout.items() if names]
    return f", with {listed(said)}" if said else ""
