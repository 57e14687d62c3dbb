"""Sizes that the types of a kernel's pointers fix: `float A[][64]` and `float (*A)[64]` have lines of 64 elements."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gemmviz.adopt.propose.constants import SizeConstant
from gemmviz.adopt.propose.roles import matrices_in_order
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.adopt.source.names import Names

_BOUNDS = re.compile(r"(?:\[[^\[\]]*\]|\(\s*\*[^()]*\))\s*(?:\[([^\[\]]*)\])\s*\Z")
_LINES = {"A": "K", "B": "N", "C": "N", "D": "N"}
"""The dimension that the lines of a matrix have as many elements as, where its rows are contiguous."""

_SPARE = (896, 1152, 1408, 1664, 1920, 2176, 2432, 2688, 2944, 3200, 3456, 3712, 3968)
"""Given in the place of a size that the source fixes for another dimension; more than there are fixed sizes."""


def pitches_of(kernel: FoundKernel, names: Names) -> Mapping[int, int]:
    """The elements of a line by the places of the parameters whose type says it."""
    found: dict[int, int] = {}
    for place, one in enumerate(kernel.parameters):
        bounds = _BOUNDS.search(one.written)
        words = bounds[1].strip() if bounds is not None else ""
        value = int(words) if words.isdigit() else names.value_of(words)
        if value is not None and value > 1:
            found[place] = value
    return found


def sizes_of_pitches(kernel: FoundKernel, names: Names) -> tuple[SizeConstant, ...]:
    """The dimensions that such types fix: K by the lines of A, N by those of B and C."""
    letters, found = matrices_in_order(kernel.parameters), dict[tuple[str, int], None]()
    for place, value in pitches_of(kernel, names).items():
        if letters.get(place) in _LINES:
            found[_LINES[letters[place]], value] = None
    return tuple(SizeConstant(name, value, is_guarded=False) for name, value in found)


def with_fixed_sizes(
    numbers: Mapping[int, int], roles: Mapping[int, str], fixed: Mapping[int, SizeConstant]
) -> dict[int, int]:
    """Numbers for a kernel's parameters with the sizes that its source fixes, by their places behind the parameters:
    a parameter for one of these dimensions is given that size, and no other parameter is.
    """
    values = {one.value for one in fixed.values()}
    of_roles = {one.role: one.value for one in fixed.values() if one.role}
    spare = iter([one for one in _SPARE if one not in values and one not in numbers.values()])
    found = {
        place: of_roles.get(roles.get(place, "")) or (next(spare) if value in values else value)
        for place, value in numbers.items()
    }
    return {**found, **{place: one.value for place, one in fixed.items()}}
