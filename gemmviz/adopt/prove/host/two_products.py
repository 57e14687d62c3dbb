"""Runs two products of a batch, and says whether each is a product in a part of C of its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gemmviz.adopt.description import FIRST_ALPHA, FIRST_BETA, Description
from gemmviz.adopt.prove.check import given_value, is_near, launch_index, local_bytes
from gemmviz.adopt.prove.launcher import ArrayLauncher, BlockGeometry, TryError
from gemmviz.adopt.prove.machine import Flat, array_of, lattice, poison, values_in
from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.domain.kernels.call import OPERANDS, size_of
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Layout

_MOST_ELEMENTS = 1 << 22
"""Of each matrix with room for two products."""
_LEAST_EDGE = 8
"""Of each dimension, where there are such sizes."""


@dataclass(frozen=True, slots=True)
class TwoProducts:
    """What two products of a batch showed: at which sizes each was right in a part of C of its own, or the `fault`;
    neither where nothing is known.
    """

    right: tuple[Shape, ...] = ()
    fault: str = ""

    @property
    def words(self) -> str:
        """That both are right: "two were run at 24x37x19 and 10x8x54, and both are right"; "" for nothing known."""
        return f"two were run at {listed([*map(str, self.right)])}, and both are right" if self.right else ""


UNKNOWN = TwoProducts()


def two_products(
    kernel: ArrayLauncher, description: Description, sizes: Sequence[Shape], counts: Collection[int], limit_s: float
) -> TwoProducts:
    """What two blocks along z compute, at the smallest of the `sizes` with the least K and with the largest K: a
    distance of another matrix than it should be shows at one of them. `counts` are the places of numbers of products.
    """
    by_products = sorted(sizes, key=lambda one: (min(one.m, one.n, one.k) < _LEAST_EDGE, one.m * one.n * one.k))
    chosen = [
        next((one for one in by_products if one.k < one.m < one.n), None),
        next((one for one in by_products if one.n < one.m < one.k), None),
    ]
    right = []
    for shape in chosen:
        try:
            found = _at(kernel, description, shape, counts, limit_s) if shape is not None else None
        except (TryError, ExpressionError):
            return UNKNOWN
        if found is None or shape is None:
            return UNKNOWN
        if found:
            return TwoProducts(fault=found)
        right.append(shape)
    return TwoProducts(tuple(right))


def _at(
    kernel: ArrayLauncher, description: Description, shape: Shape, counts: Collection[int], limit_s: float
) -> str | None:
    """What is wrong with two products at a size, "" for nothing; None where they are no two products.

    Raises:
        TryError: they cannot be run.
        ExpressionError: a number of the launch cannot be computed.
    """
    numbers = {"M": shape.m, "N": shape.n, "K": shape.k, **description.defaults}
    sizes = {name: size_of(name, shape)[0] * size_of(name, shape)[1] for name in OPERANDS}
    whole = {text: _whole(text, numbers) for text in description.arguments}
    room = 2 * max(*sizes.values(), *whole.values()) + 1
    if room > _MOST_ELEMENTS:
        return None
    rng, result = np.random.default_rng(3), description.result
    elements = {name: description.storage(name).element for name in OPERANDS}
    arrays = {name: array_of(lattice(room, rng), elements[name], name) for name in OPERANDS}
    values = {name: values_in(one, elements[name]) for name, one in arrays.items()}
    if not description.reads_c or result == "D":
        poison(arrays[result])
    before = arrays[result].bytes.copy()
    launched = replace(description, grid=(*description.grid, "1")[:2])
    grid = (*launch_index(launched.grid, numbers)[:2], 2)
    geometry = BlockGeometry(
        launch_index(description.block, numbers), evaluate_whole(description.shared_bytes, numbers)
    )
    kernel = kernel.with_local(local_bytes(description, numbers))
    words = [*enumerate(description.arguments)]
    given = [
        2 if at in counts else given_value(text, numbers, description, shape, arrays, FIRST_ALPHA, FIRST_BETA)
        for at, text in words
    ]
    kernel.run(given, geometry, grid, limit_s)
    differs = (arrays[result].bytes != before).reshape(room, -1).any(axis=1)
    apart = int(np.flatnonzero(differs)[-1]) + 1 - sizes[result] if differs.any() else 0
    if apart <= 0:
        return None
    held = values_in(arrays[result], elements[result])
    known = {f"{one} * {two}": numbers[one] * numbers[two] for one, two in ("MK", "KN", "MN")}
    places = sorted({0, apart, *known.values(), *whole.values()})
    pairs = [(a, b) for a in places for b in places if max(a, b) + max(sizes.values()) <= room]

    def product(at_a: int, at_b: int, at_c: int) -> Flat:
        return _product(description, shape, values, (at_a, at_b, at_c))

    second = held[apart : apart + sizes[result]]
    found = next((one for one in pairs if any(one) and is_near(second, product(*one, apart))), None)
    if found is None:
        return None
    distances = {"A": found[0], "B": found[1], result: apart}
    for name, distance in distances.items():
        if 0 < distance < sizes[name]:
            far = next((f"{text} = {distance}" for text, value in known.items() if value == distance), distance)
            return (
                f"at {shape} {name} of the second product begins {far} elements behind that of the first one, "
                f"which has {sizes[name]}: they overlap"
            )
    return "" if is_near(held[: sizes[result]], product(0, 0, 0)) else None


def _whole(text: str, numbers: Mapping[str, int]) -> int:
    """The number that an expression of sizes gives; 0 for what is none."""
    try:
        return max(0, evaluate_whole(text, numbers))
    except ExpressionError:
        return 0


def _product(description: Description, shape: Shape, values: Mapping[str, Flat], places: tuple[int, int, int]) -> Flat:
    """The product of matrices that begin at such places, as it lies in memory; C where the result does."""
    matrices = {}
    for name, place in zip(("A", "B", "C"), places, strict=True):
        rows, columns = size_of(name, shape)
        part = values[name][place : place + rows * columns]
        is_turned = description.storage(name).layout is Layout.COLUMN
        matrices[name] = part.reshape(columns, rows).T if is_turned else part.reshape(rows, columns)
    factor, share = description.scalings(FIRST_ALPHA, FIRST_BETA)
    found: NDArray[np.float64] = factor * (matrices["A"] @ matrices["B"]) + share * matrices["C"]
    is_turned = description.storage(description.result).layout is Layout.COLUMN
    return (found.T if is_turned else found).reshape(-1)
