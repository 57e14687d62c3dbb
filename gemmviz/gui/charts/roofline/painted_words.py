"""The words in the plane of a roofline, painted: those of roofs and slopes, and the names of marks that stand out."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from gemmviz.explain.figures.roofline.roofline import RooflinePoint
from gemmviz.gui.charts.plot.fonts import Fonts
from gemmviz.gui.charts.roofline.labels import LINE, Box, Place, crosses, first_free
from gemmviz.gui.charts.roofline.names import GAP, names_of
from gemmviz.gui.charts.roofline.plane_text import MARK, Written
from gemmviz.gui.looks.theme import Theme

_FLAGS = int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextDontClip)

_ABOVE, _BELOW = -6.0, 16.0
"""From a slope to the baseline of its words."""
_SHIFTS = sorted(
    ((beside, lines * LINE) for beside in range(0, 180, 20) for lines in range(-8, 9)), key=lambda off: math.hypot(*off)
)
"""How far beside and below the place at a mark its name may stand, the nearest first."""


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
    metrics = QFontMetricsF(fonts.name)
    unnamed = sorted((one for one in lit if one[0].name not in said), key=lambda one: one[1].y())
    wanted = [
        # An arrow at the mark stays in sight.
        ((at.x(), at.y() - (LINE if point.moved else 0.0)), metrics.horizontalAdvance(point.name))
        for point, at in unnamed
    ]
    within = room.left(), room.top(), room.right(), room.bottom()
    painter.setFont(fonts.name)
    places = [QRectF(QPointF(*box[:2]), QPointF(*box[2:])) for box in lit_places(wanted, written, within)]
    painter.setPen(QPen(QColor(theme.text), 1.0))
    for (_, at), place in zip(unnamed, places, strict=True):
        end = QPointF(place.right() + 2 if place.right() < at.x() else place.left() - 2, place.center().y())
        if math.dist(at.toTuple(), end.toTuple()) > GAP + LINE:
            painter.drawLine(at, end)
    for (point, _), place in zip(unnamed, places, strict=True):
        painter.fillRect(place.adjusted(-2, 0, 2, 0), QColor(theme.canvas))
        painter.drawText(place, _FLAGS, point.name)


def lit_places(marks: Sequence[tuple[Place, float]], written: Written, room: Box) -> list[Box]:
    """Where the names of marks stand that stand out, from the pixel of each mark and the width of its name: beside the
    mark or as near as may be, within the room, on no other words and no number; where there is no such place, on the
    fewest.
    """
    taken = [box for _, box in written.roofs]
    taken += [label.box_at(*at) for label, at in written.names]
    taken += [box for slope in written.slopes for box in slope.covered]
    taken += [(x - MARK / 2, y - MARK / 2, x + MARK / 2, y + MARK / 2) for (x, y), _ in marks]
    found: list[Box] = []
    for (x, y), width in marks:
        places = [
            (left, y + down - LINE / 2, left + width, y + down + LINE / 2)
            for beside, down in _SHIFTS
            for left in (x + GAP + beside, x - GAP - beside - width)
        ]
        box = first_free(places, room, taken) or min(
            (one for one in places if first_free([one], room, ())),
            key=lambda one: sum(crosses(one, [other]) for other in taken),
            default=places[0],
        )
        found.append(box)
        taken.append(box)
    return found
