"""What stands at the foot of the picture: the key to its colours and signs, or the scale of the heat."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from gemmviz.domain.figures import count
from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.memory_view.heat_maps import HeatMap
from gemmviz.gui.memory_view.inscription import Inscription, Side, inscribed
from gemmviz.gui.memory_view.looks import Face, Looks
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.stage import MARGIN

FOOT = 26.0
"""Height of the strip at the foot of the window."""
SWATCH, TO_WORD, APART = 12.0, 5.0, 14.0
RAMP_WIDTH, RAMP_HEIGHT, GAP = 150.0, 7.0, 18.0


class Sign(Enum):
    """What the key explains, by the word beside it."""

    NOW = "now"
    BEFORE = "before"
    TO_COME = "to come"
    STALE = "stale"
    UNWRITTEN = "not written"
    ZERO = "zero"
    UNUSED = "padding"
    THREAD = "thread"


@dataclass(frozen=True, slots=True)
class Foot:
    """Writing, swatches of the key, and the place of the ramp of colours, None without heat."""

    words: tuple[Inscription, ...]
    swatches: tuple[tuple[Sign, Box], ...] = ()
    ramp: Box | None = None


def foot_of(scene: Scene, looks: Looks) -> Foot:
    """The scale of the heat if there is heat, else the key; what is not to scale, or what is counted, at its right."""
    heat = scene.picture.heat if scene.picture is not None else None
    return _scale(scene, looks, heat) if heat is not None else _key(scene, looks)


def signs_of(scene: Scene) -> tuple[Sign, ...]:
    """What needs to be explained: signs that never come up in the block are left out."""
    found = [Sign.NOW, Sign.BEFORE, Sign.TO_COME]
    material = scene.material
    if scene.places and not scene.shows_tree and material is not None:
        found += [Sign.STALE, Sign.UNWRITTEN]
        found += [Sign.ZERO] if material.has_zeros else []
        found += [Sign.UNUSED] if material.has_unused else []
    if scene.example is not None and (scene.lenses or scene.places) and not scene.shows_tree:
        found.insert(3, Sign.THREAD)
    return tuple(found)


def _key(scene: Scene, looks: Looks) -> Foot:
    window, theme = scene.window, looks.theme
    x, y = MARGIN, window.bottom - FOOT
    words: list[Inscription] = []
    swatches: list[tuple[Sign, Box]] = []
    notes = scene.stage.notes
    end = window.right - MARGIN - (looks.width(notes[-1], Face.SMALL) + APART if notes else 0.0)
    for sign in signs_of(scene):
        text = sign.value
        if sign is Sign.THREAD and scene.example is not None:
            text = f"thread {scene.example.thread}"
        width = looks.width(text, Face.SMALL)
        if x + SWATCH + TO_WORD + width > end:
            break
        swatches.append((sign, Box(x, y + (FOOT - SWATCH) / 2, SWATCH, SWATCH)))
        at = Box(x + SWATCH + TO_WORD, y, width, FOOT)
        words.append(inscribed(looks, text, at, Face.SMALL, theme.muted))
        x = float(round(at.right + APART))
    room = Box(x, y, window.right - MARGIN - x, FOOT)
    said = next((note for note in notes if looks.width(note, Face.SMALL) <= room.width), "")
    if said:
        words.append(inscribed(looks, said, room, Face.SMALL, theme.muted, Side.RIGHT))
    return Foot(tuple(words), tuple(swatches))


def _scale(scene: Scene, looks: Looks, heat: HeatMap) -> Foot:
    window, theme = scene.window, looks.theme
    y = window.bottom - FOOT
    title = inscribed(looks, heat.title, Box(MARGIN, y, 200, FOOT), Face.SMALL_STRONG, theme.text)
    ramp = Box(title.box.right + GAP, window.bottom - RAMP_HEIGHT - 4, RAMP_WIDTH, RAMP_HEIGHT)
    words = [title]
    for mark in heat.marks:
        text, at = count(mark), ramp.x + heat.place(mark) * ramp.width
        width = looks.width(text, Face.TINY)
        room = Box(at - width / 2, y + 1, width, FOOT - RAMP_HEIGHT - 6)
        words.append(inscribed(looks, text, room, Face.TINY, theme.text))
    x = ramp.right + GAP
    for text, face in ((str(heat.evidence), Face.SMALL), (heat.note, Face.SMALL)):
        if window.right - MARGIN - x > 40:
            words.append(inscribed(looks, text, Box(x, y, window.right - MARGIN - x, FOOT), face, theme.muted))
            x = words[-1].box.right + GAP
    return Foot(tuple(words), (), ramp)
