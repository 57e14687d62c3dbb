"""What a kernel does where lines of a matrix are farther apart than they have to be, as its leading dimension says."""

from __future__ import annotations

import re
from collections.abc import Collection
from math import isnan, nan

import numpy as np

from gemmviz.adopt.description import FIRST_ALPHA, FIRST_BETA, Description
from gemmviz.adopt.prove.check import given_value, is_near, launch_index, local_bytes
from gemmviz.adopt.prove.launcher import ArrayLauncher, BlockGeometry, TryError
from gemmviz.adopt.prove.machine import array_of, lattice, values_in
from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.domain.kernels.call import OPERANDS, leading_dimension, size_of
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Layout

_GAP = 32
"""Elements between two lines: as many as keep every vector aligned."""
_OF_GAPS = (7.0, nan)
"""What they hold, in turn: neither a zero, which adds nothing, nor an element; and what no factor of 0 takes out."""
_LEADING = re.compile(r"\bld([abcd])\b")


def padded_words(kernel: ArrayLauncher, description: Description, shape: Shape, limit_s: float) -> tuple[str, ...]:
    """What is wrong where each leading dimension that a kernel takes is larger than it has to be, a sentence for each;
    () for nothing, or where it cannot be run so.
    """
    found = []
    for name in sorted({one.upper() for text in description.arguments for one in _LEADING.findall(text)}):
        for held in _OF_GAPS:
            try:
                fault = _fault(kernel, description, shape, {name}, held, limit_s)
            except (TryError, ExpressionError):
                continue
            if fault:
                found.append(f"with ld{name.lower()} larger than lines of {name} need, {fault}")
                break
    return tuple(found)


def _fault(
    kernel: ArrayLauncher,
    description: Description,
    shape: Shape,
    padded: Collection[str],
    filling: float,
    limit_s: float,
) -> str:
    """What is wrong with gaps between the lines of these matrices that hold `filling`; "" for nothing."""
    numbers = {"M": shape.m, "N": shape.n, "K": shape.k, **description.defaults}
    rng, result = np.random.default_rng(7), description.result
    lines, arrays, leading = {}, {}, {}
    for name in OPERANDS:
        storage, (rows, columns) = description.storage(name), size_of(name, shape)
        count, length = (columns, rows) if storage.layout is Layout.COLUMN else (rows, columns)
        gap = _GAP if name in padded else 0
        held = np.full((count, length + gap), filling)
        held[:, :length] = lattice(count * length, rng).reshape(count, length)
        leading[f"ld{name.lower()}"] = leading_dimension(name, shape, storage.layout) + gap
        arrays[name] = array_of(held, storage.element, name)
        lines[name] = (count, length + gap)

    def matrix(name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        """The elements of a matrix as they lie in memory now, in rows and columns, without the gaps."""
        storage, (rows, columns) = description.storage(name), size_of(name, shape)
        held = values_in(arrays[name], storage.element).reshape(lines[name])
        return held[:, :rows].T if storage.layout is Layout.COLUMN else held[:, :columns]

    factor, share = description.scalings(FIRST_ALPHA, FIRST_BETA)
    expected = factor * (matrix("A") @ matrix("B")) + share * matrix("C")
    kernel = kernel.with_local(local_bytes(description, numbers))
    given = [
        evaluate_whole(text, {**numbers, **leading})
        if _LEADING.search(text)
        else given_value(text, numbers, description, shape, arrays, FIRST_ALPHA, FIRST_BETA)
        for text in description.arguments
    ]
    block, grid = launch_index(description.block, numbers), launch_index(description.grid, numbers)
    kernel.run(given, BlockGeometry(block, evaluate_whole(description.shared_bytes, numbers)), grid, limit_s)
    if not is_near(matrix(result), expected):
        if isnan(filling):
            return f"a NaN in the gaps between its lines reaches the result at {shape}"
        return f"results are wrong at {shape}: it takes {listed([*padded])} without gaps between lines alone"
    held = values_in(arrays[result], description.storage(result).element).reshape(lines[result])
    length = lines[result][1] - (_GAP if result in padded else 0)
    kept = np.isnan(held[:, length:]) if isnan(filling) else held[:, length:] == filling
    return "" if kept.all() else f"it writes to the gaps between lines of {result}, too"
