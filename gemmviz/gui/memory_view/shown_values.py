"""Which numbers of a picture can be read, and how much it may be magnified and still show them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.paint.texts import value_pixels
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.tree_place import tree_place
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.detail import Detail, detail_of
from gemmviz.gui.memory_view.text.text_layer import text_layer

LEAST_SHARE = 0.785
"""How much smaller than all else on a slide a picture may be painted so that its numbers have room: its legend then has
letters of 16 pixels on a screen of 1080.
"""
READABLE = 6.0
"""Pixels, at the size of the largest magnification, from which numbers in cells are read when projected: smaller ones
do not make words smaller.
"""
STEPS = 12
"""Factors that are tried between the least and the largest."""
OF_THREAD, OF_TREE = "sum of a thread", "tree of sums"

ShownValues = Mapping[str, float]
"""Pixels of the letters of what has its numbers written: arrays, what lies on chip, the sum of a thread, the tree."""


def shown_values(scene: Scene | None, looks: Looks) -> ShownValues:
    """What has its numbers written in a scene, and in letters of how many pixels."""
    if scene is None:
        return {}
    cells: dict[str, tuple[str, Box]] = {}
    for name in scene.layout.places:
        cell = scene.cell(name, 0, 0)
        if cell is not None:
            cells[name] = name, cell
    for lens in scene.lenses:
        cells[f"{lens.name} on chip"] = lens.name, _cell(scene, lens.place.box, lens.place.rows, lens.place.columns)
    for place in () if scene.shows_tree else scene.places:
        cells[place.array.name] = "A", _cell(scene, place.box, place.rows, place.columns)
    pixels = {
        key: value_pixels(cell, scene.values.range_of(name), scene.notes.least_label)
        for key, (name, cell) in cells.items()
        if detail_of(cell.width, cell.height) is Detail.VALUES
    }
    found = {key: size for key, size in pixels.items() if size}
    if text_layer(scene, looks).sums is not None:
        found[OF_THREAD] = looks.metrics[Face.FIGURES].height()
    tree = tree_place(scene, looks)
    if tree is not None and tree.form is not None:
        found[OF_TREE] = looks.metrics[tree.form.value_face].height()
    return found


def magnification_with_values(shown: Callable[[float], Sequence[ShownValues]], largest: float) -> float:
    """How much pictures beside each other are magnified, `largest` at most, so that they show no number less than at
    LEAST_SHARE of it, or in their own size if that is larger, if it is READABLE there; `shown` says what each shows at
    a factor.

    A picture that is magnified less has larger cells for its values, but smaller words: of all such factors it is the
    one at which both are largest, the smallest values counting twice as much as the words.
    """
    least = max(1.0, LEAST_SHARE * largest)
    if largest <= least:
        return largest
    wanted = [
        {key for key, size in each.items() if key in (OF_THREAD, OF_TREE) or size * least >= READABLE * largest}
        for each in shown(least)
    ]
    if not any(wanted):
        return largest
    best, most = least, 0.0
    for step in range(STEPS + 1):
        factor = largest - (largest - least) * (STEPS - step) / STEPS
        found = list(zip(shown(factor), wanted, strict=True))
        is_all_there = all(have.keys() >= want for have, want in found)
        smallest = factor * min(have[key] for have, want in found for key in want) if is_all_there else 0.0
        score = factor * smallest**2
        best, most = (factor, score) if score >= most and score else (best, most)
    return best


def _cell(scene: Scene, box: Box, rows: int, columns: int) -> Box:
    return scene.camera.seen(box).part(rows, columns, 0, 0)
