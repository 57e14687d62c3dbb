"""Kernels of which further blocks along z compute further products, or the same one once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.propose.instances import Instance
from gemmviz.adopt.propose.roles import DIMENSIONS
from gemmviz.adopt.prove.host.two_products import UNKNOWN, TwoProducts, two_products
from gemmviz.adopt.prove.launcher import BlockGeometry, TryError
from gemmviz.adopt.prove.trial import Trial
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape

_LEAST_DISTANCES = 2
"""A matrix of parts alone, that a second kernel adds up, takes one."""
_EDGE = 2048
"""Of matrices with room for a second one, which begins so many elements behind the first: more than one has."""
_FURTHER = 1 << 20


@dataclass(frozen=True, slots=True)
class Batch:
    """That blocks along z go on by `distances` that a kernel is given for more than one matrix, "" where it computes
    them itself. Line `line` of the host code launches `blocks` of them, 0 and "" where there is none. `shares` is the
    result that all of them write, "" where each has one of its own; `two` is what two products showed.
    """

    distances: str
    blocks: str
    line: int
    shares: str = ""
    two: TwoProducts = UNKNOWN

    def beside(self, found: KernelFinding) -> KernelFinding:
        """The finding with what blocks along z are for and, where they write one result or results that overlap, with a
        launch of several.
        """
        assert found.description is not None
        by = f", by {self.distances}" if self.distances else ""
        if self.shares:
            same = f"write the same elements of {self.shares}"
            said = f"blocks along z go on in other matrices{by}, and {same}: it is right with one alone"
            return self._with_fault(replace(found, notes=(*found.notes, said)), f", which {same}: they race")
        if self.two.fault:
            why = "" if self._launches_several else f" ({self.two.fault})"
            said = f"blocks along z go on to the next product{by}: it is right with one alone{why}"
            return self._with_fault(
                replace(found, notes=(*found.notes, said)), f", each for a product: {self.two.fault}"
            )
        launched = f" of {self.blocks}" if self.blocks.isdigit() else ""
        checked = self.two.words or "further ones were not checked"
        said = f"blocks along z go on to the next product{by}: one product{launched} is described; {checked}"
        return replace(found, because=(*found.because[:-1], said, *found.because[-1:]))

    @property
    def _launches_several(self) -> bool:
        return self.blocks not in ("", "1")

    def _with_fault(self, found: KernelFinding, fault: str) -> KernelFinding:
        """The finding with a launch of several blocks along z and what is wrong with it."""
        if not self._launches_several:
            return found
        words = f"line {self.line} launches {self.blocks} blocks along z{fault}"
        if not self.blocks.isdigit():
            more = " where there is more than one" if self.shares else ""
            words = f"line {self.line} launches as many blocks along z as {self.blocks} says{fault}{more}"
        assert found.description is not None
        return replace(found, description=replace(found.description, otherwise=words, otherwise_line=self.line))


def batch_of(
    description: Description,
    sizes: Sequence[Shape],
    kernel: FoundKernel,
    instance: Instance,
    trial: Trial,
    geometry: BlockGeometry,
) -> Batch | None:
    """The batch that a kernel computes one product of; None where blocks along z are for something else. `sizes` are
    those at which the one is right.
    """
    if "z" not in kernel.grid_axes or len(description.grid) > 2:
        return None
    words = description.arguments
    edges = {name for axis, name in kernel.block_edges if axis == "z"}
    names = {place: one.name for place, one in enumerate(kernel.parameters) if one.name in edges}
    names = {place: name for place, name in names.items() if words[place] not in (*DIMENSIONS, "")}
    launch = instance.launch
    blocks = (*launch.grid, "", "", "")[2] if launch is not None else ""
    line = launch.line if launch is not None else 0
    counts = frozenset(place for place, word in enumerate(words) if word == "1")
    two = two_products(trial.kernel, description, sizes, counts, trial.limit_s)
    if two.fault and any(words[place].isdigit() for place in names):
        two = UNKNOWN  # what is far enough apart for the sizes of the host code
    distances = listed([*names.values()]) if len(names) >= _LEAST_DISTANCES else ""
    if not distances:
        return Batch("", blocks, line, two=two) if two != UNKNOWN else None
    is_shared = not description.adds_to_c and _is_result_shared(trial, frozenset(names), counts, geometry)
    if counts and not is_shared and two == UNKNOWN:
        return None
    result = kernel.parameters[words.index(description.result)].name if is_shared else ""
    return Batch(distances, blocks, line, result, two)


def _is_result_shared(trial: Trial, distances: frozenset[int], counts: frozenset[int], geometry: BlockGeometry) -> bool:
    """Whether a second block along z writes what the first one writes and nothing else, wherever its matrices begin;
    `counts` are the places of numbers of products.
    """
    numbers = {**trial.numbers, **dict.fromkeys(distances, _FURTHER), **dict.fromkeys(counts, 2)}
    apart = replace(trial, numbers=numbers, sizes=frozenset({_EDGE}))
    try:
        one, two = (apart.run(geometry, (1, 1, count)) for count in (1, 2))
    except TryError:
        return False
    return one.result == two.result and bool(np.array_equal(one.written, two.written))
