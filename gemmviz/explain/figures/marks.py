"""From values to the columns of a series; a value without a place on the axis becomes a mark at its edge. No Qt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from gemmviz.domain import figures
from gemmviz.explain.figures.figure import NO_COLUMN, Axis, Column, Edge, Form, Look, Places, Series, Side

LEAST_SEEN = 0.009
"""The part of an axis that half a dot covers, and a little more."""
LEAST_SEEN_OF_BARS = 0.004
"""The part of an axis from which on a line is more than a speck: nothing covers the end of a bar."""


@dataclass(slots=True)
class SeriesMarks:
    """Collects the marks of one series; what cannot stand on the axis goes to `edges`."""

    look: Look
    words: str
    is_log: bool
    edges: list[Edge]
    places: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)

    def add(self, place: int, value: float, low: float = math.nan, high: float = math.nan) -> None:
        """A value in a row; error bars that are no numbers, or no longer than nothing, are left out."""
        edge = edge_of(place, value, self.is_log, self.look)
        if edge is not None:
            self.edges.append(edge)
            return
        self.places.append(place)
        self.values.append(value)
        drawn = math.isfinite(low) and math.isfinite(high) and (low > 0 or not self.is_log)
        self.low.append(low if drawn else value)
        self.high.append(high if drawn else value)

    def series(self, form: Form = Form.DOTS, shift: float = 0.0, thickness: float = 0.4) -> Series:
        """The series; without error bars where no mark has one."""
        values, low, high = (np.array(column, np.float64) for column in (self.values, self.low, self.high))
        has_error_bars = bool(((low < values) | (high > values)).any())
        return Series(
            self.look,
            self.words,
            form,
            np.array(self.places, np.intp),
            values,
            low if has_error_bars else NO_COLUMN,
            high if has_error_bars else NO_COLUMN,
            shift=shift,
            thickness=thickness,
        )


def has_seen_error_bars(series: Iterable[Series], axis: Axis) -> bool:
    """Whether an error bar is longer than the dot from which it comes, or on a bar than a speck."""
    scale = math.log10 if axis.is_log else float
    length = scale(axis.high) - scale(axis.low)
    return any(
        abs(scale(end) - scale(value)) > length * (LEAST_SEEN_OF_BARS if one.form is Form.BARS else LEAST_SEEN)
        for one in series
        if one.low.size
        for value, *ends in zip(one.values.tolist(), one.low.tolist(), one.high.tolist(), strict=True)
        for end in ends
    )


def edge_of(place: int, value: float, is_log: bool, look: Look) -> Edge | None:
    """The mark at the edge for a value that the axis cannot hold; None for one it can."""
    if math.isnan(value):
        return Edge(place, Side.HIGH, figures.NO_NUMBER, look)
    if math.isinf(value):
        return Edge(place, Side.HIGH if value > 0 else Side.LOW, "infinite" if value > 0 else "minus infinite", look)
    if is_log and value <= 0:
        return Edge(place, Side.LOW, "0" if value == 0 else "below 0", look)
    return None


def drawn(series: Iterable[Series]) -> tuple[Series, ...]:
    """Those that have a mark."""
    return tuple(one for one in series if one.places.size)


def extent(series: Sequence[Series]) -> list[float]:
    """Every value an axis has to reach."""
    columns = [column for one in series for column in (one.values, one.low, one.high, one.start) if column.size]
    return [value for column in columns for value in (float(column.min()), float(column.max()))]


def places_and(values: Sequence[tuple[int, float]]) -> tuple[Places, Column]:
    """Pairs of row and value as two columns."""
    return np.array([place for place, _ in values], np.intp), np.array([value for _, value in values], np.float64)
