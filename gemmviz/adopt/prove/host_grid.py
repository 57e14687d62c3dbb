"""What the grid of the host code has to do with the one that was proven: it is the same, or has as many blocks at the
sizes of its launch, or is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.prove.check import Checked
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape

_MOST_SIZES = 3
"""Sizes at which the grid of the host code is tried beside the one that was found."""
_LEAST_EDGE = 64
_LARGEST = 4096
"""Of a dimension that only the number of blocks tells."""
_SEEN = "what one and two blocks along each axis wrote"
_DIMENSION = re.compile(r"\b[MNK]\b")

IsRight = Callable[[Description, Shape], Checked]
"""What comes of a description at a size."""


@dataclass(frozen=True, slots=True)
class HostGrid:
    """The grid of a launch over M, N and K, and what this launch gives for them, with the values of constants; a `grid`
    of () where the host code has none that can be traced, or another block was tried.
    """

    launch: FoundLaunch | None = None
    grid: tuple[str, ...] = ()
    given: tuple[tuple[str, str], ...] = ()

    def beside(self, found: KernelFinding, is_right: IsRight, *, is_free: bool) -> KernelFinding:
        """The finding with the source of its grid, and with the grid of the host code where that is wrong. `is_free`:
        any number of blocks computes all of the result.
        """
        description, launch = found.description, self.launch
        assert description is not None
        if launch is None or not self.grid or not all(self.grid):
            return _because(found, "a thread for each element" if is_free else _SEEN)
        if self.grid == description.grid:
            return _because(found, f"line {launch.line} launches it so")
        exchanged = [f"{text} for {word}" for word, text in self.given if text in {*"MNK"} - {word}]
        gives = f" gives the kernel {listed(exchanged)}, and" if exchanged else ""
        host = f"line {launch.line}{gives} launches"
        is_constant = not any(_DIMENSION.search(text) for text in self.grid)
        shape = self._shape(description)
        if is_constant and shape is None and (self._sizes or description.fixed):
            return _because(found, f"{_SEEN}; {host} {self._words}, for sizes that are constants there")
        if is_constant and shape is not None and _counts(self.grid, shape) == _counts(description.grid, shape):
            return _because(found, f"{_SEEN}; {host} as many, {self._words}, for {shape}")
        shapes = (shape,) if is_constant and shape is not None else self._sizes_to_try(found)
        for one in shapes:
            done = is_right(replace(description, grid=self.grid), one)
            if not done.is_right and not done.is_untold:
                words = f"{host} a grid of {self._words}, which is wrong at {one} ({done.fault})"
                return _because(replace(found, description=replace(description, otherwise=words)), _SEEN)
        return _because(found, f"{_SEEN}; {host} {self._words}")

    @property
    def _sizes(self) -> dict[str, int]:
        return {name: int(text) for name, text in self.given if text.isdigit()}

    def _sizes_to_try(self, found: KernelFinding) -> list[Shape]:
        """Sizes that the description allows, with equal dimensions where the launch gives one variable for them."""
        texts = [text for _, text in self.given if text and not text.isdigit()]
        if len(set(texts)) == len(texts):
            # Where one dimension is the smallest, a grid over another one in its place has too few blocks, or too many.
            least = [_with_least(found.right_sizes, place) for place in range(len("MNK"))]
            return [*dict.fromkeys((*found.right_sizes[:_MOST_SIZES], *filter(None, least)))]
        assert found.description is not None
        edges = sorted({size for one in found.right_sizes for size in (one.m, one.n, one.k)})
        squares = (Shape(one, one, one) for one in edges if one >= _LEAST_EDGE)
        allowed = (one for one in squares if all(rule.allows(one) for rule in found.description.rules))
        return [*islice(allowed, _MOST_SIZES)]

    @property
    def _words(self) -> str:
        return f"{' x '.join(self.grid)} block{'s'[: self.grid != ('1',)]}"

    def _shape(self, description: Description) -> Shape | None:
        """The size that the launch is for; None where it is not known."""
        known = self._sizes | dict(description.fixed)
        for one, two in description.equal:
            value = known.get(one, known.get(two, 0))
            known |= {one: value, two: value} if value else {}
        missing = [name for name in "MNK" if name not in known]
        if len(missing) == 1 and description.fixed:
            known |= self._size_of_blocks(description, known, missing[0])
        return Shape(known["M"], known["N"], known["K"]) if {"M", "N", "K"} <= known.keys() else None

    def _size_of_blocks(self, description: Description, known: Mapping[str, int], name: str) -> dict[str, int]:
        """The largest size of a dimension that the launch is enough for, where the kernel's other sizes are constants;
        {} where there is none.
        """
        rules = [rule for rule in description.rules if rule.dimension == name]
        wanted = _counts(self.grid, Shape(1, 1, 1))
        for size in range(_LARGEST, 0, -1):
            values = {**known, name: size}
            shape = Shape(values["M"], values["N"], values["K"])
            if all(rule.allows(shape) for rule in rules) and _counts(description.grid, shape) == wanted:
                return {name: size}
        return {}


def _with_least(shapes: Sequence[Shape], place: int) -> Shape | None:
    """Of some sizes the one at which M, N or K (0, 1 or 2) is the farthest below both others; None for none."""

    def distance(shape: Shape) -> float:
        sizes = [shape.m, shape.n, shape.k]
        size = sizes.pop(place)
        return min(sizes) / size

    found = max(shapes, key=distance, default=None)
    return found if found is not None and distance(found) > 1 else None


def _counts(grid: tuple[str, ...], shape: Shape) -> list[int] | None:
    """How many blocks there are along each axis at a size, but for axes of one behind the last; None for no number."""
    try:
        found = [evaluate_whole(text, {"M": shape.m, "N": shape.n, "K": shape.k}) for text in grid]
    except ExpressionError:
        return None
    while len(found) > 1 and found[-1] == 1:
        found.pop()
    return found


def _because(found: KernelFinding, words: str) -> KernelFinding:
    return replace(found, because=(*found.because, f"the grid: {words}"))
