"""The plates of a text's tags."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import Face, looks_of
from gemmviz.gui.memory_view.places.onchip_layout import NAME
from gemmviz.gui.memory_view.spoken_of import SpokenOf
from gemmviz.gui.memory_view.text.onchip import onchip_words
from gemmviz.gui.memory_view.text.tag_places import tag_places
from gemmviz.trace.frames.frames import Frames

Record = Callable[..., TraceRun]
Show = Callable[..., tuple[MemoryView, Frames]]


@pytest.mark.parametrize("column", [0, 1, 3])
@pytest.mark.parametrize("width", [480, 720, 1100])
def test_that_no_plate_covers_the_name_of_its_array(show: Show, recorded: Record, width: int, column: int) -> None:
    view, _ = show(recorded("tiled", "8x8x8", (0, 0), TILE=4), 1)
    view.resize(width, 500)
    scene, looks = view.picture_state(), looks_of(LIGHT)
    assert scene is not None
    spoken_of = SpokenOf(tags=(("As", 0, column, "found 2, not 6"),))
    scene = replace(scene, notes=replace(scene.notes, spoken_of=spoken_of))
    ((_, cell, plate),) = tag_places(scene, looks)
    names = [line for line in onchip_words(scene, looks) if line.face is Face.NAME]
    assert "As" in [line.text for line in names]
    assert not any(plate.grown(3.0).meets(line.box) for line in names)
    assert plate.right > cell.x - 5.0
    assert plate.x < cell.right + 5.0
    assert 0.0 <= cell.y - plate.bottom <= NAME + 6.0


@pytest.mark.parametrize("height", [300, 330, 360])
def test_that_no_plate_covers_the_head_of_the_panel_while_there_is_room(
    show: Show, recorded: Record, height: int
) -> None:
    """Beside two names that leave it no room."""
    view, _ = show(recorded("tiled", "8x8x8", (0, 0), TILE=4), 1)
    view.resize(365, height)
    scene, looks = view.picture_state(), looks_of(LIGHT)
    assert scene is not None
    spoken_of = SpokenOf(tags=(("As", 0, 1, "found 2, not 6 at all"),))
    scene = replace(scene, notes=replace(scene.notes, spoken_of=spoken_of))
    ((_, cell, plate),) = tag_places(scene, looks)
    (head,) = (line.box for line in onchip_words(scene, looks) if line.text.startswith("Shared memory"))
    assert plate.bottom <= cell.y - NAME + 4.0, "above the names"
    assert plate.y >= head.bottom - 6.0


def test_that_no_plate_covers_the_sentence_of_the_panel(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "8x8x8", (0, 0), TILE=4), 1)
    looks, covered = looks_of(LIGHT), 0
    for width in range(400, 1200, 40):
        view.resize(width, 432)
        scene = view.picture_state()
        assert scene is not None
        spoken_of = SpokenOf(tags=(("As", 0, 1, "found 2, not 6"),))
        tagged = replace(scene, notes=replace(scene.notes, spoken_of=spoken_of))
        ((_, _, plate),) = tag_places(tagged, looks)
        plain, said = (
            [line.box for line in onchip_words(each, looks) if "can read" in line.text] for each in (scene, tagged)
        )
        covered += any(plate.meets(box) for box in plain)
        assert not any(plate.meets(box) for box in said)
    assert covered, "by some plates, if the sentence stayed"
