"""Which sizes a kernel takes, found by trying: multiples, least sizes, whether it is right where nothing divides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from gemmviz.adopt.description import Description, SizeRule, dimension_of
from gemmviz.adopt.prove.sizes.shapes import compared_shapes, large_shapes, products_of, shapes_allowed
from gemmviz.domain.edge_case_sizes import LONG
from gemmviz.domain.kernels.compared_sizes import NOTHING_COMPARED, ComparedSizes
from gemmviz.domain.shape import Shape

_MOST_MULTIPLE = 512
_LARGE = (LONG, 2048, 1024, 512)
"""Sizes far beyond the first: what a kernel keeps in arrays of a fixed size shows there."""
_BEYOND_16_BITS = (2**16 + 512, 2**15 + 512, *_LARGE)
"""Those of a kernel that counts in 16 bits."""
_TIMES = (1, 2, 3, 5, 8, 16, 32, 64)
"""How many multiples small sizes have at which a least one is looked for."""
_SMALL = 24
"""About the size of the dimensions beside one that is large."""
_MOST_PRODUCTS = 1 << 26
"""Of a product with a large dimension beside one that is fixed: the other is as small as that takes."""
_MOST_AT_ALL = 1 << 29
"""Beyond that no product is tried beside a fixed dimension: it would not end in time."""
_DIMENSIONS = ("M", "N", "K")

IsRight = Callable[[Shape], "bool | None"]
"""Whether the kernel's result is right at a size; None where it did not end in time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The rules that were found, the number of sizes that were tried, and those of them that were right and that the
    rules allow.
    """

    rules: tuple[SizeRule, ...]
    tried: int
    right: tuple[Shape, ...] = ()

    @property
    def largest(self) -> int:
        """How many dimensions have a largest size."""
        return sum(rule.most > 0 for rule in self.rules)


def limits_of(
    description: Description,
    base: Shape,
    is_right: IsRight,
    *,
    has_16_bits: bool = False,
    compared: ComparedSizes = NOTHING_COMPARED,
) -> Limits | None:
    """The rules for sizes of a kernel that is right at `base`; None where sizes that they allow are wrong. Of one that
    `has_16_bits` in its numbers each dimension is tried beyond what they count; sizes that it compares its own with are
    tried, too.

    Where a size seems to have a largest value, because what else must divide shows with larger ones only, the rules are
    those of a base beyond that value.
    """
    tried: dict[Shape, bool | None] = {}

    def right(shape: Shape) -> bool | None:
        if shape not in tried:
            tried[shape] = is_right(shape)
        return tried[shape]

    found = _limits(description, base, right, tried, compared, is_far=has_16_bits)
    if found is None:
        return None
    for rule in found.rules:
        edge = dimension_of(base, rule.dimension)
        larger = _with(base, (rule.dimension,), edge * (rule.most // edge + 1))
        if rule.most and right(larger):
            other = _limits(description, larger, right, tried, compared, is_far=has_16_bits)
            if other is not None and other.largest < found.largest:
                found = other
    return found


def _limits(
    description: Description,
    base: Shape,
    right: IsRight,
    tried: Mapping[Shape, bool | None],
    compared: ComparedSizes,
    *,
    is_far: bool,
) -> Limits | None:
    """`is_far`: sizes are tried beyond what 16 bits count."""
    groups = _groups(description)
    if not groups:
        return Limits((), 0)
    rules = least_rules(description, base, right)
    if rules is None:
        return None
    length = prod(size for _, size in description.fixed)
    few = min(_SMALL, max(1, _MOST_PRODUCTS // (LONG * length))) if description.fixed else _SMALL
    beside = [
        small if right(small := _small_beside(base, one, rules, groups, few, is_far=is_far)) else base for one in groups
    ]
    rules = [
        replace(
            rule,
            most=_most(
                small,
                group,
                rule.multiple,
                right,
                _large(compared.get(group[0], ()), is_far=is_far),
                is_beside_fixed=bool(description.fixed),
            ),
        )
        for rule, group, small in zip(rules, groups, beside, strict=True)
    ]
    together = base
    for rule, group in zip(rules, groups, strict=True):
        together = _with(together, group, dimension_of(base, group[0]) + 3 * rule.multiple)
    corners = _corners(base, rules, groups)
    fixed = dict(description.fixed)
    forms = [*shapes_allowed(rules, groups, fixed), *compared_shapes(base, compared, rules, groups, fixed)]
    # what did not end in time tells nothing
    if not right(together) or not all(map(right, corners)) or any(right(one) is False for one in forms):
        return None
    for large in large_shapes(rules, groups, fixed):
        found = right(large)
        if found is False:
            return None
        if found is None:  # a larger one would end later still
            break
    allowed = (shape for shape, found in tried.items() if found)
    allowed = (shape for shape in allowed if all(rule.allows(shape) for rule in rules))
    return Limits(tuple(rules), len(tried), tuple(allowed))


def _large(compared: Collection[int], *, is_far: bool) -> list[int]:
    """The large sizes of a dimension that are tried, from the largest on."""
    usual = _BEYOND_16_BITS if is_far else _LARGE
    return sorted({*usual, *(one for one in compared if LONG < one <= _BEYOND_16_BITS[0])}, reverse=True)


def least_rules(description: Description, base: Shape, is_right: IsRight) -> list[SizeRule] | None:
    """Of each dimension the least multiple that is right beside the others of the base, and the least size; None where
    there is no such multiple.
    """
    groups, rules = _groups(description), list[SizeRule]()
    for group in groups:
        size = dimension_of(base, group[0])
        divisors = [one for one in range(1, min(size, _MOST_MULTIPLE) + 1) if size % one == 0]
        multiple = next((one for one in divisors if _takes(base, group, one, is_right)), 0)
        if not multiple:
            return None
        rules.append(SizeRule(group[0], multiple))
    return [
        replace(rule, least=_least(base, group, rule.multiple, is_right))
        for rule, group in zip(rules, groups, strict=True)
    ]


def _corners(base: Shape, rules: Sequence[SizeRule], groups: Sequence[tuple[str, ...]]) -> Iterator[Shape]:
    """Sizes where one dimension is larger than the base's and all others are the least, as far as a kernel takes them:
    what a dimension must be for another shows there.
    """
    for large in rules:
        shape = base
        for rule, group in zip(rules, groups, strict=True):
            least = max(rule.least, rule.multiple)
            size = dimension_of(base, group[0]) + 3 * rule.multiple
            shape = _with(shape, group, least if rule is not large else min(size, rule.most or size))
        yield shape


def _groups(description: Description) -> list[tuple[str, ...]]:
    """Dimensions that change together: those that must be equal are one group. Constants do not change."""
    groups = [[name] for name in _DIMENSIONS]
    for one, two in description.equal:
        first, second = (next(group for group in groups if name in group) for name in (one, two))
        if first is not second:
            first.extend(second)
            groups.remove(second)
    fixed = dict(description.fixed)
    return [tuple(group) for group in groups if group[0] not in fixed]


def _takes(base: Shape, group: tuple[str, ...], multiple: int, right: IsRight) -> bool:
    size = dimension_of(base, group[0])
    return all(right(_with(base, group, size + times * multiple)) for times in (1, 3))


def _least(base: Shape, group: tuple[str, ...], multiple: int, right: IsRight) -> int:
    """The least size from which on all that were tried are right, where the multiple below it is wrong."""
    size = dimension_of(base, group[0])
    least, wrong = size // multiple, 0
    for one in sorted((one for one in _TIMES if multiple * one < size), reverse=True):
        if not right(_with(base, group, multiple * one)):
            wrong = one
            break
        least = one
    while wrong and least > wrong + 1:
        middle = (least + wrong) // 2
        if right(_with(base, group, multiple * middle)):
            least = middle
        else:
            wrong = middle
    return least * multiple if wrong else 1


def _small_beside(
    base: Shape,
    group: tuple[str, ...],
    rules: Sequence[SizeRule],
    groups: Sequence[tuple[str, ...]],
    few: int,
    *,
    is_far: bool,
) -> Shape:
    """The base, with K small where M or N is to be large, and the other way round: a large product takes long. Where
    it is to be larger than usual (`is_far`), all others are small. `few` is how small, as far as the rules allow.
    """
    for rule, other in zip(rules, groups, strict=True):
        if other != group and len(other) == 1 and (is_far or ("K" in group) != ("K" in other)):
            small = max(rule.least, -(-few // rule.multiple) * rule.multiple)
            base = _with(base, other, min(small, dimension_of(base, other[0])))
    return base


def _most(
    base: Shape, group: tuple[str, ...], multiple: int, right: IsRight, sizes: Sequence[int], *, is_beside_fixed: bool
) -> int:
    """The largest size that is right, where the next multiple is wrong; 0 where no larger one is."""
    if len(group) > 1:  # two or three dimensions at once: the product would be too large
        return 0
    least, wrong = dimension_of(base, group[0]) // multiple + 3, 0
    for large in sizes:
        one = -(-large // multiple)
        if one <= least:
            break
        if is_beside_fixed and products_of(_with(base, group, one * multiple)) > _MOST_AT_ALL:
            continue
        found = right(_with(base, group, one * multiple))
        if found:
            least = one
            break
        wrong = one if found is False else wrong
    while wrong > least + 1:
        middle = (least + wrong) // 2
        if right(_with(base, group, middle * multiple)):
            least = middle
        else:
            wrong = middle
    return least * multiple if wrong else 0


def _with(shape: Shape, group: tuple[str, ...], size: int) -> Shape:
    values = {"M": shape.m, "N": shape.n, "K": shape.k, **dict.fromkeys(group, size)}
    return Shape(values["M"], values["N"], values["K"])
