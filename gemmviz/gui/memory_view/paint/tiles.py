"""Draws the tiles on their way, each painted once in a frame and moved from then on."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from gemmviz.explain.block.pooled import Pyramid
from gemmviz.gui.looks.theme import blend
from gemmviz.gui.memory_view.carried import Carried, carried
from gemmviz.gui.memory_view.motion_paths import MotionPath
from gemmviz.gui.memory_view.paint.cells import draw_cells, draw_gaps, rect
from gemmviz.gui.memory_view.paint.looks import Looks
from gemmviz.gui.memory_view.paint.number_room import numbers_of
from gemmviz.gui.memory_view.paint.texts import draw_texts, form_of_cells
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.hazard_places import LEAST
from gemmviz.gui.memory_view.routes import travelled
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.detail import Detail, detail_of
from gemmviz.gui.memory_view.text.number_samples import NumberSamples
from gemmviz.gui.memory_view.tile_motion import MOST_SINGLE

GROUND = 0.4
"""How much of its colour a tile shows."""
MOST_PIXELS = 1024
"""Of an edge of a painted tile; one that is seen larger is enlarged."""
HALO, FRAME = 3.4, 1.8
"""Pixels of the light that sets a tile off from what is below, and of its frame."""
ALMOST = 0.97
"""How much of its largest width a tile has whose numbers are shown where they are presented."""
ABOVE_NUMBER = 0.1
"""The part of a sum that is empty above its number, and below it."""
MOST_KEPT = 16 + 2 * MOST_SINGLE
"""Images of one frame; more come about only while one zooms."""


def draw_tiles(painter: QPainter, scene: Scene, looks: Looks, paths: Sequence[MotionPath]) -> None:
    """Tiles between where they come from and where they go, over all else; nothing once they have arrived.

    A tile with numbers is opaque, so that nothing below shows between them; one without lets all show. What is added to
    a sum fades on its way; with numbers, which it loses then, where it meets that of the sum.
    """
    if scene.picture is None or scene.arrival >= 1.0:
        return
    density = painter.deviceTransform().m11()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    for path, box, fraction in _on_the_way(scene, paths):
        is_used_up = path.fades and (not _has_room(path) or box.meets(_around(path.target)))
        painter.save()
        is_opaque = not is_used_up and _has_room(path)
        painter.setOpacity(1.0 - fraction if is_used_up else 1.0)
        if is_opaque:
            painter.fillRect(rect(box), QColor(looks.theme.field))
        has_numbers = not is_used_up and _keeps_size(scene, path, box)
        painter.drawImage(rect(box), tile_image(scene, looks, path, density, has_numbers=has_numbers))
        for colour, width in ((QColor(looks.theme.panel), HALO), (looks.colour(path.matrix), FRAME)):
            painter.setPen(QPen(colour, width, j=Qt.PenJoinStyle.MiterJoin))
            painter.drawRect(rect(box))
        painter.restore()


def _on_the_way(scene: Scene, paths: Sequence[MotionPath]) -> list[tuple[MotionPath, Box, float]]:
    """The tiles in sight that are under way, where they are, and how far they have come."""
    found = list[tuple[MotionPath, Box, float]]()
    for path in paths if scene.arrival < 1.0 else ():
        fraction = path.fraction(scene.arrival)
        if fraction is not None:
            source, target, *by = (box.at_least(LEAST) for box in (path.source, path.target, *path.by))
            box = travelled(source, target, fraction, by)
            found += [(path, box, fraction)] if box.meets(scene.window) else []
    return found


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
            numbers = numbers_of(scene)
            draw_texts(
                painter,
                area,
                size,
                area,
                lambda row, column: (*texts[row, column], ink) if (row, column) in texts else None,
                numbers.result if path.matrix == scene.result else numbers.factors,
                scene.notes.least_label,
            )
    return image


def _keeps_size(scene: Scene, path: MotionPath, box: Box) -> bool:
    """Whether the numbers of a tile are as large as they are painted, or its cells are as large by then as others that
    have numbers which are read from afar.
    """
    least, numbers = scene.notes.least_label, numbers_of(scene)
    if not least or box.width >= max(path.source.width, path.target.width) * ALMOST:
        return True
    known = (numbers.result if path.matrix == scene.result else numbers.factors).known
    cell = Box(0.0, 0.0, box.width / path.part.columns, box.height / path.part.rows)
    return bool(known) and form_of_cells(cell, NumberSamples(known), 1.0, least) is not None


def _has_room(path: MotionPath) -> bool:
    """Whether the cells of a tile are large enough for numbers."""
    source, target, part = path.source, path.target, path.part
    across, down = max(source.width, target.width), max(source.height, target.height)
    return detail_of(across / part.columns, down / part.rows) is Detail.VALUES


def _around(target: Box) -> Box:
    """Where the number of a sum stands: a tile that is added to it is a number until it meets that."""
    return Box(target.x, target.y + target.height * ABOVE_NUMBER, target.width, target.height * (1 - 2 * ABOVE_NUMBER))


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
