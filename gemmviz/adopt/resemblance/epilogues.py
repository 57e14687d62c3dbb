"""Products that something is done to: a vector that is added, a function of each element, a softmax of each row."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from gemmviz.adopt.prove.evidence import Traces, are_near, product_sums
from gemmviz.adopt.prove.machine import Flat
from gemmviz.adopt.reasons import FaultKind, Reason
from gemmviz.adopt.resemblance.observation import (
    LEAST,
    LOOKS_LIKE,
    PRODUCTS_ONLY,
    NamedProducts,
    Observation,
    inputs_of,
    said,
    sampled,
)

_OF_FUNCTIONS = 2e-3
"""How far from a function of sums an element may be."""
_LEAST_RISING = 12
"""Different elements that are ordered as sums are: of fewer it is a coincidence with one of the many sums tried."""
_OF_ITSELF = "gemmviz describes products of two matrices only: give it the second one through a pointer of its own"


def with_more(seen: Observation, first: Traces, whole: Traces) -> Iterator[Reason]:
    """A product that something is added to, or that a function is applied to."""
    places, names = sampled(first), seen.names
    if places.size < LEAST:
        return
    all_sums = [(line, product_sums(first, places, line, seen.lines, seen.lines)) for line in seen.lines]
    for line, made in all_sums:
        if made is None:
            continue
        is_one = made.is_one()
        what = NamedProducts(made, names, is_one)
        own = are_near(first, made.sums, places).any(axis=-1) & is_one
        if own.any():
            yield said("a matrix times itself", what.first(own), places.size, _OF_ITSELF)
        scaled = [("", made.sums)]
        scaled += [(f"{names[place]}·", factor * made.sums) for place, factor in first.factors.items()]
        if any((are_near(first, values, places).any(axis=-1) & ~is_one).any() for _, values in scaled):
            return  # it is a product, of which something else stayed unclear
        for before, values in scaled:
            yield from _with_bias_or_maximum(seen, first, what, line, before, values)
            yield from _with_result(seen, first, what, before, values)
        for name, function in _FUNCTIONS.items():
            found = _is_function(function, made.sums, first.after[places]).any(axis=-1) & ~is_one
            if found.any():
                yield _behind(f"{name} of each element", f"{name}({what.first(found)})", places.size)
        rising = _rises_with(made.sums, first.after[places]).any(axis=-1) & ~is_one
        if rising.any():
            if next(normalised(seen, whole), None):
                formula = f"larger where {what.first(rising)} is, and each row adds up to 1"
                yield _behind("a softmax of each row", formula, places.size)
            yield _behind("a function of each element", f"a function of {what.first(rising)}", places.size)


def _with_bias_or_maximum(
    seen: Observation, first: Traces, what: NamedProducts, line: int, before: str, values: Flat
) -> Iterator[Reason]:
    """Products with these `values` plus a vector or at least 0; `before` are the words for a factor in front."""
    places, names = sampled(first), seen.names

    def holds(expected: Flat, among: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.asarray(are_near(first, expected, places).any(axis=-1) & among)

    for place, held in inputs_of(first).items():
        among = what.without(place)
        if not among.any():
            continue
        for at, side in ((places % line, "column"), (places // line, "row")):
            scaled = values * held[at]
            if (found := holds(scaled, among)).any():
                formula = f"{before}{what.first(found)}·{names[place]}[{side}]"
                yield _behind(f"a factor for each {side}", formula, places.size)
            biased, bias = values + held[at], f"{names[place]}[{side}]"
            if (found := holds(biased, among)).any():
                formula = f"{before}{what.first(found)} + {bias}"
                yield _behind(f"a bias for each {side}", formula, places.size, _of_bias(names[place], side))
            if (found := holds(np.maximum(biased, 0), among)).any():
                formula = f"max(0, {before}{what.first(found)} + {bias})"
                yield _behind(
                    f"a bias for each {side} and a maximum with 0 (ReLU)",
                    formula,
                    places.size,
                    _of_bias(names[place], side, "and the maximum with 0, "),
                )
    if first.after[places].any() and (found := holds(np.maximum(values, 0), ~what.is_one)).any():
        yield _behind("a maximum with 0 (ReLU)", f"max(0, {before}{what.first(found)})", places.size)


def _with_result(seen: Observation, first: Traces, what: NamedProducts, before: str, values: Flat) -> Iterator[Reason]:
    """Products with these `values` that are combined with what was there otherwise than by adding a part of it."""
    places, name = sampled(first), seen.names[first.result]
    held = first.before[first.result][places]
    for formula, expected in (
        (f"{{}} + {name}·{name}", values + held * held),
        (f"{{}}·{name}", values * held),
        (f"max({{}}, {name})", np.maximum(values, held)),
        (f"min({{}}, {name})", np.minimum(values, held)),
    ):
        found = are_near(first, expected, places).any(axis=-1) & ~what.is_one
        if found.any():
            yield said(
                f"a product that is combined with what {name} held",
                formula.replace("{}", f"{before}{what.first(found)}"),
                places.size,
                f"{_ONLY}leave {name} out, or add beta times {name}, to have it described",
            )


def _is_function(function: Callable[[Flat], Flat], sums: Flat, found: Flat) -> NDArray[np.bool_]:
    """For each row of sums, whether elements are this function of them, as exactly as kernels compute such."""
    return np.asarray(np.isclose(function(sums), found, rtol=_OF_FUNCTIONS, atol=_OF_FUNCTIONS).all(axis=-1))


def _gelu(sums: Flat) -> Flat:
    """GELU by its tanh formula, which is within 0.001 of the one with erf."""
    return np.asarray(0.5 * sums * (1 + np.tanh(np.sqrt(2 / np.pi) * (sums + 0.044715 * sums**3))))


def _sigmoid(sums: Flat) -> Flat:
    return np.asarray(1 / (1 + np.exp(-sums)))


_FUNCTIONS: dict[str, Callable[[Flat], Flat]] = {
    "GELU": _gelu,
    "SiLU": lambda sums: np.asarray(sums * _sigmoid(sums)),
    "the leaky ReLU": lambda sums: np.asarray(np.where(sums > 0, sums, 0.01 * sums)),
    "tanh": lambda sums: np.asarray(np.tanh(sums)),
    "the sigmoid": _sigmoid,
}


_ONLY = "gemmviz compares results with alpha·A·B + beta·C only: "


def _of_bias(name: str, side: str, beside: str = "") -> str:
    """What to do about a vector with an element for each row or column, and about what else stands `beside` it."""
    which = f"which has one element for each {side} of the result as it lies in memory, row by row"
    return f"{_ONLY}leave out {name}, {which}, {beside}to have the product described"


def _behind(what: str, formula: str, compared: int, remedy: str = "") -> Reason:
    words = remedy or f"{_ONLY}take out what follows the product to have it described"
    return said(f"a product with {what} behind it", formula, compared, words)


def normalised(seen: Observation, whole: Traces) -> Iterator[Reason]:
    """Rows that add up to 1."""
    for line in seen.lines:
        count = whole.written.size
        if count >= line >= LEAST and (whole.written[:line] == np.arange(line)).all():
            rows = whole.after[: count // line * line].reshape(-1, line)
            if (rows >= 0).all() and np.allclose(rows.sum(axis=1), 1, atol=1e-3):
                yield Reason(
                    f"{LOOKS_LIKE} a normalisation (softmax): in a trial each of {len(rows)} rows that it wrote adds "
                    f"up to 1; {PRODUCTS_ONLY}",
                    FaultKind.LOOKS_LIKE,
                )


def _rises_with(sums: Flat, found: Flat) -> NDArray[np.bool_]:
    """For each row of sums, whether elements are larger wherever the sums are, as those of tanh are."""
    ranked = found[np.argsort(sums, axis=-1, kind="stable")]
    is_rising = (np.diff(ranked, axis=-1) >= 0).all(axis=-1)
    return np.asarray(is_rising & (len(np.unique(found)) >= max(_LEAST_RISING, len(found) // 2 + 1)))
