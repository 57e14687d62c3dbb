"""What a kernel wrote in a trial, and the words for what that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.adopt.prove.evidence import Places, ProductSums, Traces, are_near, is_first_near
from gemmviz.adopt.prove.launcher import BlockGeometry
from gemmviz.adopt.prove.machine import Flat
from gemmviz.adopt.prove.trial import Trial
from gemmviz.adopt.reasons import FaultKind, Reason

SAMPLES, LEAST = 64, 8
"""Elements that are compared, and the fewest of which anything is said."""
LOOKS_LIKE = "it looks like"
PRODUCTS_ONLY = "gemmviz describes products of two matrices only"


@dataclass(frozen=True, slots=True)
class Observation:
    """A kernel with numbers and a block with which it ran; `names` are what its parameters are called."""

    trial: Trial
    geometry: BlockGeometry
    names: Sequence[str]

    @property
    def lines(self) -> list[int]:
        """Lengths of rows, columns and sums that are tried."""
        return sorted({one for one in self.trial.numbers.values() if one > 0})


def said(
    what: str,
    formula: str,
    compared: int,
    remedy: str = PRODUCTS_ONLY,
    kind: FaultKind = FaultKind.LOOKS_LIKE,
) -> Reason:
    """That a kernel looks like something: the formula that so many compared elements follow, and what to do."""
    elements = "the one element that it wrote" if compared == 1 else f"each of {compared} elements that were compared"
    return Reason(f"{LOOKS_LIKE} {what}: in a trial {elements} is {formula}; {remedy}", kind)


def sampled(traces: Traces) -> Places:
    """Up to SAMPLES of the places that were written, the first and the last among them, ascending."""
    places = traces.written
    if places.size <= SAMPLES:
        return places
    return np.unique(np.r_[places[[0, -1]], np.random.default_rng(3).choice(places, SAMPLES)])


def holds(traces: Traces, expected: Flat, places: Places) -> bool:
    """Whether the elements at these places are what is expected."""
    return is_first_near(traces, expected, places) and bool(are_near(traces, expected, places)[0])


def inputs_of(traces: Traces) -> dict[int, Flat]:
    """What lay behind each pointer but the result's before the launch."""
    return {place: held for place, held in traces.before.items() if place != traces.result}


@dataclass(frozen=True, slots=True)
class NamedProducts:
    """Products of every two matrices, named as the parameters are; `is_one` marks those of a matrix with itself."""

    made: ProductSums
    names: Sequence[str]
    is_one: NDArray[np.bool_]

    def first(self, chosen: NDArray[np.bool_]) -> str:
        """The first of the chosen products in words, a matrix that lies column by column as transposed: "A·Bᵀ"."""
        left, right = np.argwhere(chosen)[0]
        pair = (self.made.lefts[left], self.made.rights[right])
        written = ((self.names[one.pointer], one.is_turned) for one in pair)
        return "·".join(
            (f"({name})ᵀ" if name.endswith("_") else f"{name}ᵀ") if is_turned else name for name, is_turned in written
        )

    def depth(self, chosen: NDArray[np.bool_]) -> int:
        """How many terms the sums of the first of the chosen products have, by the length of a row of its left or a
        column of its right matrix; 0 where both lie the other way round, and nothing says it.
        """
        left, right = np.argwhere(chosen)[0]
        one, two = self.made.lefts[left], self.made.rights[right]
        return one.line if not one.is_turned else two.line if two.is_turned else 0

    def without(self, pointer: int) -> NDArray[np.bool_]:
        """The products of two matrices, neither of which is behind this pointer."""
        left, right = ([one.pointer == pointer for one in side] for side in (self.made.lefts, self.made.rights))
        return np.asarray(~self.is_one & ~np.array(left)[:, None] & ~np.array(right)[None, :])
