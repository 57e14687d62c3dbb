"""Where the names of marks stand so that none covers another: beside the mark, moved up or down as little as needed.

No Qt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LINE = 16.0
GAP = 14.0
"""Pixels between a mark and its name."""
MOST = 40
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Label:
    """Words `width` pixels wide that belong to a mark at x, y."""

    words: str
    x: float
    y: float
    width: float


def labels_beside(
    labels: Sequence[Label], area: Box, blocked: Sequence[Box] = ()
) -> list[tuple[Label, tuple[float, float]]]:
    """The left end and the middle of each name, from the top; names for which there is no room are left out."""
    taken = list(blocked)
    placed = []
    for label in sorted(labels, key=lambda label: label.y)[:MOST]:
        found = _place(label, area, taken)
        if found is not None:
            x, y = found
            taken.append((x, y - LINE / 2, x + label.width, y + LINE / 2))
            placed.append((label, found))
    return placed


def _place(label: Label, area: Box, taken: Sequence[Box]) -> tuple[float, float] | None:
    left, top, right, bottom = area
    sides = [label.x + GAP, label.x - GAP - label.width]
    for away in range(64):
        down = (away + 1) // 2 * LINE / 2 * (1 if away % 2 else -1)
        y = label.y + down
        if not top + LINE / 2 <= y <= bottom - LINE / 2:
            continue
        for x in sides:
            box = (x, y - LINE / 2, x + label.width, y + LINE / 2)
            if left <= x and box[2] <= right and not any(_cross(box, other) for other in taken):
                return x, y
    return None


def _cross(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
