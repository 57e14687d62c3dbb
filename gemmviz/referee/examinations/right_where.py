"""What the sizes have in common at which a wrong kernel is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product

from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape
from gemmviz.referee.finding import Case

_LEAST = 2
"""Sizes that are right, and that are wrong: one alone may be a coincidence."""
_MANY = 8
"""Wrong sizes beside which a single right one tells something."""
_MULTIPLES = (2, 4, 8, 16, 32, 64, 128)


def where_right(cases: Sequence[Case]) -> str:
    """The condition that holds at every size at which results were right, and at none at which they were wrong, as a
    sentence to go on with: " It is right at those of these sizes where M = N = K."; "" where there is no such. Cases
    with other values of parameters do not count.
    """
    own = [one for one in cases if one.shape and not one.other_value]
    wrong = {Shape.parse(one.shape) for one in own if one.failed or one.faulted}
    right = {Shape.parse(one.shape) for one in own} - wrong
    if len(right) == 1 and len(wrong) >= _MANY:
        (alone,) = right
        return f" Of these sizes it is right at {alone} alone{', where M = N = K' * _are_equal('MNK', alone)}."
    if min(len(right), len(wrong)) < _LEAST:
        return ""
    for words, holds in _conditions():
        if all(map(holds, right)) and not any(map(holds, wrong)):
            return f" It is right at those of these sizes where {words}."
    return ""


def _conditions() -> Iterator[tuple[str, Callable[[Shape], bool]]]:
    """Those on several dimensions first: where one on M and N holds, too, one on M alone would promise too much."""
    for names in ("MNK", "MN", "NK", "MK"):
        yield " = ".join(names), partial(_are_equal, names)
    for names, multiple in product(("MN", "MNK"), _MULTIPLES):
        yield f"{listed([*names])} are multiples of {multiple}", partial(_are_multiples, names, multiple)
    for multiple, name in product(_MULTIPLES, "MNK"):
        yield f"{name} is a multiple of {multiple}", partial(_are_multiples, name, multiple)


def _are_equal(names: str, shape: Shape) -> bool:
    return len({*_sizes(names, shape)}) == 1


def _are_multiples(names: str, multiple: int, shape: Shape) -> bool:
    return all(size % multiple == 0 for size in _sizes(names, shape))


def _sizes(names: str, shape: Shape) -> list[int]:
    """The dimensions of a size by their names."""
    return [{"M": shape.m, "N": shape.n, "K": shape.k}[name] for name in names]
