"""Draws the cells of an array: one image from small numbers and a table, gaps where cells are large enough."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QPen

from gemmviz.gui.memory_view.paint.bins import Bins, bins
from gemmviz.gui.memory_view.paint.cell_rectangles import draw_as_rectangles
from gemmviz.gui.memory_view.paint.device_pixels import DevicePixels, pixels_of_unit
from gemmviz.gui.memory_view.paint.looks import Table
from gemmviz.gui.memory_view.places.box import Box

FULL_GAPS_FROM, WIDE_GAPS_FROM = 12.0, 24.0
LARGEST_GAP = 0.25
"""What a gap takes of a cell at most, but for a pixel: a unit of an enlarged picture is several pixels, and would hide
small cells.
"""
GRID_FROM = 3.0
"""Pixels of the screen or file from which the cells of a grid are told apart."""
LINES_FROM, STRONG_FROM = 3.0, 8.0
"""Pixels between two lines: closer ones would be a grey; from the second on they have their full strength."""
Pooled = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.uint8]]
"""The small numbers of bins of rows and of columns."""


def rect(box: Box) -> QRectF:
    return QRectF(box.x, box.y, box.width, box.height)


def draw_numbers(painter: QPainter, target: QRectF, numbers: NDArray[np.uint8], table: Table) -> None:
    """Draw small numbers, shape (rows, columns), with colours from a table: pixels of an image, in an SVG shapes."""
    pixels = np.ascontiguousarray(table[numbers])
    if painter.paintEngine().type() is QPaintEngine.Type.SVG and draw_as_rectangles(painter, target, pixels):
        return
    height, width = pixels.shape
    image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied)
    is_at_once = painter.paintEngine().type() is QPaintEngine.Type.Raster
    painter.drawImage(target, image if is_at_once else image.copy(), QRectF(image.rect()))  # the pixels will be gone


def seen_bins(area: Box, rows: int, columns: int, window: Box, ratio: float) -> tuple[Bins, Bins] | None:
    """The bins of rows and of columns of a grid of cells that fills `area`; None if none of it is in the window."""
    down = bins(area.y, area.height, rows, (window.y, window.bottom), ratio)
    across = bins(area.x, area.width, columns, (window.x, window.right), ratio)
    return None if down is None or across is None else (down, across)


def draw_cells(painter: QPainter, area: Box, size: tuple[int, int], window: Box, pooled: Pooled, table: Table) -> None:
    """Draw a grid of `size` (rows, columns) that fills `area`, as far as it is in the window."""
    ratio = painter.device().devicePixelRatioF()
    found = seen_bins(area, *size, window, ratio)
    if found is None:
        return
    down, across = found
    target = QRectF(across.start, down.start, across.stop - across.start, down.stop - down.start)
    draw_numbers(painter, target, pooled(down.edges, across.edges), table)


def has_grid(painter: QPainter, edge: float) -> bool:
    """Whether cells with an edge so long are large enough to be told apart where they are painted, which may be on a
    screen or a file with several pixels to a unit.
    """
    return edge * pixels_of_unit(painter) * painter.device().devicePixelRatioF() >= GRID_FROM


def draw_gaps(
    painter: QPainter, area: Box, size: tuple[int, int], window: Box, colour: QColor, strength: float = 1.0
) -> None:
    """Draw lines between the cells of a grid, if they are large enough to be told apart.

    `strength` is that between the smallest such cells: many strong lines would hide what they divide.
    """
    cell = min(area.width / size[1], area.height / size[0])
    if not has_grid(painter, cell):
        return
    shown = QColor(colour)
    shown.setAlphaF(min(strength + (1.0 - strength) * max(cell - GRID_FROM, 0.0) / FULL_GAPS_FROM, 1.0))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(shown)
    thick = min(1.0 if cell < WIDE_GAPS_FROM else 2.0, LARGEST_GAP * cell)
    painter.drawRects(_gaps(painter, area, size, window, thick))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def draw_lines_every(
    painter: QPainter, area: Box, size: tuple[int, int], step: tuple[int, int], window: Box, colour: QColor
) -> None:
    """Draw lines after every so many rows and columns of a grid, where there is room between them: the nearer they are,
    the paler.
    """
    pixels = DevicePixels(painter, 1.0)
    down, across = step[0] * area.height / size[0], step[1] * area.width / size[1]
    found: list[tuple[float, list[QRectF]]] = []
    if down >= LINES_FROM:
        ys = (area.y + row * area.height / size[0] for row in range(0, size[0], step[0]))
        found.append((down, pixels.rows((y for y in ys if window.y <= y <= window.bottom), area.x, area.width)))
    if across >= LINES_FROM:
        xs = (area.x + column * area.width / size[1] for column in range(0, size[1], step[1]))
        found.append((across, pixels.columns((x for x in xs if window.x <= x <= window.right), area.y, area.height)))
    for apart, lines in found:
        pale = QColor(colour)
        pale.setAlphaF(colour.alphaF() * min(apart / STRONG_FROM, 1.0) ** 2)
        for line in lines:
            painter.fillRect(line, pale)


def _gaps(painter: QPainter, area: Box, size: tuple[int, int], window: Box, thick: float) -> list[QRectF]:
    """The lines between cells as thin rectangles, which are filled faster than lines are drawn."""
    found = seen_bins(area, *size, window, 1.0)
    if found is None:
        return []
    (down, across), pixels = found, DevicePixels(painter, thick)
    width, height = across.stop - across.start, down.stop - down.start
    ys = (area.y + row * area.height / size[0] for row in down.edges.tolist())
    xs = (area.x + column * area.width / size[1] for column in across.edges.tolist())
    return [*pixels.rows(ys, across.start, width), *pixels.columns(xs, down.start, height)]


def dashed(colour: QColor, width: float = 1.2) -> QPen:
    """The pen of what is still to come."""
    pen = QPen(colour, width, Qt.PenStyle.CustomDashLine)
    pen.setDashPattern([3.0, 3.0])
    return pen
