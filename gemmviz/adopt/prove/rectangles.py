"""Whether a kernel that is right on squares computes rectangular products too, with its numbers read in another way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from math import lcm

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.grid import Cover
from gemmviz.domain.shape import Shape

_DIMENSIONS = ("M", "N", "K")
_MOST_READINGS = 243


def rectangle_of(cover: Cover) -> Shape:
    """A size that the cover divides, with M, N and K different."""
    edge = min(256, lcm(16, *(one for step in cover.steps for one in step if one)))
    return Shape(2 * edge, 3 * edge, 4 * edge)


def rectangular(
    description: Description, places: Sequence[int], is_right: Callable[[Description], bool]
) -> Description | None:
    """The description with each of the numbers at these places as M, N or K, the first that is right on a rectangle.

    None where none is, or there are too many to try.
    """
    if len(_DIMENSIONS) ** len(places) > _MOST_READINGS:
        return None
    for dimensions in product(_DIMENSIONS, repeat=len(places)):
        arguments = list(description.arguments)
        for place, name in zip(places, dimensions, strict=True):
            arguments[place] = name
        other = replace(description, arguments=tuple(arguments), equal=())
        if is_right(other):
            return other
    return None
