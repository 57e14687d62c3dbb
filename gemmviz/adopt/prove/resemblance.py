"""What a kernel looks like that is no product of two matrices: other operations, compared with what it wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.adopt.prove.evidence import Places, ProductSums, Traces, are_near, near_elements, product_sums
from gemmviz.adopt.prove.launcher import BlockGeometry, TryError
from gemmviz.adopt.prove.machine import Flat
from gemmviz.adopt.prove.trial import Trial

_WHOLE_GRID = (1025, 1, 1)
"""So many blocks cover a vector of any length that is tried."""
_SAMPLES, _LEAST = 64, 8
"""Elements that are compared, and the fewest of which anything is said."""
_NO_GAPS = 0.95
"""The share of a vector that a kernel changes which writes all of it: an element may have held its sum before."""
_NEAR = 0.2
"""The share of elements that must be those of a product for that to be told."""
_PRODUCTS_ONLY = "gemmviz describes products of two matrices only"


@dataclass(frozen=True, slots=True)
class Observation:
    """A kernel with numbers and a block with which it ran; `names` are what its parameters are called."""

    trial: Trial
    geometry: BlockGeometry
    names: Sequence[str]

    @property
    def lines(self) -> list[int]:
        """Lengths of rows, columns and sums that are tried."""
        return sorted({*self.trial.numbers.values()})


def resemblance_of(observations: Sequence[Observation], *, may_be_near: bool = True) -> str:
    """What the kernel looks like, how much of that was seen, and what a person can do; "" where nothing is known.
    `may_be_near`: a part of what it wrote that is a product is told, too.
    """
    nearest = ""
    for seen in observations:
        try:
            first = seen.trial.run(seen.geometry, (1, 1, 1))
        except TryError:
            continue
        try:
            whole = seen.trial.run(seen.geometry, _WHOLE_GRID)
        except TryError:
            whole = first
        with np.errstate(invalid="ignore", over="ignore"):
            if found := next(_kinds(seen, first, whole), ""):
                return found
            nearest = nearest or (_nearest(seen, first) if may_be_near else "")
    return nearest


def _kinds(seen: Observation, first: Traces, whole: Traces) -> Iterator[str]:
    for traces in (first, whole):
        yield from _of_one_element(seen, traces)
    yield from _of_vectors(seen, whole)
    yield from _element_by_element(seen, first)
    yield from _of_two_vectors(seen, first)
    yield from _with_term_missing(seen, first)
    yield from _with_more(seen, first)
    yield from _normalised(seen, whole)


def _said(what: str, formula: str, compared: int, remedy: str = _PRODUCTS_ONLY) -> str:
    elements = "the one element that it wrote" if compared == 1 else f"each of {compared} elements that were compared"
    return f"it looks like {what}: in a trial {elements} is {formula}; {remedy}"


def _sampled(traces: Traces) -> Places:
    places = traces.written
    if places.size <= _SAMPLES:
        return places
    return np.unique(np.r_[places[[0, -1]], np.random.default_rng(3).choice(places, _SAMPLES)])


def _holds(traces: Traces, expected: Flat, places: Places) -> bool:
    return bool(are_near(traces, expected, places)[0])


def _inputs(traces: Traces) -> dict[int, Flat]:
    return {place: held for place, held in traces.before.items() if place != traces.result}


def _of_one_element(seen: Observation, whole: Traces) -> Iterator[str]:
    """Sums of a vector, and of the products of two."""
    if whole.written.size != 1:
        return
    places, inputs = whole.written, _inputs(whole)
    name = seen.names[whole.result]
    before = whole.before[whole.result][places]
    for depth in seen.lines:
        for begins in (np.zeros(1), before):
            added = f" + {name}[{places[0]}]" if begins is before else ""
            for one, two in _pairs(inputs):
                if _holds(whole, inputs[one][:depth] @ inputs[two][:depth] + begins, places):
                    formula = f"the sum of {seen.names[one]}[k]·{seen.names[two]}[k]{added}"
                    start = ' and start = "zero" in [operands.C]' if added else ""
                    yield _said(
                        "a dot product",
                        formula,
                        1,
                        f"describe it as a product with one row and one column{start}: "
                        f"{_arguments(seen, {one: 'A', two: 'B', whole.result: 'C'}, {depth: 'K'})}, "
                        'constraints = ["M == 1", "N == 1"]',
                    )
            for one, held in inputs.items():
                if _holds(whole, held[:depth].sum() + begins, places):
                    yield _said("a reduction", f"the sum of {seen.names[one]}{added}", 1)


def _of_vectors(seen: Observation, whole: Traces) -> Iterator[str]:
    """A matrix times a vector, sums of rows and columns, a convolution: the result is one line of elements."""
    places, count = _sampled(whole), int(whole.written.max()) + 1
    if count < _LEAST or whole.written.size < _NO_GAPS * count:
        return
    inputs, names = _inputs(whole), seen.names
    for line in seen.lines:
        for is_turned in (False, True):
            for depth in seen.lines:
                k = np.arange(depth)
                index = k * line + places[:, None] if is_turned else places[:, None] * line + k
                for one, held in inputs.items():
                    if index.max() >= held.size or (depth > line and not is_turned):
                        continue
                    part = "column" if is_turned else "row"
                    if _holds(whole, held[index].sum(axis=1), places):
                        yield _said("a reduction", f"the sum of a {part} of {names[one]}", places.size)
                    for two in inputs:
                        if two == one:
                            continue
                        sums = held[index] @ inputs[two][:depth]
                        scaled = _scaled(whole, sums, places)
                        if scaled is not None:
                            yield _product_with_vector(seen, whole, one, two, (line, depth), is_turned, scaled)
    for depth in seen.lines:
        index = places[:, None] + np.arange(depth)
        for one, two in _pairs(inputs, is_ordered=True):
            is_inside = (index < count).all(axis=1)
            if is_inside.sum() < _LEAST:
                continue
            sums = inputs[one][index[is_inside]] @ inputs[two][:depth]
            if _holds(whole, sums, places[is_inside]):
                formula = f"the sum of {names[one]}[i + j]·{names[two]}[j]"
                yield _said("a convolution in one dimension", formula, int(is_inside.sum()))


def _product_with_vector(
    seen: Observation,
    whole: Traces,
    matrix: int,
    vector: int,
    sizes: tuple[int, int],
    is_turned: bool,
    scaled: tuple[int | None, int | None, bool],
) -> str:
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
    start = ', start = "zero" in [operands.C]' if is_added and share is None else ""
    rules = '["N == 1", "M == K"]' if depth == count else '["N == 1"]'
    return _said(
        "a product of a matrix and a vector",
        formula,
        min(count, _SAMPLES),
        f"describe it as a product with one column: {_arguments(seen, words, dimensions)}, "
        f"constraints = {rules}{layout}{start}",
    )


def _scaled(traces: Traces, sums: Flat, places: Places) -> tuple[int | None, int | None, bool] | None:
    """The parameters that sums, and what was there, are multiplied by, where the elements are that; else None."""
    before = traces.before[traces.result][places]
    for factor in (None, *traces.factors):
        value = 1.0 if factor is None else traces.factors[factor]
        if _holds(traces, value * sums, places):
            return factor, None, False
        for share in (None, *traces.factors):
            kept = 1.0 if share is None else traces.factors[share]
            if (share is None or share != factor) and _holds(traces, value * sums + kept * before, places):
                return factor, share, True
    return None


def _element_by_element(seen: Observation, first: Traces) -> Iterator[str]:
    places, inputs, names, result = _sampled(first), _inputs(first), seen.names, first.result
    if places.size < _LEAST:
        return
    held = {place: values[places] for place, values in inputs.items() if int(places.max()) < values.size}
    for one, values in held.items():
        if _holds(first, values, places):
            yield _said("a copy", names[one], places.size)
        scaled = _scaled(first, values, places)
        if scaled is not None:
            factor, share, is_added = scaled
            formula = f"{names[factor]}·{names[one]}" if factor is not None else names[one]
            kept = f"{names[share]}·{names[result]}" if share is not None else names[result]
            yield _said("a sum of vectors (axpy)", f"{formula} + {kept}" if is_added else formula, places.size)
        for line in seen.lines:
            for other in seen.lines:
                index = places % line * other + places // line
                if index.max() < inputs[one].size and _holds(first, inputs[one][index], places):
                    yield _said("a transposition", f"{names[one]} with rows and columns exchanged", places.size)
    for one, two in _pairs(held, is_ordered=True):
        for sign, expected in (
            ("+", held[one] + held[two]),
            ("−", held[one] - held[two]),
            ("·", held[one] * held[two]),
        ):
            if _holds(first, expected, places):
                formula = f"{names[one]}[i] {sign} {names[two]}[i]"
                yield _said("an operation on each element by itself", formula, places.size)


def _of_two_vectors(seen: Observation, first: Traces) -> Iterator[str]:
    places, inputs, names = _sampled(first), _inputs(first), seen.names
    if places.size < _LEAST:
        return
    for line in seen.lines:
        for one, two in _pairs(inputs, is_ordered=True):
            if _holds(first, inputs[one][places // line] * inputs[two][places % line], places):
                formula = f"{names[one]}[row]·{names[two]}[column]"
                dimensions = {number: "N" if number == line else "M" for number in seen.lines}
                yield _said(
                    "an outer product of two vectors",
                    formula,
                    places.size,
                    f"describe it as a product with K = 1: "
                    f"{_arguments(seen, {one: 'A', two: 'B', first.result: 'C'}, dimensions)}, "
                    'constraints = ["K == 1"]',
                )


def _with_term_missing(seen: Observation, first: Traces) -> Iterator[str]:
    """A product whose sums lack their last or their first term."""
    places = _sampled(first)
    if places.size < _LEAST:
        return
    for line in seen.lines:
        for depth in (one for one in seen.lines if one > 1):
            made = product_sums(first, places, line, seen.lines, [1, depth - 1, depth])
            if made is None:
                continue
            what = _NamedProducts(made, seen.names, made.is_one())
            start, without_last, whole = (made.sums[:, :, at] for at in range(3))
            if (are_near(first, whole, places) & ~what.is_one).any():
                return  # no term is missing
            for which, index, sums in (("last", "K - 1", without_last), ("first", "0", whole - start)):
                if (found := are_near(first, sums, places) & ~what.is_one).any():
                    yield _said(
                        f"a product of which the {which} term of each sum is missing",
                        f"{what.first(found)} without the product at k = {index}",
                        places.size,
                        "let the sum run over every k to have it described",
                    )


def _with_more(seen: Observation, first: Traces) -> Iterator[str]:
    """A product that something is added to, or that a function is applied to."""
    places, names = _sampled(first), seen.names
    if places.size < _LEAST:
        return
    all_sums = [(line, product_sums(first, places, line, seen.lines, seen.lines)) for line in seen.lines]
    for line, made in all_sums:
        if made is None:
            continue
        is_one = made.is_one()
        what = _NamedProducts(made, names, is_one)
        own = are_near(first, made.sums, places).any(axis=-1) & is_one
        if own.any():
            yield _said("a matrix times itself", what.first(own), places.size)
        scaled = [("", made.sums)]
        scaled += [(f"{names[place]}·", factor * made.sums) for place, factor in first.factors.items()]
        if any((are_near(first, values, places).any(axis=-1) & ~is_one).any() for _, values in scaled):
            return  # it is a product, of which something else stayed unclear
        for before, values in scaled:
            yield from _with_bias_or_maximum(seen, first, what, line, before, values)
        rising = _rises_with(made.sums, first.after[places]).any(axis=-1) & ~is_one
        if rising.any():
            yield _behind("a function of each element", f"a function of {what.first(rising)}", places.size)


@dataclass(frozen=True, slots=True)
class _NamedProducts:
    made: ProductSums
    names: Sequence[str]
    is_one: NDArray[np.bool_]

    def first(self, chosen: NDArray[np.bool_]) -> str:
        """The first of the chosen products in words, a matrix that lies column by column as transposed: "A·Bᵀ"."""
        left, right = np.argwhere(chosen)[0]
        pair = (self.made.lefts[left], self.made.rights[right])
        return "·".join(f"{self.names[one.pointer]}{'ᵀ' if one.is_turned else ''}" for one in pair)

    def without(self, pointer: int) -> NDArray[np.bool_]:
        """The products of two matrices, neither of which is behind this pointer."""
        left, right = ([one.pointer == pointer for one in side] for side in (self.made.lefts, self.made.rights))
        return np.asarray(~self.is_one & ~np.array(left)[:, None] & ~np.array(right)[None, :])


def _with_bias_or_maximum(
    seen: Observation, first: Traces, what: _NamedProducts, line: int, before: str, values: Flat
) -> Iterator[str]:
    """Products with these `values` plus a vector or at least 0; `before` are the words for a factor in front."""
    places, names = _sampled(first), seen.names

    def holds(expected: Flat, among: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.asarray(are_near(first, expected, places).any(axis=-1) & among)

    for place, held in _inputs(first).items():
        among = what.without(place)
        if not among.any():
            continue
        for at, side in ((places % line, "column"), (places // line, "row")):
            biased, bias = values + held[at], f"{names[place]}[{side}]"
            if (found := holds(biased, among)).any():
                yield _behind("an addition", f"{before}{what.first(found)} + {bias}", places.size)
            if (found := holds(np.maximum(biased, 0), among)).any():
                formula = f"max(0, {before}{what.first(found)} + {bias})"
                yield _behind("an addition and a maximum with 0 (ReLU)", formula, places.size)
    if first.after[places].any() and (found := holds(np.maximum(values, 0), ~what.is_one)).any():
        yield _behind("a maximum with 0 (ReLU)", f"max(0, {before}{what.first(found)})", places.size)


def _behind(what: str, formula: str, compared: int) -> str:
    return _said(
        f"a product with {what} behind it",
        formula,
        compared,
        "gemmviz compares results with alpha·A·B + beta·C only: take out what follows the product to have it described",
    )


def _normalised(seen: Observation, whole: Traces) -> Iterator[str]:
    """Rows that add up to 1."""
    for line in seen.lines:
        count = whole.written.size
        if count >= line >= _LEAST and (whole.written[:line] == np.arange(line)).all():
            rows = whole.after[: count // line * line].reshape(-1, line)
            if (rows >= 0).all() and np.allclose(rows.sum(axis=1), 1, atol=1e-3):
                yield (
                    f"it looks like a normalisation (softmax): in a trial each of {len(rows)} rows that it wrote adds "
                    f"up to 1; {_PRODUCTS_ONLY}"
                )


def _pairs(places: Mapping[int, Flat], *, is_ordered: bool = False) -> Iterator[tuple[int, int]]:
    yield from ((one, two) for one in places for two in places if one < two or (is_ordered and one != two))


def _nearest(seen: Observation, first: Traces) -> str:
    """How much of what one block wrote is a product; "" where little is."""
    places, best = _sampled(first), (0.0, "")
    for line in seen.lines:
        made = product_sums(first, places, line, seen.lines, seen.lines)
        if made is None:
            continue
        is_one = made.is_one()
        shares = np.where(is_one, 0.0, near_elements(first, made.sums, places).mean(axis=-1).max(axis=-1))
        best = max(best, (float(shares.max()), _NamedProducts(made, seen.names, is_one).first(shares == shares.max())))
    share, what = best
    if places.size < _LEAST or not _NEAR <= share < 1:
        return ""
    return (
        f"it comes near a product: in a trial {100 * share:.0f} % of the elements that one block wrote and that were "
        f"compared are {what}, the others are not; {_PRODUCTS_ONLY}, of which it computes every element"
    )


def _rises_with(sums: Flat, found: Flat) -> NDArray[np.bool_]:
    """For each row of sums, whether elements are larger wherever the sums are, as those of tanh are."""
    ranked = found[np.argsort(sums, axis=-1, kind="stable")]
    is_rising = (np.diff(ranked, axis=-1) >= 0).all(axis=-1)
    return np.asarray(is_rising & (len(np.unique(found)) > len(found) // 2))


def _arguments(seen: Observation, words: Mapping[int, str], dimensions: Mapping[int, str]) -> str:
    """What a description gives the parameters: 'args = ["A", "B", "C", "M", "K"]'."""
    numbers = seen.trial.numbers
    given = (
        words.get(place) or dimensions.get(numbers.get(place, 0), "null" if place in seen.trial.elements else "1")
        for place in range(len(seen.names))
    )
    return "args = [" + ", ".join(f'"{one}"' for one in given) + "]"
