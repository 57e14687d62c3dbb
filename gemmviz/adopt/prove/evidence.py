"""What a kernel computed, told from the elements that it wrote: which products of which matrices, laid out how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.adopt.prove.machine import Flat
from gemmviz.domain.terms import Element

Places = NDArray[np.int64]
MOST_CHECKED = 20_000
"""Elements that are compared one by one."""
_SAMPLES = 10
_TOLERANCE = {
    Element.FLOAT32: (2e-4, 2e-6),
    Element.DOUBLE: (1e-9, 1e-12),
    Element.HALF: (0.3, 0.01),
    Element.BFLOAT16: (1.0, 0.05),
}
"""By how much an element may be off: absolutely, and as a part of its size. Matrices have multiples of 1/8."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A matrix in memory: the pointer's place among the parameters, the distance from one line to the next, and whether
    it is turned: the left one holds (row, k) at row * line + k, or turned at k * line + row; the right one (k, column)
    at k * line + column, or turned at column * line + k.
    """

    pointer: int
    line: int
    is_turned: bool


@dataclass(frozen=True, slots=True)
class View:
    """What a kernel computes, as memory has it: element (row, column) of the result is at row * line + column, and is
    factor * sum over `depth` of left(row, k) * right(k, column), plus `share` times what `added` held there.

    `factor` and `share` are places of parameters, or numbers where they are fixed (`is_factor`, `is_share` False).
    """

    left: Operand
    right: Operand
    result: int
    line: int
    depth: int
    factor: int | None
    share: int | None
    added: int | None
    """The pointer to what is added; None where nothing is."""


@dataclass(frozen=True, slots=True)
class Traces:
    """What a run left behind: matrices before it by the place of their parameter, and the result after it.

    `written` are the places in the result that changed; `factors` the floating-point parameters by place.
    """

    before: Mapping[int, Flat]
    result: int
    after: Flat
    written: Places
    factors: Mapping[int, float]
    element: Element


def views_of(traces: Traces, lines: Sequence[int], depths: Sequence[int]) -> list[View]:
    """Everything that the written elements may be, for the given distances between lines and lengths of sums; nearly
    always one view, or none.
    """
    if not traces.written.size:
        return []
    rng = np.random.default_rng(7)
    places = np.unique(np.r_[traces.written[[0, -1]], rng.choice(traces.written, _SAMPLES)])
    lines, depths = sorted(set(lines)), sorted(set(depths))
    found = [view for line in lines for view in _views_with(traces, places, line, lines, depths)]
    return [view for view in found if agrees(view, traces)]


def products(
    traces: Traces,
    places: Places,
    line: int,
    lines: Sequence[int],
    depths: Sequence[int],
    *,
    may_be_one: bool = False,
) -> Iterator[tuple[Operand, Operand, Flat]]:
    """Every two matrices, with the sums of their products at these places of a result whose lines lie `line` apart: a
    row for each of `depths`. With `may_be_one` a matrix times itself, too.
    """
    rows, columns = places // line, places % line
    k = np.arange(max(depths))

    def gathered(pointer: int, index: Places) -> Flat | None:
        """Elements of a matrix, 0 beyond its end; None where even the first of a sum are."""
        held = traces.before[pointer]
        inside = index < held.size
        return np.where(inside, held[np.where(inside, index, 0)], 0.0) if inside[:, 0].all() else None

    lefts, rights = [], []
    for pointer in (place for place in traces.before if place != traces.result):
        for number in lines:
            for is_turned in (False, True):
                left = k * number + rows[:, None] if is_turned else rows[:, None] * number + k
                right = columns[:, None] * number + k if is_turned else k * number + columns[:, None]
                operand = Operand(pointer, number, is_turned)
                lefts.append((operand, gathered(pointer, left)))
                rights.append((operand, gathered(pointer, right)))
    last = np.array(depths) - 1
    for left_operand, left_values in lefts:
        for right_operand, right_values in rights:
            is_one = left_operand.pointer == right_operand.pointer
            if left_values is not None and right_values is not None and (may_be_one or not is_one):
                yield left_operand, right_operand, np.cumsum(left_values * right_values, axis=1)[:, last].T


def _views_with(
    traces: Traces, places: Places, line: int, lines: Sequence[int], depths: Sequence[int]
) -> Iterator[View]:
    inputs = [place for place in traces.before if place != traces.result]
    scalings = {pointer: list(_scalings(traces, pointer)) for pointer in (None, traces.result, *inputs)}
    for left, right, sums in products(traces, places, line, lines, depths):
        apart = [one for one in inputs if one not in (left.pointer, right.pointer)]
        for scaling in [one for pointer in (None, traces.result, *apart) for one in scalings.get(pointer, ())]:
            factor = 1.0 if scaling[0] is None else traces.factors[scaling[0]]
            expected = factor * sums + _added(traces, scaling, places)
            for at in np.flatnonzero(are_near(traces, expected, places)):
                yield View(left, right, traces.result, line, depths[int(at)], *scaling)


Scaling = tuple[int | None, int | None, int | None]
"""Which floating-point parameters are factor and share, None for 1, and what is added, None for nothing."""


def _scalings(traces: Traces, added: int | None) -> Iterator[Scaling]:
    for factor in (None, *traces.factors):
        if added is None:
            yield factor, None, None
            continue
        for share in (None, *traces.factors):
            if share is None or share != factor:
                yield factor, share, added


def _added(traces: Traces, scaling: Scaling, places: Places) -> Flat | float:
    _, share, added = scaling
    if added is None:
        return 0.0
    held: Flat = (1.0 if share is None else traces.factors[share]) * traces.before[added][places]
    return held


def are_near(traces: Traces, expected: Flat, places: Places) -> NDArray[np.bool_]:
    """For each row of expected elements, whether all of them are what was found."""
    return np.asarray(near_elements(traces, expected, places).all(axis=1))


def near_elements(traces: Traces, expected: Flat, places: Places) -> NDArray[np.bool_]:
    """For each row of expected elements, which of them are what was found."""
    absolute, relative = _TOLERANCE[traces.element]
    with np.errstate(invalid="ignore"):
        return np.atleast_2d(np.abs(expected - traces.after[places]) <= absolute + relative * np.abs(expected))


def agrees(view: View, traces: Traces) -> bool:
    """Whether all that was written, or MOST_CHECKED elements of it, is what the view says."""
    return all(are_near(traces, expected, places).all() for places, expected in _compared(view, traces))


def distance(view: View, traces: Traces) -> float:
    """The root of the mean square by which elements differ from what a view says."""
    squares = [np.square(expected - traces.after[places]) for places, expected in _compared(view, traces)]
    return float(np.sqrt(np.concatenate(squares).mean())) if squares else np.inf


def _compared(view: View, traces: Traces) -> Iterator[tuple[Places, Flat]]:
    """Places in the result and what a view expects there; NaNs where it needs elements beyond the end of a matrix."""
    written = traces.written
    if written.size > MOST_CHECKED:
        written = np.random.default_rng(11).choice(written, MOST_CHECKED, replace=False)
    scaling, k = (view.factor, view.share, view.added), np.arange(view.depth)
    factor = 1.0 if view.factor is None else traces.factors[view.factor]
    held_left, held_right = traces.before[view.left.pointer], traces.before[view.right.pointer]
    for begin in range(0, written.size, 2048):
        places = written[begin : begin + 2048]
        row, column = (places // view.line)[:, None], (places % view.line)[:, None]
        left = k * view.left.line + row if view.left.is_turned else row * view.left.line + k
        right = column * view.right.line + k if view.right.is_turned else k * view.right.line + column
        if left.max() >= held_left.size or right.max() >= held_right.size:
            yield places, np.full(places.size, np.nan)
            return
        sums = np.einsum("ij,ij->i", held_left[left], held_right[right])
        yield places, factor * sums + _added(traces, scaling, places)
