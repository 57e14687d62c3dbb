"""Where the recording was made, in the picture of it: at the foot, or beside the caption of A where that is full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gemmviz.domain.places import place_words
from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.memory_view.foot import APART, FOOT, Foot
from gemmviz.gui.memory_view.inscription import Inscription, Side, inscribed
from gemmviz.gui.memory_view.looks import Face, Looks
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.stage import MARGIN
from gemmviz.gui.memory_view.words_matrices import CAPTION


def words_of_place(scene: Scene, looks: Looks, foot: Foot, taken: Sequence[Box]) -> tuple[Inscription, ...]:
    """Device, driver and day in the first room that holds them whole, else as many of them as fit; none where a picture
    has them elsewhere, or has no room at all. They keep off what is `taken`.
    """
    if not scene.names_device:
        return ()
    device, day = scene.run.device, scene.run.finished
    for place in (place_words(device, day), place_words(device), device.name):
        words = f"recorded on {place}"
        for room, side in _rooms(scene, foot):
            said = inscribed(looks, words, room, Face.SMALL, looks.theme.muted, side)
            if said.text == words and not any(said.box.meets(box) for box in taken):
                return (said,)
    return ()


def _rooms(scene: Scene, foot: Foot) -> Iterator[tuple[Box, Side]]:
    """At the right of the foot, before what is said there; then, as long as all is seen, left of A below it."""
    window, middle = scene.window, scene.window.middle_x
    at_right = [said.box for said in foot.words if said.box.right > window.right - MARGIN - 1 and said.box.x > middle]
    end = min((box.x - APART for box in at_right), default=window.right - MARGIN)
    used = [said.box.right for said in foot.words if said.box.right <= end]
    used += [box.right for _, box in foot.swatches] + ([foot.ramp.right] if foot.ramp is not None else [])
    start = max(used, default=MARGIN - APART) + APART
    yield Box(start, window.bottom - FOOT, max(end - start, 0.0), FOOT), Side.RIGHT
    if scene.camera.shows_all:
        # Farther from A than the sign of a fault stands.
        width = max(scene.stage.a.x - 2 * APART - MARGIN, 0.0)
        yield Box(MARGIN, window.bottom - FOOT - CAPTION, width, CAPTION), Side.LEFT
