"""Draws A, B and C: what becomes of their elements, the tiles now and to come, the blocks on C."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPainter, QPen

from gemmviz.domain.elements import element_name
from gemmviz.domain.recordings.access import Space
from gemmviz.gui.looks.theme import blend
from gemmviz.gui.memory_view.paint.cells import dashed, draw_cells, draw_gaps, draw_lines_every, rect
from gemmviz.gui.memory_view.paint.connectors import draw_bands
from gemmviz.gui.memory_view.paint.looks import RESTING as HELD
from gemmviz.gui.memory_view.paint.looks import Looks
from gemmviz.gui.memory_view.paint.number_room import numbers_of
from gemmviz.gui.memory_view.paint.texts import draw_texts
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.shades import ElementRole
from gemmviz.gui.memory_view.text.detail import Detail
from gemmviz.trace.frames.regions import Rectangle

LEAST_TILE = 6.0
"""Outlines of tiles are never smaller than this, so that none gets lost."""
RESTING, MAKING = 0.5, 0.3
"""How much is laid on a tile in shared memory, and on the block's C."""


def draw_matrices(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """All of them, from the field to the names of their elements, then the outlines of their tiles."""
    for name in scene.layout.places:
        area = scene.area(name)
        if area is not None and scene.array(name) is not None and area.meets(scene.window):
            _draw_field(painter, scene, looks, name, area)
    draw_bands(painter, scene, looks)
    for name in scene.layout.places:
        area = scene.area(name)
        if area is not None and scene.array(name) is not None and area.meets(scene.window):
            _draw_lines(painter, scene, looks, name, area)
            _draw_tiles(painter, scene, looks, name)


def _draw_field(painter: QPainter, scene: Scene, looks: Looks, name: str, area: Box) -> None:
    """What becomes of the elements, or their heat; what shared memory holds and what the block makes lightly filled."""
    theme, picture = looks.theme, scene.picture
    painter.fillRect(rect(area), QColor(theme.field))
    heat = scene.heat_of(Space.GLOBAL)
    if heat is not None:
        layer = heat.layers.get(name)
        if layer is not None and layer.box.size:
            part = scene.part(name, layer.box)
            assert part is not None
            draw_cells(
                painter,
                part,
                (layer.box.rows, layer.box.columns),
                scene.window,
                lambda rows, columns: heat.levels(layer.figures.pooled(rows, columns)),
                looks.heat,
            )
        return
    if picture is not None and name in picture.matrices and picture.matrices[name].box.size:
        shade = picture.matrices[name]
        part = scene.part(name, shade.box)
        assert part is not None
        box = (shade.box.rows, shade.box.columns)
        draw_cells(painter, part, box, scene.window, shade.pooled, looks.matrix[name])
    filled = _lightly_filled(scene, name)
    if filled is not None:
        fill = looks.colour(name)
        fill.setAlphaF(RESTING if name != scene.result else MAKING)
        painter.fillRect(rect(filled.at_least(LEAST_TILE)), fill)


def _lightly_filled(scene: Scene, name: str) -> Box | None:
    """The tile that shared memory holds while it is read, or the part of the result that the block makes."""
    if name == scene.result:
        part = scene.blocks.parts.get((scene.block[0], scene.block[1]))
        return scene.part(name, part) if part is not None and part.size else None
    tiles = scene.picture.tiles.get(name) if scene.picture is not None else None
    return scene.part(name, tiles.held) if tiles is not None and tiles.held is not None else None


def _draw_lines(painter: QPainter, scene: Scene, looks: Looks, name: str, area: Box) -> None:
    theme, array = looks.theme, scene.array(name)
    assert array is not None
    size = (array.rows, array.columns)
    if scene.detail(name) >= Detail.ELEMENTS:
        draw_gaps(painter, area, size, scene.window, QColor(theme.canvas), 0.3)
    draw_lines_every(painter, area, size, _pitch(scene, name), scene.window, QColor(theme.outline))
    if scene.detail(name) is Detail.VALUES:
        _write(painter, scene, looks, name, area, size)
    painter.setPen(QPen(QColor(theme.outline), 1.0))
    painter.drawRect(rect(area))


def _draw_tiles(painter: QPainter, scene: Scene, looks: Looks, name: str) -> None:
    colour, theme = looks.colour(name), looks.theme
    if name == scene.result:
        _draw_blocks(painter, scene, looks)
    if scene.picture is None or name not in scene.picture.tiles:
        return
    tiles = scene.picture.tiles[name]
    is_heat = scene.heat_of(Space.GLOBAL) is not None
    if tiles.to_come is not None and not is_heat and name != scene.result:
        part = scene.part(name, tiles.to_come)
        assert part is not None
        for pen in (QPen(QColor(theme.field), 1.2), dashed(colour)):  # no line shows between the dashes
            painter.setPen(pen)
            painter.drawRect(rect(part.at_least(LEAST_TILE)))
    for tile in (tiles.loaded, tiles.stored, tiles.held):
        if tile is None:
            continue
        part = scene.part(name, tile)
        assert part is not None
        box = rect(part.at_least(LEAST_TILE))
        if min(part.width, part.height) < LEAST_TILE and not is_heat:
            painter.setPen(QPen(QColor(theme.canvas), 4.5))  # a ring, so that a tile this small is found
            painter.drawRect(box)
            painter.fillRect(box, colour if tile is not tiles.held else QColor(blend(theme.field, colour.name(), HELD)))
        painter.setPen(QPen(QColor(theme.text) if is_heat else colour, 1.6))
        painter.drawRect(box)


def _draw_blocks(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """The recorded blocks outlined, the shown one strongly."""
    colour = looks.colour(scene.result)
    current = (scene.block[0], scene.block[1])
    for block, part in scene.outlined.items():
        box = scene.part(scene.result, part)
        if box is None:
            continue
        strong = block == current
        if strong and min(box.width, box.height) < LEAST_TILE:
            painter.setPen(QPen(QColor(looks.theme.canvas), 5.0))
            painter.drawRect(rect(box.at_least(LEAST_TILE)))
        painter.setPen(QPen(colour, 2.0 if strong else 1.0))
        painter.drawRect(rect(box.at_least(LEAST_TILE)))


def _write(painter: QPainter, scene: Scene, looks: Looks, name: str, area: Box, size: tuple[int, int]) -> None:
    picture = scene.picture
    shade = picture.matrices.get(name) if picture is not None else None
    box = shade.box if shade is not None else Rectangle(0, 0, 0, 0)
    heat = scene.heat_of(Space.GLOBAL)
    is_plain = heat is not None
    layer = heat.layers.get(name) if heat is not None else None
    levels = heat.levels(layer.figures.full) if heat is not None and layer is not None and layer.box.size else None
    roles = shade.roles() if shade is not None and box.size <= 1 << 20 and not is_plain else None

    def text(row: int, column: int) -> tuple[str, float | None, QColor]:
        role = ElementRole.UNTOUCHED
        if roles is not None and box.holds(row, column):
            role = ElementRole(int(roles[row - box.row_start, column - box.column_start]))
        value = scene.in_result(row, column) if name == scene.result else scene.values.of(name, row, column)
        if name == scene.result and value is None and scene.lens(name) is None:
            value = scene.sums.totals.get((row, column))  # there is no room to show the sums elsewhere
        ground = looks.matrix[name][role]
        if levels is not None and layer is not None and layer.box.holds(row, column):
            ground = looks.heat[levels[row - layer.box.row_start, column - layer.box.column_start]]
        return element_name(name, row, column), value, looks.ink_on(ground)

    numbers = numbers_of(scene)
    group = numbers.result if name == scene.result else numbers.factors
    draw_texts(painter, area, size, scene.window, text, group, scene.notes.least_label)


def _pitch(scene: Scene, name: str) -> tuple[int, int]:
    """Rows and columns between the lines on a matrix: the blocks of C, and the tile's depth along K."""
    grid, array = scene.blocks.grid, scene.array(name)
    assert array is not None
    if grid is None or not grid.has_lines:
        return array.rows, array.columns
    depth = scene.depth or max(array.rows, array.columns)
    return {"A": (grid.height, depth), "B": (depth, grid.width)}.get(name, (grid.height, grid.width))
