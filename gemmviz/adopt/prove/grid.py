"""How a kernel's blocks cover the result, told from which elements single blocks write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gemmviz.adopt.description import dimension_of
from gemmviz.adopt.prove.evidence import Places, Traces, View, agrees, distance
from gemmviz.adopt.prove.launcher import BlockGeometry, Index, TryError
from gemmviz.adopt.prove.trial import NothingWrittenError, Trial
from gemmviz.domain.shape import Shape

_MORE_BLOCKS = (5, 17, 65, 257)
"""How many blocks are run to tell one meaning from another."""
_TIMES_AROUND = 2
"""How many times all blocks of a grid must begin again where it is seen whether they do."""
_FARTHER = 4.0
"""How many times as far off a meaning must be for another to be the right one."""


@dataclass(frozen=True, slots=True)
class Cover:
    """What blocks write, in elements of the result as it lies in memory.

    `rows` and `columns` are what one block covers; `steps` say for each axis of the grid by how many rows and columns
    the next block's part lies further on, (0, 0) where it writes nothing else. `flat` is the number of neighbouring
    elements that a block covers where it takes them as they come, across the ends of rows. Where blocks along an axis
    add further parts of the same sums, `split` is that axis, and `part` how many products one block adds.
    """

    rows: int
    columns: int
    steps: tuple[tuple[int, int], ...]
    flat: int = 0
    split: int | None = None
    part: int = 0

    def may_cover_a_side(self, axes: str) -> bool:
        """Whether blocks step along some of these axes and not along others: of a result with more rows and columns
        they may step along those as well.
        """
        return bool(self.axes_without_step(axes)) and any(step != (0, 0) for step in self.steps)

    def axes_without_step(self, axes: str) -> str:
        """Those of these axes, by which blocks are told apart, along which further blocks write nothing else."""
        steps = dict(zip("xyz", self.steps, strict=False))
        return "".join(one for one in axes if steps.get(one) == (0, 0) and "xyz".index(one) != self.split)


def cover_of(trial: Trial, geometry: BlockGeometry, axes: str, views: list[View]) -> tuple[View, Cover] | None:
    """How blocks cover the result, and the one view that agrees with all that was run; None where none does."""
    first = trial.run(geometry, (1, 1, 1))
    steps: list[tuple[int, int]] = []
    flat, split, part = _flat(first.written), None, 0
    for axis in "xyz"[: max((("xyz".index(one) + 1) for one in axes), default=1)]:
        steps.append((0, 0))
        if axis not in axes:
            continue
        grid: Index = tuple(2 if one == axis else 1 for one in "xyz")  # type: ignore[assignment]
        try:
            second = trial.run(geometry, grid)
        except NothingWrittenError:
            continue
        except TryError:
            if axis != "z":
                raise
            continue  # a second product behind the first, for which there is no room
        agreeing = [view for view in views if agrees(view, second)]
        if not agreeing and split is None:
            longer = [view for view in views if _adds_on(view, second)]
            if longer:
                views, split, part = longer, "xyz".index(axis), longer[0].depth
                continue
            if axis == "z" and any(agrees(view, replace(second, written=first.written)) for view in views):
                continue  # another part of the sums behind the first, for another kernel to add up
        views = agreeing
        if not views:
            return None
        new = np.setdiff1d(second.written, first.written)
        if new.size:
            begins, first_begins = _offset(new, views[0].line), _offset(first.written, views[0].line)
            # the first block may write the last rows
            steps[-1] = abs(begins[0] - first_begins[0]), abs(begins[1] - first_begins[1])
            flat = flat if new.min() == flat else 0
    views = _told_apart(trial, geometry, steps, views, first)
    if len(views) != 1:
        return None
    view = views[0]
    rows, columns = first.written // view.line, first.written % view.line
    height, width = int(rows.max() - rows.min()) + 1, int(columns.max() - columns.min()) + 1
    return view, Cover(height, width, tuple(steps), flat, split, part)


def _adds_on(view: View, traces: Traces) -> bool:
    """Whether a second block added the next part of the sums, as long as the first."""
    adds = view.scaling.added == view.result and view.scaling.share is None and view.scaling.kept == 1.0
    return adds and agrees(replace(view, depth=2 * view.depth), traces)


def whole_sums(
    trial: Trial, geometry: BlockGeometry, view: View, cover: Cover, depths: Sequence[int]
) -> tuple[View, Cover] | None:
    """The view of whole sums, where blocks along an axis add parts of them: of these depths the one that as many blocks
    make; None for none.
    """
    if cover.split is None:
        return view, cover
    for depth in depths:
        whole = replace(view, depth=depth)
        try:
            traces = trial.run(geometry, _grid(cover.split, -(-depth // cover.part)))
        except TryError:
            continue
        if agrees(whole, traces):
            return whole, cover
    return None


def _told_apart(
    trial: Trial, geometry: BlockGeometry, steps: list[tuple[int, int]], views: list[View], traces: Traces
) -> list[View]:
    """The views that agree with what more blocks write: where one block writes parts of one row only, the distance to
    the next row of a matrix does not show. Of two that agree within the rounding of a coarse type, the one that is
    nearer by far.
    """
    place = next((place for place, step in enumerate(steps) if step != (0, 0)), 0)
    for count in _MORE_BLOCKS:
        if len(views) <= 1:
            return views
        try:
            traces = trial.run(geometry, _grid(place, count))
        except TryError:
            break
        views = [view for view in views if agrees(view, traces)]
    ranked = sorted((distance(view, traces), place) for place, view in enumerate(views))
    is_clear = len(ranked) > 1 and ranked[1][0] > _FARTHER * ranked[0][0]
    return [views[ranked[0][1]]] if is_clear else views


def _flat(written: Places) -> int:
    """How many elements lie one behind the other from the first of the result on; 0 where there are gaps."""
    count = int(written.max()) + 1
    return count if written.size > 0.9 * count else 0


def _offset(new: Places, line: int) -> tuple[int, int]:
    return int((new // line).min()), int((new % line).min())


def grids_of(
    cover: Cover,
    rows: str,
    columns: str,
    sizes: tuple[int, int],
    trial: Trial,
    geometry: BlockGeometry,
    view: View,
    axes: str,
) -> Iterator[tuple[str, ...]]:
    """Grids that cover a result of so many `rows` and `columns` (names of dimensions), best first; `sizes` are their
    numbers in the trial, `axes` those that the kernel tells its blocks apart by.
    """
    if cover.steps == ((0, 0),) and cover.split is None and axes:
        # one block had as many threads as there were rows or columns, and a second one nothing to do
        for name, size in ((rows, sizes[0]), (columns, sizes[1])):
            if geometry.block[0] >= size:
                yield (_count(name, geometry.block[0]),)
    along: list[str] = []
    used = [one for one in cover.steps if one != (0, 0)]
    if cover.split is None and cover.flat > 1 and len(used) <= 1 and cover.flat != cover.columns * cover.rows:
        yield (f"ceil_div({rows} * {columns}, {cover.flat})",)
    if cover.split is None and cover.flat > 1 and len(used) == 1 and cover.rows == 1:
        yield (f"ceil_div({rows} * {columns}, {cover.flat})",)
    for axis, (down, right) in enumerate(cover.steps):
        if axis == cover.split:
            along.append(f"ceil_div(K, {cover.part})")
        elif (down, right) == (0, 0) or down >= sizes[0] or right >= sizes[1]:  # what follows is another result
            along.append("1")
        elif down and not right:
            along.append(_count(rows, down))
        elif right and not down:
            along.append(_count(columns, right))
        else:
            return
    if len(used) == 1 and cover.split is None:
        place = cover.steps.index(used[0])
        other = _second_step(cover, sizes, trial, geometry, view, place)
        if other is not None:
            name, step = (columns, other) if used[0][0] else (rows, other)
            along[place] = f"{along[place]} * {_count(name, step)}"
    while len(along) > 1 and along[-1] == "1":
        along.pop()
    yield tuple(along)


def grid_of_threads(cover: Cover, rows: str, columns: str, block: Index) -> tuple[str, ...]:
    """A grid with a thread for each element of the result, for a kernel whose blocks go on along every axis of the
    grid; () for another one.
    """
    if any(step != (0, 0) for step in cover.steps) or cover.split is not None or len(cover.steps) > 2:
        return ()
    if len(cover.steps) == 1:
        return (_count(f"{rows} * {columns}", block[0] * block[1]),)
    return _count(columns, block[0]), _count(rows, block[1])


def sizes_to_go_on(grid: Sequence[str], cover: Cover, rows: str, base: Shape, fixed: Mapping[str, int]) -> list[Shape]:
    """Sizes at which each block of a grid of constants must go on behind what it wrote first, `base` before them: right
    there is a kernel whose blocks step by a number that its source fixes. [] for a grid that grows with the result.
    `rows` is the dimension of the result's rows, `fixed` are sizes that do not change.
    """
    if not all(text.isdigit() for text in grid):
        return []
    columns = "N" if rows == "M" else "M"
    found = [base]
    for count, steps in zip(map(int, grid), cover.steps, strict=False):
        for name, step in zip((rows, columns), steps, strict=True):
            size = dimension_of(base, name) if name in "MN" else 0
            times = -(-_TIMES_AROUND * count * step // size) if size and name not in fixed else 1
            sizes = {"M": base.m, "N": base.n, name: size * times}
            found += [Shape(sizes["M"], sizes["N"], base.k)] if times > 1 else []
    return found


def grids_with_parts(
    grids: Iterator[tuple[str, ...]], parts: str, split: int | None, *, adds_to_c: bool
) -> Iterator[tuple[str, ...]]:
    """The grids, each first with as many blocks in z as the host code launches (`parts`, "" for nothing known), where
    blocks may add parts of sums; `split` is the axis along which they were seen to.
    """
    for grid in grids:
        if adds_to_c and parts and split in (None, 2):
            yield (*grid[:2], *["1"] * (2 - len(grid)), parts)
        yield grid


def _count(name: str, step: int) -> str:
    return name if step == 1 else f"ceil_div({name}, {step})"


def _second_step(
    cover: Cover, sizes: tuple[int, int], trial: Trial, geometry: BlockGeometry, view: View, place: int
) -> int | None:
    """Where blocks along one axis go on behind the end of a row or column of blocks; None where they do not."""
    down, right = cover.steps[place]
    across = -(-sizes[0] // down) if down else -(-sizes[1] // right)
    is_whole = cover.columns >= sizes[1] if down else cover.rows >= sizes[0]
    if is_whole or across < 1:
        return None
    try:
        before = trial.run(geometry, _grid(place, across))
        after = trial.run(geometry, _grid(place, across + 1))
    except TryError:
        return None
    new = np.setdiff1d(after.written, before.written)
    if not new.size or not agrees(view, after):
        return None
    row, column = _offset(new, view.line)
    return (column if down else row) or None


def _grid(place: int, count: int) -> Index:
    x, y, z = (count if one == place else 1 for one in range(3))
    return x, y, z
