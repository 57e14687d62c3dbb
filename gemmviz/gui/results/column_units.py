"""One unit for all times of a column of the results table, and for medians and their spreads. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gemmviz.domain import figures
from gemmviz.gui.results.cells import Cell
from gemmviz.gui.results.columns import PLACE, Key
from gemmviz.gui.results.rows import Row

_TIMES = Key.MEDIAN, Key.IQR, Key.HOST_CLOCK, Key.MOVED_IN, Key.MOVED_OUT, Key.END_TO_END


def in_one_unit(rows: Sequence[Row]) -> list[Row]:
    """The rows with the times of each column in one unit; a row without a change is the same object.

    Where one unit would make some times too long, each stays in its own. An interquartile range is in its median's.
    """
    units = {PLACE[key]: figures.shared_time_unit(_times(rows, PLACE[key])) for key in _TIMES}
    units[PLACE[Key.IQR]] = units[PLACE[Key.MEDIAN]]  # the two are read together
    return [_written(row, units) for row in rows]


def _times(rows: Sequence[Row], place: int) -> list[float]:
    return [value for row in rows if isinstance(value := row.cells[place].value, float)]


def _written(row: Row, units: dict[int, str]) -> Row:
    wanted = {place: unit or _own_unit(row, place) for place, unit in units.items()}
    new = {place: cell for place, unit in wanted.items() if (cell := _in(row.cells[place], unit)) is not None}
    if not new:
        return row
    return replace(row, cells=tuple(new.get(place, cell) for place, cell in enumerate(row.cells)))


def _own_unit(row: Row, place: int) -> str:
    """The unit that fits a time of a row; for the interquartile range, its median."""
    value = row.cells[PLACE[Key.MEDIAN] if place == PLACE[Key.IQR] else place].value
    return figures.time_unit([value] if isinstance(value, float) else [])


def _in(cell: Cell, unit: str) -> Cell | None:
    """The cell with its time in a unit; None where it is written in it, or is no time."""
    number, _, now = cell.text.rpartition(" ")
    if not number or now == unit or now not in figures.TIME_UNITS or not isinstance(cell.value, float):
        return None
    return replace(cell, text=figures.milliseconds(cell.value, unit))
