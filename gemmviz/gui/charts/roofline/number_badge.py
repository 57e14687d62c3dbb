"""Numbers of marks as badges: in the plane with a bracket to the marks they stand for, and in the list of their names.

A badge is outlined in the colour of the marks, so that no number beside a roof reads as the roof's.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from gemmviz.gui.charts.roofline.labels import Label, Place
from gemmviz.gui.charts.roofline.names import lines_to
from gemmviz.gui.charts.roofline.plane_text import BETWEEN, MARK
from gemmviz.gui.looks.theme import Theme

_HEIGHT, _LISTED_HEIGHT = 14.0, 11.0
"""Of a badge in the plane, and of one in a list, whose lines are near each other."""
_BRACKET = 4.0
"""From the edge of a mark to its bracket."""
_NUMBER = re.compile(r"\(\d+\)")
_LISTED = re.compile(rf"((?:^|(?<=; )|(?<={BETWEEN}))\(\d+\)(?= ))")
_FLAGS = int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextDontClip)


def is_number(label: Label) -> bool:
    """Whether a label is the number of marks and not their name."""
    return _NUMBER.fullmatch(label.words) is not None


def paint_number(painter: QPainter, label: Label, at: Place, theme: Theme) -> None:
    """The badge of a label whose left end and middle are `at`, with a bracket to its marks where it stands beside them
    and no line leads there.
    """
    x, y = at
    is_right, is_left = x > label.x + MARK, x + label.width < label.x - MARK
    if (is_right or is_left) and not lines_to(label, at):
        side = label.x + (MARK + _BRACKET if is_right else -MARK - _BRACKET)
        ys = sorted((*(label.ys or (label.y,)), y))
        painter.setPen(QPen(QColor(theme.accent), 1.0))
        painter.drawLine(QPointF(side, ys[0]), QPointF(side, ys[-1]))
        painter.drawLine(QPointF(side, y), QPointF(x if is_right else x + label.width, y))
    _paint_badge(painter, QRectF(x, y - _HEIGHT / 2, label.width, _HEIGHT), label.words, theme)


def paint_listed(painter: QPainter, left: float, middle: float, words: str, theme: Theme) -> None:
    """A line of names, each number in front of its names as a badge; it begins at `left`, in the painter's font."""
    metrics = QFontMetricsF(painter.font())
    for part in _LISTED.split(words):
        width = metrics.horizontalAdvance(part)
        if _NUMBER.fullmatch(part):
            _paint_badge(painter, QRectF(left, middle - _LISTED_HEIGHT / 2, width, _LISTED_HEIGHT), part, theme)
        else:
            painter.setPen(QColor(theme.muted))
            painter.drawText(QRectF(left, middle - 9, width, 18), _FLAGS, part)
        left += width


def _paint_badge(painter: QPainter, place: QRectF, words: str, theme: Theme) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.accent), 1.0))
    painter.setBrush(QColor(theme.canvas))
    painter.drawRoundedRect(place, place.height() / 2, place.height() / 2)
    painter.restore()
    painter.setPen(QColor(theme.text))
    painter.drawText(place, _FLAGS | int(Qt.AlignmentFlag.AlignHCenter), words[1:-1])
