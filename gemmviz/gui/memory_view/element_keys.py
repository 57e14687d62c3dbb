"""Choosing elements of the arrays with Shift and the arrow keys. No widgets."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.scene import Element, Scene
from gemmviz.trace.frames.regions import Rectangle

ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
"""How far an arrow key goes to the right and down."""
LEAST_STEP = 2.0
"""Pixels that a choice moves at least, so that its mark is seen to move where elements are smaller."""


def element_for_key(scene: Scene | None, event: QKeyEvent) -> Element | None:
    """The element that a key with Shift chooses; None for any other key, or where there is no element."""
    step = ARROWS.get(Qt.Key(event.key()))
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if scene is None or step is None or held != Qt.KeyboardModifier.ShiftModifier:
        return None
    return next_element(scene, *step)


def next_element(scene: Scene, right: int, down: int) -> Element | None:
    """The element one step from the one that is chosen; at first, one of the block's own elements of the result.

    From the edge of an array the choice goes on to the next array on that side, where one is beside it. Of the result
    only elements of the block that is shown are chosen. None where there is no such element.
    """
    chosen = scene.pointed.chosen
    cell = scene.cell(*chosen) if chosen is not None else None
    if chosen is None or cell is None:
        part = _part_of(scene, scene.result)
        return (scene.result, part.row_start, part.column_start) if part is not None else None
    name, row, column = chosen
    part = _part_of(scene, name)
    size = min(cell.width, cell.height)
    by = max(ceil(LEAST_STEP / size), 1) if size > 0.0 else 1
    if part is None:
        return None
    to_row = min(max(row + down * by, part.row_start), part.row_stop - 1)
    to_column = min(max(column + right * by, part.column_start), part.column_stop - 1)
    if (to_row, to_column) != (row, column):
        return name, to_row, to_column
    return _across(scene, name, cell, right, down) or chosen


def _part_of(scene: Scene, name: str) -> Rectangle | None:
    """The elements of an array that can be chosen."""
    array = scene.array(name)
    if array is None:
        return None
    own = scene.outlined.get(scene.block[:2]) if name == scene.result else None
    return own if own is not None else Rectangle(0, array.rows, 0, array.columns)


def _across(scene: Scene, name: str, cell: Box, right: int, down: int) -> Element | None:
    """The element nearest to a cell, of the nearest other array on that side of it."""
    found: list[tuple[float, Element]] = []
    shared = [] if scene.shows_tree else [place.array.name for place in scene.places]
    for other in (*shared, *scene.layout.places):
        part = _part_of(scene, other)
        box = scene.part(other, part) if part is not None else None
        away = _distance(cell, box, right, down) if box is not None else None
        if other == name or part is None or box is None or away is None:
            continue
        row = int((cell.middle_y - box.y) / box.height * part.rows)
        column = int((cell.middle_x - box.x) / box.width * part.columns)
        row, column = min(max(row, 0), part.rows - 1), min(max(column, 0), part.columns - 1)
        found.append((away, (other, part.row_start + row, part.column_start + column)))
    return min(found)[1] if found else None


def _distance(cell: Box, box: Box, right: int, down: int) -> float | None:
    """How far a box is from a cell on one side, what it is aside of that way counted twice; None on any other side."""
    if right:
        ahead = box.x - cell.right if right > 0 else cell.x - box.right
        aside = max(box.y - cell.bottom, cell.y - box.bottom, 0.0)
    else:
        ahead = box.y - cell.bottom if down > 0 else cell.y - box.bottom
        aside = max(box.x - cell.right, cell.x - box.right, 0.0)
    return ahead + 2 * aside if ahead >= 0.0 else None
