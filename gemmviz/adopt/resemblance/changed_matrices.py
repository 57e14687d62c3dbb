"""Products of a matrix that lies in memory as no description says, or of a function of each element of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gemmviz.adopt.prove.evidence import Places, Traces, are_near, product_sums
from gemmviz.adopt.prove.machine import Flat
from gemmviz.adopt.resemblance.observation import (
    LEAST,
    PRODUCTS_ONLY,
    NamedProducts,
    Observation,
    inputs_of,
    said,
    sampled,
)

_FEW = 4
"""Elements that are compared before all others: of most changes none is right."""
_EDGES = (4, 8, 16, 32)
"""Edges of tiles that a matrix may be stored in."""
_GAPS = (1, 2, 4, 8, 16, 32)
"""Elements that may lie between the lines of a matrix."""
_FUNCTIONS: Mapping[str, Callable[[Flat], Flat]] = {
    "|{}|": np.abs,
    "max(0, {})": lambda held: np.maximum(held, 0.0),
    "{}²": np.square,
    "round({})": np.rint,
    "trunc({})": np.trunc,
}


@dataclass(frozen=True, slots=True)
class _Change:
    """A matrix as it would have to be for the result to be a product. `formula` has {} for its name."""

    values: Flat
    formula: str
    what: str
    remedy: str


def with_changed_matrix(seen: Observation, first: Traces) -> Iterator[str]:
    """A product of such matrices: one of the two, or both alike."""
    places = sampled(first)
    if places.size < LEAST:
        return
    few = places[:: -(-places.size // _FEW)]
    inputs = inputs_of(first)
    if any(_product(seen, first, few, line, seen.names) for line in seen.lines):
        return  # of a first row the plain product may be that of a changed matrix, too
    for chosen in (*([one] for one in inputs), [*inputs]):
        for changes in zip(*(_changes(inputs[one], seen) for one in chosen), strict=False):
            held = dict(zip(chosen, (one.values for one in changes), strict=True))
            names = [*seen.names]
            for place, change in zip(chosen, changes, strict=True):
                names[place] = change.formula.replace("{}", names[place])
            changed = replace(first, before={**first.before, **held})
            for line in seen.lines:
                if not _product(seen, changed, few, line, names) or not (
                    formula := _product(seen, changed, places, line, names)
                ):
                    continue
                yield said(f"a product {changes[0].what}", formula, places.size, changes[0].remedy)


def _product(seen: Observation, changed: Traces, places: Places, line: int, names: Sequence[str]) -> str:
    """The product that the elements at these places are, in words; "" for none."""
    made = product_sums(changed, places, line, seen.lines, seen.lines)
    if made is None:
        return ""
    what = NamedProducts(made, names, made.is_one())
    found = are_near(changed, made.sums, places).any(axis=-1) & ~what.is_one
    return what.first(found) if found.any() else ""


def _changes(held: Flat, seen: Observation) -> Iterator[_Change]:
    """What may have been done to a matrix."""
    for formula, function in _FUNCTIONS.items():
        yield _Change(
            function(held),
            formula,
            "of a function of each element",
            f"{PRODUCTS_ONLY}, of their elements as they are: apply the function in a kernel of its own",
        )
    named = {value: seen.names[place] for place, value in seen.trial.numbers.items() if place < len(seen.names)}
    for line in seen.lines:
        size = named.get(line, str(line))
        yield from _mirrored(held, line)
        for gap in _GAPS:
            rows = held.size // (line + gap)
            yield _Change(
                held[: rows * (line + gap)].reshape(rows, line + gap)[:, :line].ravel(),
                f"{{}} (lines {size} + {gap} elements apart)",
                "of a matrix with gaps between its lines",
                "let it take the distance between lines as a parameter (lda, ldb) to have it described",
            )
        for edge in _EDGES if line >= _EDGES[-1] else ():
            if line % edge == 0:
                rows = held.size // (line * edge) * edge
                tiles = held[: rows * line].reshape(rows // edge, line // edge, edge, edge)
                yield _Change(
                    tiles.swapaxes(1, 2).ravel(),
                    f"{{}} (in tiles of {edge} x {edge}, one behind the other)",
                    "of a matrix that is stored in tiles",
                    "gemmviz gives matrices row by row or column by column: store them so to have it described",
                )


def _mirrored(held: Flat, line: int) -> Iterator[_Change]:
    """A square matrix of which one triangle stands for both."""
    if line * line > held.size:
        return
    square = held[: line * line].reshape(line, line)
    for side, triangle, other in (("lower", np.tril(square), -1), ("upper", np.triu(square), 1)):
        yield _Change(
            (triangle + (np.tril(triangle, other) if other < 0 else np.triu(triangle, other)).T).ravel(),
            f"{{}} (its {side} triangle alone, which stands for both)",
            "of a symmetric matrix (SYMM)",
            "let it read every element of the matrix, and store both triangles, to have it described",
        )
