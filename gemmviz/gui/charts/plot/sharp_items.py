"""pyqtgraph's items with lines of one width on every screen, in every picture and in every SVG.

WORKAROUND: pyqtgraph draws with cosmetic pens, whose width is in pixels of the device: thin on a screen or picture of
twice the resolution, and of the wrong width in a scaled SVG. These are painted in pixels of the widget instead.
"""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg  # type: ignore[import-untyped]
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget


def plain_pen(colour: str | QColor, width: float) -> QPen:
    """A pen as wide as it says, in pixels of the widget."""
    pen = QPen(QColor(colour), width)
    pen.setCosmetic(False)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def symbol_pen(colour: str | QColor, width: float, size: float) -> QPen:
    """A pen for a symbol, which pyqtgraph draws one unit large and stretches to `size`."""
    return plain_pen(colour, width / size)


class ErrorBars(pg.ErrorBarItem):  # type: ignore[misc]
    """Error bars; their pen is a `plain_pen`, and so is their `halo` that tells them from bars, None for none."""

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        if self.path is None:
            self.drawPath()
        if self.opts.get("halo") is not None:
            _paint_path(painter, self.path, self.opts["halo"])
        _paint_path(painter, self.path, self.opts["pen"])


class Curve(pg.PlotCurveItem):  # type: ignore[misc]
    """A line through points, or strokes between pairs of them; its pen is a `plain_pen`."""

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        if self.xData is not None and len(self.xData):
            _paint_path(painter, self.getPath(), self.opts["pen"])


class Bars(pg.BarGraphItem):  # type: ignore[misc]
    """Bars with one brush and one `plain_pen`, from (x0, y0) to (x1, y1), arrays of one length."""

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        ends = (np.asarray(self.opts[name], dtype=float).tolist() for name in ("x0", "y0", "x1", "y1"))
        place = painter.worldTransform()
        painter.save()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(self.opts["pen"])
        painter.setBrush(QBrush(self.opts["brush"]))
        painter.drawRects([place.mapRect(QRectF(a, b, c - a, d - b)) for a, b, c, d in zip(*ends, strict=True)])
        painter.restore()


def _paint_path(painter: QPainter, path: QPainterPath, pen: QPen) -> None:
    mapped = painter.worldTransform().map(path)
    painter.save()
    painter.resetTransform()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(mapped)
    painter.restore()
