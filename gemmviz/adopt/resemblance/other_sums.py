"""Results that combine rows and columns of two matrices as no product does, and how near a result is to a product."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from gemmviz.adopt.prove.evidence import Operand, Places, Traces, product_sums
from gemmviz.adopt.prove.launcher import TryError
from gemmviz.adopt.prove.machine import Flat
from gemmviz.adopt.reasons import FaultKind, Reason
from gemmviz.adopt.resemblance.observation import LEAST, NamedProducts, Observation, holds, inputs_of, said, sampled

_KINDS: Mapping[str, Callable[[Flat, Flat], Flat]] = {
    "the largest {}[row,k] + {}[k,column]": lambda one, two: np.max(one + two, axis=1),
    "the smallest {}[row,k] + {}[k,column]": lambda one, two: np.min(one + two, axis=1),
    "the largest {}[row,k]·{}[k,column]": lambda one, two: np.max(one * two, axis=1),
    "the smallest {}[row,k]·{}[k,column]": lambda one, two: np.min(one * two, axis=1),
    "the sum of |{}[row,k] − {}[k,column]|": lambda one, two: np.sum(np.abs(one - two), axis=1),
    "the sum of ({}[row,k] − {}[k,column])²": lambda one, two: np.sum(np.square(one - two), axis=1),
    "the sum of {}[row,k] + {}[k,column]": lambda one, two: np.sum(one + two, axis=1),
}
_FEW = 3
"""Elements that are compared before all others."""
_FOLLOWS = 0.7
"""The least correlation with which elements follow a product: of several hundred products one has 0.5 by chance."""


def with_other_sums(seen: Observation, first: Traces) -> Iterator[Reason]:
    """Other sums or extremes over k, as of the tropical product of shortest paths."""
    places, inputs = sampled(first), inputs_of(first)
    if places.size < LEAST:
        return
    few = places[:: -(-places.size // _FEW)]
    pairs = [(one, two) for one in inputs for two in inputs if one != two]
    for line, (one, two), depth in product(seen.lines, pairs, seen.lines):
        lefts = _held(inputs[one], _sides(one, seen, is_left=True), few, line, depth)
        rights = _held(inputs[two], _sides(two, seen, is_left=False), few, line, depth)
        for (left, first_held), (right, second_held) in product(lefts, rights):
            for formula, kind in _KINDS.items():
                if not holds(first, kind(first_held, second_held), few):
                    continue
                every = _elements(inputs, left, right, places, line, depth)
                if every is not None and holds(first, kind(*every), places):
                    names = [f"{seen.names[one.operand.pointer]}{'ᵀ' * one.operand.is_turned}" for one in (left, right)]
                    words = f"{formula.format(*names)} over k < {depth}"
                    yield said("another operation than a sum of products", words, places.size)


def _held(held: Flat, sides: Sequence[_Side], places: Places, line: int, depth: int) -> list[tuple[_Side, Flat]]:
    """What a matrix has at each place of a result for each k, on the sides on which it does not end before."""
    found = ((side, side.elements(held, places, line, depth)) for side in sides)
    return [(side, elements) for side, elements in found if elements is not None]


def _elements(
    inputs: Mapping[int, Flat], left: _Side, right: _Side, places: Places, line: int, depth: int
) -> tuple[Flat, Flat] | None:
    """What two matrices have at each place of a result for each k; None where one of them ends before."""
    one = left.elements(inputs[left.operand.pointer], places, line, depth)
    two = right.elements(inputs[right.operand.pointer], places, line, depth)
    return (one, two) if one is not None and two is not None else None


@dataclass(frozen=True, slots=True)
class _Side:
    """A matrix on the left of a product, or on the right."""

    operand: Operand
    is_left: bool

    def elements(self, held: Flat, places: Places, line: int, depth: int) -> Flat | None:
        """What it has at each place of a result for each k; None where it ends before."""
        lying, k = (places // line if self.is_left else places % line)[:, None], np.arange(depth)
        is_across = self.operand.is_turned == self.is_left
        index = k * self.operand.line + lying if is_across else lying * self.operand.line + k
        return held.take(index) if index.max() < held.size else None


def _sides(pointer: int, seen: Observation, *, is_left: bool) -> list[_Side]:
    return [_Side(Operand(pointer, line, is_turned), is_left) for line in seen.lines for is_turned in (False, True)]


def written_part(seen: Observation) -> Reason | None:
    """What one block wrote, and how near that is to a product: the first element as it is and as it would be."""
    try:
        first = seen.trial.run(seen.geometry, (1, 1, 1))
    except TryError:
        return None
    written, places, name = first.written, sampled(first), seen.names[first.result]
    count = f"{written.size} element{'s'[: written.size != 1]} of {name}"
    block = " × ".join(str(one) for one in seen.geometry.block if one > 1) or "1"
    threads = f"{block} thread{'s'[: block != '1']}"
    found = f"a block of {threads} changed {count}; {name}[{written[0]}] is {first.after[written[0]]:.6g}"
    best = (0.0, "", 0.0)
    for line in seen.lines:
        made = product_sums(first, places, line, seen.lines, seen.lines)
        if made is None:
            continue
        follows = np.where(made.is_one()[:, :, None], 0.0, _correlations(made.sums, first.after[places]))
        at = np.unravel_index(int(np.argmax(follows)), follows.shape)
        is_chosen = np.zeros(follows.shape[:2], dtype=np.bool_)
        is_chosen[at[:2]] = True
        words = NamedProducts(made, seen.names, made.is_one()).first(is_chosen)
        best = max(best, (float(follows[at]), words, float(made.sums[at][0])))
    follows_by, words, value = best
    if places.size < LEAST:
        return Reason(found)
    if follows_by < _FOLLOWS:
        words = f"{found}, and no product of two of its matrices is alike in the {places.size} elements compared"
        return Reason(words, FaultKind.UNLIKE)
    return Reason(
        f"{found}; nearest is {words}, which is {value:.6g} there: over {places.size} elements the two correlate by "
        f"{follows_by:.2f}, so look at what is done before, within or behind the sum"
    )


def _correlations(sums: Flat, found: Flat) -> Flat:
    """How far elements follow sums, along the last axis: from 0, not at all, to 1."""
    one, two = sums - sums.mean(axis=-1, keepdims=True), found - found.mean()
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.abs((one * two).sum(axis=-1)) / np.sqrt(np.square(one).sum(axis=-1) * np.square(two).sum())
    return np.asarray(np.nan_to_num(ratio))
