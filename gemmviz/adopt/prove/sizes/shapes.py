"""Sizes of many forms at which a rule for sizes has to hold: what is a coincidence at one size shows at another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import lcm

from gemmviz.adopt.description import SizeRule
from gemmviz.domain.edge_case_sizes import FORMS, LARGE_AT_ONCE, ODD
from gemmviz.domain.kernels.compared_sizes import ComparedSizes, sizes_with_compared
from gemmviz.domain.shape import Shape

_FORMS = (
    *ODD,
    *FORMS,
    # half of a usual tile is left: in one dimension each, then in all of them
    *((24, 40, 56), (96, 32, 160), (192, 64, 64)),
    # one is left, or one is missing
    *((33, 17, 65), (17, 129, 33), (65, 33, 129), (31, 63, 127), (15, 47, 95), (127, 111, 31)),
    # equal dimensions
    *((21, 52, 52), (52, 21, 52), (2, 2, 2), (17, 17, 17), (136, 136, 20)),
    # two or three are multiples of large tiles
    *((128, 128, 20), (256, 128, 64), (20, 128, 128), (128, 20, 256)),
    # one is the next that a rule allows beyond a large power of two
    *((1025, 5, 9), (5, 1025, 9), (9, 5, 1025)),
    # one or two are large beside small ones
    *((720, 1, 1), (1, 720, 1), (1, 1, 720)),
    # A or B has more than 2**20 elements; so many of C would be short sums, of which one is tiny by chance
    *((1030, 1, 1030), (1, 1030, 1030)),
)
_CYCLE = 32
"""Of each dimension there is a size for each remainder of this number, as far as its rule allows one."""
_BESIDE = (1, 24, 200)
"""What the others are where a dimension is at the end of its rule."""
_MOST_PRODUCTS = 1 << 22
"""Beyond that a size is no cheap one."""
_MOST_LARGE_PRODUCTS = 1 << 29
_MOST_COMPARED, _MOST_COMPARED_PRODUCTS = 64, 1 << 26


def shapes_allowed(rules: Sequence[SizeRule], groups: Sequence[Sequence[str]], fixed: Mapping[str, int]) -> list[Shape]:
    """Sizes of every form that the rules allow, the smallest product first: equal dimensions, remainders of every sort,
    large beside small, and both ends of each rule. Each of the `groups` is dimensions that are equal, with a rule.
    """
    forms = (*_FORMS, *_ends(rules, groups), *_remainders())
    found = [one for one in _allowed_shapes(forms, rules, groups, fixed) if products_of(one) <= _MOST_PRODUCTS]
    return sorted(found, key=products_of)


def large_shapes(rules: Sequence[SizeRule], groups: Sequence[Sequence[str]], fixed: Mapping[str, int]) -> list[Shape]:
    """Sizes that the rules allow of which all dimensions are large at once, the smallest product first."""
    found = _allowed_shapes(LARGE_AT_ONCE, rules, groups, fixed)
    return [one for one in found if _MOST_PRODUCTS < products_of(one) <= _MOST_LARGE_PRODUCTS]


def compared_shapes(
    base: Shape,
    compared: ComparedSizes,
    rules: Sequence[SizeRule],
    groups: Sequence[Sequence[str]],
    fixed: Mapping[str, int],
) -> list[Shape]:
    """The sizes of `sizes_with_compared` that the rules allow, as far as they are not too large; the smallest first."""
    forms = sizes_with_compared((base.m, base.n, base.k), compared)
    found = [one for one in _allowed_shapes(forms, rules, groups, fixed) if products_of(one) <= _MOST_COMPARED_PRODUCTS]
    return sorted(found[:_MOST_COMPARED], key=products_of)


def products_of(shape: Shape) -> int:
    """The number of products of two elements that a matrix product of this size has."""
    return shape.m * shape.n * shape.k


def _allowed_shapes(
    forms: Iterable[tuple[int, int, int]],
    rules: Sequence[SizeRule],
    groups: Sequence[Sequence[str]],
    fixed: Mapping[str, int],
) -> list[Shape]:
    """The sizes nearest to each form that the rules allow, each once; dimensions that are equal stay so."""
    found: dict[Shape, None] = {}
    for form in forms:
        sizes = {rule: form["MNK".index(group[0])] for rule, group in zip(rules, groups, strict=True)}
        values = dict(fixed)
        for rule, group in zip(rules, groups, strict=True):
            equal = [one for one, size in sizes.items() if size == sizes[rule]]
            values |= dict.fromkeys(group, _allowed_by(equal, sizes[rule]) or _allowed(rule, sizes[rule]))
        found[Shape(values["M"], values["N"], values["K"])] = None
    return [*found]


def _remainders() -> Iterator[tuple[int, int, int]]:
    """Small sizes with every remainder of each dimension, of all three at once: each in another order."""
    for step in range(_CYCLE):
        yield 1 + 5 * step % _CYCLE, 1 + 11 * step % _CYCLE, _CYCLE + 1 + step


def _ends(rules: Sequence[SizeRule], groups: Sequence[Sequence[str]]) -> Iterator[tuple[int, int, int]]:
    """Each dimension at the least and the largest size of its rule, where it has them, beside small and large ones."""
    for rule, group in zip(rules, groups, strict=True):
        for end in (rule.least, rule.most):
            for beside in _BESIDE if end > 1 else ():
                m, n, k = (end if name in group else beside for name in "MNK")
                yield m, n, k


def _allowed_by(rules: Sequence[SizeRule], size: int) -> int:
    """The next size that several rules allow; 0 where there is none."""
    least, multiple = max((size, *(rule.least for rule in rules))), lcm(*(rule.multiple for rule in rules))
    size = -(-least // multiple) * multiple
    return 0 if any(rule.most and size > rule.most for rule in rules) else size


def _allowed(rule: SizeRule, size: int) -> int:
    """A size that a rule allows: the next one, or its largest."""
    size = max(rule.least, -(-size // rule.multiple) * rule.multiple)
    return min(size, rule.most // rule.multiple * rule.multiple) if rule.most else size
