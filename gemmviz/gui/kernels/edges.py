"""How much of a grid lies beyond the edges of C, found by asking the header's grid about other sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.launch.launch_rule import LaunchRule
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
    rows count. A grid may also count the elements of C through: then as many as it holds in a C of one column. A grid
    that is rounded down ("M // 8") reaches no element outside C, however many sizes have it.
    """
    grid_of = _grid_rule(kernel, params, shape.k, device)
    here = grid_of(shape.m, shape.n)
    if here is None:
        return None
    m = _sizes(grid_of, here, lambda rows: (rows, shape.n), shape.m, _most(shape.k, shape.n))
    n = _sizes(grid_of, here, lambda columns: (shape.m, columns), shape.n, _most(shape.k, shape.m))
    if m is not None and n is not None:
        return _of_both(grid_of, here, shape, (m, n))
    if m is not None and m.last > m.first:
        return EdgeWaste(1 - shape.m / m.covered, "rows")
    if n is not None and n.last > n.first:
        return EdgeWaste(1 - shape.n / n.covered, "columns")
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


@dataclass(frozen=True, slots=True)
class _Sizes:
    """The sizes from `first` to `last` that have one grid, and how many of them its blocks cover, `last` or fewer."""

    first: int
    last: int
    covered: int


def _of_both(grid_of: _GridOf, here: _Grid, shape: Shape, sizes: tuple[_Sizes, _Sizes]) -> EdgeWaste:
    """Each size of C that has the same grid is one that the grid covers; the largest of them counts."""
    elements = shape.m * shape.n
    covered = [elements]
    m, n = (each.covered for each in sizes)
    if grid_of(m, n) == here:
        covered.append(m * n)
    if grid_of(elements, 1) == here:
        through = _sizes(grid_of, here, lambda count: (count, 1), elements, _most(shape.k))
        covered.append(through.covered if through is not None else elements)
    return EdgeWaste(1 - elements / max(covered))


def _sizes(
    grid_of: _GridOf, here: _Grid, shape_of: Callable[[int], tuple[int, int]], start: int, most: int
) -> _Sizes | None:
    """The sizes around `start` that have the grid `here`; None where `most` has it too: then their end is unknown.

    Of a grid that is rounded down the first size, not the last, is a multiple of how many sizes share it, and sizes
    below that number have no blocks at all. Such a grid covers `start` at most.
    """

    def has_grid(size: int) -> bool:
        return grid_of(*shape_of(size)) == here

    last = _last(has_grid, start, most)
    if last is None:
        return None
    first = _first(has_grid, start)
    alike = last - first + 1
    is_rounded_down = alike > 1 and first % alike == 0 and last % alike and grid_of(*shape_of(alike - 1)) is None
    return _Sizes(first, last, start if is_rounded_down else last)


def _first(holds: Callable[[int], bool], start: int) -> int:
    """The smallest number from 1 to `start` for which something holds that holds at `start` and all between."""
    bad, good = 0, start
    while good - bad > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if holds(middle) else (good, middle)
    return good


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
