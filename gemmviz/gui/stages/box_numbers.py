"""The numbers in the boxes of a stage: how large they are, which boxes have one, and what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gemmviz.gui.memory_view.places.box import Box

EVERY_LANE_FROM, LANES_APART = 13.0, 4
"""Units of a lane from which on each has its number; of narrower ones every so many has one."""
SMALLEST, _LARGEST, _DIGIT, _NUMBERS_APART = 5.0, 16.0, 0.8, 4.0
"""Points of the numbers in boxes, the pixels that a digit takes for each point, and those between two numbers."""
TIMES = "×"


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
    return (box.width - _NUMBERS_APART) / (max(len(text), 2) * _DIGIT)


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
