"""What the tiles carry that are on their way: the elements that are touched, and what is written in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.elements import element_name
from gemmviz.domain.recordings.access import OTHER, AccessKind, SharedSnapshot
from gemmviz.gui.memory_view.motion_paths import MotionPath
from gemmviz.gui.memory_view.paint.number_room import numbers_of
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.cell_values import BECOMES
from gemmviz.gui.memory_view.text.labels import origin_name, products_words
from gemmviz.trace.hazards.rules.table import RULES

UNKNOWN_VALUE, NOTHING_THERE = "?", "–"


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """The cells of a tile, shape (rows, columns): 1 for those that move, 0 for gaps between them."""

    motion_path: MotionPath
    cells: NDArray[np.uint8]

    def text(self, scene: Scene, row: int, column: int) -> tuple[str, float | None] | None:
        """Name and value of the cell in a row and column of the tile; None for a gap.

        None also where the elements are put in another order on their way: no number flies to a slot of another. What a
        hazard of this frame leaves open flies as a question mark where nobody can say what the threads read.
        """
        part, name = self.motion_path.part, self.motion_path.name
        if (
            not self.motion_path.is_alike
            or self.cells.shape != (part.rows, part.columns)
            or not self.cells[row, column]
            or scene.picture is None
        ):
            return None
        at = row + part.row_start, column + part.column_start
        contents = next((each for each in scene.picture.frame.shared if each.array.name == name), None)
        if contents is not None:
            is_known = bool(scene.sums.open_slots)
            if not is_known and any(
                RULES[mark.kind].unknown_values and mark.about(name, *at) for mark in scene.picture.hazards
            ):
                return UNKNOWN_VALUE, None
            return slot_text(scene, contents.after, at[0] * contents.array.columns + at[1])
        value = scene.values.of(name, *at)
        if name == scene.result and value is None:
            value = scene.sums.totals.get(at)
        return element_name(name, *at), value


def carried(scene: Scene, motion_path: MotionPath) -> Carried:
    """What a tile carries: the touched elements of its part of an array; of a row in several lines no single ones."""
    part, place = motion_path.part, scene.place(motion_path.name)
    kind = AccessKind.STORE if motion_path.name == scene.result else AccessKind.LOAD
    touch = scene.picture.frame.touch(motion_path.name, kind) if scene.picture is not None else None
    if place is not None and place.is_broken:
        return Carried(motion_path, np.ones((1, 1), np.uint8))
    cells = np.full((part.rows, part.columns), touch is None, np.uint8)
    if touch is None:  # an earlier frame loaded them
        return Carried(motion_path, cells)
    rows, columns = touch.rows - part.row_start, touch.columns - part.column_start
    inside = (rows >= 0) & (rows < part.rows) & (columns >= 0) & (columns < part.columns)
    cells[rows[inside], columns[inside]] = 1
    return Carried(motion_path, cells)


def slot_text(scene: Scene, snapshot: SharedSnapshot, index: int) -> tuple[str, float | None]:
    """Name and value of what a shared array holds in a slot, counted row by row; "" and None for what is not known. Of
    a slot that threads read before and after it is stored both values: "2→6", "–→2"; in an epoch that ought to read
    what lay there before, from its beginning on.
    """
    origin, matrix = int(snapshot.origin.flat[index]), int(snapshot.matrix.flat[index])
    if origin == OTHER and index in scene.sums.in_shared:
        leaf = scene.sums.in_shared[index]
        return products_words(leaf, numbers_of(scene).factors.text), leaf.total
    array = scene.array("AB"[matrix]) if origin >= 0 else None
    found = scene.values.of(array.name, *divmod(origin, array.columns)) if array is not None else None
    at = (snapshot.array, *divmod(index, snapshot.origin.shape[1]))
    raced = scene.sums.open_slots.get(at) if array is not None and found is not None else None
    if raced is not None and array is not None:
        is_old = raced.before == (array.name, *divmod(origin, array.columns))
        old, new = (None if each is None else scene.values.of(*each) for each in (raced.before, raced.after))
        if new is not None and (raced.is_read_first or not is_old):
            text = numbers_of(scene).factors.text
            return f"{text(old) if old is not None else NOTHING_THERE}{BECOMES}{text(new)}", None
    return origin_name(origin, matrix, scene.arrays), found
