"""Where and when the recording was made, in the picture of it: at the foot, or left of A where that is full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gemmviz.domain.places import place_words
from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.memory_view.foot import APART, FOOT, Foot
from gemmviz.gui.memory_view.inscription import Inscription, Side, inscribed, lines_that_fit
from gemmviz.gui.memory_view.looks import Face, Looks
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.stage import MARGIN
from gemmviz.gui.memory_view.words_matrices import CAPTION

Lines = tuple[Inscription, ...]


def words_of_place(scene: Scene, looks: Looks, foot: Foot, taken: Sequence[Box]) -> Lines:
    """Device, driver and day in the first room that holds them whole, else line by line, else as many of them as fit;
    none where a picture has them elsewhere, or has no room at all. They keep off what is `taken`.
    """
    if not scene.names_device:
        return ()
    for lines in _ways(scene, looks, foot):
        if not any(line.box.meets(box) for line in lines for box in taken):
            return lines
    return ()


def _ways(scene: Scene, looks: Looks, foot: Foot) -> Iterator[Lines]:
    """All that has room, the best first."""
    device, day = scene.run.device, scene.run.finished
    yield from _in_one_line(scene, looks, foot, place_words(device, day))
    yield from _in_lines(scene, looks, place_words(device, day))
    for place in (place_words(device), place_words(replace(device, driver=""), day), device.name):
        yield from _in_one_line(scene, looks, foot, place)


def _in_one_line(scene: Scene, looks: Looks, foot: Foot, place: str) -> Iterator[Lines]:
    words = f"recorded on {place}"
    for room, side in _rooms(scene, foot):
        line = inscribed(looks, words, room, Face.SMALL, looks.theme.muted, side)
        if line.text == words:
            yield (line,)


def _in_lines(scene: Scene, looks: Looks, place: str) -> Iterator[Lines]:
    """One above the other, each as long as there is room, broken at commas."""
    words = f"recorded on {place}".replace(", ", ",\n").split("\n")
    height = looks.metrics[Face.SMALL].height()
    for room in _beside_a(scene):
        texts = lines_that_fit(words, lambda line: looks.width(line, Face.SMALL), room.width)
        lines = tuple(
            inscribed(looks, text, replace(room, y=room.y - above * height), Face.SMALL, looks.theme.muted)
            for above, text in zip(range(len(texts) - 1, -1, -1), texts, strict=True)
        )
        if [line.text for line in lines] == texts:
            yield lines


def _rooms(scene: Scene, foot: Foot) -> Iterator[tuple[Box, Side]]:
    """At the right of the foot, before what is said there; then left of A below it."""
    window, middle = scene.window, scene.window.middle_x
    at_right = [said.box for said in foot.words if said.box.right > window.right - MARGIN - 1 and said.box.x > middle]
    end = min((box.x - APART for box in at_right), default=window.right - MARGIN)
    used = [said.box.right for said in foot.words if said.box.right <= end]
    used += [swatch.box.right for swatch in foot.swatches] + ([foot.ramp.right] if foot.ramp is not None else [])
    start = max(used, default=MARGIN - APART) + APART
    yield Box(start, window.bottom - FOOT, max(end - start, 0.0), FOOT), Side.RIGHT
    for room in _beside_a(scene):
        yield room, Side.LEFT


def _beside_a(scene: Scene) -> Iterator[Box]:
    """Left of A below it, a line high, as long as all is seen."""
    if scene.camera.shows_all:
        # Farther from A than the sign of a fault stands.
        width = max(scene.stage.a.x - 2 * APART - MARGIN, 0.0)
        yield Box(MARGIN, scene.window.bottom - FOOT - CAPTION, width, CAPTION)
