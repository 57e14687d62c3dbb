"""Where the words of bars stand in a plot with rows, what the grid leaves free for them, and where rules have words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF

from gemmviz.explain.figures.figure import BarLabel
from gemmviz.gui.charts.plot.beside_name import BESIDE_NAME
from gemmviz.gui.charts.plot.layout import PlotLayout

HEIGHT, CLEAR = 18.0, 3.0
"""Pixels of the height of words, and beside them that lines of the grid leave free."""


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """The words of a bar in `area`; `is_behind` the end of the bar, else in the bar."""

    words: str
    area: QRectF
    is_behind: bool


def label_place(
    label: BarLabel, layout: PlotLayout, font: QFont, ends: tuple[float, float], middle: float
) -> LabelPlace | None:
    """Behind the bar's error bar, which reaches between `ends`, in pixels, or before it where there is no room; None
    for a bar that was moved out of sight. `middle` of its row.
    """
    plot, before, behind = layout.plot, ends[0] - BESIDE_NAME, ends[1] + BESIDE_NAME
    measure, room = QFontMetricsF(font).horizontalAdvance, max(plot.right - behind, before - plot.left)
    words = label.words if measure(label.words) + 2 <= room else label.short
    width = measure(words) + 2
    is_behind = behind + width <= plot.right
    left = behind if is_behind else before - width
    if left < plot.left or not plot.top <= middle <= plot.bottom:
        return None
    return LabelPlace(words, QRectF(left, middle - HEIGHT / 2, width, HEIGHT), is_behind)


def free_of_words(places: Sequence[LabelPlace], x: float, top: float, bottom: float) -> list[tuple[float, float]]:
    """The pieces, from top to bottom, of an upright line at `x` that go through no words behind a bar."""
    areas = [place.area for place in places if place.is_behind]
    met = sorted((a.top(), a.bottom()) for a in areas if a.left() - CLEAR <= x <= a.right() + CLEAR)
    starts, ends = [top, *(end for _, end in met)], [*(start for start, _ in met), bottom]
    return [(start, end) for start, end in zip(starts, ends, strict=True) if end > start]


def rule_left(width: float, place: float, layout: PlotLayout, heads: tuple[float, float]) -> float:
    """Where words so wide begin that stand above a rule at `place`: in its middle, as far as the `heads` of names and
    figures leave room, whose widths these are.
    """
    first = min(layout.labels.left + heads[0] + BESIDE_NAME, layout.plot.left)
    last = max(layout.values.right - heads[1] - BESIDE_NAME, layout.plot.right)
    return min(max(place - width / 2, first), last - width)
