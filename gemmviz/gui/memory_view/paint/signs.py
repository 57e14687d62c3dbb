"""Draws on slots what colour alone must not say: zeros, what is stale, what nobody wrote, what is never used."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gemmviz.gui.looks.theme import Theme, blend
from gemmviz.gui.memory_view.paint.cells import has_grid, rect, seen_bins
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.shared_shades import HELD, READ, STALE, WRITTEN, Slot

HOLLOW = 0.55
"""How strong the frame is around what nobody wrote."""
THIN = 0.18
"""The part of a small cell that a stroke, or half a dot, takes at most, so that signs do not cover colours."""


def draw_signs(painter: QPainter, area: Box, cells: NDArray[np.uint8], window: Box, theme: Theme) -> None:
    """The signs of all cells in the window, if they are large enough to have one."""
    rows, columns = cells.shape
    cell = area.part(rows, columns, 0, 0)
    if not has_grid(painter, min(cell.width, cell.height)):
        return
    found = seen_bins(area, rows, columns, window, 1.0)
    if found is None:
        return
    low = int(found[0].edges[0]), int(found[1].edges[0])
    seen = cells[low[0] : int(found[0].edges[-1]), low[1] : int(found[1].edges[-1])]

    def boxes(mask: NDArray[np.bool_]) -> list[QRectF]:
        places = zip(*(axis.tolist() for axis in np.nonzero(mask)), strict=True)
        return [rect(area.part(rows, columns, r + low[0], c + low[1])) for r, c in places]

    kind = seen & HELD
    is_stale, is_bright = (seen & STALE > 0) & (kind != Slot.UNUSED), seen & (READ | WRITTEN) > 0
    draw_stale(painter, boxes(is_stale & ~is_bright), theme)
    draw_stale(painter, boxes(is_stale & is_bright), theme, is_bright=True)
    draw_zeros(painter, boxes(kind == Slot.ZERO), theme)
    draw_unwritten(painter, boxes(kind == Slot.UNWRITTEN), theme)
    draw_unused(painter, boxes(kind == Slot.UNUSED), theme)


def draw_stale(painter: QPainter, boxes: list[QRectF], theme: Theme, *, is_bright: bool = False) -> None:
    """A stroke across: what lies there is of an earlier barrier interval. `is_bright`: on the colour of what is
    accessed now, from which grey is hardly told.
    """
    if boxes:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = boxes[0].width()
        painter.setPen(
            QPen(QColor(theme.field if is_bright else theme.muted), min(width * THIN, 1.0) if width < 16 else 1.5)
        )
        inset = max(boxes[0].width() * 0.16, 1.0)
        inner = [box.adjusted(inset, inset, -inset, -inset) for box in boxes]
        painter.drawLines([QLineF(box.bottomLeft(), box.topRight()) for box in inner])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def draw_zeros(painter: QPainter, boxes: list[QRectF], theme: Theme) -> None:
    """A dot: a zero that was stored where the matrix has ended."""
    if boxes:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.text))
        width = boxes[0].width()
        radius = min(max(width * 0.13, min(width * THIN, 1.0)), 3.0)
        onchip = boxes[0].width() > 32.0  # where a name stands in the middle
        for box in boxes:
            centre = box.center() if not onchip else box.topLeft() + (box.center() - box.topLeft()) * 0.24
            painter.drawEllipse(centre, radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def draw_unwritten(painter: QPainter, boxes: list[QRectF], theme: Theme) -> None:
    """A hollow frame: nothing was ever stored there."""
    if boxes:
        painter.setPen(QPen(QColor(blend(theme.field, theme.faint, HOLLOW)), 1.0))
        painter.drawRects([box.adjusted(1.5, 1.5, -2.5, -2.5) for box in boxes])


def draw_unused(painter: QPainter, boxes: list[QRectF], theme: Theme) -> None:
    """A dash: padding that no thread ever touches."""
    if boxes:
        painter.setPen(QPen(QColor(theme.faint), 1.0))
        reach = min(boxes[0].width() * 0.28, 5.0)
        middles = [box.center() for box in boxes]
        painter.drawLines([QLineF(at.x() - reach, at.y(), at.x() + reach, at.y()) for at in middles])
