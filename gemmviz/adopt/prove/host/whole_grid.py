"""The grid of a kernel that asks for its size, as one whose loop takes as many tiles as the grid has blocks."""

from __future__ import annotations

from gemmviz.adopt.propose.geometry import BlockGuess, with_values
from gemmviz.adopt.propose.instances import Instance
from gemmviz.adopt.prove.launcher import Index
from gemmviz.adopt.prove.readings import ArgumentReading, value_of
from gemmviz.adopt.prove.searched_kernel import SearchedKernel


def whole_grid(
    searched: SearchedKernel, instance: Instance, guess: BlockGuess, reading: ArgumentReading
) -> Index | None:
    """The grid that host code launches for these numbers; without host code, and where all numbers are equal, one with
    a thread for each element of a square. None where the kernel does not ask for it, or where nothing says one.
    """
    if not searched.kernel.uses_grid_size:
        return None
    launch = instance.launch
    if launch is None:
        edges = {*reading.numbers.values()}
        if len(edges) != 1 or len(searched.kernel.grid_axes) < 2:
            return None
        edge = edges.pop()
        return -(-edge // guess.block[0]), -(-edge // guess.block[1]), 1
    places = {text: place for place, text in enumerate(launch.arguments) if text.isidentifier()}
    numbers = searched.numbers_of(instance)
    counts = [value_of(with_values(text, numbers, places), reading.given) or 0 for text in launch.grid]
    x, y, z = (*counts, 1, 1, 1)[:3]
    return (x, y, z) if counts and min(counts) > 0 else None
