"""Runs what a hint says of a kernel that is a product with one row, one column or one term, before it is given."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.check import check
from gemmviz.adopt.prove.launcher import TryError
from gemmviz.adopt.resemblance.observation import Observation
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Layout


def is_proven(
    seen: Observation,
    arguments: Sequence[str],
    shape: Shape,
    grid: tuple[int, ...] = (),
    *,
    has_columns: bool = False,
    adds_to_c: bool = False,
) -> bool:
    """Whether the kernel computes the product of this size with such arguments, in arrays without one element to spare;
    without a grid with as many blocks along x as write all of the result. `has_columns`: A lies column by column.
    """
    try:
        first = seen.trial.run(seen.geometry, (1, 1, 1))
    except TryError:
        return False
    each = int(first.written.max()) + 1
    grid = grid or (-(-shape.m * shape.n // each),)
    elements = {
        word: seen.trial.elements[place] for place, word in enumerate(arguments) if place in seen.trial.elements
    }
    if not {"A", "B", "C"} <= {*elements}:
        return False
    a, b, c = (Storage(elements[one], Layout.ROW) for one in "ABC")
    if has_columns:
        a = Storage(elements["A"], Layout.COLUMN)
    described = Description(
        entry="",
        template=(),
        defines=(),
        arguments=tuple(arguments),
        storages=(a, b, c, c),
        block=tuple(map(str, seen.geometry.block)),
        grid=tuple(map(str, grid)),
        shared_bytes=str(seen.geometry.shared_bytes),
        adds_to_c=adds_to_c,
    )
    return check(seen.trial.kernel, described, shape, seen.trial.limit_s).is_right
