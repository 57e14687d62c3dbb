"""Draws the on-chip panel: the chip with its shared arrays, the sums in registers, and the thread that is followed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gemmviz.domain.elements import element_name
from gemmviz.domain.recordings.access import AccessKind, Space
from gemmviz.explain.block.pooled import Pyramid
from gemmviz.gui.memory_view.carried import slot_text
from gemmviz.gui.memory_view.motion_paths import has_landed
from gemmviz.gui.memory_view.paint.cells import dashed, draw_cells, draw_gaps, has_grid, rect
from gemmviz.gui.memory_view.paint.looks import Looks, Table
from gemmviz.gui.memory_view.paint.number_room import numbers_of
from gemmviz.gui.memory_view.paint.signs import draw_signs
from gemmviz.gui.memory_view.paint.texts import draw_texts
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.shared_layout import Lens, SharedArrayPlace
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.shades import ElementRole
from gemmviz.gui.memory_view.shared_shades import HELD, SharedShade, Slot
from gemmviz.gui.memory_view.text.detail import Detail, detail_of

Levels = NDArray[np.uint8]
STORED = 255
"""In the table of the sums: stored in this frame."""
ROUND = 6.0
MOST_PADDING = 17
"""Slots from one that is used to the next with padding between them, at most."""


def draw_panels(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """Shared memory as a place of its own; where there is none, an outline without anything in it."""
    has_shared = bool(scene.places)
    panels = [(scene.onchip.panel, has_shared)]
    panels += [(scene.onchip.registers, True)] if scene.onchip.registers is not None else []
    for panel, is_solid in panels:
        box = scene.camera.seen(panel)
        if box.meets(scene.window):
            draw_sheet(painter, looks, box, is_solid=is_solid)


def draw_sheet(painter: QPainter, looks: Looks, box: Box, *, is_solid: bool = True) -> None:
    """A panel as part of the picture: an area with a fine edge, or a dashed outline of one that is not there."""
    theme = looks.theme
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.line), 1.0) if is_solid else dashed(QColor(theme.faint), 1.0))
    painter.setBrush(QColor(theme.panel) if is_solid else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect(box).adjusted(0.5, 0.5, -0.5, -0.5), ROUND, ROUND)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def draw_onchip(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """The cells of all that stands in the panels."""
    for place in () if scene.shows_tree else scene.places:
        _draw_array(painter, scene, looks, place)
    for lens in scene.lenses:
        draw = _draw_sums if lens.name == scene.result else _draw_piece
        draw(painter, scene, looks, lens)


def cells_of(place: SharedArrayPlace, roles: Levels) -> Levels:
    """The shades of slots in the cells they are drawn in; cells behind the last slot are UNUSED."""
    cells = np.full(place.rows * place.columns, Slot.UNUSED, np.uint8)
    cells[: roles.size] = roles.reshape(-1)
    return cells.reshape(place.rows, place.columns)


def without_padding(cells: Levels) -> Levels:
    """The same with slots that are never used shown as the slot before them, where few of them lie between others: in
    cells of a pixel they would make a pattern that is not there.
    """
    flat = cells.reshape(-1)
    index = np.arange(flat.size)
    is_used = flat & HELD != Slot.UNUSED
    before = np.maximum.accumulate(np.where(is_used, index, -1))
    after = np.minimum.accumulate(np.where(is_used, index, flat.size)[::-1])[::-1]
    is_between = ~is_used & (before >= 0) & (after < flat.size) & (after - before <= MOST_PADDING)
    return np.where(is_between, flat[before], flat).reshape(cells.shape)


def sum_levels(scene: Scene, lens: Lens) -> Levels:
    """Levels of the sums for `Looks.sums`, shape of the block's part of C: 0 to 254 by the products added, STORED."""
    levels = np.zeros((lens.part.rows, lens.part.columns), np.uint8)
    analysis = scene.analysis
    if scene.sums.terms is not None and analysis is not None and analysis.progress is not None:
        levels[:] = np.ceil(scene.sums.terms * ((STORED - 1) / max(analysis.progress.depth, 1)))
        if scene.sums.unknown and scene.picture is not None:  # what threads read in a race is not counted in terms
            levels[scene.picture.matrices[scene.result].stored(arrived=scene.arrival >= 1.0)] = STORED - 1
    stored = scene.picture.frame.touch(scene.result, AccessKind.STORE) if scene.picture is not None else None
    if stored is not None:
        levels[stored.rows - lens.part.row_start, stored.columns - lens.part.column_start] = STORED
    return levels


def _draw_array(painter: QPainter, scene: Scene, looks: Looks, place: SharedArrayPlace) -> None:
    area, window = scene.camera.seen(place.box), scene.window
    if not area.meets(window):
        return
    shade = scene.picture.shared.get(place.array.name) if scene.picture is not None else None
    if shade is None or scene.picture is None:
        painter.fillRect(rect(area), QColor(looks.theme.field))
        _draw_edge(painter, looks, area)
        return
    cells = cells_of(place, shade.before if scene.arrival < 1.0 else shade.after)
    heat = scene.heat_of(Space.SHARED)
    shown: Levels | None = None
    if heat is not None and place.array.name in heat.layers:
        layer = heat.layers[place.array.name]
        figures_here = np.zeros((place.array.rows, place.array.columns), np.int32)
        box = layer.box
        figures_here[box.row_start : box.row_stop, box.column_start : box.column_stop] = layer.figures.full
        levels = np.zeros(cells.size, np.uint8)
        levels[: figures_here.size] = heat.levels(figures_here).reshape(-1)
        shown = levels.reshape(cells.shape)
        _draw_levels(painter, scene, looks, area, shown, looks.heat)
    else:
        cell = area.part(place.rows, place.columns, 0, 0)
        is_told_apart = has_grid(painter, min(cell.width, cell.height))
        _draw_levels(painter, scene, looks, area, cells if is_told_apart else without_padding(cells), looks.shared)
    if heat is None:
        draw_signs(painter, area, cells, window, looks.theme)
    cell = area.part(place.rows, place.columns, 0, 0)
    has_room = detail_of(cell.width, cell.height) is Detail.VALUES
    if has_room:
        _write_slots(painter, scene, looks, place, area, shade, cells, shown)


def _draw_sums(painter: QPainter, scene: Scene, looks: Looks, lens: Lens) -> None:
    area = scene.camera.seen(lens.place.box)
    if not area.meets(scene.window):
        return
    levels = cells_of(lens.place, sum_levels(scene, lens))
    _draw_levels(painter, scene, looks, area, levels, looks.sums)
    cell = area.part(levels.shape[0], levels.shape[1], 0, 0)
    if detail_of(cell.width, cell.height) is not Detail.VALUES:
        return

    def text(row: int, column: int) -> tuple[str, float | None, QColor] | None:
        index = row * lens.place.columns + column
        if index >= lens.part.size:
            return None
        down, across = divmod(index, lens.part.columns)
        at = (down + lens.part.row_start, across + lens.part.column_start)
        total = scene.sums.totals.get(at)
        return element_name(lens.name, *at), total, looks.ink_on(looks.sums[levels[row, column]])

    size, least = (lens.place.rows, lens.place.columns), scene.notes.least_label
    draw_texts(painter, area, size, scene.window, text, numbers_of(scene).result, least)


def _draw_piece(painter: QPainter, scene: Scene, looks: Looks, lens: Lens) -> None:
    """What was read last of A or B: the elements touched, paler once another frame goes on, or their heat; nothing
    while they are on their way.
    """
    area, part, touch = scene.camera.seen(lens.place.box), lens.part, lens.read
    if touch is None or scene.picture is None or not area.meets(scene.window):
        return
    if not has_landed(scene, lens.name):
        painter.fillRect(rect(area), QColor(looks.theme.field))
        _draw_edge(painter, looks, area)
        return
    is_now = scene.picture.frame.touch(lens.name, AccessKind.LOAD) is not None
    heat = scene.heat_of(Space.GLOBAL)
    inside = (touch.rows < part.row_stop) & (touch.columns < part.column_stop)
    rows, columns = touch.rows[inside], touch.columns[inside]
    levels = np.zeros((part.rows, part.columns), np.uint8)
    if heat is not None and lens.name in heat.layers:
        layer = heat.layers[lens.name]
        box = layer.box  # heat of a frame has nothing of what another frame read
        known = (rows >= box.row_start) & (rows < box.row_stop)
        known &= (columns >= box.column_start) & (columns < box.column_stop)
        rows, columns = rows[known], columns[known]
        figures_there = layer.figures.full[rows - box.row_start, columns - box.column_start]
        levels[rows - part.row_start, columns - part.column_start] = heat.levels(figures_there)
        table = looks.heat
    else:
        levels[rows - part.row_start, columns - part.column_start] = 1
        table = np.zeros(256, np.uint32)
        table[1] = looks.matrix[lens.name][ElementRole.LOADED_NOW if is_now else ElementRole.LOADED_BEFORE]
    _draw_levels(painter, scene, looks, area, levels, table)
    cell = area.part(levels.shape[0], levels.shape[1], 0, 0)
    if detail_of(cell.width, cell.height) is not Detail.VALUES:
        return

    def text(row: int, column: int) -> tuple[str, float | None, QColor]:
        at = (row + part.row_start, column + part.column_start)
        value = scene.values.of(lens.name, *at)
        return element_name(lens.name, *at), value, looks.ink_on(table[levels[row, column]])

    size, least = (part.rows, part.columns), scene.notes.least_label
    draw_texts(painter, area, size, scene.window, text, numbers_of(scene).factors, least)


def _draw_levels(painter: QPainter, scene: Scene, looks: Looks, area: Box, levels: Levels, table: Table) -> None:
    rows, columns = levels.shape
    painter.fillRect(rect(area), QColor(looks.theme.field))
    draw_cells(painter, area, (rows, columns), scene.window, _most(levels), table)
    draw_gaps(painter, area, (rows, columns), scene.window, QColor(looks.theme.panel))
    _draw_edge(painter, looks, area)


def _draw_edge(painter: QPainter, looks: Looks, area: Box) -> None:
    """The outline of an array, so that an empty one is seen on its panel."""
    painter.setPen(QPen(QColor(looks.theme.outline), 1.0))
    painter.drawRect(rect(area))


def _most(cells: Levels) -> Callable[[NDArray[np.int64], NDArray[np.int64]], Levels]:
    """What bins show: the cells themselves while each has a bin of its own, else the highest in each."""

    def pooled(rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Levels:
        if int(rows[-1] - rows[0]) == rows.size - 1 and int(columns[-1] - columns[0]) == columns.size - 1:
            return cells[int(rows[0]) : int(rows[-1]), int(columns[0]) : int(columns[-1])]
        return Pyramid(cells.astype(np.int32), np.maximum).pooled(rows, columns).astype(np.uint8)

    return pooled


def _write_slots(
    painter: QPainter,
    scene: Scene,
    looks: Looks,
    place: SharedArrayPlace,
    area: Box,
    shade: SharedShade,
    cells: Levels,
    heat: Levels | None = None,
) -> None:
    """Write what lies in the slots, in ink for their colours: those of `cells`, or of levels of heat."""
    snapshot = shade.contents.before if scene.arrival < 1.0 else shade.contents.after

    def text(row: int, column: int) -> tuple[str, float | None, QColor] | None:
        index = row * place.columns + column
        if index >= snapshot.origin.size:
            return None
        name, value = slot_text(scene, snapshot, index)
        ground = looks.shared[cells[row, column]] if heat is None else looks.heat[heat[row, column]]
        return name, value, looks.ink_on(ground)

    size, least = (place.rows, place.columns), scene.notes.least_label
    draw_texts(painter, area, size, scene.window, text, numbers_of(scene).factors, least)
