"""How the numbers of a scene are written: as its smallest cells with numbers have room for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from gemmviz.gui.memory_view.paint.texts import form_of_cells
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.detail import Detail, detail_of
from gemmviz.gui.memory_view.text.number_samples import NumberSamples, number_samples
from gemmviz.gui.memory_view.text.picture_numbers import NumberGroup, PictureNumbers


def numbers_of(scene: Scene, scale: float = 1.0) -> PictureNumbers:
    """Those of the scene where it has them; else as it is painted `scale` times as large."""
    if scene.numbers is not None:
        return scene.numbers
    factors, sums = scene.values.samples_of("A"), scene.values.samples_of(scene.result).joined(_sums(scene))
    cells_of_factors = [*_cells(scene, "A"), *_cells(scene, "B"), *_shared_cells(scene)]
    return PictureNumbers(
        _group(scene, factors, cells_of_factors, scale), _group(scene, sums, list(_cells(scene, scene.result)), scale)
    )


def with_numbers_alike(scenes: Sequence[Scene], scale: float) -> list[Scene]:
    """Scenes that stand side by side in one picture, painted `scale` times as large: numbers are written alike."""
    found = [numbers_of(scene, scale) for scene in scenes]
    factors = _joined([each.factors for each in found])
    result = _joined([each.result for each in found])
    return [replace(scene, numbers=PictureNumbers(factors, result)) for scene in scenes]


def _joined(groups: Sequence[NumberGroup]) -> NumberGroup:
    known = tuple(dict.fromkeys(number for group in groups for number in group.known))
    forms = [group.first for group in groups if group.first is not None]
    return NumberGroup(known, max(forms, key=lambda form: form.rank, default=None))


def _group(scene: Scene, samples: NumberSamples, cells: list[Box], scale: float) -> NumberGroup:
    if not samples.known:
        return NumberGroup()
    forms = (form_of_cells(cell, samples, scale, scene.notes.least_label) for cell in cells)
    found = [form for form in forms if form is not None]
    return NumberGroup(samples.known, max(found, key=lambda form: form.rank, default=None))


def _sums(scene: Scene) -> NumberSamples:
    """Those of what the threads have added up so far."""
    sums, tree = scene.sums, scene.sums.tree
    known = [*sums.totals.values(), *sums.kept.values()]
    for found in sums.of_thread:
        known += [found.total, *(term.total for term in found.terms)]
    if tree is not None:
        known += [leaf.total for leaf in tree.leaves]
        known += [number for steps in tree.levels for step in steps for number in (step.left, step.right, step.total)]
    return number_samples(np.array([[number for number in known if number is not None]], np.float64))


def _cells(scene: Scene, name: str) -> Iterator[Box]:
    """A cell of a matrix, and one of what is seen of it enlarged, where they are in sight and have room for numbers."""
    area, array, lens = scene.area(name), scene.array(name), scene.lens(name)
    if area is not None and array is not None and area.meets(scene.window) and scene.detail(name) is Detail.VALUES:
        yield area.part(array.rows, array.columns, 0, 0)
    if lens is not None:
        yield from _large_enough(scene, lens.place.box, lens.place.rows, lens.place.columns)


def _shared_cells(scene: Scene) -> Iterator[Box]:
    """A cell of each shared array, where they are in sight and have room for numbers."""
    for place in () if scene.shows_tree else scene.places:
        yield from _large_enough(scene, place.box, place.rows, place.columns)


def _large_enough(scene: Scene, box: Box, rows: int, columns: int) -> Iterator[Box]:
    area = scene.camera.seen(box)
    cell = area.part(rows, columns, 0, 0)
    if area.meets(scene.window) and detail_of(cell.width, cell.height) is Detail.VALUES:
        yield cell
