"""What a kernel looks like that is no product of two matrices: other operations, compared with what it wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gemmviz.adopt.prove.evidence import Places, Traces
from gemmviz.adopt.prove.launcher import EndlessError, TooSlowError, TryError
from gemmviz.adopt.prove.machine import Flat
from gemmviz.adopt.reasons import FaultKind, Reason
from gemmviz.adopt.resemblance.changed_matrices import with_changed_matrix
from gemmviz.adopt.resemblance.epilogues import normalised, with_more
from gemmviz.adopt.resemblance.observation import (
    LEAST,
    PRODUCTS_ONLY,
    SAMPLES,
    Observation,
    holds,
    inputs_of,
    said,
    sampled,
)
from gemmviz.adopt.resemblance.other_sums import with_other_sums
from gemmviz.adopt.resemblance.partial_products import (
    nearest,
    one_triangle,
    with_part_of_sums,
    with_term_missing,
    with_triangular_matrix,
)
from gemmviz.adopt.resemblance.proven_hints import is_proven
from gemmviz.domain.shape import Shape

_WHOLE_GRID = (1025, 1, 1)
"""So many blocks cover a vector of any length that is tried."""
_TWO_LINES, _TWO_BLOCKS = (1, 2, 1), (2, 1, 1)
_NO_GAPS = 0.95
"""The share of a vector that a kernel changes which writes all of it: an element may have held its sum before."""


def resemblance_of(observations: Sequence[Observation], *, may_be_near: bool = True) -> Reason | None:
    """What the kernel looks like, how much of that was seen, and what a person can do; None where nothing is known.
    `may_be_near`: a part of what it wrote that is a product is told, too.
    """
    near: Reason | None = None
    for seen in observations:
        try:
            first = seen.trial.run(seen.geometry, (1, 1, 1))
        except TryError:
            continue
        whole = _whole(seen, first)
        with np.errstate(invalid="ignore", over="ignore"):
            if found := next(_kinds(seen, first, whole), None):
                return found
            near = near or (nearest(seen, first) if may_be_near else None)
    return near


def _whole(seen: Observation, first: Traces) -> Traces | None:
    """What blocks along x write: as many as cover any vector, else two, which write more than a line of a matrix where
    each of them writes one; what the first block wrote where two cannot run. None where two do not end: then one block
    tells nothing of what all of them write.
    """
    for grid in (_WHOLE_GRID, _TWO_BLOCKS):
        try:
            return seen.trial.run(seen.geometry, grid)
        except (EndlessError, TooSlowError):
            if grid == _TWO_BLOCKS:
                return None
        except TryError:
            continue
    return first


def triangle_of(observations: Sequence[Observation]) -> Reason | None:
    """That the kernel computes one triangle of a product; None where it does not."""
    return next((found for seen in observations for found in one_triangle(seen)), None)


def is_term_missing(observations: Sequence[Observation]) -> bool:
    """Whether what a block wrote are sums without their last or their first term."""
    for seen in observations:
        try:
            first = seen.trial.run(seen.geometry, (1, 1, 1))
        except TryError:
            continue
        with np.errstate(invalid="ignore", over="ignore"):
            if next(with_term_missing(seen, first), None):
                return True
    return False


def _kinds(seen: Observation, first: Traces, whole: Traces | None) -> Iterator[Reason]:
    if whole is None or whole.written.size == 1:  # else each block writes an element of a vector
        for traces in (first, whole):
            yield from _of_one_element(seen, traces) if traces is not None else ()
    yield from _of_vectors(seen, whole) if whole is not None else ()
    yield from _element_by_element(seen, first)
    yield from _of_two_vectors(seen, first)
    yield from with_term_missing(seen, first)
    yield from with_part_of_sums(seen, first)
    yield from with_triangular_matrix(seen, first)
    yield from one_triangle(seen)
    if whole is not None:
        yield from with_more(seen, first, whole)
        yield from normalised(seen, whole)
    yield from with_changed_matrix(seen, first)
    yield from with_other_sums(seen, first)


def _of_one_element(seen: Observation, whole: Traces) -> Iterator[Reason]:
    """Sums of a vector, and of the products of two."""
    if whole.written.size != 1:
        return
    places, inputs = whole.written, inputs_of(whole)
    name = seen.names[whole.result]
    before = whole.before[whole.result][places]
    for depth in seen.lines:
        for begins in (np.zeros(1), before):
            added = f" + {name}[{places[0]}]" if begins is before else ""
            for one, two in _pairs(inputs):
                if holds(whole, inputs[one][:depth] @ inputs[two][:depth] + begins, places):
                    formula = f"the sum of {seen.names[one]}[k]·{seen.names[two]}[k]{added}"
                    start = ' and start = "zero" in [operands.C]' if added else ""
                    given = _arguments(seen, {one: "A", two: "B", whole.result: "C"}, {depth: "K"})
                    advice = (
                        f"describe it as a product with one row and one column{start}: {_written(given)}, "
                        'constraints = ["M == 1", "N == 1"]'
                    )
                    is_right = is_proven(seen, given, Shape(1, 1, depth), adds_to_c=bool(added))
                    yield said("a dot product", formula, 1, *_advice(advice, is_right=is_right))
            for one, held in inputs.items():
                if holds(whole, held[:depth].sum() + begins, places):
                    yield said("a reduction", f"the sum of {seen.names[one]}{added}", 1)


def _of_vectors(seen: Observation, whole: Traces) -> Iterator[Reason]:
    """A matrix times a vector, sums of rows and columns, a convolution: the result is one line of elements."""
    places, count = sampled(whole), int(whole.written.max()) + 1
    if count < LEAST or whole.written.size < _NO_GAPS * count or _has_more_lines(seen, count):
        return
    inputs, names = inputs_of(whole), seen.names
    for line in seen.lines:
        for is_turned in (False, True):
            for depth in seen.lines:
                k = np.arange(depth)
                index = k * line + places[:, None] if is_turned else places[:, None] * line + k
                for one, held in inputs.items():
                    if index.max() >= held.size or (depth > line and not is_turned):
                        continue
                    part = "column" if is_turned else "row"
                    if holds(whole, held[index].sum(axis=1), places):
                        yield said("a reduction", f"the sum of a {part} of {names[one]}", places.size)
                    for two in inputs:
                        if two == one:
                            continue
                        sums = held[index] @ inputs[two][:depth]
                        scaled = _scaled(whole, sums, places)
                        if scaled is not None:
                            yield from _product_with_vector(seen, whole, one, two, (line, depth), is_turned, scaled)
    for depth in seen.lines:
        index = places[:, None] + np.arange(depth)
        for one, two in _pairs(inputs, is_ordered=True):
            is_inside = (index < count).all(axis=1)
            if is_inside.sum() < LEAST:
                continue
            sums = inputs[one][index[is_inside]] @ inputs[two][:depth]
            if holds(whole, sums, places[is_inside]):
                formula = f"the sum of {names[one]}[i + j]·{names[two]}[j]"
                yield said("a convolution in one dimension", formula, int(is_inside.sum()))


def _has_more_lines(seen: Observation, count: int) -> bool:
    """Whether blocks along y write what lies behind `count` elements: then these are one line of a matrix."""
    try:
        return int(seen.trial.run(seen.geometry, _TWO_LINES).written.max()) >= count
    except TryError:
        return False


def _product_with_vector(
    seen: Observation,
    whole: Traces,
    matrix: int,
    vector: int,
    sizes: tuple[int, int],
    is_turned: bool,
    scaled: tuple[int | None, int | None, bool],
) -> Iterator[Reason]:
    """That it is one, where it is also as the product with one column that is advised: one row of a matrix looks so."""
    (line, depth), (factor, share, is_added), count, names = sizes, scaled, int(whole.written.max()) + 1, seen.names
    words = {matrix: "A", vector: "B", whole.result: "C"}
    words |= {place: word for place, word in ((factor, "alpha"), (share, "beta")) if place is not None}
    dimensions = {depth: "K", count: "M"} if depth != count else {depth: "M"}
    dimensions.setdefault(line, "lda")
    part = "column" if is_turned else "row"
    formula = f"a {part} of {names[matrix]} times {names[vector]}"
    formula = f"{names[factor]} times {formula}" if factor is not None else formula
    if is_added:
        formula += f" plus {names[share]} times what was there" if share is not None else " plus what was there"
    layout = ', layout = "column" in [operands.A]' if is_turned else ""
    is_started = is_added and share is None
    start = ', start = "zero" in [operands.C]' if is_started else ""
    given = _arguments(seen, words, dimensions)
    if not is_proven(seen, given, Shape(count, 1, depth), has_columns=is_turned, adds_to_c=is_started):
        return
    rules = '["N == 1", "M == K"]' if depth == count else '["N == 1"]'
    yield said(
        "a product of a matrix and a vector",
        formula,
        min(count, SAMPLES),
        f"describe it as a product with one column: {_written(given)}, constraints = {rules}{layout}{start}",
        FaultKind.LOOKS_DESCRIBABLE,
    )


def _scaled(traces: Traces, sums: Flat, places: Places) -> tuple[int | None, int | None, bool] | None:
    """The parameters that sums, and what was there, are multiplied by, where the elements are that; else None."""
    before = traces.before[traces.result][places]
    for factor in (None, *traces.factors):
        value = 1.0 if factor is None else traces.factors[factor]
        if holds(traces, value * sums, places):
            return factor, None, False
        for share in (None, *traces.factors):
            kept = 1.0 if share is None else traces.factors[share]
            if (share is None or share != factor) and holds(traces, value * sums + kept * before, places):
                return factor, share, True
    return None


def _element_by_element(seen: Observation, first: Traces) -> Iterator[Reason]:
    places, inputs, names, result = sampled(first), inputs_of(first), seen.names, first.result
    if places.size < LEAST:
        return
    held = {place: values[places] for place, values in inputs.items() if int(places.max()) < values.size}
    for one, values in held.items():
        if holds(first, values, places):
            yield said("a copy", names[one], places.size, kind=FaultKind.LOOKS_LIKE_COPY)
        scaled = _scaled(first, values, places)
        if scaled is not None:
            factor, share, is_added = scaled
            formula = f"{names[factor]}·{names[one]}" if factor is not None else names[one]
            kept = f"{names[share]}·{names[result]}" if share is not None else names[result]
            yield said("a sum of vectors (axpy)", f"{formula} + {kept}" if is_added else formula, places.size)
        for line in seen.lines:
            for other in seen.lines:
                index = places % line * other + places // line
                if index.max() < inputs[one].size and holds(first, inputs[one][index], places):
                    yield said("a transposition", f"{names[one]} with rows and columns exchanged", places.size)
    for one, two in _pairs(held, is_ordered=True):
        for sign, expected in (
            ("+", held[one] + held[two]),
            ("−", held[one] - held[two]),
            ("·", held[one] * held[two]),
        ):
            if holds(first, expected, places):
                formula = f"{names[one]}[i] {sign} {names[two]}[i]"
                yield said("an operation on each element by itself", formula, places.size)


def _of_two_vectors(seen: Observation, first: Traces) -> Iterator[Reason]:
    places, inputs, names = sampled(first), inputs_of(first), seen.names
    if places.size < LEAST:
        return
    for line in seen.lines:
        for one, two in _pairs(inputs, is_ordered=True):
            if holds(first, inputs[one][places // line] * inputs[two][places % line], places):
                formula = f"{names[one]}[row]·{names[two]}[column]"
                dimensions = {number: "N" if number == line else "M" for number in seen.lines}
                given = _arguments(seen, {one: "A", two: "B", first.result: "C"}, dimensions)
                advice = f'describe it as a product with K = 1: {_written(given)}, constraints = ["K == 1"]'
                rows = next((number for number in seen.lines if number != line), line)
                tile = int((first.written % line).max()) + 1, int((first.written // line).max()) + 1
                grid = -(-line // tile[0]), -(-rows // tile[1])
                is_right = is_proven(seen, given, Shape(rows, line, 1), grid)
                given_advice = _advice(advice, is_right=is_right)
                yield said("an outer product of two vectors", formula, places.size, *given_advice)


def _pairs(places: Mapping[int, Flat], *, is_ordered: bool = False) -> Iterator[tuple[int, int]]:
    yield from ((one, two) for one in places for two in places if one < two or (is_ordered and one != two))


def _arguments(seen: Observation, words: Mapping[int, str], dimensions: Mapping[int, str]) -> list[str]:
    """What a description gives the parameters."""
    numbers = seen.trial.numbers
    return [
        words.get(place) or dimensions.get(numbers.get(place, 0), "null" if place in seen.trial.elements else "1")
        for place in range(len(seen.names))
    ]


def _advice(words: str, *, is_right: bool) -> tuple[str, FaultKind]:
    """What a person can do, and what follows from it: with these words where they were proven right."""
    return (words, FaultKind.LOOKS_DESCRIBABLE) if is_right else (PRODUCTS_ONLY, FaultKind.LOOKS_LIKE)


def _written(arguments: Sequence[str]) -> str:
    """The arguments as a description has them: 'args = ["A", "B", "C", "M", "K"]'."""
    return "args = [" + ", ".join(f'"{one}"' for one in arguments) + "]"
