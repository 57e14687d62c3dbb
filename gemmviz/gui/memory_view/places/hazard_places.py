"""Where hazards are seen, as values: elements at fault, and beside a shared array the accesses outside it."""

from __future__ import annotations

import numpy as np

from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.shared_layout import SharedArrayPlace
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.hazards.rules.mark import HazardMark

LEAST = 6.0
THICK = 4.0
"""Of the strip beside a shared array that stands for what lies outside it: its words make room for so much."""
ASIDE = 3.0
"""How far the words above or below an array go out of the way of such a strip."""
SIGN = Box(0.0, 0.0, 17.0, 15.0)
"""How large the sign of a hazard is."""
BESIDE, ABOVE, CLEAR = 5.5, 2.0, 20.0
"""Pixels between a sign and what it stands beside, above it, and to the middle of the signs of sum and product."""
WRITTEN_FROM = 14.0
"""Pixels of an element from which on its value is written."""
MOST_CELLS = 2000
"""More marked elements than this are not drawn."""


def mark_boxes(scene: Scene, mark: HazardMark) -> list[Box]:
    """Where the elements at fault are seen, at least `LEAST` large.

    Those outside a matrix are seen just beside it; those outside a shared array as a strip along its upper or lower
    edge, in the column of slots they would be in.
    """
    place, found = scene.place(mark.array.name), []
    for row, column in zip(mark.rows[:MOST_CELLS].tolist(), mark.columns[:MOST_CELLS].tolist(), strict=True):
        if place is not None and not 0 <= row < mark.array.rows:
            found.append(_strip(scene, place, row, column))
            continue
        inside = (max(min(row, mark.array.rows), -1), max(min(column, mark.array.columns), -1))
        cell = scene.part(mark.array.name, Rectangle(inside[0], inside[0] + 1, inside[1], inside[1] + 1))
        if cell is not None:
            found.append(cell.at_least(LEAST))
    return found


def outlines(scene: Scene, mark: HazardMark, boxes: list[Box]) -> list[Box]:
    """The rectangles around all that is at fault: in a matrix one, of a shared array one above, within and below it."""
    place = scene.place(mark.array.name)
    if place is None:
        return [_around(boxes)] if boxes else []
    area = scene.camera.seen(place.box)
    sides = [0 if box.middle_y < area.y else 2 if box.middle_y > area.bottom else 1 for box in boxes]
    return [_around([box for box, at in zip(boxes, sides, strict=True) if at == side]) for side in sorted(set(sides))]


def sign_box(scene: Scene, mark: HazardMark, around: Box) -> Box:
    """Where the sign of a mark stands: left of `around`, what is at fault; where values are written, left of the array.

    There it keeps clear of the signs of sum and product halfway down. For what lies outside a shared array it stands
    beside its slots, not beside its words. In a narrow gap between two arrays it stands in the middle.
    """
    place, area = scene.place(mark.array.name), scene.area(mark.array.name)
    cell = scene.cell(mark.array.name, 0, 0)
    x, y = around.x, around.y
    if place is not None and area is not None and np.any((mark.rows < 0) | (mark.rows >= mark.array.rows)):
        x, y = area.x, area.bottom - SIGN.height - ABOVE if around.middle_y > area.middle_y else area.y
    elif area is not None and cell is not None and min(cell.width, cell.height) >= WRITTEN_FROM:
        x = area.x if area.x >= SIGN.width + BESIDE else x
        middle = area.middle_y - SIGN.height / 2 - ABOVE
        y = middle - CLEAR if abs(y - middle) < CLEAR else y
    others = [scene.camera.seen(other.box) for other in scene.places]
    ends = [other.right for other in others if other.right <= x and other.y <= y + ABOVE <= other.bottom]
    left = max(x - BESIDE - SIGN.width, (max(ends) + x - SIGN.width) / 2 if ends else 0.0)
    panel = scene.camera.seen(scene.onchip.panel)
    if place is not None and left < panel.x < left + SIGN.width:  # beside the panel, not across its edge
        left = max(panel.x - SIGN.width - 1.0, 0.0)
    return Box(left, y + ABOVE, SIGN.width, SIGN.height)


def out_of_the_way(scene: Scene, name: str) -> tuple[float, float]:
    """How far the words above and below a shared array go aside for accesses outside it."""
    if scene.picture is None:
        return 0.0, 0.0
    marks = [mark for mark in scene.picture.hazards if mark.array.name == name]
    above = any(bool((mark.rows < 0).any()) for mark in marks)
    below = any(bool((mark.rows >= mark.array.rows).any()) for mark in marks)
    return ASIDE * above, ASIDE * below


def _around(boxes: list[Box]) -> Box:
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    return Box(x, y, max(box.right for box in boxes) - x, max(box.bottom for box in boxes) - y)


def _strip(scene: Scene, place: SharedArrayPlace, row: int, column: int) -> Box:
    area = scene.camera.seen(place.box)
    across = (row * place.array.columns + column) % place.columns
    width = min(max(area.width / place.columns, LEAST), area.width)
    x = min(area.x + across * area.width / place.columns, area.right - width)
    return Box(x, area.y - THICK if row < 0 else area.bottom, width, THICK)
