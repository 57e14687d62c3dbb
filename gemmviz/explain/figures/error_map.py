"""The figure of an error map: how dark each cell of C is, which are wrong, the worst elements. No Qt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain import figures
from gemmviz.domain.elements import element_name, index_span
from gemmviz.domain.places import PLACE_COLUMNS, place_cells
from gemmviz.domain.runs.result import RunResult, WorstElement
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.circumstances import subtitle_of_one
from gemmviz.explain.figures.error_scale import ErrorScale, scale_of
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.figures.run_facts import NO_RUNS, describe, unwritten_words
from gemmviz.explain.runs.provenance import measured_on

NAME = "error_map"
CELLS_NAME = "error_map_cells"
WORST_NAME = "error_map_worst"
LEVELS = 254
"""Colours for errors up to the bound; one more for those above, one for what is no number."""

ABOVE = LEVELS
NOT_A_NUMBER = LEVELS + 1
EVIDENCE = Evidence.DERIVED
WORST_HEADS = ("row", "column", "got", "expected", "error")
NO_NUMBER = figures.NO_NUMBER
NEVER_WRITTEN = "never written"
EXACT = "Every element is exact: C equals the result of the same inputs in float64."
_RUN_COLUMNS = ("run", "kernel", "params", "m", "n", "k")
_WORST_COLUMNS = ("row", "column", "got", "expected", "error_over_ug")
_CELL_COLUMNS = ("first_row", "last_row", "first_column", "last_column", "max_error_over_ug", "bound")
_DIGITS = 9
"""As many significant digits as tell every float32 from its neighbours."""

_LONG = 1e5
"""Errors from here on are written with a power of ten, as their column is narrow."""


@dataclass(frozen=True, slots=True, eq=False)
class ErrorPicture:
    """An error map as it is shown.

    `levels`, shape (rows, columns), are places in a table of 256 colours; `values` of the same shape the errors
    over u·G (G = |A|·|B|); `scale` says what the colours stand for. `height` and `width` are those of C in
    elements. Where there is no map, or nothing in it, `empty` says why. `no_number` is what elements without a
    number are called. `subtitle` says at which size, where and when.
    """

    title: str
    empty: str
    levels: NDArray[np.uint8]
    values: NDArray[np.float32]
    cell_rows: int
    cell_columns: int
    height: int
    width: int
    scale: ErrorScale
    worst: tuple[WorstElement, ...]
    notes: tuple[str, ...] = ()
    no_number: str = NO_NUMBER
    subtitle: str = ""

    @property
    def bound(self) -> float:
        return self.scale.bound

    @property
    def has_map(self) -> bool:
        return self.levels.size > 0

    def cell_at(self, row: int, column: int) -> tuple[int, int]:
        """The cell that holds an element of C."""
        return row // self.cell_rows, column // self.cell_columns

    def element_at(self, row: int, column: int) -> tuple[int, int]:
        """The element meant by a click there: the worst known one of the cell, else the very element."""
        cell = self.cell_at(row, column)
        known = (one for one in self.worst if self.cell_at(one.row, one.column) == cell)
        return next(((one.row, one.column) for one in known), (row, column))

    def words_at(self, row: int, column: int) -> str:
        """The cell that holds an element of C, in words."""
        i, j = self.cell_at(row, column)
        rows = _span(i, self.cell_rows, self.height)
        columns = _span(j, self.cell_columns, self.width)
        value = float(self.values[i, j])
        error = self.no_number if math.isnan(value) else figures.number(value)
        return f"{element_name('C', rows, columns)}: {error}, bound {figures.number(self.bound)}"


def error_picture(run: RunResult | None) -> ErrorPicture:
    """The error map of a run, or why there is none."""
    if run is None:
        return _without("Error map of C", NO_RUNS)
    title = f"Error map of C: {describe(run.spec)}"
    found, accuracy, place = run.error_map, run.accuracy, measured_on([run])
    if found.values.size == 0:
        return _without(title, _why_none(run))
    values = found.values.reshape(found.rows, found.columns)
    wrong = int((~(values <= accuracy.bound)).sum())
    notes = [
        f"each cell is the largest {figures.ERROR_NAME} of "
        + (
            f"{found.cell_rows} × {found.cell_columns} elements"
            if found.cell_rows * found.cell_columns > 1
            else "its element"
        )
    ]
    if not wrong and not values.any():
        return _without(title, " ".join((EXACT, *(f"{words[:1].upper()}{words[1:]}." for words in place))))
    if accuracy.unwritten:
        notes.insert(0, unwritten_words(accuracy.unwritten))
    if wrong:
        notes.insert(0, f"{figures.count(wrong)} of {figures.count(values.size)} cells are wrong")
    scale = scale_of(values, accuracy.bound)
    return ErrorPicture(
        title=title,
        empty="",
        levels=levels_of(values, scale),
        values=values,
        cell_rows=found.cell_rows,
        cell_columns=found.cell_columns,
        height=run.spec.shape.m,
        width=run.spec.shape.n,
        scale=scale,
        worst=found.worst,
        notes=(*place, *notes, *scale.notes),
        no_number=NEVER_WRITTEN if accuracy.unwritten else NO_NUMBER,
        subtitle=subtitle_of_one([run]),
    )


def levels_of(values: NDArray[np.float32], scale: ErrorScale) -> NDArray[np.uint8]:
    """Errors as places in the table of colours: along the scale up to the bound, then ABOVE; NOT_A_NUMBER for nan."""
    levels = np.rint(scale.parts(values) * (LEVELS - 1)).astype(np.uint8)
    levels[~(values <= scale.bound)] = ABOVE
    levels[np.isnan(values)] = NOT_A_NUMBER
    return levels


def worst_cells(element: WorstElement) -> tuple[str, str, str, str, str]:
    """A worst element in the columns of WORST_HEADS."""
    error = element.error_over_ug
    return (
        str(element.row),
        str(element.column),
        _digits(element.got),
        _digits(element.expected),
        f"{error:.2e}" if math.isfinite(error) and error >= _LONG else figures.number(error),
    )


def _digits(value: float) -> str:
    """A value with the same number of significant digits as every other."""
    return f"{value:#.{_DIGITS}g}".removesuffix(".")


def error_map_tables(run: RunResult | None, number: int = 0) -> tuple[PlotTable, ...]:
    """The cells and the worst elements of a run's map; `number` is the run's in its session, from 1, or 0 where it is
    not known: then the tables have no such column.
    """
    if run is None or run.error_map.values.size == 0:
        return ()
    return cells_table(run, number), worst_table(run, number)


def cells_table(run: RunResult, number: int) -> PlotTable:
    """Every cell of a run's map."""
    found, shape, bound = run.error_map, run.spec.shape, run.accuracy.bound
    cells = []
    for place, value in enumerate(found.values.tolist()):
        i, j = divmod(place, found.columns)
        first_row, first_column = i * found.cell_rows, j * found.cell_columns
        last_row = min(first_row + found.cell_rows, shape.m) - 1
        last_column = min(first_column + found.cell_columns, shape.n) - 1
        cells.append((first_row, last_row, first_column, last_column, value, bound))
    return _table(CELLS_NAME, run, number, _CELL_COLUMNS, cells)


def worst_table(run: RunResult, number: int) -> PlotTable:
    """The worst elements of a run's map."""
    worst = [(one.row, one.column, one.got, one.expected, one.error_over_ug) for one in run.error_map.worst]
    return _table(WORST_NAME, run, number, _WORST_COLUMNS, worst)


def _table(
    name: str, run: RunResult, number: int, own: tuple[str, ...], rows: Iterable[tuple[int | float, ...]]
) -> PlotTable:
    """Rows of columns of their `own`, between which run it was and where it was measured."""
    spec, shape = run.spec, run.spec.shape
    which = (number, spec.kernel, format_params(spec.params), shape.m, shape.n, shape.k)
    where, first = place_cells(run.device, run.finished), 0 if number else 1
    columns = (*_RUN_COLUMNS[first:], *own, *PLACE_COLUMNS)
    return PlotTable(
        name, columns, tuple(dict(zip(columns, (*which[first:], *row, *where), strict=True)) for row in rows)
    )


def first_with_map(runs: Sequence[RunResult]) -> int | None:
    """The place of the run to show unasked: the first wrong one, else the newest that has a map."""
    mapped = [number for number, run in enumerate(runs) if run.error_map.values.size]
    wrong = [number for number in mapped if not runs[number].accuracy.passed]
    return wrong[0] if wrong else mapped[-1] if mapped else None


def _without(title: str, why: str) -> ErrorPicture:
    nothing = np.zeros((0, 0), np.float32)
    return ErrorPicture(title, why, nothing.astype(np.uint8), nothing, 1, 1, 0, 0, ErrorScale(0.0, 0.0, 0.0), ())


def _why_none(run: RunResult) -> str:
    if run.accuracy.method == "freivalds":
        return (
            f"No error map: {run.spec.shape.words} is too large for a full float64 product, so C was checked by random "
            "projections (Freivalds), which tell whether C is wrong, but not where. Choose a smaller size to see where."
        )
    return "No error map was kept with this run. Run the kernel again to see where C is wrong."


def _span(cell: int, size: int, end: int) -> str:
    return index_span(cell * size, min((cell + 1) * size, end))
