"""One way of giving a kernel its numbers, and what it writes when it is run so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from gemmviz.adopt.prove.evidence import Traces
from gemmviz.adopt.prove.launcher import BlockGeometry, Index, TryError
from gemmviz.adopt.prove.machine import CompiledKernel, Flat, array_of, elements_of, lattice, values_in
from gemmviz.adopt.reasons import FaultKind
from gemmviz.domain.kernels.parameter_types import EMPTY
from gemmviz.domain.listing import listed
from gemmviz.domain.terms import Element
from gemmviz.machine.memory import Array

MOST_ELEMENTS = 2**24
"""Of a matrix that is tried with."""
_MOST_SPARE_BYTES = 1 << 26
FACTORS, OTHER_FACTORS = (1.5, -0.75, 0.625, -1.25), (-0.875, 1.25, 1.75, 0.375)
"""Values of floating-point parameters: exact in every type, and no two alike with what is made of them."""
_FIRSTS = (0.625, -0.375, 0.875, -0.75, 0.25, -0.125)
"""Of a matrix, by its number: neither 0 nor 1, and no two alike, so that one that is copied to another is seen."""
_COARSEST = (Element.BFLOAT16, Element.HALF, Element.FLOAT32, Element.DOUBLE)


class NothingWrittenError(TryError):
    """A run changed no matrix; `given` are the numbers that the kernel got, by their places."""

    def __init__(self, given: Mapping[int, float]) -> None:
        super().__init__("it changed nothing", FaultKind.NOTHING_CHANGED)
        self.given = given

    def words(self, names: Sequence[str]) -> str:
        """What happened, with the numbers given by the names of their parameters."""
        given = [f"{names[place]} = {value:g}" for place, value in sorted(self.given.items()) if place < len(names)]
        return f"{self}, given {listed(given)}" if given else str(self)


class SeveralResultsError(TryError):
    """The kernel wrote to more than one matrix: the places of the parameters."""

    def __init__(self, places: Sequence[int]) -> None:
        super().__init__(f"it wrote to {len(places)} of its matrices; a product has one result")
        self.places = places

    def words(self, names: Sequence[str]) -> str:
        """What happened, and what to do, with the results by the names of their parameters."""
        results = listed([names[place] for place in self.places])
        return (
            f"it wrote to {results}, and a product has one result: write each in a kernel of its own, and keep what is "
            "only a workspace, such as parts of sums, in a `__device__` array"
        )


@dataclass(slots=True)
class Trial:
    """A kernel with the values of its whole-number parameters, by their places.

    `nulls` are pointers to nothing, `sizes` the numbers that may be sizes of a matrix.
    """

    kernel: CompiledKernel
    numbers: Mapping[int, int]
    limit_s: float
    nulls: frozenset[int] = frozenset()
    sizes: frozenset[int] = frozenset()
    factor_values: Sequence[float] = FACTORS
    formats: frozenset[Element] = frozenset()
    """Those that it may compute in, beside those of its matrices."""
    elements: Mapping[int, Element] = field(init=False)
    factors: Mapping[int, float] = field(init=False)
    _matrices: _Matrices = field(init=False)
    _before: dict[int, Array] = field(init=False)
    _values: dict[int, Flat] = field(init=False)

    def __post_init__(self) -> None:
        types = self.kernel.types
        self.elements = {place: one for place, one in elements_of(types).items() if place not in self.nulls}
        floating = [
            place
            for place, kind in enumerate(types)
            if not kind.is_pointer and kind.scalar != EMPTY and place not in self.numbers
        ]
        self.factors = dict(zip(floating, self.factor_values, strict=False))
        largest = sorted(self.sizes or {*self.numbers.values()} or {1})[-2:]
        size = min(MOST_ELEMENTS, largest[0] * largest[-1])
        self._matrices = _matrices(size, tuple(self.elements.values()))
        self._before = dict(zip(self.elements, self._matrices.before, strict=True))
        self._values = dict(zip(self.elements, self._matrices.values, strict=True))

    def run(self, geometry: BlockGeometry, grid: Index) -> Traces:
        """What so many blocks write, with matrices large enough for every order of the dimensions.

        Raises:
            NothingWrittenError: nothing.
            TryError: the kernel did something wrong, or wrote more than one matrix.
        """
        arrays = dict(zip(self._before, self._matrices.copies(), strict=True))
        for place, one in arrays.items():
            one.name = f"parameter {place + 1}"
        given = [
            arrays[place] if place in arrays else self.numbers.get(place, self.factors.get(place, 0))
            for place in range(len(self.kernel.types))
        ]
        self.kernel.run(given, geometry, grid, self.limit_s)
        bits = {place: f"u{element.nbytes}" for place, element in self.elements.items()}
        written = {
            place: np.flatnonzero(one.view(bits[place]) != self._before[place].view(bits[place]))
            for place, one in arrays.items()
        }
        changed = [place for place, elements in written.items() if elements.size]
        if not changed:
            raise NothingWrittenError({**self.numbers, **self.factors})
        if len(changed) > 1:
            raise SeveralResultsError(changed)
        result = changed[0]
        coarsest = next(one for one in _COARSEST if one in {*self.elements.values(), *self.formats})
        after = values_in(arrays[result], self.elements[result])
        self._matrices.take_back(tuple(arrays.values()))
        return Traces(
            self._values,
            result,
            after,
            written[result],
            self.factors,
            coarsest,
        )


@dataclass(slots=True)
class _Matrices:
    """Matrices that trials begin with: their memory, which stays as it is, and their values."""

    before: tuple[Array, ...]
    values: tuple[Flat, ...]
    _spare: list[tuple[Array, ...]] = field(default_factory=list)
    """Memory of earlier trials: new pages take longer than most kernels."""

    def copies(self) -> tuple[Array, ...]:
        """Memory with the same contents, for one trial alone."""
        try:
            made = self._spare.pop()
        except IndexError:
            made = tuple(Array(one.nbytes) for one in self.before)
        for one, before in zip(made, self.before, strict=True):
            one.bytes[:] = before.bytes
        return made

    def take_back(self, copies: tuple[Array, ...]) -> None:
        """Keep for the next trial what nothing writes to any more."""
        if not self._spare and sum(one.nbytes for one in copies) <= _MOST_SPARE_BYTES:
            self._spare.append(copies)


@lru_cache(maxsize=4)
def _matrices(size: int, elements: tuple[Element, ...]) -> _Matrices:
    """A matrix of so many elements for each element type."""
    rng = np.random.default_rng(5)
    contents = (_telling(lattice(size, rng), number) for number in range(len(elements)))
    made = tuple(
        array_of(values, element, f"matrix {number}")
        for number, (values, element) in enumerate(zip(contents, elements, strict=True), 1)
    )
    return _Matrices(made, tuple(values_in(one, element) for one, element in zip(made, elements, strict=True)))


def _telling(values: Flat, number: int) -> Flat:
    """The values with a first one whose products are neither 0 nor what they multiply: where a size is 0, such as the
    radius of a filter, a kernel multiplies by that alone.
    """
    values[:1] = _FIRSTS[number % len(_FIRSTS)]
    return values
