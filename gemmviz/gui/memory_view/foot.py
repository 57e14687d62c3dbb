"""What stands at the foot of the picture: the legend of its colours and signs, and the scale of the heat.

Below them a line that is the same in every frame: where the recording was made (`words_place`), what is not to scale.
"""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.figures import count
from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.memory_view.heat_maps import HeatMap
from gemmviz.gui.memory_view.inscription import Inscription, inscribed
from gemmviz.gui.memory_view.looks import Face, Looks
from gemmviz.gui.memory_view.painted import Sign, legend_of
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.stage import MARGIN

FOOT, LEGEND = 40.0, 24.0
"""Heights of the strip at the foot of the window, and of the legend in it."""
SWATCH, STRIPE, TO_WORD, APART = 12.0, 8.0, 5.0, 14.0
RAMP_WIDTH, RAMP_HEIGHT, GAP = 150.0, 7.0, 18.0


@dataclass(frozen=True, slots=True)
class Swatch:
    """What an entry of the legend looks like: its sign, in the colours of so many matrices, in a box."""

    sign: Sign
    box: Box
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Foot:
    """Writing, swatches of the legend, and the place of the ramp of colours, None without heat."""

    words: tuple[Inscription, ...]
    swatches: tuple[Swatch, ...] = ()
    ramp: Box | None = None


def foot_of(scene: Scene, looks: Looks) -> Foot:
    """The legend, after the scale of the heat and what is counted if there is heat."""
    heat = scene.picture.heat if scene.picture is not None else None
    return _scale(scene, looks, heat) if heat is not None else _key(scene, looks)


def _entries(scene: Scene, looks: Looks, x: float, end: float) -> tuple[list[Swatch], list[Inscription], float]:
    """The entries of the legend that have room from `x` to `end`, in smaller letters if need be, and where the next
    would begin. Pictures that are compared have letters of one size.
    """
    entries, start, y = legend_of(scene), x, scene.window.bottom - FOOT
    for face in (Face.SMALL,) if scene.is_compared else (Face.WORDS, Face.SMALL):
        swatches: list[Swatch] = []
        words: list[Inscription] = []
        x = start
        for entry in entries:
            wide = max(SWATCH, STRIPE * len(entry.names))
            width = looks.width(entry.words, face)
            if x + wide + TO_WORD + width > end:
                break
            swatches.append(Swatch(entry.sign, Box(x, y + (LEGEND - SWATCH) / 2, wide, SWATCH), entry.names))
            at = Box(x + wide + TO_WORD, y, width, LEGEND)
            words.append(inscribed(looks, entry.words, at, face, looks.theme.muted))
            x = float(round(at.right + APART))
        if len(swatches) == len(entries):
            break
    return swatches, words, x


def _key(scene: Scene, looks: Looks) -> Foot:
    swatches, words, _ = _entries(scene, looks, MARGIN, scene.window.right - MARGIN)
    return Foot(tuple(words), tuple(swatches))


def _scale(scene: Scene, looks: Looks, heat: HeatMap) -> Foot:
    """What the colours count, in full where the entries of the legend have room behind it, else by its name."""
    window, theme = scene.window, looks.theme
    y, end, wanted = window.bottom - FOOT, window.right - MARGIN, len(legend_of(scene))
    for said in (heat.note, heat.title) if heat.layers else (heat.title,):
        most = max(end - MARGIN - GAP - RAMP_WIDTH, 0.0)
        title = inscribed(looks, said, Box(MARGIN, y, most, LEGEND), Face.SMALL_STRONG, theme.text)
        ramp = Box(title.box.right + GAP, y + LEGEND - RAMP_HEIGHT - 3, RAMP_WIDTH, RAMP_HEIGHT)
        swatches, entries, x = _entries(scene, looks, ramp.right + GAP, end)
        if title.text == said and len(swatches) == wanted:
            break
    words = [title]
    for mark in heat.marks:
        text, at = count(mark), ramp.x + heat.place(mark) * ramp.width
        width = looks.width(text, Face.TINY)
        room = Box(at - width / 2, y, width, LEGEND - RAMP_HEIGHT - 5)
        words.append(inscribed(looks, text, room, Face.TINY, theme.text))
    words += entries
    if not heat.layers and x + looks.width(heat.note, Face.SMALL) <= end:  # why there is nothing to count
        room = Box(x, y, looks.width(heat.note, Face.SMALL), LEGEND)
        words.append(inscribed(looks, heat.note, room, Face.SMALL, theme.muted))
        x = room.right + GAP
    evidence, wide = str(heat.evidence), looks.width(str(heat.evidence), Face.SMALL)
    if x + wide <= end:
        words.append(inscribed(looks, evidence, Box(x, y, wide, LEGEND), Face.SMALL, theme.muted))
    return Foot(tuple(words), tuple(swatches), ramp)
