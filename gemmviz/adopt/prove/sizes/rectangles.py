"""Whether a kernel that is right on squares computes rectangular products too, with its numbers read in another way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import lcm
from re import findall

from gemmviz.adopt.description import Description, dimension_of
from gemmviz.adopt.prove.grid import Cover
from gemmviz.domain.kernels.call import OPERANDS
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Layout

_DIMENSIONS = ("M", "N", "K")
_PAIRS = (("N", "K"), ("M", "N"), ("M", "K"))
_MOST_READINGS = 243


def rectangular(
    description: Description,
    roles: Mapping[int, str],
    cover: Cover,
    is_right: Callable[[Description, Shape], bool],
) -> tuple[Description, Shape] | None:
    """The description with each of its numbers as M, N or K, the first that is right on a rectangle, and that
    rectangle; where none is on one with three different edges, on two that have an equal pair of edges, once with the
    third edge shorter and once longer: a small grid may hide what else a dimension must be. `roles` are what the
    numbers are called, by their places.

    None where none is, or there are too many to try.
    """
    edge = min(256, lcm(16, *(one for step in cover.steps for one in step if one)))
    for pair in ((), *_PAIRS):
        shapes = [_shape(pair, edge, third) for third in (2, 4)] if pair else [Shape(2 * edge, 3 * edge, 4 * edge)]
        for names in _readings(roles, pair):
            arguments = list(description.arguments)
            for place, name in names.items():
                arguments[place] = name
            other = replace(description, arguments=tuple(arguments), equal=(pair,) if pair else ())
            if all(is_right(other, shape) for shape in shapes):
                return other, shapes[0]
    return None


def _shape(pair: Sequence[str], edge: int, third: int) -> Shape:
    """A size with an equal pair of dimensions, three edges long, and the third dimension `third` edges long."""
    m, n, k = (edge * (3 if name in pair else third) for name in _DIMENSIONS)
    return Shape(m, n, k)


def with_equal(description: Description, base: Shape) -> Iterator[tuple[Description, Shape]]:
    """The description with a dimension that no number of it gives equal to one that a number gives, and a size for it:
    that number may be both. At last it is the one with M = N whose result is stored the other way round.
    """
    named = {name for text in description.arguments for name in findall(r"\b[MNK]\b", text)}
    for one, two in _PAIRS:
        if (one in named) != (two in named):
            size = lcm(dimension_of(base, one), dimension_of(base, two))
            sizes = {name: dimension_of(base, name) for name in _DIMENSIONS} | {one: size, two: size}
            yield replace(description, equal=((one, two),)), Shape(sizes["M"], sizes["N"], sizes["K"])
    edge = lcm(base.m, base.n)  # squares may be stored the other way round
    yield _with_result_turned(description), Shape(edge, edge, base.k)


def _with_result_turned(description: Description) -> Description:
    """The description with M = N and its result stored by columns instead of rows, or by rows."""
    place = OPERANDS.index(description.result)
    stored = description.storages[place]
    turned = replace(stored, layout=Layout.ROW if stored.layout is Layout.COLUMN else Layout.COLUMN)
    a, b, c, d = (turned if at == place else one for at, one in enumerate(description.storages))
    return replace(description, equal=(("M", "N"),), storages=(a, b, c, d))


def _readings(roles: Mapping[int, str], pair: Sequence[str]) -> Iterator[dict[int, str]]:
    """Names for the numbers, first those that they are called; where two dimensions are equal the second of them is
    else not among them.
    """
    if roles and set(roles.values()) <= set(_DIMENSIONS):
        yield dict(roles)
    names = [one for one in _DIMENSIONS if not pair or one != pair[1]]
    if len(names) ** len(roles) <= _MOST_READINGS:
        for chosen in product(names, repeat=len(roles)):
            yield dict(zip(roles, chosen, strict=True))
