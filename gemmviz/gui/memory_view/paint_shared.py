"""Draws the corner: the shared arrays, what their slots hold, and what was asked for so far."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen

from gemmviz.domain.access import Space
from gemmviz.gui.fonts import NORMAL, SMALL, figures, words
from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.memory_view.detail import ELEMENTS_FROM, Detail, detail_of
from gemmviz.gui.memory_view.labels import corner_head, held_words, origin_name, value_text
from gemmviz.gui.memory_view.looks import Looks
from gemmviz.gui.memory_view.paint_cells import draw_cells, draw_gaps, rect, seen_bins
from gemmviz.gui.memory_view.paint_texts import draw_texts
from gemmviz.gui.memory_view.pooled import Pyramid
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.shared_layout import APART, CAPTION, LEAST_WIDTH, NAME, SharedPlace
from gemmviz.gui.memory_view.shared_shades import HELD, READ, STALE, WRITTEN, SharedShade, Slot
from gemmviz.gui.memory_view.stage import TALLY_WIDTH
from gemmviz.gui.theme import Theme

Roles = NDArray[np.uint8]


def draw_corner(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """The head, the arrays and the tally."""
    corner = scene.camera.seen(scene.stage.corner)
    theme = looks.theme
    if not corner.meets(scene.window):
        return
    draw_head(painter, theme, corner.x, corner.y, corner_head(scene.run, scene.block))
    if not scene.shows_tree:
        for place in scene.places:
            _draw_array(painter, scene, looks, place)
    if scene.picture is not None:
        _draw_tally(painter, scene, looks, scene.camera.seen(scene.stage.tally))


def draw_head(painter: QPainter, theme: Theme, x: float, y: float, text: str) -> None:
    """The head of a section, in small capitals."""
    font = words(SMALL, QFont.Weight.Bold)
    font.setCapitalization(QFont.Capitalization.AllUppercase)
    font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 0.4)
    painter.setFont(font)
    painter.setPen(QColor(theme.muted))
    painter.drawText(QRectF(x, y, 600.0, 16.0), _LEFT, text)


def cells_of(place: SharedPlace, roles: Roles) -> Roles:
    """The shades of slots in the cells they are drawn in; cells behind the last slot are UNUSED."""
    cells = np.full(place.rows * place.columns, Slot.UNUSED, np.uint8)
    cells[: roles.size] = roles.reshape(-1)
    return cells.reshape(place.rows, place.columns)


def _draw_array(painter: QPainter, scene: Scene, looks: Looks, place: SharedPlace) -> None:
    area, size, window = scene.camera.seen(place.box), (place.rows, place.columns), scene.window
    if not area.grown(NAME + CAPTION).meets(window):
        return
    shade = scene.picture.shared.get(place.array.name) if scene.picture is not None else None
    _draw_name(painter, scene, looks, place, area, shade)
    if shade is None or scene.picture is None:
        painter.fillRect(rect(area), QColor(looks.theme.field))
        return
    cells = cells_of(place, shade.before if scene.glide < 1.0 else shade.after)
    heat = scene.heat_of(Space.SHARED)
    if heat is not None and place.array.name in heat.layers:
        layer = heat.layers[place.array.name]
        figures_here = np.zeros((place.array.rows, place.array.columns), np.int32)
        box = layer.box
        figures_here[box.row_start : box.row_stop, box.column_start : box.column_stop] = layer.figures.full
        levels = np.zeros(cells.size, np.uint8)
        levels[: figures_here.size] = heat.levels(figures_here).reshape(-1)
        painter.fillRect(rect(area), QColor(looks.theme.field))
        draw_cells(painter, area, size, window, _most(levels.reshape(size)), looks.heat)
    else:
        draw_cells(painter, area, size, window, _most(cells), looks.shared)
    draw_gaps(painter, area, size, window, QColor(looks.theme.canvas))
    if heat is None:
        _draw_signs(painter, area, cells, window, looks.theme)
    cell = area.part(*size, 0, 0)
    if detail_of(cell.width, cell.height) is Detail.VALUES:
        _write(painter, scene, looks, place, area, shade, cells)


def _most(cells: Roles) -> Callable[[NDArray[np.int64], NDArray[np.int64]], Roles]:
    pyramid = Pyramid(cells.astype(np.int32), np.maximum)
    return lambda rows, columns: pyramid.pooled(rows, columns).astype(np.uint8)


def _draw_signs(painter: QPainter, area: Box, cells: Roles, window: Box, theme: Theme) -> None:
    """What colour alone must not say: dots on zeros, a frame around what is unwritten, hatching on what is stale."""
    rows, columns = cells.shape
    cell = area.part(rows, columns, 0, 0)
    if min(cell.width, cell.height) < ELEMENTS_FROM:
        return
    found = seen_bins(area, rows, columns, window, 1.0)
    if found is None:
        return
    low = int(found[0].edges[0]), int(found[1].edges[0])
    seen = cells[low[0] : int(found[0].edges[-1]), low[1] : int(found[1].edges[-1])]

    def boxes(mask: NDArray[np.bool_], inset: float) -> list[QRectF]:
        places = zip(*(axis.tolist() for axis in np.nonzero(mask)), strict=True)
        return [rect(area.part(rows, columns, r + low[0], c + low[1]).grown(-inset)) for r, c in places]

    kind = seen & HELD
    painter.setPen(Qt.PenStyle.NoPen)
    stale = boxes((seen & STALE > 0) & (kind != Slot.UNUSED), 1.0)
    if stale:
        painter.setBrush(QBrush(QColor(theme.muted), Qt.BrushStyle.BDiagPattern))
        painter.drawRects(stale)
    zeros = boxes(kind == Slot.ZERO, 0.0)
    if zeros:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(theme.text))
        radius = min(max(cell.width * 0.12, 0.8), 3.0)
        for box in zeros:
            painter.drawEllipse(box.center(), radius, radius)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    bare = boxes(kind == Slot.UNWRITTEN, 1.5)
    if bare:
        painter.setPen(QPen(QColor(theme.line), 1.0))
        painter.drawRects(bare)
    unused = boxes(kind == Slot.UNUSED, 0.0)
    if unused:
        painter.setPen(QPen(QColor(theme.faint), 1.0, Qt.PenStyle.DotLine))
        for box in unused:
            reach = min(box.width() * 0.3, 5.0)
            middle = box.center()
            painter.drawLine(QPointF(middle.x() - reach, middle.y()), QPointF(middle.x() + reach, middle.y()))


def _draw_name(
    painter: QPainter, scene: Scene, looks: Looks, place: SharedPlace, area: Box, shade: SharedShade | None
) -> None:
    theme = looks.theme
    colour, held = QColor(theme.muted), ""
    if shade is not None and scene.picture is not None:
        snapshot = shade.contents.before if scene.glide < 1.0 else shade.contents.after
        held = held_words(snapshot, scene.arrays)
        colour = _main_colour(looks, cells_of(place, shade.after))
    painter.setFont(figures(NORMAL, QFont.Weight.Bold))
    painter.setPen(colour)
    name, size = place.array.name, f"{place.array.rows} × {place.array.columns}"
    painter.drawText(QRectF(area.x, area.y - NAME, 200.0, NAME - 2), _LEFT, name)
    across = QFontMetricsF(painter.font()).horizontalAdvance(name) + 8
    painter.setFont(figures(SMALL))
    painter.setPen(QColor(theme.faint))
    if QFontMetricsF(painter.font()).horizontalAdvance(size) + across <= max(area.width, 60.0):
        painter.drawText(QRectF(area.x + across, area.y - NAME, 200.0, NAME - 2), _LEFT, size)
    painter.setPen(QColor(theme.muted))
    room = max(area.width, LEAST_WIDTH) + APART - 4
    metrics = QFontMetricsF(painter.font())
    held = metrics.elidedText(held, Qt.TextElideMode.ElideRight, room)
    # Lines to a tile may run behind it.
    painter.fillRect(
        QRectF(area.x, area.bottom + 3, metrics.horizontalAdvance(held), CAPTION - 6), QColor(theme.canvas)
    )
    painter.drawText(QRectF(area.x, area.bottom + 2, room, CAPTION - 4), _LEFT, held)


def _main_colour(looks: Looks, cells: Roles) -> QColor:
    """The colour of what most slots hold."""
    counts = {name: int(np.sum(cells & HELD == slot)) for name, slot in _COLOURED.items()}
    best = max(counts, key=lambda name: counts[name])
    return looks.colour(best) if counts[best] else QColor(looks.theme.muted)


def _write(
    painter: QPainter, scene: Scene, looks: Looks, place: SharedPlace, area: Box, shade: SharedShade, cells: Roles
) -> None:
    snapshot = shade.contents.before if scene.glide < 1.0 else shade.contents.after
    solid, ink = QColor(looks.theme.on_accent), QColor(looks.theme.text)
    columns = {array.name: array.columns for array in scene.arrays}

    def text(row: int, column: int) -> tuple[str, str, QColor] | None:
        index = row * place.columns + column
        if index >= snapshot.origin.size:
            return None
        origin, matrix = int(snapshot.origin.flat[index]), int(snapshot.matrix.flat[index])
        name = origin_name(origin, matrix, scene.arrays)
        value = ""
        if origin >= 0:
            found = scene.values.of("AB"[matrix], *divmod(origin, columns["AB"[matrix]]))
            value = value_text(found) if found is not None else ""
        strong = bool(cells[row, column] & (READ | WRITTEN)) and not cells[row, column] & STALE
        return name, value, solid if strong else ink

    draw_texts(painter, area, (place.rows, place.columns), scene.window, text)


def _draw_tally(painter: QPainter, scene: Scene, looks: Looks, at: Box) -> None:
    """What the block has asked for so far: words, figures aligned to the right, and what that means per element."""
    assert scene.picture is not None
    theme, tally = looks.theme, scene.picture.tally
    draw_head(painter, theme, at.x, at.y, tally.head)
    y = at.y + 20
    for name, figure, remark in tally.lines:
        painter.setFont(words(NORMAL))
        painter.setPen(QColor(theme.muted))
        painter.drawText(QRectF(at.x, y, TALLY_WIDTH, 18.0), _LEFT, name)
        painter.setFont(figures(NORMAL, QFont.Weight.DemiBold))
        painter.setPen(QColor(theme.text))
        painter.drawText(QRectF(at.x, y, TALLY_WIDTH, 18.0), _RIGHT, figure)
        y += 18.0
        if remark:
            painter.setFont(words(NORMAL))
            painter.drawText(QRectF(at.x, y, TALLY_WIDTH, 18.0), _RIGHT, remark)
            y += 18.0


_COLOURED = {"A": Slot.A, "B": Slot.B, "C": Slot.OTHER}
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
