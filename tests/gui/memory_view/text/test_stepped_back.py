"""Texts that tiles cross on their way step back whole: no letter is cut, and none shows beside a tile above it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import Face, looks_of
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.routes import travelled
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.stepped_back import INK, SteppedBack, flights_of
from gemmviz.gui.memory_view.text.text_item import TextItem
from gemmviz.gui.memory_view.text.text_layer import text_layer
from gemmviz.trace.frames.frames import Frames

Record = Callable[..., TraceRun]
Show = Callable[..., tuple[MemoryView, Frames]]
LINE = TextItem("words", Box(0, 0, 40, 10), Face.SMALL, "#000000")


def hidden_texts(scene: Scene) -> tuple[set[str], set[str]]:
    """Texts that show while a tile is above them, and those that step back for one."""
    looks = looks_of(LIGHT)
    layer = text_layer(scene, looks)
    flights = flights_of(scene, looks, layer)
    shown = {each.item: each.opacity(scene.arrival) for each in flights.texts}
    covered = set()
    for item in layer:
        box = Box(item.box.x, item.box.y + INK, item.box.width, item.box.height - 2 * INK)
        for path in flights.paths:
            fraction = path.fraction(scene.arrival)
            is_met = fraction is not None and travelled(path.source, path.target, fraction, path.by).meets(box)
            if is_met and item.text and item.face is not Face.SIGN and shown.get(item, 1.0) > 0.0:
                covered.add(item.text)
    return covered, {item.text for item in flights.items}


@pytest.mark.parametrize(
    ("kernel", "options", "size"), [("naive", {"THREAD": 2}, (560, 420)), ("tiled", {"TILE": 2}, (620, 380))]
)
def test_that_no_text_shows_below_a_tile(
    show: Show, recorded: Record, kernel: str, options: dict[str, int], size: tuple[int, int]
) -> None:
    view, frames = show(recorded(kernel, "4x4x4", (0, 0), **options))
    view.resize(*size)
    stepped_back: set[str] = set()
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        scene = view.picture_state()
        assert scene is not None
        for step in range(1, 30):
            covered, back = hidden_texts(replace(scene, arrival=step / 30))
            assert not covered, (index, step)
            stepped_back |= back
    assert stepped_back, "some tile crosses a text"


def test_that_nothing_steps_back_once_tiles_have_arrived(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (0, 0), TILE=2), 2)
    scene, looks = view.picture_state(), looks_of(LIGHT)
    assert scene is not None
    flights = flights_of(replace(scene, arrival=1.0), looks, text_layer(scene, looks))
    assert (flights.paths, flights.texts) == ((), ())


def test_that_a_text_fades_before_a_tile_comes_and_returns_after_it() -> None:
    text = SteppedBack(LINE, ((0.4, 0.6),))
    opacities = [text.opacity(arrival) for arrival in (0.0, 0.2, 0.35, 0.4, 0.5, 0.6, 0.65, 0.8, 1.0)]
    assert opacities == pytest.approx([1.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.5, 1.0, 1.0])


def test_that_a_layer_is_left_without_the_lines_that_step_back(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (0, 0), TILE=2), 2)
    scene = view.picture_state()
    assert scene is not None
    layer = text_layer(scene, looks_of(LIGHT))
    items = list(layer)
    for item in (items[0], layer.figures.words[0], layer.legend.words[0]):
        assert list(layer.without(frozenset({item}))) == [each for each in items if each != item]
