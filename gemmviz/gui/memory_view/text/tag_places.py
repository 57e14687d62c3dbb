"""Where the tags of a text stand: a plate beside each element that it speaks of, on nothing that is written."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.onchip_layout import NAME
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.trace.frames.regions import Rectangle

TAG_HEIGHT, TAG_PAD = 16.0, 6.0
TO_NAME = 4.0
"""Pixels at least between a plate and the name of the array beside it."""


def tag_places(scene: Scene, looks: Looks) -> list[tuple[str, Box, Box]]:
    """The words of each tag in sight, its element, and its plate: as wide as its words, and as the element."""
    found = []
    for name, row, column, said in scene.notes.tags:
        cell = scene.part(name, Rectangle(row, row + 1, column, column + 1))
        if cell is not None and cell.meets(scene.window):
            width = max(looks.width(said, Face.SMALL_STRONG) + 2 * TAG_PAD, cell.width)
            found.append((said, cell, _clear_of_name(scene, looks, name, cell, width)))
    return found


def _clear_of_name(scene: Scene, looks: Looks, name: str, cell: Box, width: float) -> Box:
    """Above the middle of the element; as far to the right as the name of its shared array needs."""
    plate = Box(cell.middle_x - width / 2, cell.y - TAG_HEIGHT, width, TAG_HEIGHT)
    area = scene.area(name) if scene.place(name) is not None else None
    if area is None:
        return plate
    named = Box(area.x, area.y - NAME, looks.width(name, Face.NAME) + TO_NAME, NAME)
    return replace(plate, x=named.right) if plate.meets(named) else plate
