"""The texts that tiles cross on their way: they step back whole, so that none is cut in pieces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gemmviz.gui.memory_view.motion_paths import MotionPath, motion_paths
from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.routes import travelled
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.text_item import TextItem
from gemmviz.gui.memory_view.text.text_layer import TextLayer, text_layer

FADE = 0.1
"""The part of a frame's motion in which a text fades before a tile comes, and returns after it has gone."""
STEPS = 40
"""Places of a tile on its way at which it is asked what it crosses."""
BEGUN = 1e-3
"""The part of the motion at which ways are chosen, which hold until it is over."""
INK = 1.5
"""Pixels above and below the letters of a line that are empty."""


@dataclass(frozen=True, slots=True)
class SteppedBack:
    """A text, and the parts of the motion from when to when a tile is above it."""

    item: TextItem
    spans: tuple[tuple[float, float], ...]

    def opacity(self, arrival: float) -> float:
        """How much of it shows: nothing while a tile is above it."""
        if not 0.0 < arrival < 1.0:
            return 1.0
        away = min(max(begin - arrival, arrival - end, 0.0) for begin, end in self.spans)
        return min(away / FADE, 1.0)


@dataclass(frozen=True, slots=True)
class Flights:
    """The ways of the tiles of a frame, the texts that step back for them, and where signs of hazards stand, which do
    not.
    """

    paths: tuple[MotionPath, ...] = ()
    texts: tuple[SteppedBack, ...] = ()
    signs: tuple[Box, ...] = ()

    @property
    def items(self) -> frozenset[TextItem]:
        """The texts that step back."""
        return frozenset(each.item for each in self.texts)


def flights_of(scene: Scene, looks: Looks, written: TextLayer) -> Flights:
    """The ways of tiles past what is `written`, which depend on the frame and not on how far they have come."""
    if scene.picture is None or scene.arrival >= 1.0:
        return Flights()
    begun = text_layer(replace(scene, arrival=BEGUN), looks)
    paths = tuple(motion_paths(scene, tuple(item.box for item in _crossable(begun))))
    crossed = ((item, tuple(_spans(item, paths))) for item in _crossable(written))
    return Flights(paths, tuple(SteppedBack(item, spans) for item, spans in crossed if spans))


def _crossable(written: TextLayer) -> Iterable[TextItem]:
    """All texts but the signs of sums and products, above which their factors may be."""
    return (item for item in written if item.text and item.face is not Face.SIGN)


def _spans(item: TextItem, paths: Iterable[MotionPath]) -> Iterable[tuple[float, float]]:
    """From when to when each of the tiles is above a text."""
    box = item.box
    ink = Box(box.x, box.y + INK, box.width, max(box.height - 2 * INK, 1.0))
    for path in paths:
        met = [
            step / STEPS
            for step in range(STEPS + 1)
            if travelled(path.source, path.target, step / STEPS, path.by).meets(ink)
        ]
        if met:
            length = path.ends - path.begins
            yield path.begins + (met[0] - 1 / STEPS) * length, path.begins + (met[-1] + 1 / STEPS) * length
