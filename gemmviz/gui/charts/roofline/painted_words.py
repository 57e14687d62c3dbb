"""The words in the plane of a roofline, painted: those of roofs and slopes, and the names of marks that stand out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from gemmviz.explain.figures.roofline.roofline import RooflinePoint
from gemmviz.gui.charts.plot.fonts import Fonts
from gemmviz.gui.charts.roofline.labels import LINE
from gemmviz.gui.charts.roofline.names import GAP, names_of
from gemmviz.gui.charts.roofline.plane_text import Written
from gemmviz.gui.looks.theme import Theme

_FLAGS = int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextDontClip)

_ABOVE, _BELOW = -6.0, 16.0
"""From a slope to the baseline of its words."""


def paint_roof_words(painter: QPainter, written: Written, fonts: Fonts, theme: Theme) -> None:
    """What each roof is, along it, and what each slope is."""
    painter.setFont(fonts.note)
    painter.setPen(QColor(theme.text))
    for label, (left, top, right, bottom) in written.roofs:
        painter.drawText(QRectF(left, top, right - left, bottom - top), _FLAGS, label.words)
    for slope in written.slopes:
        painter.save()
        painter.translate(*slope.start)
        painter.rotate(slope.degrees)
        painter.drawText(QPointF(0.0, _BELOW if slope.is_below else _ABOVE), slope.words)
        painter.restore()


def paint_lit_names(
    painter: QPainter,
    lit: Sequence[tuple[RooflinePoint, QPointF]],
    written: Written,
    room: QRectF,
    fonts: Fonts,
    theme: Theme,
) -> None:
    """The names of marks that stand out and have none in the plane, beside the pixels of their marks within `room`."""
    said = {name for label, _ in written.names for name in names_of(label)}
    metrics, lowest = QFontMetricsF(fonts.name), room.top() + LINE / 2
    painter.setFont(fonts.name)
    for point, at in sorted((one for one in lit if one[0].name not in said), key=lambda one: one[1].y()):
        width = metrics.horizontalAdvance(point.name)
        left = at.x() + GAP if at.x() + GAP + width < room.right() else at.x() - GAP - width
        middle = max(at.y() - (LINE if point.moved else 0.0), lowest)  # an arrow at the mark stays in sight
        lowest = middle + LINE
        place = QRectF(left, middle - LINE / 2, width, LINE)
        painter.fillRect(place.adjusted(-2, 0, 2, 0), QColor(theme.canvas))
        painter.setPen(QColor(theme.text))
        painter.drawText(place, _FLAGS, point.name)
