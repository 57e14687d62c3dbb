"""Rules for sizes that leave right sizes out: an equality where an inequality is enough, a multiple that is not always
needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from gemmviz.adopt.description import Description, SizeRule, dimension_of
from gemmviz.adopt.prove.sizes.limits import IsRight, Limits
from gemmviz.adopt.prove.sizes.shapes import shapes_allowed
from gemmviz.domain.shape import Shape

_DIMENSIONS = ("M", "N", "K")
_PARTS = (1, 2, 4, 8)
_TIMES = (1, 2, 3, 4)
"""By these parts of a multiple a size is smaller than so many multiples."""
_LARGE = 200
_MOST_LEFT_OUT = 24
"""Sizes that a rule leaves out which are tried."""


def loosened(
    description: Description, limits: Limits, judge: Callable[[Description], IsRight], roles: Mapping[int, str]
) -> tuple[Description, Limits]:
    """The description with its rules, and with what sizes beside them showed: in which order two dimensions that were
    tried equal may be, and which sizes are right that are no multiples. `roles` are what parameters are called, by
    their places; of two equal dimensions each is given to the parameter of its name.
    """
    is_of_products = any(one.dimension not in _DIMENSIONS for one in limits.rules)
    if description.fixed or len(description.equal) > 1 or is_of_products:
        return replace(description, rules=limits.rules), limits
    if description.equal:
        return _with_order(_as_called(description, roles), limits, judge)
    rules, right, tried = [*limits.rules], limits.right, limits.tried
    for place, rule in enumerate(limits.rules):
        if _is_loose(rule, limits.rules, judge(description)):
            found = _with_further_sizes(rule, limits.rules, judge(description))
            rules[place], right, tried = found.rule, (*right, *found.right), tried + found.tried
    return replace(description, rules=tuple(rules)), replace(limits, rules=tuple(rules), right=right, tried=tried)


@dataclass(frozen=True, slots=True)
class _FurtherSizes:
    """A rule that takes more sizes than its multiples, those of them that were right, and how many were tried."""

    rule: SizeRule
    right: tuple[Shape, ...]
    tried: int


def _with_further_sizes(rule: SizeRule, rules: tuple[SizeRule, ...], is_right: IsRight) -> _FurtherSizes:
    """The rule with which other sizes are right, too: those with whole groups of tiles, and all beside small sizes of
    another dimension. It holds at every size of many forms; where it leaves right ones out it stays loose.
    """
    others = [one for one in rules if one.dimension != rule.dimension]
    candidates = (
        replace(rule, tile=tile, beside=beside)
        for tile in (_tile(rule, others, is_right), 0)
        for beside in (_beside(rule, others, is_right), None)
        if tile or beside
    )
    free = [replace(one, multiple=1) if one is rule else one for one in rules]
    shapes = [one for one in shapes_allowed(free, [(one.dimension,) for one in rules], {}) if not rule.allows(one)]
    found: dict[Shape, bool | None] = {}
    for candidate in dict.fromkeys(candidates):
        allowed = [one for one in shapes if candidate.allows(one)]
        for shape in allowed:
            if shape not in found:
                found[shape] = is_right(shape)
            if not found[shape]:
                break
        else:
            left_out = [one for one in shapes if not candidate.allows(one)][:_MOST_LEFT_OUT]
            found |= {one: is_right(one) for one in left_out if one not in found}
            is_loose = any(found[one] for one in left_out)
            right = tuple(one for one in allowed if found[one])
            return _FurtherSizes(replace(candidate, is_loose=is_loose), right, len(found))
    return _FurtherSizes(replace(rule, is_loose=True), (), len(found))


def _tile(rule: SizeRule, others: Sequence[SizeRule], is_right: IsRight) -> int:
    """The largest size of a tile with which sizes are right that fill whole groups of tiles but for a part of the last
    tile, beside large sizes of the other dimensions; 0 where none is.
    """
    beside = {one.dimension: _large(one) for one in others}
    for tile in (one for one in range(rule.multiple // 2, 1, -1) if rule.multiple % one == 0):
        sizes = (times * rule.multiple - tile + 1 for times in (1, 2, 3))
        if all(is_right(_shape({**beside, rule.dimension: size})) for size in sizes):
            return tile
    return 0


def _beside(rule: SizeRule, others: Sequence[SizeRule], is_right: IsRight) -> tuple[str, int] | None:
    """Another dimension, and the largest size of it beside which a size is right that is no multiple; None where that
    is so beside no size, or beside a large one.
    """

    def is_right_beside(one: SizeRule, times: int) -> bool:
        size = one.multiple * times
        sizes = {two.dimension: size if two is one else _large(two) for two in others}
        return all(is_right(_shape({**sizes, rule.dimension: k * rule.multiple + 1})) for k in (1, 2))

    for one in others:
        least, wrong = max(1, -(-one.least // one.multiple)), _large(one) // one.multiple
        if not is_right_beside(one, least) or is_right_beside(one, wrong):
            continue
        while wrong > least + 1:
            middle = (least + wrong) // 2
            least, wrong = (middle, wrong) if is_right_beside(one, middle) else (least, middle)
        return one.dimension, least * one.multiple
    return None


def _large(rule: SizeRule) -> int:
    """A size of another dimension that is larger than usual tiles, as far as its rule allows one."""
    size = max(rule.least, -(-_LARGE // rule.multiple) * rule.multiple)
    return min(size, rule.most // rule.multiple * rule.multiple) if rule.most else size


def _shape(sizes: Mapping[str, int]) -> Shape:
    return Shape(sizes["M"], sizes["N"], sizes["K"])


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
    sizes = {times * rule.multiple - rule.multiple // part for part in _PARTS for times in _TIMES}
    for size in sorted(one for one in sizes if one > 1 and one % rule.multiple):
        values = {**dict.fromkeys(_DIMENSIONS, 1), **least, rule.dimension: size}
        if is_right(Shape(values["M"], values["N"], values["K"])):
            return True
    return False
