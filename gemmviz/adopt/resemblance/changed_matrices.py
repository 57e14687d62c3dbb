"""Products of a matrix that lies in memory as no description says, or of a function of each element of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gemmviz.adopt.prove.evidence import Changed, Places, Traces, are_near, product_sums
from gemmviz.adopt.prove.machine import Flat
from gemmviz.adopt.reasons import Reason
from gemmviz.adopt.resemblance.observation import (
    LEAST,
    PRODUCTS_ONLY,
    NamedProducts,
    Observation,
    inputs_of,
    said,
    sampled,
)

_FEW = 2
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
class _Changed:
    """A matrix of `size` elements as it would have to be, of which those are made that are looked at: by a function of
    elements of what is held, and of which ones. Its lines lie `line` apart, 0 for any distance.
    """

    held: Flat
    size: int
    line: int = 0
    place: Callable[[Places], Places] | None = None
    function: Callable[[Flat], Flat] | None = None

    def take(self, indices: Places, /, *, mode: Literal["clip"]) -> Flat:
        places = np.minimum(indices, self.size - 1)
        found: Flat = self.held.take(places if self.place is None else self.place(places), mode=mode)
        return found if self.function is None else self.function(found)

    def may_have(self, line: int) -> bool:
        return self.line in (0, line)


@dataclass(frozen=True, slots=True)
class _Change:
    """A matrix as it would have to be for the result to be a product. `formula` has {} for its name."""

    values: _Changed
    formula: str
    what: str
    remedy: str


def with_changed_matrix(seen: Observation, first: Traces) -> Iterator[Reason]:
    """A product of such matrices: one of the two, or both alike."""
    places = sampled(first)
    if places.size < LEAST:
        return
    few = places[:: -(-places.size // _FEW)]
    inputs = inputs_of(first)
    if any(_product(seen, first, few, line, seen.names, {}) for line in seen.lines):
        return  # of a first row the plain product may be that of a changed matrix, too
    for chosen in (*([one] for one in inputs), [*inputs]):
        for changes in zip(*(_changes(inputs[one], seen) for one in chosen), strict=False):
            held = dict(zip(chosen, (one.values for one in changes), strict=True))
            names = [*seen.names]
            for place, change in zip(chosen, changes, strict=True):
                names[place] = change.formula.replace("{}", names[place])
            for line in seen.lines:
                if not _product(seen, first, few, line, names, held) or not (
                    formula := _product(seen, first, places, line, names, held)
                ):
                    continue
                yield said(f"a product {changes[0].what}", formula, places.size, changes[0].remedy)


def _product(
    seen: Observation, first: Traces, places: Places, line: int, names: Sequence[str], changed: Mapping[int, Changed]
) -> str:
    """The product that the elements at these places are, with changed matrices, in words; "" for none."""
    made = product_sums(first, places, line, seen.lines, seen.lines, changed)
    if made is None:
        return ""
    what = NamedProducts(made, names, made.is_one())
    found = are_near(first, made.sums, places).any(axis=-1) & ~what.is_one
    return what.first(found) if found.any() else ""


def _changes(held: Flat, seen: Observation) -> Iterator[_Change]:
    """What may have been done to a matrix."""
    for formula, function in _FUNCTIONS.items():
        yield _Change(
            _Changed(held, held.size, function=function),
            formula,
            "of a function of each element",
            f"{PRODUCTS_ONLY}, of their elements as they are: apply the function in a kernel of its own",
        )
    named = {value: seen.names[place] for place, value in seen.trial.numbers.items() if place < len(seen.names)}
    for line in seen.lines:
        size = named.get(line, str(line))
        yield from _mirrored(held, line)
        for gap in _GAPS:
            yield _Change(
                _Changed(held, held.size // (line + gap) * line, line, _with_gaps(line, gap)),
                f"{{}} (lines {size} + {gap} elements apart)",
                "of a matrix with gaps between its lines",
                "let it take the distance between lines as a parameter (lda, ldb) to have it described",
            )
        for edge in _EDGES if line >= _EDGES[-1] else ():
            if line % edge == 0:
                yield _Change(
                    _Changed(held, held.size // (line * edge) * edge * line, line, _in_tiles(line, edge)),
                    f"{{}} (in tiles of {edge} × {edge}, one behind the other)",
                    "of a matrix that is stored in tiles",
                    "gemmviz gives matrices row by row or column by column: store them so to have it described",
                )


def _with_gaps(line: int, gap: int) -> Callable[[Places], Places]:
    """Where elements lie in memory whose lines lie apart."""
    return lambda places: places + places // line * gap


def _in_tiles(line: int, edge: int) -> Callable[[Places], Places]:
    """Where elements lie in memory of a matrix that is stored tile by tile."""

    def place(places: Places) -> Places:
        (row, column), tiles = np.divmod(places, line), line // edge
        found: Places = ((row // edge * tiles + column // edge) * edge + row % edge) * edge + column % edge
        return found

    return place


def _of_triangle(line: int, *, is_lower: bool) -> Callable[[Places], Places]:
    """Where elements lie in memory of a square matrix of which one triangle stands for both."""

    def place(places: Places) -> Places:
        row, column = np.divmod(places, line)
        is_stored = column <= row if is_lower else column >= row
        return np.where(is_stored, places, column * line + row)

    return place


def _mirrored(held: Flat, line: int) -> Iterator[_Change]:
    """A square matrix of which one triangle stands for both."""
    if line * line > held.size:
        return
    for side in ("lower", "upper"):
        yield _Change(
            _Changed(held, line * line, line, _of_triangle(line, is_lower=side == "lower")),
            f"{{}} (its {side} triangle alone, which stands for both)",
            "of a symmetric matrix (SYMM)",
            "let it read every element of the matrix, and store both triangles, to have it described",
        )
