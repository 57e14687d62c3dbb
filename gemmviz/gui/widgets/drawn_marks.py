"""Small drawn signs of the experiment panel: the warning triangle, the note, the tick box, the chevron."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from gemmviz.gui.looks.theme import Theme


def draw_warning(painter: QPainter, box: QRectF, colour: str) -> None:
    """A triangle with an exclamation mark, filling a square box."""
    side = box.width()
    pen = QPen(QColor(colour), max(1.2, side / 10), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    corners = ((0.5, 0.08), (0.96, 0.9), (0.04, 0.9))
    painter.drawPolygon(QPolygonF([QPointF(box.x() + x * side, box.y() + y * side) for x, y in corners]))
    middle = box.x() + side / 2
    painter.drawLine(QPointF(middle, box.y() + 0.4 * side), QPointF(middle, box.y() + 0.6 * side))
    painter.drawPoint(QPointF(middle, box.y() + 0.75 * side))
    painter.restore()


def draw_note(painter: QPainter, box: QRectF, colour: str) -> None:
    """A ring with an i, filling a square box."""
    side, middle = box.width(), box.center().x()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colour), max(1.2, side / 10), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(box.adjusted(0.75, 0.75, -0.75, -0.75))
    painter.drawPoint(QPointF(middle, box.y() + 0.28 * side))
    painter.drawLine(QPointF(middle, box.y() + 0.46 * side), QPointF(middle, box.y() + 0.74 * side))
    painter.restore()


def draw_tick_box(
    painter: QPainter, box: QRectF, theme: Theme, *, is_ticked: bool, is_enabled: bool = True, is_filled: bool = True
) -> None:
    """An empty frame, or an accent box with a tick; where it is not filled, an accent tick in an empty frame."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    frame = box.adjusted(0.75, 0.75, -0.75, -0.75)
    fill = theme.accent if is_enabled else theme.reference
    painter.setPen(QPen(QColor(fill if is_ticked else theme.faint), 1.25))
    painter.setBrush(QColor(fill) if is_ticked and is_filled else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(frame, 3, 3)
    if is_ticked:
        pen = QPen(QColor(theme.on_accent if is_filled else fill), 1.75, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        side = box.width()
        corners = ((0.26, 0.52), (0.43, 0.69), (0.74, 0.33))
        painter.drawPolyline(QPolygonF([QPointF(box.x() + x * side, box.y() + y * side) for x, y in corners]))
    painter.restore()


def draw_chevron(painter: QPainter, middle: QPointF, colour: QColor, *, points_down: bool = True) -> None:
    """A small open arrow head, down or to the right."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(colour, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    ends = ((-3.5, -1.75), (0.0, 1.75), (3.5, -1.75)) if points_down else ((-1.75, -3.5), (1.75, 0.0), (-1.75, 3.5))
    painter.drawPolyline(QPolygonF([middle + QPointF(x, y) for x, y in ends]))
    painter.restore()
