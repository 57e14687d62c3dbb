"""Where the 32 lanes stand above a picture, and the way from a lane down to its memory. Pure."""

from __future__ import annotations

from gemmviz.gui.memory_view.places.box import Box
from gemmviz.trace.model.rules import LANES

Point = tuple[float, float]
LEAST_LANE, MOST_LANE, _LANE_PART = 22.0, 48.0, 0.1
"""Units of the height of lanes, and their part of that of a picture."""
_BEND = 0.6
"""How far a way goes straight down before it turns, of its height."""


def lane_height(height: float) -> float:
    """The height of the lanes in a picture of that height: larger pictures have larger numbers in them."""
    return min(max(_LANE_PART * height, LEAST_LANE), MOST_LANE)


def lane_boxes(x: float, y: float, width: float, height: float) -> tuple[Box, ...]:
    """A box for each lane, all in one row, a pixel apart."""
    each = width / LANES
    return tuple(Box(x + lane * each, y, each - 1, height) for lane in range(LANES))


def control_points(start: Point, end: Point) -> tuple[Point, Point]:
    """The two inner points of the Bézier curve from a lane to its memory: it leaves and arrives upright."""
    bend = _BEND * (end[1] - start[1])
    return (start[0], start[1] + bend), (end[0], end[1] - bend)


ARRIVES = 0.6
"""The part of its time after which what a lane asks for has reached the edge of its memory; then it goes inside."""


def fall(start: Point, edge: Point, place: Point, part: float) -> Point:
    """Where it is after a part (0 to 1) of its time, from its lane over the edge of its memory to its place there."""
    if part < ARRIVES:
        return point_on(start, edge, part / ARRIVES)
    inside = (part - ARRIVES) / (1.0 - ARRIVES)
    return edge[0] + (place[0] - edge[0]) * inside, edge[1] + (place[1] - edge[1]) * inside


def point_on(start: Point, end: Point, part: float) -> Point:
    """A point of that curve; `part` from 0 (at the lane) to 1."""
    one, two = control_points(start, end)
    rest = 1.0 - part
    weights = rest**3, 3 * rest**2 * part, 3 * rest * part**2, part**3
    points = start, one, two, end
    return (
        sum(weight * point[0] for weight, point in zip(weights, points, strict=True)),
        sum(weight * point[1] for weight, point in zip(weights, points, strict=True)),
    )
