"""Names and values in cells that are large enough for them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from gemmviz.gui.looks.fonts import figures
from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.memory_view.paint_cells import seen_bins

LEAST_PIXELS, MOST_PIXELS = 6.5, 14.0
_WIDE = 0.62
"""Width of a figure over the size of its font."""

CellText = Callable[[int, int], tuple[str, str, QColor] | None]
"""Name, value and colour of the cell in a row and column; None for nothing."""


def draw_texts(painter: QPainter, area: Box, size: tuple[int, int], window: Box, text: CellText) -> None:
    """Write into every cell in the window: the name small, above it the value if there is one."""
    found = seen_bins(area, *size, window, 1.0)
    if found is None:
        return
    cell = area.part(*size, 0, 0)
    fonts: dict[tuple[int, bool], QFont | None] = {}
    for row in found[0].edges[:-1].tolist():
        for column in found[1].edges[:-1].tolist():
            said = text(row, column)
            if said is None:
                continue
            name, value, colour = said
            painter.setPen(colour)
            _write(painter, area.part(*size, row, column), cell, name, value, fonts)


def _write(
    painter: QPainter, box: Box, cell: Box, name: str, value: str, fonts: dict[tuple[int, bool], QFont | None]
) -> None:
    value_font = _font(fonts, len(value), True, cell)
    name_font = _font(fonts, len(name), False, cell)
    if value and value_font is not None:
        part = 0.62 if name_font is not None else 1.0
        painter.setFont(value_font)
        painter.drawText(QRectF(box.x, box.y, box.width, box.height * part), _CENTRE, value)
        if name_font is not None:
            painter.setFont(name_font)
            painter.drawText(QRectF(box.x, box.y + box.height * 0.52, box.width, box.height * 0.38), _CENTRE, name)
    elif name_font is not None:
        painter.setFont(name_font)
        painter.drawText(QRectF(box.x, box.y, box.width, box.height), _CENTRE, name)


def _font(fonts: dict[tuple[int, bool], QFont | None], letters: int, strong: bool, cell: Box) -> QFont | None:
    """The font in which so many letters fit a cell; None if they would be too small to read."""
    if (letters, strong) not in fonts:
        pixels = min(cell.width * 0.8 / max(letters * _WIDE, 1.0), cell.height * (0.4 if strong else 0.28), MOST_PIXELS)
        pixels = min(pixels, MOST_PIXELS if strong else 10.5)
        made = None
        if letters and pixels >= LEAST_PIXELS:
            made = figures(weight=QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
            made.setPixelSize(round(pixels))
        fonts[letters, strong] = made
    return fonts[letters, strong]


_CENTRE = int(Qt.AlignmentFlag.AlignCenter)
