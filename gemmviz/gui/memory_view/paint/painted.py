"""What a picture has painted, as entries of its legend: every colour and sign that is there, and none that is not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gemmviz.domain.recordings.access import Space
from gemmviz.gui.memory_view.motion_paths import followed_box
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.shared_layout import SharedArrayPlace
from gemmviz.gui.memory_view.places.tree_place import LevelState, level_states
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.shades import ElementRole
from gemmviz.gui.memory_view.shared_shades import HELD, READ, STALE, WRITTEN, Slot
from gemmviz.gui.memory_view.text.signs import LegendEntry, Sign

_COUNTED = 1 << 16
"""Elements of a matrix up to which each of its roles is looked for; of larger ones the roles of a few bins."""
_BINS = 128
LEAST_SIGN = 1.0
"""Pixels of a slot that is seen at all: padding that is smaller has no sign."""
EXAMPLE = "example: "
"""Before the thread that is followed because some thread has to be; the first one of a small block needs no reason."""
_OF_SLOT = {Slot.A: "A", Slot.B: "B"}


_OF_LEVEL = {LevelState.TO_COME: Sign.TO_COME, LevelState.NOW: Sign.NOW, LevelState.PAST: Sign.BEFORE}
"""How the sums of a level of a tree are painted: in the colours of C."""


def legend_of(scene: Scene) -> tuple[LegendEntry, ...]:
    """The entries of a scene, in the order of Sign; of elements whose colour shows heat there are none."""
    found: dict[Sign, set[str]] = {}
    if scene.heat_of(Space.GLOBAL) is None:
        for sign, name in _of_matrices(scene):
            found.setdefault(sign, set()).add(name)
    if scene.shows_tree:
        for state in level_states(scene):
            found.setdefault(_OF_LEVEL[state], set()).add(scene.result)
    elif scene.heat_of(Space.SHARED) is None:
        for sign, name in _of_shared(scene):
            found.setdefault(sign, set()).update({name} - {""})
    words = {sign: sign.value for sign in found}
    words |= dict(_of_outlines(scene))
    return tuple(LegendEntry(sign, words[sign], tuple(sorted(found.get(sign, ())))) for sign in Sign if sign in words)


def _of_matrices(scene: Scene) -> Iterator[tuple[Sign, str]]:
    picture = scene.picture
    if picture is None:
        return
    for name, shade in picture.matrices.items():
        if shade.box.size:
            rows, columns = (
                np.arange(extent + 1) if shade.box.size <= _COUNTED else np.linspace(0, extent, _BINS + 1).astype(int)
                for extent in (shade.box.rows, shade.box.columns)
            )
            roles = {
                ElementRole(role) for role in np.unique(shade.pooled(np.unique(rows), np.unique(columns))).tolist()
            }
            if roles & {ElementRole.LOADED_NOW, ElementRole.STORED_NOW}:
                yield Sign.NOW, name
            if roles & {ElementRole.LOADED_BEFORE, ElementRole.STORED_BEFORE}:
                yield Sign.BEFORE, name
    for name, tiles in picture.tiles.items():
        if tiles.to_come is not None and name != scene.result:
            yield Sign.TO_COME, name
        if tiles.held is not None and name != scene.result:
            yield Sign.HELD, name
    if _has_unstored_sum(scene):
        yield Sign.SUM, scene.result
    part = scene.blocks.parts.get((scene.block[0], scene.block[1]))
    if part is not None and part.size:
        yield Sign.BLOCK, scene.result


def _has_unstored_sum(scene: Scene) -> bool:
    """Whether a sum is shown that has begun and is not stored when the frame ends."""
    lens, terms = scene.lens(scene.result), scene.sums.terms
    if lens is None or terms is None or scene.picture is None:
        return False
    return bool(np.any(terms[~scene.picture.matrices[scene.result].stored()]))


def _of_shared(scene: Scene) -> Iterator[tuple[Sign, str]]:
    picture = scene.picture
    shades = picture.shared.values() if picture is not None and scene.places else ()
    for shade in shades:
        place = scene.place(shade.array.name)
        has_signs = place is not None and _least_edge(scene.camera.seen(place.box), place) >= LEAST_SIGN
        for value in np.unique(shade.before if scene.arrival < 1.0 else shade.after).tolist():
            slot = Slot(value & HELD)
            name = scene.result if slot is Slot.OTHER else _OF_SLOT.get(slot, "")
            if slot is Slot.UNUSED and has_signs:
                yield Sign.UNUSED, ""
            elif slot is Slot.UNUSED:
                continue
            elif slot is Slot.UNWRITTEN:
                yield Sign.UNWRITTEN, ""
            elif value & STALE:
                yield Sign.STALE, name
            elif slot is Slot.ZERO:
                yield Sign.ZERO, ""
            elif value & (READ | WRITTEN):
                yield Sign.NOW, name
            elif slot is Slot.OTHER:
                yield Sign.COMPUTED, name
            else:
                yield Sign.HELD, name


def _least_edge(area: Box, place: SharedArrayPlace) -> float:
    """Pixels of the shorter edge of a slot of an array that is seen in `area`."""
    return min(area.width / place.columns, area.height / place.rows)


def _of_outlines(scene: Scene) -> Iterator[tuple[Sign, str]]:
    """What is drawn around elements: the chosen, the thread that is followed, hazards, blocks."""
    example, marks = scene.example, scene.pointed.marks
    if scene.spots:
        yield Sign.SPOT, Sign.SPOT.value
    is_followed = example is not None and scene.pointed.thread != example.thread
    if example is not None and is_followed and not scene.shows_tree:
        drawn = (*example.read, *((scene.result, part) for part in example.made))
        if any(followed_box(scene, name, part) is not None for name, part in drawn):
            is_example = scene.analysis is not None and not scene.analysis.writes_sums_out
            yield Sign.THREAD, f"{EXAMPLE if is_example else ''}thread {example.thread}"
    if marks.words and (marks.now or marks.path or scene.pointed.chosen is not None):
        yield Sign.CHOSEN, marks.words
    if marks.path:
        yield Sign.PATH, Sign.PATH.value
    if scene.picture is not None and scene.picture.hazards:
        yield Sign.HAZARD, Sign.HAZARD.value
    if len(scene.outlined) > 1:
        yield Sign.BLOCKS, Sign.BLOCKS.value
