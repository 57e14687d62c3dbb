"""Where the tags of a text stand: a plate beside each element that it speaks of, on nothing that is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.onchip_layout import NAME, PAD, TITLE
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.trace.frames.regions import Rectangle

TAG_HEIGHT, TAG_PAD = 16.0, 6.0
LEADING = 4.0
"""Pixels of a line above and below its letters."""
TO_NAME = 4.0
"""Pixels at least between a plate and the name of an array beside it."""


def tag_places(scene: Scene, looks: Looks) -> list[tuple[str, Box, Box]]:
    """The words of each tag in sight, its element, and its plate: as wide as its words, and as the element."""
    found, names = [], _names(scene, looks) if scene.notes.spoken_of.tags else []
    for name, row, column, said in scene.notes.spoken_of.tags:
        cell = scene.part(name, Rectangle(row, row + 1, column, column + 1))
        area = scene.area(name)
        if cell is not None and area is not None and cell.meets(scene.window):
            width = max(looks.width(said, Face.SMALL_STRONG) + 2 * TAG_PAD, cell.width)
            found.append((said, cell, _clear_of_names(names, _head(scene), area.x, cell, width)))
    return found


def _clear_of_names(names: Sequence[Box], head: Box, left: float, cell: Box, width: float) -> Box:
    """Above the element, as near to its middle as the names of arrays let it be, but not before the `left` edge of its
    array; where they leave no room, a line higher, as far below the `head` of the panel as there is room.
    """
    plate = Box(max(cell.middle_x - width / 2, left), cell.y - TAG_HEIGHT, width, TAG_HEIGHT)
    met = [name for name in names if name.y < plate.bottom and plate.y < name.bottom]
    moved = [replace(plate, x=x) for name in met for x in (name.right, name.x - width)]
    free = [each for each in (plate, *moved) if each.x >= left and not any(each.meets(name) for name in met)]
    nearest = min(free, key=lambda each: abs(each.middle_x - cell.middle_x), default=plate)
    is_near = abs(nearest.middle_x - cell.middle_x) <= width
    if free and is_near:
        return nearest
    higher = replace(plate, y=plate.y - NAME - TO_NAME - 1)
    lower = replace(plate, y=max(higher.y, head.bottom - LEADING))
    return lower if lower.bottom <= cell.y - NAME + LEADING else higher


def _head(scene: Scene) -> Box:
    """Where the head of the panel stands."""
    panel = scene.camera.seen(scene.onchip.panel)
    return Box(panel.x, panel.y + PAD - 4, panel.width, TITLE - 4)


def _names(scene: Scene, looks: Looks) -> list[Box]:
    """Where the names stand of what is on chip, with the room around them."""
    places = [(place.array.name, place) for place in scene.places]
    places += [("sums" if lens.name == scene.result else lens.name, lens.place) for lens in scene.lenses]
    found = []
    for name, place in places:
        area, width = scene.camera.seen(place.box), looks.width(name, Face.NAME)
        found.append(Box(area.x - TO_NAME, area.y - NAME, width + 2 * TO_NAME, NAME))
    return found
