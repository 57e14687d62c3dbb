"""Kernels of which further blocks along z compute further products, or the same one once more."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.propose.instances import Instance
from gemmviz.adopt.propose.roles import DIMENSIONS
from gemmviz.adopt.prove.launcher import BlockGeometry, TryError
from gemmviz.adopt.prove.trial import Trial
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.domain.listing import listed

_LEAST_DISTANCES = 2
"""A matrix of parts alone, that a second kernel adds up, takes one."""
_EDGE = 2048
"""Of matrices with room for a second one, which begins so many elements behind the first: more than one has."""
_FURTHER = 1 << 20


@dataclass(frozen=True, slots=True)
class Batch:
    """That blocks along z go on by `distances` that a kernel is given for more than one matrix. Line `line` of the host
    code launches `blocks` of them, 0 and "" where there is none. `shares` is the result that all of them write, ""
    where each has one of its own.
    """

    distances: str
    blocks: str
    line: int
    shares: str = ""

    def beside(self, found: KernelFinding) -> KernelFinding:
        """The finding with what blocks along z are for and, where they write one result, with a launch of several."""
        assert found.description is not None
        if not self.shares:
            launched = f" of {self.blocks}" if self.blocks.isdigit() else ""
            said = f"blocks along z go on to the next product, by {self.distances}: one product{launched} is described"
            return replace(found, because=(*found.because[:-1], said, *found.because[-1:]))
        same = f"write the same elements of {self.shares}"
        said = f"blocks along z go on in other matrices, by {self.distances}, and {same}: it is right with one alone"
        told = replace(found, notes=(*found.notes, said))
        if self.blocks in ("", "1"):
            return told
        fault = f"line {self.line} launches {self.blocks} blocks along z, which {same}: they race"
        if not self.blocks.isdigit():
            many = f"as many blocks along z as {self.blocks} says"
            fault = f"line {self.line} launches {many}, which {same}: they race where there is more than one"
        return replace(told, description=replace(found.description, otherwise=fault))


def batch_of(
    description: Description, kernel: FoundKernel, instance: Instance, trial: Trial, geometry: BlockGeometry
) -> Batch | None:
    """The batch that a kernel computes one product of; None where blocks along z are for something else."""
    words = description.arguments
    edges = {name for axis, name in kernel.block_edges if axis == "z"}
    names = {place: one.name for place, one in enumerate(kernel.parameters) if one.name in edges}
    names = {place: name for place, name in names.items() if words[place] not in (*DIMENSIONS, "")}
    if len(names) < _LEAST_DISTANCES or len(description.grid) > 2:
        return None
    launch = instance.launch
    blocks = (*launch.grid, "", "", "")[2] if launch is not None else ""
    counts = frozenset(place for place, word in enumerate(words) if word == "1")
    is_shared = not description.adds_to_c and _is_result_shared(trial, frozenset(names), counts, geometry)
    if counts and not is_shared:
        return None
    result = kernel.parameters[words.index(description.result)].name if is_shared else ""
    return Batch(listed([*names.values()]), blocks, launch.line if launch is not None else 0, result)


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
