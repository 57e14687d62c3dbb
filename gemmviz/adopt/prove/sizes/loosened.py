"""Rules for sizes that leave right sizes out: an equality where an inequality is enough, a multiple that is not always
needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from gemmviz.adopt.description import Description, SizeRule, dimension_of
from gemmviz.adopt.prove.sizes.limits import IsRight, Limits
from gemmviz.adopt.prove.sizes.shapes import shapes_allowed
from gemmviz.domain.shape import Shape

_DIMENSIONS = ("M", "N", "K")
_PARTS = (1, 2, 4, 8)
"""By these parts of a multiple a size is smaller than two multiples, or than one."""


def loosened(
    description: Description, limits: Limits, judge: Callable[[Description], IsRight], roles: Mapping[int, str]
) -> tuple[Description, Limits]:
    """The description with its rules, and with what sizes beside them showed: in which order two dimensions that were
    tried equal may be, and which multiples are not needed by all sizes. `roles` are what parameters are called, by
    their places; of two equal dimensions each is given to the parameter of its name.
    """
    if description.fixed or len(description.equal) > 1:
        return replace(description, rules=limits.rules), limits
    if description.equal:
        return _with_order(_as_called(description, roles), limits, judge)
    is_right = judge(description)
    rules = tuple(replace(one, is_loose=_is_loose(one, limits.rules, is_right)) for one in limits.rules)
    return replace(description, rules=rules), replace(limits, rules=rules)


def _as_called(description: Description, roles: Mapping[int, str]) -> Description:
    """The description with the names of its parameters in the place of those that are equal to them."""
    ((one, two),) = description.equal
    arguments = tuple(
        roles.get(place, text) if {text, roles.get(place)} == {one, two} else text
        for place, text in enumerate(description.arguments)
    )
    if arguments == description.arguments:
        return description
    other = one if two == "K" else ""
    grid = tuple(re.sub(r"\bK\b", other, text) if other else text for text in description.grid)
    return replace(description, arguments=arguments, grid=grid)


def _with_order(
    description: Description, limits: Limits, judge: Callable[[Description], IsRight]
) -> tuple[Description, Limits]:
    """With "N >= K" in the place of N = K where every size with N > K that was tried is right, or with "N <= K"."""
    ((one, two),) = description.equal
    known = {rule.dimension: rule for rule in limits.rules}
    of_pair = known.get(one) or known[two]
    rules = [replace(known.get(name, of_pair), dimension=name) for name in _DIMENSIONS]
    described, is_right = replace(description, rules=limits.rules), judge(description)
    shapes = shapes_allowed(rules, [(name,) for name in _DIMENSIONS], {})
    for sign, symbol in ((1, ">="), (-1, "<=")):
        beside = [shape for shape in shapes if sign * (dimension_of(shape, one) - dimension_of(shape, two)) > 0]
        if beside and all(is_right(shape) for shape in beside):
            found = replace(limits, tried=limits.tried + len(beside), right=(*limits.right, *beside))
            return replace(described, order=(one, symbol, two)), found
    return described, limits


def _is_loose(rule: SizeRule, rules: tuple[SizeRule, ...], is_right: IsRight) -> bool:
    """Whether a size is right that is no multiple, beside the least of the other dimensions."""
    if rule.multiple == 1 or rule.dimension not in _DIMENSIONS:
        return False
    least = {one.dimension: max(one.least, one.multiple) for one in rules}
    sizes = {two * rule.multiple - rule.multiple // part for part in _PARTS for two in (1, 2)}
    for size in sorted(one for one in sizes if one > 1 and one % rule.multiple):
        values = {**dict.fromkeys(_DIMENSIONS, 1), **least, rule.dimension: size}
        if is_right(Shape(values["M"], values["N"], values["K"])):
            return True
    return False
