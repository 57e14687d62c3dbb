"""Numbers of marks as badges: in the plane with a bracket to the marks they stand for, and in the list of their names.

A badge is outlined in the colour of the marks, so that no number beside a roof reads as the roof's.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from gemmviz.gui.charts.roofline.labels import LINE, Label, Place
from gemmviz.gui.charts.roofline.names import lines_to
from gemmviz.gui.charts.roofline.plane_text import BETWEEN, MARK
from gemmviz.gui.looks.theme import Theme

_MARGIN, _LISTED_MARGIN = 3.0, 2.5
"""Above and below the digits of a badge in the plane, and of one in a list, whose lines are near each other."""
_BETWEEN_BADGES = 1.0
"""Between the badges of two lines, at least."""
_BRACKET, _HOOK, _OFF_MARK = 5.0, 2.0, 1.5
"""From the edge of a mark to its bracket, the length of a bracket's ends, and from a mark to a line without one."""
_SAME_PLACE = 5.0
"""Marks no farther apart than this, which cover each other, need no bracket."""
_NUMBER = re.compile(r"\(\d+\)")
_LISTED = re.compile(rf"((?:^|(?<=; )|(?<={BETWEEN}))\(\d+\)(?= ))")
_FLAGS = int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextDontClip)


def is_number(label: Label) -> bool:
    """Whether a label is the number of marks and not their name."""
    return _NUMBER.fullmatch(label.words) is not None


def paint_number(painter: QPainter, label: Label, at: Place, theme: Theme) -> None:
    """The badge of a label whose left end and middle are `at`, in the painter's font; where it stands beside its marks
    and no line leads there, with a straight line to its mark or to a bracket around several.
    """
    x, y = at
    is_right, is_left = x > label.x + MARK, x + label.width < label.x - MARK
    if (is_right or is_left) and not lines_to(label, at):
        away = 1.0 if is_right else -1.0
        edge = QPointF(x if is_right else x + label.width, y)
        painter.setPen(QPen(QColor(theme.accent), 1.0))
        for line in _leader(label, away, edge):
            painter.drawPolyline(line)
    metrics = QFontMetricsF(painter.font())
    height = min(metrics.capHeight() + 2 * _MARGIN, LINE - 2 * _BETWEEN_BADGES)
    _paint_badge(painter, QRectF(x, y - height / 2, label.width, height), label.words, theme)


def _leader(label: Label, away: float, edge: QPointF) -> list[list[QPointF]]:
    """The lines from the edge of a badge, on the side `away` from its marks, to the mark or the bracket."""
    ys = label.ys or (label.y,)
    top, bottom = min(ys), max(ys)
    if bottom - top <= _SAME_PLACE:
        return [[edge, QPointF(label.x + away * (MARK + _OFF_MARK), (top + bottom) / 2)]]
    side = label.x + away * (MARK + _BRACKET)
    end = side - away * _HOOK
    bracket = [QPointF(end, top), QPointF(side, top), QPointF(side, bottom), QPointF(end, bottom)]
    return [bracket, [edge, QPointF(side, min(max(edge.y(), top), bottom))]]


def paint_listed(painter: QPainter, left: float, middle: float, words: str, theme: Theme) -> None:
    """A line of names, each number in front of its names as a badge; it begins at `left`, in the painter's font."""
    metrics = QFontMetricsF(painter.font())
    height = min(metrics.capHeight() + 2 * _LISTED_MARGIN, metrics.lineSpacing() - _BETWEEN_BADGES)
    for part in _LISTED.split(words):
        width = metrics.horizontalAdvance(part)
        if _NUMBER.fullmatch(part):
            _paint_badge(painter, QRectF(left, middle - height / 2, width, height), part, theme)
        else:
            painter.setPen(QColor(theme.muted))
            painter.drawText(QRectF(left, middle - 9, width, 18), _FLAGS, part)
        left += width


def _paint_badge(painter: QPainter, place: QRectF, words: str, theme: Theme) -> None:
    """A ring with the digits of a number, their height, not that of their line, in its middle."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.accent), 1.0))
    painter.setBrush(QColor(theme.canvas))
    painter.drawRoundedRect(place, place.height() / 2, place.height() / 2)
    painter.restore()
    metrics, digits = QFontMetricsF(painter.font()), words[1:-1]
    left = place.center().x() - metrics.horizontalAdvance(digits) / 2
    painter.setPen(QColor(theme.text))
    painter.drawText(QPointF(left, place.center().y() + metrics.capHeight() / 2), digits)
