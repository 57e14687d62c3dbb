"""Sizes that the rules of a description admit, found by trying, as where N has to be M * M."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2

from gemmviz.catalogue.expressions import DIMENSIONS, ExpressionError, evaluate, with_numbers
from gemmviz.catalogue.size_words import conditions_of, dimensions_of
from gemmviz.domain.edge_case_sizes import Sizes

_USUAL = 64
_TRIED = {
    0: (),
    1: (*range(1, 301), *range(320, 4097, 64)),
    2: (*range(1, 129), *range(144, 513, 16)),
    3: tuple(range(1, 65)),
}
"""What is tried of each dimension that follows from no other one, by how many such dimensions the rules name."""
_FURTHER = tuple(range(16, 257, 16))
"""Of three dimensions, where the smaller sizes do not suit."""
_LARGEST = 1 << 22
_MOST_EVALUATED = 400_000
"""Conditions that are evaluated: about 4 s."""


def admitted_sizes(rules: Sequence[str], names: Mapping[str, int], base: Sizes) -> list[Sizes]:
    """Sizes that hold to all rules, the most telling first; dimensions that no rule names are those of `base`. `names`
    are the values of all else that the rules name. Nothing where the sizes that are tried do not suit.
    """
    others = {name: value for name, value in names.items() if name not in DIMENSIONS}
    search = _Search([part for rule in rules for part in conditions_of(with_numbers(rule, others))], base)
    found = list(search.sizes(_TRIED[len(search.free)]))
    if not found and len(search.free) == len(DIMENSIONS):
        found = list(search.sizes(_FURTHER))
    return sorted(dict.fromkeys(found), key=_rank)


def is_coupled(rules: Sequence[str], names: Mapping[str, int]) -> bool:
    """Whether a rule binds dimensions to each other in another way than that they are equal."""
    others = {name: value for name, value in names.items() if name not in DIMENSIONS}
    parts = [part for rule in rules for part in conditions_of(with_numbers(rule, others))]
    return any(len(dimensions_of(part)) > 1 and not _is_equality_of_names(part) for part in parts)


def _is_equality_of_names(part: ast.expr) -> bool:
    match part:
        case ast.Compare(left=ast.Name(), ops=[ast.Eq()], comparators=[ast.Name()]):
            return True
    return False


def _rank(sizes: Sizes) -> tuple[int, int, float]:
    """The more telling, the less: dimensions of 1, dimensions that are the same, and the distance from usual sizes."""
    return sizes.count(1), -len(set(sizes)), sum(abs(log2(one / _USUAL)) for one in sizes)


@dataclass(slots=True)
class _Search:
    """Tries sizes of the dimensions that are `free`; others follow from them (`derived`), or are those of `base`."""

    conditions: Sequence[ast.expr]
    base: Sizes
    free: list[str] = field(init=False)
    derived: dict[str, str] = field(init=False)
    _texts: list[tuple[set[str], str]] = field(init=False)
    _left: int = _MOST_EVALUATED

    def __post_init__(self) -> None:
        named = set().union(*map(dimensions_of, self.conditions))
        self.derived = _derived(self.conditions)
        self.free = [name for name in DIMENSIONS if name in named and name not in self.derived]
        self._texts = [(dimensions_of(part), ast.unparse(part)) for part in self.conditions]

    def sizes(self, tried: Sequence[int]) -> Iterator[Sizes]:
        self._left = _MOST_EVALUATED
        begun = {
            name: size
            for name, size in zip(DIMENSIONS, self.base, strict=True)
            if name not in self.free and name not in self.derived
        }
        yield from self._assigned(begun, self.free, tried)

    def _assigned(self, values: dict[str, int], free: Sequence[str], tried: Sequence[int]) -> Iterator[Sizes]:
        known = self._completed(values)
        if known is None or not self._hold(set(known) - set(values), known, is_first=len(free) == len(self.free)):
            return
        if not free:
            yield known["M"], known["N"], known["K"]
            return
        for size in tried:
            if self._left <= 0:
                return
            more = {**known, free[0]: size}
            if self._hold({free[0]}, more):
                yield from self._assigned(more, free[1:], tried)

    def _completed(self, values: dict[str, int]) -> dict[str, int] | None:
        """The values with those that follow from them; None where one is no size."""
        known = dict(values)
        for name, text in self.derived.items():
            if name not in known and dimensions_of(ast.parse(text, mode="eval")) <= set(values):
                size = self._value(text, values)
                if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= _LARGEST:
                    return None
                known[name] = size
        return known

    def _hold(self, new: set[str], known: Mapping[str, int], *, is_first: bool = False) -> bool:
        """Whether the conditions hold that can be checked since dimensions are known that are `new`."""
        return all(
            bool(self._value(text, known))
            for dimensions, text in self._texts
            if dimensions <= set(known) and (is_first or dimensions & new)
        )

    def _value(self, text: str, values: Mapping[str, int]) -> object:
        self._left -= 1
        try:
            return evaluate(text, values)
        except ExpressionError:
            return None


def _derived(conditions: Sequence[ast.expr]) -> dict[str, str]:
    """The dimensions that equations give, each by the others that it follows from: {"N": "M * M"}."""
    found: dict[str, str] = {}
    sources: set[str] = set()
    for part in conditions:
        match part:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                for one, other in ((left, right), (right, left)):
                    of = dimensions_of(other)
                    is_size = isinstance(one, ast.Name) and one.id in DIMENSIONS
                    if is_size and not {ast.unparse(one)} & {*of, *found, *sources} and not of & set(found):
                        found[ast.unparse(one)] = ast.unparse(other)
                        sources |= of
                        break
    return found
