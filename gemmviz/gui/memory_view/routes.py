"""The ways of moving tiles: past other arrays, so that no tile seems to be loaded into one that it only passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import hypot

import numpy as np
from numpy.typing import NDArray

from gemmviz.gui.memory_view.places.box import Box

STEPS = 16
"""Places of a tile on each leg of its way at which it is asked what it crosses."""
DETOURS = {1.0: 1.0, 0.5: 1.2, 0.25: 1.5}
"""How much of its size a tile keeps on its way, and how much longer the way in full size may be instead."""
CLEARANCES = (18.0, 2.0)
"""Pixels between a tile and an array that it passes: the line of a caption, if there is room for it."""


WORTH_A_TEXT, LEAST_PAST_TEXTS = 400.0, 0.5
"""Pixels of a detour that are as bad as one text that a tile hides on its way, and how much of its size it keeps where
it only passes texts.
"""
SHRUNK = {1.0: 0.0, 0.5: 0.5 * WORTH_A_TEXT, 0.25: 3 * WORTH_A_TEXT}
"""The pixels of a detour that are as bad as a tile that keeps so much of its size, and no numbers in it."""
Edges = NDArray[np.float64]


@lru_cache(maxsize=1024)
def route(
    source: Box,
    target: Box,
    obstacles: tuple[Box, ...],
    window: Box | None = None,
    texts: tuple[Box, ...] = (),
) -> tuple[Box, ...]:
    """Places by which a tile goes from one box to another without crossing an obstacle; none where the curve of
    `travelled` is free. Of ways that all cross something, the one that crosses least; of ways that cross equally much,
    one that is short and hides few `texts`. None of the places is outside the `window`.
    """
    curve = _edges([travelled(source, target, step / STEPS) for step in range(STEPS + 1)])
    others, lines = _edges(obstacles), _edges(texts)
    best: tuple[Box, ...] = ()
    least = _crossings(curve, others), _hidden(curve, lines) * WORTH_A_TEXT
    if least == (0, 0.0):
        return best
    scales = tuple(scale for scale in DETOURS if least[0] or scale >= LEAST_PAST_TEXTS)
    met = np.any(_meetings(curve, lines), axis=0).tolist()
    passed = tuple(text for text, is_met in zip(texts, met, strict=True) if is_met)
    direct = _length(source, (), target)
    for length, scale, by in _by_length(source, target, obstacles + passed, scales):
        longer = length - direct
        if least[0] == 0 and longer >= least[1]:
            break
        if window is not None and not all(window.encloses(place) for place in by):
            continue
        places = _places(source, by, target)
        crossed = _crossings(places, others)
        cost = crossed, longer + SHRUNK[scale] + _hidden(places, lines) * WORTH_A_TEXT
        if crossed <= least[0] and cost < least:
            best, least = by, cost
    return best


def travelled(source: Box, target: Box, fraction: float, by: Sequence[Box] = ()) -> Box:
    """Where a rectangle is on its way, slow at both ends; at 1 it is the target.

    It goes straight from one of the places `by` which it travels to the next. Without any it leaves as the arrow at its
    matrix points, up to a target above it and else sideways, and turns to the target.
    """
    at = min(max(fraction, 0.0), 1.0)
    eased = at * at * (3.0 - 2.0 * at)
    if by:
        return _on_legs((source, *by, target), eased)
    first, then = 1.0 - (1.0 - eased) ** 2, eased * eased
    across, down = (then, first) if _is_above(target, source) else (first, then)
    return _between(source, target, across, down, eased)


def _on_legs(stops: Sequence[Box], part: float) -> Box:
    """The place after that part of the whole way."""
    legs = list(pairwise(stops))
    left = part * sum(_distance(*leg) for leg in legs)
    for start, end in legs:
        length = _distance(start, end)
        if left <= length:
            on_leg = left / length if length else 1.0
            return _between(start, end, on_leg, on_leg, on_leg)
        left -= length
    return stops[-1]


def _by_length(
    source: Box, target: Box, obstacles: tuple[Box, ...], scales: tuple[float, ...]
) -> list[tuple[float, float, tuple[Box, ...]]]:
    """Ways with straight legs, with their lengths and the scales of the tile, the shortest first; of ways of one length
    those that leave as the arrow points.
    """
    across, down = min(source.width, target.width), min(source.height, target.height)
    ways = [
        (float(round(_length(source, by, target) * DETOURS[scale])), scale, by)
        for scale in scales
        for clearance in CLEARANCES
        for by in _ways(source, target, obstacles, (across * scale, down * scale), clearance)
    ]
    return sorted(ways, key=lambda way: way[0])


def _ways(
    source: Box, target: Box, obstacles: tuple[Box, ...], size: tuple[float, float], clearance: float
) -> Iterator[tuple[Box, ...]]:
    """Ways of two and of three straight legs, those first that leave as the arrow points, all with tiles of a size."""
    width, height = size
    rows = [y for each in obstacles for y in (each.bottom + clearance, each.y - clearance - height)]
    columns = [x for each in obstacles for x in (each.right + clearance, each.x - clearance - width)]
    x_of = {box: box.middle_x - width / 2 for box in (source, target)}
    y_of = {box: box.middle_y - height / 2 for box in (source, target)}
    along_rows = [tuple(Box(x_of[box], y, width, height) for box in (source, target)) for y in rows]
    along_columns = [tuple(Box(x, y_of[box], width, height) for box in (source, target)) for x in columns]
    corners = [
        (Box(x_of[source], y_of[target], width, height),),
        (Box(x_of[target], y_of[source], width, height),),
    ]
    if _is_above(target, source):
        yield from (*along_rows, *corners, *along_columns)
    else:
        yield from (*along_columns, *reversed(corners), *along_rows)


def _edges(boxes: Sequence[Box]) -> Edges:
    """Left, upper, right and lower edges of boxes, shape (boxes, 4)."""
    return np.array([(box.x, box.y, box.right, box.bottom) for box in boxes], np.float64).reshape(-1, 4)


def _places(source: Box, by: tuple[Box, ...], target: Box) -> Edges:
    """The edges of a tile on straight legs."""
    stops, part = _edges((source, *by, target))[:, None], np.linspace(0.0, 1.0, STEPS + 1)[:, None]
    return (stops[:-1] + (stops[1:] - stops[:-1]) * part).reshape(-1, 4)


def _crossings(places: Edges, obstacles: Edges) -> int:
    return int(_meetings(places, obstacles).sum())


def _hidden(places: Edges, texts: Edges) -> int:
    """How many of the texts something in these places hides."""
    return int(np.count_nonzero(np.any(_meetings(places, texts), axis=0)))


def _meetings(places: Edges, others: Edges) -> NDArray[np.bool_]:
    """Whether each of the places meets each of the others, shape (places, others)."""
    begins = places[:, None, :2] < others[None, :, 2:]
    found: NDArray[np.bool_] = np.all(begins & (others[None, :, :2] < places[:, None, 2:]), axis=2)
    return found


def _length(source: Box, by: tuple[Box, ...], target: Box) -> float:
    return sum(_distance(start, end) for start, end in pairwise((source, *by, target)))


def _distance(start: Box, end: Box) -> float:
    return hypot(end.middle_x - start.middle_x, end.middle_y - start.middle_y)


def _is_above(target: Box, source: Box) -> bool:
    return target.bottom <= source.y


def _between(source: Box, target: Box, across: float, down: float, grown: float) -> Box:
    return Box(
        source.x + (target.x - source.x) * across,
        source.y + (target.y - source.y) * down,
        source.width + (target.width - source.width) * grown,
        source.height + (target.height - source.height) * grown,
    )
