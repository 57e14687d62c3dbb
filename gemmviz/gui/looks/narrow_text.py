"""Figures that are written narrower than their font, where they could not be read in a smaller one."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter


def write_narrow(painter: QPainter, room: QRectF, text: str, narrow: float) -> None:
    """Write into the middle of a room in the painter's font, `narrow` (above 0, up to 1) as wide as it is. No stretched
    font: an SVG knows nothing of one.
    """
    if narrow >= 1.0:
        painter.drawText(room, _CENTRE, text)
        return
    painter.save()
    painter.translate(room.center())
    painter.scale(narrow, 1.0)
    wide = room.width() / narrow
    painter.drawText(QRectF(-wide / 2, -room.height() / 2, wide, room.height()), _CENTRE, text)
    painter.restore()


_CENTRE = int(Qt.AlignmentFlag.AlignCenter)
