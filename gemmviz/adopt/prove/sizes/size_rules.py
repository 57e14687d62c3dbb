"""The rules for sizes of a kernel: of each dimension, of the number of elements, of powers of two, of products."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.sizes.bounds import limits_of_bounds
from gemmviz.adopt.prove.sizes.elements import limits_of_elements
from gemmviz.adopt.prove.sizes.grid_bounds import grid_bounds
from gemmviz.adopt.prove.sizes.limits import IsRight, Limits, limits_of
from gemmviz.adopt.prove.sizes.powers import limits_of_powers
from gemmviz.domain.kernels.compared_sizes import NOTHING_COMPARED, ComparedSizes
from gemmviz.domain.shape import Shape


def size_rules_of(
    description: Description,
    base: Shape,
    is_right: IsRight,
    *,
    has_16_bits: bool = False,
    compared: ComparedSizes = NOTHING_COMPARED,
) -> Limits | None:
    """The rules that leave the fewest sizes out, of a kernel that is right at `base`; None where none holds.
    `has_16_bits`: it may count in so few; `compared`: the sizes that it treats apart. Sizes with too large a grid by
    what its expression says are left out by a rule of their own, and no other rule is made of them.
    """
    bounds = tuple(grid_bounds(description.grid))

    def is_right_within(shape: Shape) -> bool | None:
        return is_right(shape) if all(one.allows(shape) for one in bounds) else None

    found = _rules_within(description, base, is_right_within, has_16_bits=has_16_bits, compared=compared)
    own = {one.dimension for one in found.rules} if found is not None else set[str]()
    return found and replace(found, rules=(*found.rules, *(one for one in bounds if one.dimension not in own)))


def _rules_within(
    description: Description, base: Shape, is_right: IsRight, *, has_16_bits: bool, compared: ComparedSizes
) -> Limits | None:
    limits = limits_of(description, base, is_right, has_16_bits=has_16_bits, compared=compared)
    if limits is None or any(rule.multiple > 1 for rule in limits.rules):
        limits = limits_of_elements(description, is_right) or limits
    return limits or limits_of_powers(description, base, is_right) or limits_of_bounds(description, base, is_right)
