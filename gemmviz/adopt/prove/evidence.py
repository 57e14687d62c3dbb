"""What a kernel computed, told from the elements that it wrote: which products of which matrices, laid out how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from gemmviz.adopt.prove.machine import Flat
from gemmviz.domain.terms import Element

Places = NDArray[np.int64]
MOST_CHECKED = 20_000
"""Elements that are compared one by one."""
_SAMPLES = 10
_UNCHANGED: Mapping[int, Changed] = {}
_SIDES = ("left", "right")
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


class Scaling(NamedTuple):
    """What becomes of a product: `factor` and `share` are places of parameters, None for none; the product is
    multiplied by the constant `times` as well, and what is added by `kept`. `added_line` is the distance between lines
    of `added`, 0 for that of the result; where `is_added_turned` it holds (row, column) at column * added_line + row.
    """

    factor: int | None = None
    share: int | None = None
    added: int | None = None
    """The pointer to what is added; None where nothing is."""
    times: float = 1.0
    kept: float = 1.0
    added_line: int = 0
    is_added_turned: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """What a kernel computes, as memory has it: element (row, column) of the result is at row * line + column, and is
    factor * sum over `depth` of left(row, k) * right(k, column), plus `share` times what `added` held there, with the
    factor, the share and the pointer of `scaling`.
    """

    left: Operand
    right: Operand
    result: int
    line: int
    depth: int
    scaling: Scaling


class Changed(Protocol):
    """A matrix as memory does not have it, element by element, of which some are looked at."""

    @property
    def size(self) -> int: ...

    def take(self, indices: Places, /, *, mode: Literal["clip"]) -> Flat: ...

    def may_have(self, line: int) -> bool:
        """Whether its lines may lie so far apart."""
        ...


_Gathered = tuple[int, int, tuple[int, ...], bool, int, bytes]
"""The distance between lines of a result, the pointer to an operand, the distances between its lines, whether it is the
left one, a length of sums, and places.
"""


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
    gathered: dict[_Gathered, tuple[list[Operand], Flat] | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """Elements of operands that were looked at: many sums have the same ones."""


def views_of(traces: Traces, lines: Sequence[int], depths: Sequence[int]) -> list[View]:
    """Everything that the written elements may be, for the given distances between lines and lengths of sums; nearly
    always one view, or none.
    """
    if not traces.written.size:
        return []
    places = sampled(traces)
    lines, depths = sorted(set(lines)), sorted(set(depths))
    found = [view for line in lines for view in _views_with(traces, places, line, lines, depths)]
    return [view for view in found if agrees(view, traces)]


def sampled(traces: Traces) -> Places:
    """Some of the places that were written."""
    rng = np.random.default_rng(7)
    return np.unique(np.r_[traces.written[[0, -1]], rng.choice(traces.written, _SAMPLES)])


@dataclass(frozen=True, slots=True)
class ProductSums:
    """Sums of the products of every two operands at some places of a result: `sums` by left operand, right operand,
    length of the sum and place.
    """

    lefts: Sequence[Operand]
    rights: Sequence[Operand]
    sums: Flat

    def is_one(self) -> NDArray[np.bool_]:
        """For each left and right operand, whether both are the same matrix."""
        left, right = (np.array([one.pointer for one in side]) for side in (self.lefts, self.rights))
        return np.asarray(left[:, None] == right[None, :])


def product_sums(
    traces: Traces,
    places: Places,
    line: int,
    lines: Sequence[int],
    depths: Sequence[int],
    changed: Mapping[int, Changed] = _UNCHANGED,
) -> ProductSums | None:
    """The sums for a result whose lines lie `line` apart, for each of `depths`; None where no operand is large enough
    for even the first products. Matrices that are `changed` are not what they were before the run.
    """
    ends = sorted(set(depths))
    sides = []
    for lying, is_left in ((places // line, True), (places % line, False)):
        values = []
        for pointer in traces.before:
            if pointer == traces.result:
                continue
            if pointer in changed:
                found = _gathered(changed[pointer], pointer, lying, lines, ends[-1], is_left=is_left)
            else:
                key = (line, pointer, tuple(lines), is_left, ends[-1], places.tobytes())
                if key not in traces.gathered:
                    held = traces.before[pointer]
                    traces.gathered[key] = _gathered(held, pointer, lying, lines, ends[-1], is_left=is_left)
                found = traces.gathered[key]
            if found is not None:
                values.append(found)
        if not values:
            return None
        sides.append(([one for kept, _ in values for one in kept], np.concatenate([one for _, one in values], axis=1)))
    (lefts, left), (rights, right) = sides
    sums, parts, at = np.zeros((places.size, len(lefts), len(rights))), {}, 0
    for end in ends:
        sums = sums + left[:, :, at:end] @ right[:, :, at:end].transpose(0, 2, 1)
        parts[end], at = sums, end
    return ProductSums(lefts, rights, np.stack([parts[end] for end in depths]).transpose(2, 3, 0, 1))


def _gathered(
    held: Flat | Changed, pointer: int, lying: Places, lines: Sequence[int], depth: int, *, is_left: bool
) -> tuple[list[Operand], Flat] | None:
    """The ways in which a matrix may lie in memory, and what it then has for the rows or columns `lying` and each k,
    0 beyond its end, shape (lying, ways, k). None where even the first of a sum are beyond it, whichever way it lies.
    """
    last = int(lying.max())
    ways, steps = [], []
    for number in lines:
        if not isinstance(held, np.ndarray) and not held.may_have(number):
            continue
        for is_turned in (False, True):
            apart, step = (1, number) if is_turned == is_left else (number, 1)
            if last * apart < held.size:
                ways.append(Operand(pointer, number, is_turned))
                steps.append((apart, step))
    if not ways:
        return None
    apart_by, step_by = np.array(steps, np.int64).T[:, :, None]
    index = lying[:, None, None] * apart_by + np.arange(depth) * step_by
    found = held.take(index, mode="clip")
    is_within = last * max(apart for apart, _ in steps) + (depth - 1) * max(step for _, step in steps) < held.size
    return ways, found if is_within else np.where(index < held.size, found, 0)


def _views_with(
    traces: Traces, places: Places, line: int, lines: Sequence[int], depths: Sequence[int]
) -> Iterator[View]:
    made = product_sums(traces, places, line, lines, depths)
    if made is None:
        return
    inputs = [place for place in traces.before if place != traces.result]
    found: list[tuple[int, int, int, int, Scaling]] = []
    scalings = [one for pointer in (None, traces.result, *inputs) for one in _scalings(traces, pointer)]
    scalings += [
        one._replace(added_line=other, is_added_turned=is_turned)
        for pointer in (inputs if len(inputs) > len(_SIDES) else ())
        for one in _scalings(traces, pointer)
        for other in lines
        for is_turned in (False, True)
        if is_turned or other != line
    ]
    is_apart = ~made.is_one()
    for number, scaling in enumerate(scalings):
        expected = factor_of(traces, scaling) * made.sums + added_to(traces, scaling, places, line)
        is_near = are_near(traces, expected, places)
        for left, right, at in np.argwhere(is_near & is_apart[:, :, None]):
            if scaling.added not in (made.lefts[left].pointer, made.rights[right].pointer):
                found.append((int(left), int(right), number, int(at), scaling))
    for left, right, _, at, scaling in sorted(found, key=lambda one: one[:4]):
        yield View(made.lefts[left], made.rights[right], traces.result, line, depths[at], scaling)


def _scalings(traces: Traces, added: int | None) -> Iterator[Scaling]:
    for factor in (None, *traces.factors):
        if added is None:
            yield Scaling(factor, None, None)
            continue
        for share in (None, *traces.factors):
            if share is None or share != factor:
                yield Scaling(factor, share, added)


def factor_of(traces: Traces, scaling: Scaling) -> float:
    """What a product is multiplied by."""
    return scaling.times * (1.0 if scaling.factor is None else traces.factors[scaling.factor])


def added_to(traces: Traces, scaling: Scaling, places: Places, line: int) -> Flat | float:
    """What is added to a product at places of a result whose lines lie `line` apart; NaNs beyond the matrix' end."""
    if scaling.added is None:
        return 0.0
    row, column, apart = places // line, places % line, scaling.added_line or line
    index = column * apart + row if scaling.is_added_turned else row * apart + column
    matrix = traces.before[scaling.added]
    share = scaling.kept * (1.0 if scaling.share is None else traces.factors[scaling.share])
    held: Flat = share * np.where(index < matrix.size, matrix.take(index, mode="clip"), np.nan)
    return held


def are_near(traces: Traces, expected: Flat, places: Places) -> NDArray[np.bool_]:
    """For each row of expected elements, whether all of them are what was found."""
    return np.asarray(near_elements(traces, expected, places).all(axis=-1))


def is_first_near(traces: Traces, expected: Flat, places: Places) -> bool:
    """Whether the first expected element is what was found; most guesses end there, and this takes no time."""
    absolute, relative = _TOLERANCE[traces.element]
    value, found = float(expected.flat[0]), float(traces.after[places[0]])
    return abs(value - found) <= absolute + relative * abs(value)


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
    scaling, k = view.scaling, np.arange(view.depth)
    factor = factor_of(traces, scaling)
    held_left, held_right = traces.before[view.left.pointer], traces.before[view.right.pointer]
    for begin in range(0, written.size, 2048):
        places = written[begin : begin + 2048]
        row, column = (places // view.line)[:, None], (places % view.line)[:, None]
        left = k * view.left.line + row if view.left.is_turned else row * view.left.line + k
        right = column * view.right.line + k if view.right.is_turned else k * view.right.line + column
        if left.max() >= held_left.size or right.max() >= held_right.size:
            yield places, np.full(places.size, np.nan)
            return
        sums = np.einsum("ij,ij->i", held_left.take(left), held_right.take(right))
        yield places, factor * sums + added_to(traces, scaling, places, view.line)
