"""Where the words of bars stand in a plot with rows, what the grid leaves free for them, and where rules have words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

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


class Span(NamedTuple):
    """From where to where a bar's error bar reaches, and the middle of its row, in pixels."""

    start: float
    end: float
    middle: float


def label_places(
    labels: Sequence[BarLabel], spans: Sequence[Span], layout: PlotLayout, font: QFont
) -> list[tuple[BarLabel, LabelPlace]]:
    """The labels of the bars in sight, each with its place behind the error bar of its bar, or before it where there
    is no room. All have their short words where one has no room for the others: they are read against each other.
    """
    measure = QFontMetricsF(font).horizontalAdvance
    is_short = any(measure(label.words) + 2 > _room(span, layout) for label, span in zip(labels, spans, strict=True))
    texts = [label.short if is_short else label.words for label in labels]
    places = [_place(text, span, layout, measure(text) + 2) for text, span in zip(texts, spans, strict=True)]
    return [(label, place) for label, place in zip(labels, places, strict=True) if place is not None]


def _room(span: Span, layout: PlotLayout) -> float:
    """The pixels for words behind a bar or before its end, whichever are more."""
    return max(layout.plot.right - span.end, span.start - layout.plot.left) - BESIDE_NAME


def _place(words: str, span: Span, layout: PlotLayout, width: float) -> LabelPlace | None:
    """None for a bar that was moved out of sight."""
    plot, before, behind = layout.plot, span.start - BESIDE_NAME, span.end + BESIDE_NAME
    is_behind = behind + width <= plot.right
    left = behind if is_behind else before - width
    if left < plot.left or not plot.top <= span.middle <= plot.bottom:
        return None
    return LabelPlace(words, QRectF(left, span.middle - HEIGHT / 2, width, HEIGHT), is_behind)


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
