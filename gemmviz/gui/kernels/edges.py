"""How much of a grid lies beyond the edges of C, found by asking the header's grid about other sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gemmviz.catalogue.kernel import Kernel, LaunchRule, Refusal
from gemmviz.domain.device import Device
from gemmviz.domain.shape import MAX_DIMENSION, MAX_ELEMENTS, Shape, ShapeError
from gemmviz.domain.spec import Params

_Grid = tuple[int, int, int]
_GridOf = Callable[[int, int], _Grid | None]


@dataclass(frozen=True, slots=True)
class EdgeWaste:
    """The part, from 0 to 1, of what a grid covers that is not in C; `of` is "rows" or "columns" where the grid
    depends on those alone, else "".
    """

    part: float
    of: str = ""


def edge_waste(kernel: Kernel, params: Params, shape: Shape, device: Device) -> EdgeWaste | None:
    """The waste of a launch, or None where the grid does not follow from the size of C.

    With M' and N' the largest M and N that have the same grid, it is 1 - M·N / (M'·N'), or 1 - M/M' where only the
    rows count. A grid may also count the elements of C through: then as many as it holds in a C of one column.
    """
    grid_of = _grid_rule(kernel, params, shape.k, device)
    here = grid_of(shape.m, shape.n)
    if here is None:
        return None
    m = _last(lambda rows: grid_of(rows, shape.n) == here, shape.m, _most(shape.k, shape.n))
    n = _last(lambda columns: grid_of(shape.m, columns) == here, shape.n, _most(shape.k, shape.m))
    if m is not None and n is not None:
        return _of_both(grid_of, here, shape, (m, n))
    if m is not None and (m > shape.m or grid_of(shape.m - 1, shape.n) == here):
        return EdgeWaste(1 - shape.m / m, "rows")
    if n is not None and (n > shape.n or grid_of(shape.m, shape.n - 1) == here):
        return EdgeWaste(1 - shape.n / n, "columns")
    return None  # a block for every row or column says nothing about how full the blocks are


def _grid_rule(kernel: Kernel, params: Params, k: int, device: Device) -> _GridOf:
    """The grid for M and N; None where there is none."""
    rule = LaunchRule(("1",), kernel.rule.grid)
    bare = replace(kernel, requires=(), constraints=(), defines=(), rule=rule)

    def grid_of(m: int, n: int) -> _Grid | None:
        try:
            return bare.plan(Shape(m, n, k), params, device).launch.grid
        except (Refusal, ShapeError):
            return None

    return grid_of


def _most(*others: int) -> int:
    """The largest M (or N) beside these two other sizes."""
    return min(MAX_DIMENSION, *(MAX_ELEMENTS // other for other in others))


def _of_both(grid_of: _GridOf, here: _Grid, shape: Shape, last: tuple[int, int]) -> EdgeWaste:
    """Each size of C that has the same grid is one that the grid covers; the largest of them counts."""
    elements = shape.m * shape.n
    covered = [elements]
    if grid_of(*last) == here:
        covered.append(last[0] * last[1])
    if grid_of(elements, 1) == here:
        covered.append(_last(lambda count: grid_of(count, 1) == here, elements, _most(shape.k)) or elements)
    return EdgeWaste(1 - elements / max(covered))


def _last(holds: Callable[[int], bool], start: int, most: int) -> int | None:
    """The largest number from `start` to `most` for which something holds that holds at `start`.

    None if it holds at `most` too: then nobody knows where it ends.
    """
    good, step = start, 1
    while good < most and holds(min(start + step, most)):
        good, step = min(start + step, most), 2 * step
    if good >= most:
        return None
    bad = min(start + step, most)
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if holds(middle) else (good, middle)
    return good
