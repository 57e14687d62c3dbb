"""How much local memory the parameters of an OpenCL kernel need: one block runs with ordinary memory in its place.

What a block writes there, from the first byte to the last, is what a launch has to give.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gemmviz.adopt.prove.launcher import BlockGeometry, TryError
from gemmviz.adopt.prove.machine import POISON, CompiledKernel, array_of, elements_of, lattice, poison
from gemmviz.machine.memory import Array

MOST_LOCAL_BYTES = 48 * 1024
"""Of a block, in all its parameters."""
_LEAST_BYTES = 16
"""For a parameter that is not written to."""
_MOST_ELEMENTS = 2**24


def local_sizes(
    kernel: CompiledKernel, places: Sequence[int], numbers: Mapping[int, int], geometry: BlockGeometry, limit_s: float
) -> dict[int, str]:
    """The bytes that each local parameter needs, by its place counted from 0: a number, or a multiple of what the
    parameter at another place is given, "4 * {2}". The kernel was compiled with pointers there.

    Raises:
        TryError: the kernel does something wrong, or what it needs depends on its numbers in another way.
    """
    first = _written(kernel, places, numbers, geometry, limit_s)
    found = {place: str(nbytes) for place, nbytes in first.items()}
    for number, value in numbers.items():
        if value < 2:
            continue
        second = _written(kernel, places, {**numbers, number: 2 * value}, geometry, limit_s)
        for place, nbytes in second.items():
            if nbytes == first[place]:
                continue
            if nbytes != 2 * first[place] or first[place] % value or not found[place].isdigit():
                raise TryError(f"the local memory of parameter {place + 1} depends on its sizes in no simple way")
            found[place] = f"{first[place] // value} * {{{number}}}"
    return found


def _written(
    kernel: CompiledKernel, places: Sequence[int], numbers: Mapping[int, int], geometry: BlockGeometry, limit_s: float
) -> dict[int, int]:
    elements = elements_of(kernel.types)
    largest = max({*numbers.values()}, default=1)
    values = lattice(min(_MOST_ELEMENTS, largest * largest), np.random.default_rng(7))
    local = {place: Array(MOST_LOCAL_BYTES, f"parameter {place + 1}") for place in places}
    for one in local.values():
        poison(one)
    given: list[int | float | Array] = []
    for place in range(len(kernel.types)):
        if place in local:
            given.append(local[place])
        elif place in elements:
            given.append(array_of(values, elements[place], f"parameter {place + 1}"))
        else:
            given.append(numbers.get(place, 1))
    kernel.run(given, geometry, (1, 1, 1), limit_s)
    return {place: _extent(one, elements[place].nbytes if place in elements else 1) for place, one in local.items()}


def _extent(memory: Array, element: int) -> int:
    """The bytes from the first to the last that is no poison any more, in whole elements."""
    changed = np.flatnonzero(memory.bytes != POISON)
    return -(-(int(changed[-1]) + 1) // element) * element if changed.size else _LEAST_BYTES
