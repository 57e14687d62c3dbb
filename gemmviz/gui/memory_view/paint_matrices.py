"""Draws A, B and C: what becomes of their elements, the tiles now and to come, the blocks on C."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from gemmviz.domain.access import Space
from gemmviz.gui.fonts import NORMAL, SMALL, figures, words
from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.memory_view.detail import Detail
from gemmviz.gui.memory_view.labels import size_words, value_text
from gemmviz.gui.memory_view.looks import Looks
from gemmviz.gui.memory_view.paint_cells import dashed, draw_cells, draw_gaps, lines_every, rect
from gemmviz.gui.memory_view.paint_texts import draw_texts
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.shades import Role
from gemmviz.gui.theme import blend
from gemmviz.trace.frame_regions import Rectangle

LEAST_TILE = 5.0
"""Outlines of tiles are never smaller than this, so that none gets lost."""
CAPTION = 22.0
ROOMY = 14.0
"""Tiles of that size have room for a line upon them."""


def draw_matrices(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """All three, each with its caption."""
    for name in ("A", "B", "C"):
        area = scene.area(name)
        if area is not None and scene.array(name) is not None and area.meets(scene.window):
            _draw_matrix(painter, scene, looks, name, area)
    if scene.picture is not None:
        _draw_guides(painter, scene, looks)
    for name in ("A", "B", "C"):
        area = scene.area(name)
        if area is not None and scene.array(name) is not None:
            _draw_tiles(painter, scene, looks, name)
            draw_caption(painter, scene, looks, name, area)


def _draw_matrix(painter: QPainter, scene: Scene, looks: Looks, name: str, area: Box) -> None:
    theme, array = looks.theme, scene.array(name)
    assert array is not None
    size = (array.rows, array.columns)
    painter.fillRect(rect(area), QColor(theme.field))
    picture = scene.picture
    heat = scene.heat_of(Space.GLOBAL)
    if heat is not None:
        layer = heat.layers.get(name)
        if layer is not None and layer.box.size:
            part = scene.part(name, layer.box)
            assert part is not None
            draw_cells(
                painter, part, (layer.box.rows, layer.box.columns), scene.window,
                lambda rows, columns: heat.levels(layer.figures.pooled(rows, columns)), looks.heat,
            )  # fmt: skip
    elif picture is not None and name in picture.matrices and picture.matrices[name].box.size:
        shade = picture.matrices[name]
        part = scene.part(name, shade.box)
        assert part is not None
        box = (shade.box.rows, shade.box.columns)
        draw_cells(painter, part, box, scene.window, shade.pooled, looks.matrix[name])
    if scene.detail(name) >= Detail.ELEMENTS:
        draw_gaps(painter, area, size, scene.window, QColor(theme.canvas), 0.3)
    painter.setPen(QPen(QColor(theme.line), 1.0))
    painter.drawLines(lines_every(area, size, _pitch(scene, name), scene.window))
    if scene.detail(name) is Detail.VALUES:
        _write(painter, scene, looks, name, area, size)
    painter.setPen(QPen(QColor(theme.line), 1.0))
    painter.drawRect(rect(area))


def _draw_tiles(painter: QPainter, scene: Scene, looks: Looks, name: str) -> None:
    colour, theme = looks.colour(name), looks.theme
    if name == "C":
        _draw_blocks(painter, scene, looks)
    if scene.picture is None or name not in scene.picture.tiles:
        return
    tiles = scene.picture.tiles[name]
    is_heat = scene.heat_of(Space.GLOBAL) is not None
    if tiles.to_come is not None and not is_heat and name != "C":
        part = scene.part(name, tiles.to_come)
        assert part is not None
        painter.setPen(dashed(QColor(blend(theme.canvas, colour.name(), 0.75))))
        painter.drawRect(rect(part.at_least(LEAST_TILE)))
    for tile in (tiles.loaded, tiles.stored, tiles.held):
        if tile is None:
            continue
        part = scene.part(name, tile)
        assert part is not None
        box = rect(part.at_least(LEAST_TILE))
        if min(part.width, part.height) < LEAST_TILE and not is_heat and tile is not tiles.held:
            painter.fillRect(box, colour)
        painter.setPen(QPen(QColor(theme.text) if is_heat else colour, 1.6))
        painter.drawRect(box)


def _draw_blocks(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """The recorded blocks outlined, the shown one strong and lightly filled."""
    colour = looks.colour("C")
    current = (scene.block[0], scene.block[1])
    for block, part in scene.blocks.parts.items():
        box = scene.part("C", part) if part.size else None
        if box is None:
            continue
        strong = block == current
        box = box.at_least(LEAST_TILE)
        if strong and scene.heat_of(Space.GLOBAL) is None:
            fill = QColor(colour)
            fill.setAlphaF(0.3)
            painter.fillRect(rect(box), fill)
        painter.setPen(QPen(colour, 2.0 if strong else 1.0))
        painter.drawRect(rect(box))


def _draw_guides(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """The lines from the tiles of A and of B to the part of C they add to."""
    assert scene.picture is not None
    material = scene.material
    goal = scene.part("C", material.part) if material is not None and material.part is not None else None
    if goal is None:
        return
    painter.setPen(QPen(QColor(looks.theme.faint), 1.0))
    for name in ("A", "B"):
        tiles = scene.picture.tiles.get(name)
        tile = scene.part(name, tiles.current) if tiles is not None and tiles.current is not None else None
        if tile is None:
            continue
        area = scene.area(name)
        assert area is not None
        if name == "A":
            y = min(max(goal.middle_y, tile.y), tile.bottom)
            # In a strip so thin the line would hide the tiles to come: it begins behind them.
            painter.drawLine(QLineF(tile.right if tile.height >= ROOMY else area.right, y, goal.x, y))
            _arrow(painter, goal, QPointF(goal.x, y), (1.0, 0.0))
        else:
            x = min(max(goal.middle_x, tile.x), tile.right)
            painter.drawLine(QLineF(x, tile.bottom if tile.width >= ROOMY else area.bottom, x, goal.y))
            _arrow(painter, goal, QPointF(x, goal.y), (0.0, 1.0))


def _arrow(painter: QPainter, goal: Box, tip: QPointF, towards: tuple[float, float]) -> None:
    """A small head at the end of a line that runs to the right or downwards, if the goal has room beside it."""
    if min(goal.width, goal.height) < ROOMY:
        return
    across, down = towards
    back, side = 5.0, 3.0
    for sign in (-side, side):
        painter.drawLine(tip, QPointF(tip.x() - back * across + sign * down, tip.y() - back * down + sign * across))


def _write(painter: QPainter, scene: Scene, looks: Looks, name: str, area: Box, size: tuple[int, int]) -> None:
    picture, theme = scene.picture, looks.theme
    shade = picture.matrices.get(name) if picture is not None else None
    box = shade.box if shade is not None else Rectangle(0, 0, 0, 0)
    is_plain = scene.heat_of(Space.GLOBAL) is not None
    roles = shade.roles() if shade is not None and box.size <= 1 << 20 and not is_plain else None
    ink, on_solid = QColor(theme.text), QColor(theme.on_accent)

    stored = (Role.STORED_BEFORE, Role.STORED_NOW)
    is_final = name != "C" or (scene.material is not None and scene.material.stores_once)

    def text(row: int, column: int) -> tuple[str, str, QColor]:
        role = Role.UNTOUCHED
        if roles is not None and box.holds(row, column):
            role = Role(int(roles[row - box.row_start, column - box.column_start]))
        value = scene.values.of(name, row, column) if is_final and (name != "C" or role in stored) else None
        solid = role >= Role.LOADED_NOW
        return f"{name}[{row},{column}]", "" if value is None else value_text(value), on_solid if solid else ink

    draw_texts(painter, area, size, scene.window, text)


def draw_caption(painter: QPainter, scene: Scene, looks: Looks, name: str, area: Box) -> None:
    """The letter and the size, above B and below A and C, kept in the window as long as the matrix is."""
    array, window = scene.array(name), scene.window
    if array is None or not area.meets(window):
        return
    size, numbers = size_words(array, scene.run.spec.shape)
    pieces = [(name, words(NORMAL + 1, QFont.Weight.Bold), looks.colour(name))]
    pieces.append((size, words(SMALL), QColor(looks.theme.muted)))
    pieces.append((numbers, figures(SMALL), QColor(looks.theme.muted)))
    widths = [QFontMetricsF(font).horizontalAdvance(text) for text, font, _ in pieces]
    while sum(widths) + 8 * (len(widths) - 1) > max(area.width + 24, 24) and len(pieces) > 1:
        del pieces[1 if len(pieces) == 3 else -1], widths[1 if len(widths) == 3 else -1]
    whole = sum(widths) + 8 * (len(widths) - 1)
    left, right = max(area.x, window.x), min(area.right, window.right)
    x = min(max((left + right - whole) / 2, window.x + 4), window.right - whole - 4)
    y = max(area.y - CAPTION - 2, window.y + 2) if name == "B" else min(area.bottom + 2, window.bottom - 2 * CAPTION)
    if y < area.bottom and y + CAPTION > area.y:  # it stands on the matrix itself
        back = QColor(looks.theme.canvas)
        back.setAlphaF(0.85)
        painter.fillRect(QRectF(x - 6, y, whole + 12, CAPTION), back)
    for (text, font, colour), width in zip(pieces, widths, strict=True):
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(QRectF(x, y, width + 2, CAPTION), _LEFT, text)
        x += width + 8


def _pitch(scene: Scene, name: str) -> tuple[int, int]:
    """Rows and columns between the lines on a matrix: the blocks of C, and the tile's depth along K."""
    grid, array = scene.blocks.grid, scene.array(name)
    assert array is not None
    if grid is None or not grid.has_lines:
        return array.rows, array.columns
    depth = scene.depth or max(array.rows, array.columns)
    return {"A": (grid.height, depth), "B": (depth, grid.width)}.get(name, (grid.height, grid.width))


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
