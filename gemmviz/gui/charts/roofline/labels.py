"""Where the words of roofs stand, along their lines, so that none covers another; and what labels cover, as boxes.

Lengths are pixels. No Qt.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

LINE = 16.0
_ROOF_LINE, _ROOF_GAP, _STEP = 14.0, 3.0, 8.0
_LEVEL = 0.0, -2.0, 2.0, -4.0, 4.0
"""How far from the level of their roof the words before its beginning may be: they read as its beginning."""
_ABOVE = 14.0
"""The words of the highest roof may stand this much above the plane."""
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Label:
    """Words `width` wide that belong to a mark at x, y; or to several of one `kind`, each at one of `ys`."""

    words: str
    x: float
    y: float
    width: float
    kind: str = ""
    ys: tuple[float, ...] = ()

    def box_at(self, x: float, y: float) -> Box:
        """What the words cover if they begin at x, with their middle at y."""
        return x, y - LINE / 2, x + self.width, y + LINE / 2


def words_of_roofs(
    roofs: Sequence[Label], area: Box, marks: Sequence[Box], avoided: Sequence[Box] = (), ridges: Sequence[Box] = ()
) -> list[tuple[Label, Box]]:
    """What the words of each roof cover, from the top; a roof begins at its label's x and goes on to the right.

    They stand above or below their own line, or before it at its height, off each other, off the marks and, if there is
    room, off what is `avoided`, or at least off the `ridges`; what would cover marks wherever it stood is left out.
    """
    area = area[0], area[1] - _ABOVE, area[2], area[3]
    placed: list[tuple[Label, Box]] = []
    for place, roof in enumerate(sorted(roofs, key=lambda roof: roof.y)):
        taken = [*marks, *(box for _, box in placed)]
        tried = (first_free(_along(roof, area, place == 0), area, [*taken, *off]) for off in (avoided, ridges, ()))
        found = next(filter(None, tried), None)
        if found is not None:
            placed.append((roof, found))
    return placed


def boxes_along(start: tuple[float, float], end: tuple[float, float], half: float) -> list[Box]:
    """Boxes that cover a straight line `half` to either side: one if it is level or upright, else many small ones."""
    is_upright = start[0] == end[0] or start[1] == end[1]
    count = 1 if is_upright else max(1, math.ceil(math.dist(start, end) / _STEP))
    at = [
        (start[0] + (end[0] - start[0]) * n / count, start[1] + (end[1] - start[1]) * n / count)
        for n in range(count + 1)
    ]
    return [
        (min(one[0], two[0]) - half, min(one[1], two[1]) - half, max(one[0], two[0]) + half, max(one[1], two[1]) + half)
        for one, two in itertools.pairwise(at)
    ]


def crosses(box: Box, others: Sequence[Box]) -> bool:
    """Whether a box covers a part of another."""
    return any(box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in others)


def _along(roof: Label, area: Box, above_first: bool) -> Iterator[Box]:
    """Near the beginning of the roof, then farther along it, above or below it; at last before it, level with it."""
    above = [roof.y - gap - _ROOF_LINE for gap in (_ROOF_GAP, 3 * _ROOF_GAP)]
    tops = [*above, roof.y + _ROOF_GAP] if above_first else [roof.y + _ROOF_GAP, *above]
    first, last = max(roof.x, area[0]) + _STEP, area[2] - roof.width
    for step in range(max(0, math.floor((last - first) / _STEP)) + 1):
        for top in tops:
            x = min(first + step * _STEP, last)
            yield x, top, x + roof.width, top + _ROOF_LINE
    # Where the roof has no room, before its beginning and level with it, above the slope that leads to it.
    for off in range(1, 6):
        for down in _LEVEL:
            end, top = roof.x - off * _STEP, roof.y - _ROOF_LINE / 2 + down
            yield end - roof.width, top, end, top + _ROOF_LINE


def first_free(boxes: Iterable[Box], area: Box, taken: Sequence[Box]) -> Box | None:
    """The first box within the area that covers nothing taken; None if there is none."""
    left, top, right, bottom = area
    for box in boxes:
        if left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= bottom and not crosses(box, taken):
            return box
    return None
