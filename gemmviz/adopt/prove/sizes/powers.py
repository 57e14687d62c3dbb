"""Sizes of a kernel of which one dimension must be a power of two, as where an index is taken by a mask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gemmviz.adopt.description import Description, SizeRule, dimension_of
from gemmviz.adopt.prove.sizes.limits import IsRight, Limits, limits_of
from gemmviz.domain.shape import Shape

_POWERS = tuple(1 << place for place in range(12))
_LEAST_EDGE = 16
"""Of a first size with which a power of two is told from a multiple."""
_BESIDE = (1, 5, 24)
"""What the other dimensions are, in multiples of theirs, at each power."""


def limits_of_powers(description: Description, base: Shape, is_right: IsRight) -> Limits | None:
    """The rules of a kernel that is right where N, K or M is a power of two, from a least one on, and wrong at every
    other size of it that was tried; None where no dimension is so.
    """
    tried: dict[Shape, bool | None] = {}

    def right(shape: Shape) -> bool | None:
        if shape not in tried:
            tried[shape] = is_right(shape)
        return tried[shape]

    free = [name for name in "NKM" if name not in dict(description.fixed) and not description.equal]
    for name in free:
        edge = dimension_of(base, name)
        if edge < _LEAST_EDGE or edge & (edge - 1):
            continue
        between = (edge * 3 // 2, edge * 3, edge * 3 // 4, edge * 5 // 4, edge + 1)
        if any(right(_with(base, name, size)) is not False for size in between):
            continue
        others = _rules_beside(description, name, (base, _with(base, name, edge * 2)), right)
        if others is None:
            continue
        known = [one for one in _POWERS if all(right(shape) is not False for shape in _shapes(name, one, others))]
        rule = _rule_around(name, edge, known)
        if rule is None:
            continue
        rules = {one.dimension: one for one in (*others, rule)}
        ordered = tuple(rules[one] for one in "MNK" if one in rules)
        sizes = (shape for shape, found in tried.items() if found)
        return Limits(ordered, len(tried), tuple(one for one in sizes if all(rule.allows(one) for rule in ordered)))
    return None


def _rules_beside(
    description: Description, name: str, bases: Sequence[Shape], is_right: IsRight
) -> tuple[SizeRule, ...] | None:
    """The rules for the other dimensions, the same with each of two powers; None where there are no such."""
    found = list[tuple[SizeRule, ...]]()
    for base in bases:
        fixed = (*description.fixed, (name, dimension_of(base, name)))
        limits = limits_of(replace(description, fixed=fixed), base, is_right)
        if limits is None or (found and found[0] != limits.rules):
            return None
        found.append(limits.rules)
    return found[0]


def _rule_around(name: str, edge: int, right: Sequence[int]) -> SizeRule | None:
    """The rule for the powers that are right from a least to a largest one; None where the first size is not, or where
    a wrong one lies between right ones.
    """
    if edge not in right:
        return None
    least, most = min(right), max(right)
    if [one for one in _POWERS if least <= one <= most] != [*right]:
        return None
    return SizeRule(name, least=least, most=0 if most == _POWERS[-1] else most, is_power=True)


def _shapes(name: str, power: int, others: Sequence[SizeRule]) -> Iterator[Shape]:
    """Sizes that the rules for the other dimensions allow, small and different ones."""
    for turn, _ in enumerate(_BESIDE):
        values = {name: power}
        for place, rule in enumerate(others):
            times = _BESIDE[(turn + place) % len(_BESIDE)]
            size = max(rule.least, rule.multiple) + rule.multiple * (times - 1)
            values[rule.dimension] = min(size, rule.most // rule.multiple * rule.multiple) if rule.most else size
        yield Shape(values["M"], values["N"], values["K"])


def _with(shape: Shape, name: str, size: int) -> Shape:
    values = {"M": shape.m, "N": shape.n, "K": shape.k, name: size}
    return Shape(values["M"], values["N"], values["K"])
