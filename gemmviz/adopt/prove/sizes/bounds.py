"""Sizes of a kernel that is right while a product of two dimensions, or a number of tiles, is small enough."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from gemmviz.adopt.description import Description, SizeRule, dimension_of
from gemmviz.adopt.prove.sizes.limits import IsRight, Limits, least_rules
from gemmviz.adopt.prove.sizes.shapes import large_shapes, products_of, shapes_allowed
from gemmviz.domain.shape import Shape

_DIMENSIONS = ("M", "N", "K")
_PRODUCTS = ("M * N", "M * K", "N * K")
_TILES = re.compile(r"ceil_div\(([MN]), (\d+)\)")
_HELD = (1, 16, 256)
"""About the sizes of one dimension with each of which the largest one of the other is looked for."""
_LARGEST = 1 << 17
_MOST_PRODUCTS = 1 << 22
"""How far a dimension is looked at."""


class _Tried:
    """Sizes that were tried, and whether each was right; None for one that did not end in time."""

    def __init__(self, is_right: IsRight) -> None:
        self._is_right = is_right
        self.found: dict[Shape, bool | None] = {}

    def __call__(self, shape: Shape) -> bool | None:
        if shape not in self.found:
            self.found[shape] = self._is_right(shape)
        return self.found[shape]

    def shapes(self, is_right: bool) -> list[Shape]:
        return [shape for shape, found in self.found.items() if found is is_right]


def limits_of_bounds(description: Description, base: Shape, is_right: IsRight) -> Limits | None:
    """The rules of a kernel that is right up to a largest value of one or more products of two dimensions, or of a
    product or sum of its tiles along M and N: at every size of many forms that they allow. None where there are none.
    """
    if description.equal or description.fixed:
        return None
    tried = _Tried(is_right)
    rules = least_rules(description, base, tried)
    if rules is None:
        return None
    groups, texts = [(one,) for one in _DIMENSIONS], _texts(description)
    for shape in (*shapes_allowed(rules, groups, {}), *large_shapes(rules, groups, {})):
        if tried(shape) is False and not _explanations(texts, rules, tried):
            return None
    for chosen in _explanations(texts, rules, tried):
        bounds = [_bound(text, rules, tried) for text in chosen]
        ruled = (*rules, *(one for one in bounds if one is not None))
        if None not in bounds and _holds(ruled, tried):
            return Limits(_marked(ruled, tried), len(tried.found), tuple(_allowed(ruled, tried.shapes(True))))
    return None


def _texts(description: Description) -> tuple[str, ...]:
    """What may have a largest value."""
    tiles = {found[1]: found[0] for text in description.grid for found in _TILES.finditer(text)}
    signs = ("*", "+") if len(tiles) == 2 else ()
    return (*_PRODUCTS, *(f"{tiles['M']} {sign} {tiles['N']}" for sign in signs))


def _explanations(texts: Sequence[str], rules: Sequence[SizeRule], tried: _Tried) -> list[tuple[str, ...]]:
    """The smallest choices of texts with which each wrong size has a larger value of one of them than every right one;
    [] where there is none, or nothing was wrong that the rules allow.
    """
    wrong = [*_allowed(rules, tried.shapes(False))]
    explained = dict[str, set[Shape]]()
    for text in texts:
        most = max((dimension_of(one, text) for one in tried.shapes(True)), default=0)
        explained[text] = {one for one in wrong if dimension_of(one, text) > most}
    for count in range(1, len(_PRODUCTS) + 1 if wrong else 0):
        chosen = combinations(texts, count)
        found = [one for one in chosen if set().union(*(explained[text] for text in one)) >= {*wrong}]
        if found:
            return found
    return []


def _bound(text: str, rules: Sequence[SizeRule], tried: _Tried) -> SizeRule | None:
    """The largest value of a text that is right, where each larger one that was tried along it is wrong; None where it
    has none within reach.
    """
    first, second = (next(one for one in rules if one.dimension == name) for name in re.findall(r"\b[MNK]\b", text))
    right, wrong = list[int](), list[int]()
    for held in _HELD:
        sizes = {one.dimension: max(one.least, one.multiple) for one in rules}
        sizes[first.dimension] = max(sizes[first.dimension], -(-held // first.multiple) * first.multiple)
        edges = _edges(sizes, second, tried)
        if edges is None:
            continue
        right.append(dimension_of(edges[0], text))
        wrong.append(dimension_of(edges[1], text))
    below = [one for one in right if one < min(wrong)]
    return SizeRule(text, most=max(below)) if len(right) > 1 and below else None


def _edges(
    sizes: Mapping[str, int], varied: SizeRule, is_right: Callable[[Shape], bool | None]
) -> tuple[Shape, Shape] | None:
    """The largest right size and the next one, which is wrong, where one dimension varies; None for no such."""

    def shape(times: int) -> Shape:
        size = {**sizes, varied.dimension: times * varied.multiple}
        return Shape(size["M"], size["N"], size["K"])

    least = max(1, -(-varied.least // varied.multiple))
    if not is_right(shape(least)):
        return None
    wrong = least * 2
    while (found := is_right(shape(wrong))) and wrong * varied.multiple <= _LARGEST:
        least, wrong = wrong, wrong * 2
        if products_of(shape(wrong)) > _MOST_PRODUCTS:
            return None
    if found is not False:
        return None
    while wrong > least + 1:
        middle = (least + wrong) // 2
        found = is_right(shape(middle))
        if found is None:
            return None
        least, wrong = (middle, wrong) if found else (least, middle)
    return shape(least), shape(wrong)


def _holds(rules: Sequence[SizeRule], tried: _Tried) -> bool:
    """Whether no size that the rules allow is wrong, of those that were tried and of many near the bounds."""
    for shape in _allowed(rules, [*_near(rules)]):
        tried(shape)
    return not [*_allowed(rules, tried.shapes(False))]


def _near(rules: Sequence[SizeRule]) -> Iterator[Shape]:
    """Sizes near each bound with a dimension of many sizes, and the third one small."""
    plain = {one.dimension: one for one in rules if one.dimension in _DIMENSIONS}
    for bound in (one for one in rules if one.dimension not in _DIMENSIONS):
        first, second = re.findall(r"\b[MNK]\b", bound.dimension)
        (third,) = {*_DIMENSIONS} - {first, second}
        for edge in (3, 24, 40, 90, 200, 500):
            sizes = {third: max(plain[third].least, plain[third].multiple)}
            sizes[first] = max(plain[first].least, -(-edge // plain[first].multiple) * plain[first].multiple)
            step, times = plain[second].multiple, 1 << 12
            sizes[second] = step * times
            while times and dimension_of(Shape(*(sizes[one] for one in _DIMENSIONS)), bound.dimension) > bound.most:
                times -= max(1, times // 64)
                sizes[second] = max(1, step * times)
            if times:
                yield Shape(*(sizes[one] for one in _DIMENSIONS))


def _allowed(rules: Sequence[SizeRule], shapes: Sequence[Shape]) -> Iterator[Shape]:
    return (shape for shape in shapes if all(rule.allows(shape) for rule in rules))


def _marked(rules: Sequence[SizeRule], tried: _Tried) -> tuple[SizeRule, ...]:
    """The rules, with those marked that leave out a size that is right."""
    right = tried.shapes(True)
    return tuple(
        replace(one, is_loose=one.dimension not in _DIMENSIONS and not all(map(one.allows, right))) for one in rules
    )
