"""What ties the parts of the picture together, as values: where tiles go, and the row and the column that meet in C.

Lines run straight, or bend between panels and matrices to the height of the array that they lead to; they end at edges
and stay clear of all writing. Bands lie behind everything.
"""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.tile_motion import TileMotion
from gemmviz.trace.frames.regions import Rectangle

LEAST_BAND = 5.0
LANES = {"A": 0.6, "B": 0.3}
"""Where lines bend: the part of the gap beside the panel that they are away from it."""
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Lead:
    """A line through `points` with an arrow at its end, from a tile of `matrix` to the panel of its elements."""

    matrix: str
    points: tuple[Point, ...]

    @property
    def start(self) -> Point:
        return self.points[0]

    @property
    def end(self) -> Point:
        return self.points[-1]


@dataclass(frozen=True, slots=True)
class Band:
    """A faint strip in the colour of `matrix`, on the way from a tile to the block's part of C."""

    matrix: str
    box: Box


def leads(scene: Scene) -> tuple[Lead, ...]:
    """From the tiles of this frame to the panel they are seen enlarged in: up from A, to the left from B; to the left
    from both where the panel is beside the matrices.
    """
    if scene.picture is None or scene.shows_tree:
        return ()
    panel = scene.camera.seen(scene.onchip.panel)
    found: dict[str, Lead] = {}
    for motion in scene.picture.tile_motions:
        if motion.source not in ("A", "B") or (
            scene.place(motion.target) is None and scene.lens(motion.source) is None
        ):
            continue
        tile = scene.part(motion.source, motion.source_part)
        if tile is None:
            continue
        if motion.source == "B" and scene.layout.corner is not None:
            continue  # the sum of a thread stands between B and the panel
        lead = _lead(motion.source, motion.source_part, tile, panel)
        if lead is not None:
            found[motion.source] = _bent(scene, lead, panel, _goal(scene, motion))
    return tuple(found.values())


def bands(scene: Scene) -> tuple[Band, ...]:
    """From A to the right and from B downwards, over the edges of C, to the block that is shown."""
    analysis = scene.analysis
    goal = scene.part(scene.result, analysis.part) if analysis is not None and analysis.part is not None else None
    a, b, c = (scene.area(name) for name in "ABC")
    if goal is None or a is None or b is None or c is None or scene.picture is None or scene.shows_tree:
        return ()
    goal = goal.at_least(LEAST_BAND)
    return (
        Band("A", Box(a.right, goal.y, goal.x - a.right, goal.height)),
        Band("B", Box(goal.x, b.bottom, goal.width, goal.y - b.bottom)),
    )


def _lead(name: str, part: Rectangle, tile: Box, panel: Box) -> Lead | None:
    """Along the edge between two elements, so that no name or value of an element is crossed."""
    if name == "A" and tile.x < panel.right:
        x = _between(tile.x, tile.width, part.columns)
        if not panel.x < x < panel.right or tile.y <= panel.bottom:
            return None
        return Lead(name, ((x, tile.y), (x, panel.bottom)))
    y = _between(tile.y, tile.height, part.rows)
    if not panel.y < y < panel.bottom or tile.x <= panel.right:
        return None
    return Lead(name, ((tile.x, y), (panel.right, y)))


def _goal(scene: Scene, motion: TileMotion) -> Box | None:
    """Where the elements of a tile come to lie on chip."""
    place, lens = scene.place(motion.target), scene.lens(motion.source)
    if place is not None:
        return scene.camera.seen(place.box)
    return scene.camera.seen(lens.place.box) if lens is not None else None


def _bent(scene: Scene, lead: Lead, panel: Box, goal: Box | None) -> Lead:
    """The same line; to arrays one below the other beside the panel, at the height of the one that it leads to."""
    if goal is None or not scene.onchip.is_stacked or (lead.end[0] == panel.right and _is_beside(lead.end[1], goal)):
        return lead
    gap = scene.layout.c.y - scene.layout.b.bottom  # as wide as that beside the panel
    lane = panel.right + gap * scene.camera.zoom * LANES[lead.matrix]
    end = (lane, goal.middle_y), (panel.right, goal.middle_y)
    x, y = lead.start
    if lead.end[0] == panel.right:
        return Lead(lead.matrix, ((x, y), (lane, y), *end))
    below = (y + panel.bottom) / 2
    return Lead(lead.matrix, ((x, y), (x, below), (lane, below), *end))


def _is_beside(y: float, box: Box) -> bool:
    return box.y < y < box.bottom


def _between(start: float, extent: float, elements: int) -> float:
    """The edge between two elements that is nearest to the middle; of a single element its first edge."""
    return start + extent * (elements // 2) / max(elements, 1)
