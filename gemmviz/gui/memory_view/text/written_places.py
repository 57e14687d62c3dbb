"""Where something is written on the picture: what moves there must not hide it."""

from __future__ import annotations

import numpy as np

from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.shared_shades import HELD, Slot
from gemmviz.gui.memory_view.text.detail import Detail, detail_of
from gemmviz.gui.memory_view.text.text_layer import TextLayer


def written_places(scene: Scene, written: TextLayer) -> tuple[Box, ...]:
    """The arrays with numbers or names in their cells, and every line beside them, as they are seen."""
    found = [scene.area(name) for name in scene.layout.places if scene.detail(name) is Detail.VALUES]
    for place in () if scene.shows_tree else (*scene.places, *(lens.place for lens in scene.lenses)):
        cell = scene.camera.seen(place.cell_of(0, 0))
        if detail_of(cell.width, cell.height) is Detail.VALUES and not _is_empty(scene, place.array.name):
            found.append(scene.camera.seen(place.box))
    found += [line.box for line in written if line.text]
    found += [bar.box for bar in written.figures.bars]
    found.append(written.sums.box if written.sums is not None else None)
    return tuple(box for box in found if box is not None and box.meets(scene.window))


def _is_empty(scene: Scene, name: str) -> bool:
    """Whether nothing is written in a shared array, because nothing was stored before this frame."""
    shade = scene.picture.shared.get(name) if scene.picture is not None else None
    return shade is not None and bool(np.all(np.isin(shade.before & HELD, (Slot.UNWRITTEN, Slot.UNUSED))))
