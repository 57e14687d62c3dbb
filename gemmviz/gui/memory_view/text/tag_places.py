"""Where the tags of a text stand: a plate above each element that it speaks of."""

from __future__ import annotations

from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.trace.frames.regions import Rectangle

TAG_HEIGHT, TAG_PAD = 16.0, 6.0


def tag_places(scene: Scene, looks: Looks) -> list[tuple[str, Box, Box]]:
    """The words of each tag in sight, its element, and its plate: as wide as its words, and as the element."""
    found = []
    for name, row, column, said in scene.notes.tags:
        cell = scene.part(name, Rectangle(row, row + 1, column, column + 1))
        if cell is not None and cell.meets(scene.window):
            width = max(looks.width(said, Face.SMALL_STRONG) + 2 * TAG_PAD, cell.width)
            found.append((said, cell, Box(cell.middle_x - width / 2, cell.y - TAG_HEIGHT, width, TAG_HEIGHT)))
    return found
