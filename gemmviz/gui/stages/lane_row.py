"""Where the 32 lanes stand above a picture, the way from a lane down to its memory, and the numbers in boxes. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gemmviz.gui.memory_view.places.box import Box
from gemmviz.trace.model.rules import LANES

Point = tuple[float, float]
LEAST_LANE, MOST_LANE, _LANE_PART = 22.0, 48.0, 0.1
"""Units of the height of lanes, and their part of that of a picture."""
_BEND = 0.6
"""How far a way goes straight down before it turns, of its height."""
EVERY_LANE_FROM, LANES_APART = 13.0, 4
"""Units of a lane from which on each has its number; of narrower ones every so many has one."""
SMALLEST, _LARGEST, _DIGIT = 5.0, 16.0, 0.8
"""Points of the numbers in boxes, and the pixels that a digit takes for each point."""
_NUMBERS_APART, _PART_APART = 4.0, 0.3
"""Pixels between the numbers of two boxes at least, and the part of a box that is left free."""
TIMES = "×"


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


def numbered_lanes(boxes: Sequence[Box]) -> tuple[int, ...]:
    """The lanes whose numbers have room: all, or every so many and the last, as those of the banks below."""
    last, every = len(boxes) - 1, 1 if boxes and boxes[0].width >= EVERY_LANE_FROM else LANES_APART
    return tuple(lane for lane in range(len(boxes)) if lane == last or (lane % every == 0 and last - lane >= every - 1))


def number_points(box: Box, text: str, least: float = SMALLEST) -> float:
    """The size in points in which a number fits a box, with room to the number in the next box; 0 where it would be
    smaller than `least`.
    """
    points = min(_LARGEST, box.height * 0.6, points_across(box, text))
    return points if points >= least else 0.0


def points_across(box: Box, text: str) -> float:
    """The size in points in which a number fits the width of a box."""
    apart = max(_NUMBERS_APART, _PART_APART * box.width)
    return (box.width - apart) / (max(len(text), 2) * _DIGIT)


def number_words(numbers: Iterable[tuple[Box, str]], least: float = SMALLEST) -> str:
    """What the numbers in boxes mean, as far as they are painted: " (number: lane)", " (×: how many lanes)"; "" where
    none is.
    """
    painted = {text.startswith(TIMES) for box, text in numbers if number_points(box, text, least)}
    meanings = {False: "number: lane", True: f"{TIMES}: how many lanes"}
    words = [meanings[counts] for counts in sorted(painted)]
    return f" ({', '.join(words)})" if words else ""


def lanes_number(lanes: Sequence[int]) -> str:
    """What is written in a box that serves these lanes: the only one, "12", or how many they are, "×16"."""
    return str(lanes[0]) if len(lanes) == 1 else f"{TIMES}{len(lanes)}"
