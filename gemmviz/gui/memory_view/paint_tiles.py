"""Draws the tiles on their way, each painted once in a frame and moved from then on."""

from __future__ import annotations

from math import ceil

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.memory_view.carried import carried
from gemmviz.gui.memory_view.detail import Detail, detail_of
from gemmviz.gui.memory_view.glide import travelled
from gemmviz.gui.memory_view.hazard_places import LEAST
from gemmviz.gui.memory_view.journeys import Journey, journeys
from gemmviz.gui.memory_view.looks import Looks
from gemmviz.gui.memory_view.paint_cells import draw_cells, draw_gaps, rect
from gemmviz.gui.memory_view.paint_texts import draw_texts
from gemmviz.gui.memory_view.pooled import Pyramid
from gemmviz.gui.memory_view.scene import Scene

GROUND = 0.4
"""How opaque a tile is below its numbers: what it moves over can still be read."""
MOST_PIXELS = 1024
"""Of an edge of a painted tile; one that is seen larger is enlarged."""
MOST_KEPT = 16
"""Images of one frame; more come about only while one zooms."""


def draw_tiles(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """Tiles between where they come from and where they go; nothing once they have arrived.

    What is added to a sum fades on its way, so that the sum can be read below it.
    """
    if scene.picture is None or scene.glide >= 1.0:
        return
    density = painter.deviceTransform().m11()
    for journey in journeys(scene):
        box = travelled(journey.source.at_least(LEAST), journey.target.at_least(LEAST), scene.glide)
        if not box.meets(scene.window):
            continue
        painter.save()
        painter.setOpacity(1.0 - scene.glide if journey.fades else 1.0)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(rect(box), tile_image(scene, looks, journey, density))
        painter.setPen(QPen(looks.colour(journey.matrix), 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect(box))
        painter.restore()


def tile_image(scene: Scene, looks: Looks, journey: Journey, density: float) -> QImage:
    """What a tile carries as an image, the same one for all of a frame: numbers in cells that are large enough."""
    assert scene.picture is not None
    width, height = (
        min(max(each, LEAST), MOST_PIXELS / density)
        for each in (max(journey.source.width, journey.target.width), max(journey.source.height, journey.target.height))
    )
    images, key = scene.picture.images, (journey, looks.theme, density)
    if key not in images:
        if len(images) >= MOST_KEPT:
            images.clear()
        images[key] = _paint(scene, looks, journey, Box(0.0, 0.0, width, height), density)
    return images[key]


def _paint(scene: Scene, looks: Looks, journey: Journey, area: Box, density: float) -> QImage:
    tile, colour = carried(scene, journey), looks.colour(journey.matrix)
    image = QImage(ceil(area.width * density), ceil(area.height * density), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    size = (tile.cells.shape[0], tile.cells.shape[1])
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
        cell = area.part(*size, 0, 0)
        if detail_of(cell.width, cell.height) is Detail.VALUES:
            ink = QColor(looks.theme.text)

            def text(row: int, column: int) -> tuple[str, str, QColor] | None:
                said = tile.text(scene, row, column)
                if said is None:
                    return None
                name, value = said
                return (name, "", ink) if not value else ("", value, ink)  # one number, as it stays readable on others

            draw_texts(painter, area, size, area, text)
    return image


def _premultiplied(colour: QColor) -> int:
    """A colour as 0xAARRGGBB with its parts times its opacity, as images of tiles keep it."""
    red, green, blue = (round(part * colour.alphaF()) for part in (colour.red(), colour.green(), colour.blue()))
    return colour.alpha() << 24 | red << 16 | green << 8 | blue
