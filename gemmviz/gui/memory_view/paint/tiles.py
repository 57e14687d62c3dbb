"""Draws the tiles on their way, each painted once in a frame and moved from then on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.explain.block.pooled import Pyramid
from gemmviz.gui.looks.theme import blend
from gemmviz.gui.memory_view.carried import Carried, carried
from gemmviz.gui.memory_view.motion_paths import MotionPath, motion_paths
from gemmviz.gui.memory_view.paint.cells import draw_cells, draw_gaps, rect
from gemmviz.gui.memory_view.paint.looks import Looks
from gemmviz.gui.memory_view.paint.texts import draw_texts
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.hazard_places import LEAST
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.detail import Detail, detail_of
from gemmviz.gui.memory_view.tile_motion import travelled

GROUND = 0.4
"""How much of its colour a tile shows. One with numbers is opaque, so that none of them stands over another."""
MOST_PIXELS = 1024
"""Of an edge of a painted tile; one that is seen larger is enlarged."""
CLEARANCE = 4.0
"""Pixels between a cell of a tile and what is written, from which on all of the cell shows; nearer it pales."""
HALO, FRAME, HALO_PART = 3.4, 1.8, 0.6
"""Pixels of the light that sets a tile off from its matrix, and of its frame; how opaque the light is."""
AIR = 1.5
"""Pixels between that frame and letters which it would run through."""
TINT = 0.08
"""How much of its colour a tile shows over what it must not hide."""
MOST_CELLS = 32
"""Rows and columns of a tile that show or pale by themselves."""
ALMOST = 0.97
"""How much of its largest width a tile has whose numbers are shown where they are presented."""
MOST_KEPT = 16
"""Images of one frame; more come about only while one zooms."""


def draw_tiles(
    painter: QPainter, scene: Scene, looks: Looks, written: Sequence[Box] = (), letters: Sequence[Box] = ()
) -> None:
    """Tiles between where they come from and where they go; nothing once they have arrived.

    A tile is a hollow frame over all that is `written` and over numbers of another tile, so that nothing is hidden; on
    free ground its cells are seen. Its frame is open where it would run through `letters`.
    What is added to a sum fades on its way; with numbers, which it loses then, where it meets the sum.
    """
    if scene.picture is None or scene.arrival >= 1.0:
        return
    density, taken = painter.deviceTransform().m11(), list(written)
    halo = QColor(looks.theme.panel)
    halo.setAlphaF(HALO_PART)
    for path, box in _on_the_way(scene):
        is_used_up = path.fades and (not _has_room(path) or box.meets(_around(path.target)))
        painter.save()
        painter.setClipRect(rect(scene.window), Qt.ClipOperation.IntersectClip)
        painter.setOpacity(1.0 - scene.arrival if is_used_up else 1.0)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        tint = looks.colour(path.matrix)
        tint.setAlphaF(TINT)
        painter.fillRect(rect(box), tint)
        has_numbers = not is_used_up and _keeps_size(scene, path, box)
        image = tile_image(scene, looks, path, density, has_numbers=has_numbers)
        shown = _draw_free_cells(painter, image, box, _cells(scene, path), taken)
        taken += shown if _has_room(path) else []
        for colour, width in ((halo, HALO), (looks.colour(path.matrix), FRAME)):
            for piece in frame_pieces(box, width, letters):
                painter.fillRect(rect(piece), colour)
        painter.restore()


def frame_pieces(box: Box, width: float, letters: Sequence[Box]) -> list[Box]:
    """The frame of a box in pieces, open where it would come nearer than AIR to letters."""
    half = HALO / 2 + AIR
    near = [one for one in letters if one.meets(box.grown(half))]
    found = []
    for at in (box.y, box.bottom):
        inside = [(one.x - AIR, one.right + AIR) for one in near if one.y - half < at < one.bottom + half]
        for start, stop in _outside(box.x - width / 2, box.right + width / 2, inside):
            found.append(Box(start, at - width / 2, stop - start, width))
    for at in (box.x, box.right):
        inside = [(one.y - AIR, one.bottom + AIR) for one in near if one.x - half < at < one.right + half]
        for start, stop in _outside(box.y + width / 2, box.bottom - width / 2, inside):
            found.append(Box(at - width / 2, start, width, stop - start))
    return found


def _outside(start: float, stop: float, taken: Iterable[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """The parts of a line between two places that are not taken."""
    for first, last in sorted(taken):
        if first > start:
            yield start, min(first, stop)
        start = max(start, last)
        if start >= stop:
            return
    yield start, stop


def clear_parts(cells: NDArray[np.float64], written: Sequence[Box]) -> NDArray[np.float64]:
    """How much of each cell may show, 0 to 1: nothing of one that touches something `written`, all of one that is
    CLEARANCE pixels away.

    `cells` are left, top, right and bottom of each, shape (n, 4).
    """
    if not written:
        return np.ones(len(cells))
    boxes = np.array([(box.x, box.y, box.right, box.bottom) for box in written])
    left, top, right, bottom = (cells[:, side, np.newaxis] for side in range(4))
    across = np.maximum(boxes[:, 0] - right, left - boxes[:, 2])
    down = np.maximum(boxes[:, 1] - bottom, top - boxes[:, 3])
    nearest: NDArray[np.float64] = np.maximum(across, down).min(axis=1)
    return np.clip(nearest / CLEARANCE, 0.0, 1.0)


def _draw_free_cells(
    painter: QPainter, image: QImage, box: Box, cells: tuple[int, int], written: Sequence[Box]
) -> list[Box]:
    """Draw the cells of a tile that are on free ground; where they are."""
    rows, columns = cells
    across, down = np.meshgrid(np.linspace(box.x, box.right, columns + 1), np.linspace(box.y, box.bottom, rows + 1))
    sides = (across[:-1, :-1], down[:-1, :-1], across[1:, 1:], down[1:, 1:])
    edges = np.stack([side.ravel() for side in sides], axis=1)
    parts, whole = clear_parts(edges, written), painter.opacity()
    if bool(np.all(parts == 1.0)):
        painter.drawImage(rect(box), image)
        return [box]
    shown = []
    wide, high = image.width() / columns, image.height() / rows
    for number in np.flatnonzero(parts).tolist():
        row, column = divmod(number, columns)
        left, top, right, bottom = edges[number].tolist()
        painter.setOpacity(whole * float(parts[number]))
        shown.append(Box(left, top, right - left, bottom - top))
        painter.drawImage(rect(shown[-1]), image, QRectF(column * wide, row * high, wide, high))
    painter.setOpacity(whole)
    return shown


def _cells(scene: Scene, path: MotionPath) -> tuple[int, int]:
    """Rows and columns in which a tile is shown or left out; of cells without numbers a few stand together."""
    place = scene.place(path.name)
    if place is not None and place.is_broken:
        return 1, 1
    return min(path.part.rows, MOST_CELLS), min(path.part.columns, MOST_CELLS)


def _on_the_way(scene: Scene) -> list[tuple[MotionPath, Box]]:
    """The tiles in sight that have not arrived, and where they are."""
    if scene.arrival >= 1.0:
        return []
    ends = [(each, each.source.at_least(LEAST), each.target.at_least(LEAST)) for each in motion_paths(scene)]
    found = [(each, travelled(source, target, scene.arrival)) for each, source, target in ends]
    return [(each, box) for each, box in found if box.meets(scene.window)]


def tile_image(scene: Scene, looks: Looks, path: MotionPath, density: float, *, has_numbers: bool = True) -> QImage:
    """What a tile carries as an image, the same one for all of a frame: numbers, if it `has_numbers`, in cells that are
    large enough.
    """
    assert scene.picture is not None
    width, height = (
        min(max(each, LEAST), MOST_PIXELS / density)
        for each in (
            max(path.source.width, path.target.width),
            max(path.source.height, path.target.height),
        )
    )
    images, key = scene.picture.images, (path, looks.theme, density, has_numbers)
    if key not in images:
        if len(images) >= MOST_KEPT:
            images.clear()
        images[key] = _paint(scene, looks, path, Box(0.0, 0.0, width, height), density, has_numbers)
    return images[key]


def _paint(scene: Scene, looks: Looks, path: MotionPath, area: Box, density: float, has_numbers: bool) -> QImage:
    tile, colour = carried(scene, path), looks.colour(path.matrix)
    image = QImage(ceil(area.width * density), ceil(area.height * density), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    size = (tile.cells.shape[0], tile.cells.shape[1])
    texts = _texts(scene, tile) if has_numbers and _has_room(path) else {}
    if texts:
        colour = QColor(blend(looks.theme.field, colour.name(), GROUND))
    else:
        colour.setAlphaF(GROUND)
    table = np.zeros(256, np.uint32)
    table[1] = _premultiplied(colour)
    pyramid = Pyramid(tile.cells.astype(np.int32), np.maximum)
    with QPainter(image) as painter:
        painter.scale(image.width() / area.width, image.height() / area.height)
        draw_cells(painter, area, size, area, lambda down, across: pyramid.pooled(down, across).astype(np.uint8), table)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationOut)
        draw_gaps(painter, area, size, area, QColor(Qt.GlobalColor.black), 0.3)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        ink = QColor(looks.theme.text)
        if texts:
            draw_texts(
                painter,
                area,
                size,
                area,
                lambda row, column: (*texts[row, column], ink) if (row, column) in texts else None,
                scene.values.range_of(path.matrix),
                scene.notes.least_label,
            )
    return image


def _keeps_size(scene: Scene, path: MotionPath, box: Box) -> bool:
    """Whether the numbers of a tile are as large as they are painted, where smaller ones cannot be read from afar."""
    return not scene.notes.least_label or box.width >= max(path.source.width, path.target.width) * ALMOST


def _has_room(path: MotionPath) -> bool:
    """Whether the cells of a tile are large enough for numbers."""
    source, target, part = path.source, path.target, path.part
    across, down = max(source.width, target.width), max(source.height, target.height)
    return detail_of(across / part.columns, down / part.rows) is Detail.VALUES


def _around(target: Box) -> Box:
    """The element of which a row or a column is the middle."""
    side = max(target.width, target.height)
    return Box(target.middle_x - side / 2, target.middle_y - side / 2, side, side)


def _texts(scene: Scene, tile: Carried) -> dict[tuple[int, int], tuple[str, float | None]]:
    """Name or value of each cell of a tile that carries one, by its row and column."""
    found: dict[tuple[int, int], tuple[str, float | None]] = {}
    for row, column in np.argwhere(tile.cells).tolist():
        if (said := tile.text(scene, row, column)) is not None:
            name, value = said
            found[row, column] = ("", value) if value is not None else (name, None)
    return found


def _premultiplied(colour: QColor) -> int:
    """A colour as 0xAARRGGBB with its parts times its opacity, as images of tiles keep it."""
    red, green, blue = (round(part * colour.alphaF()) for part in (colour.red(), colour.green(), colour.blue()))
    return colour.alpha() << 24 | red << 16 | green << 8 | blue
