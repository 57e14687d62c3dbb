"""Paints the totals so far of a block: a line each, with a bar. On the screen and in files alike."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from gemmviz.domain.figures import count
from gemmviz.explain.block.running_totals import TotalsSoFar
from gemmviz.explain.runs.figure_lines import Line
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.looks.theme import Theme, blend

ROW, MARGIN, GAP = 19, 16, 10
BAR = 3.0
TOTALS_HEIGHT = len(TotalsSoFar().lines) * ROW + 10
"""Pixels of all lines."""
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


def bar_parts(totals: TotalsSoFar, most: tuple[float, ...]) -> tuple[float, ...]:
    """How long the bar of each line is, 0 to 1, where bars are full at the figures `most`."""
    return tuple(size / full if full else 0.0 for size, full in zip(totals.sizes, most, strict=True))


def scale_words(most: float) -> str:
    """What a full bar stands for: "a full bar shows 2 048"; "" where nothing is to come. It is the figure in the end,
    the larger one of two pictures.
    """
    return f"a full bar shows {count(int(most)) if most == int(most) else f'{most:.1f}'}" if most else ""


def paint_totals(
    painter: QPainter, totals: TotalsSoFar | None, most: tuple[float, ...], width: float, height: float, theme: Theme
) -> None:
    """Paint name, figure and evidence of each line from the left upper corner on, and how far it has come; None while
    the totals are counted.
    """
    painter.fillRect(QRectF(0, 0, width, height), QColor(theme.panel))
    painter.fillRect(QRectF(0, 0, width, 1), QColor(theme.line))
    if totals is None:
        painter.setFont(words(SMALL))
        painter.setPen(QColor(theme.muted))
        painter.drawText(QRectF(MARGIN, 4, width - 2 * MARGIN, ROW), _LEFT, "counting…")
        return
    named = QFontMetricsF(words(SMALL))
    columns = tuple(
        max(named.horizontalAdvance(each) for each in texts) + GAP
        for texts in ([str(line.evidence) for line in totals.lines], [scale_words(full) for full in most])
    )
    parts = bar_parts(totals, most)
    for place, (line, part, full) in enumerate(zip(totals.lines, parts, most, strict=True)):
        box = QRectF(MARGIN, 5.0 + place * ROW, width - 2 * MARGIN, ROW - BAR - 1)
        _line(painter, line, (part, scale_words(full)), box, columns, theme)


def _line(
    painter: QPainter, line: Line, bar: tuple[float, str], box: QRectF, columns: tuple[float, ...], theme: Theme
) -> None:
    """A line with its bar, how far it is filled and what it stands for full; this has no room in a narrow picture."""
    (part, scale), (of_evidence, of_scale) = bar, columns
    painter.setFont(words(SMALL))
    painter.setPen(QColor(theme.muted))
    painter.drawText(box, _RIGHT, str(line.evidence))
    painter.setFont(figures(SMALL, QFont.Weight.DemiBold))
    painter.setPen(QColor(theme.text))
    left = box.adjusted(0, 0, -of_evidence, 0)
    value, name = QFontMetricsF(painter.font()).horizontalAdvance(line.value), words(SMALL)
    whole = QFontMetricsF(name).horizontalAdvance(line.words) + value + GAP
    has_scale = whole + of_scale <= left.width()
    painter.drawText(left.adjusted(0, 0, -of_scale, 0) if has_scale else left, _RIGHT, line.value)
    room = left.width() - value - GAP - (of_scale if has_scale else 0.0)
    painter.setFont(name)
    painter.setPen(QColor(theme.muted))
    if has_scale:
        painter.drawText(left, _RIGHT, scale)
    said = QFontMetricsF(painter.font()).elidedText(line.words, Qt.TextElideMode.ElideRight, room)
    painter.drawText(left, _LEFT, said)
    track = QRectF(box.x(), box.bottom(), box.width(), BAR)
    painter.fillRect(track, QColor(theme.field))
    track.setWidth(max(box.width() * min(part, 1.0), 1.0 if part > 0 else 0.0))
    painter.fillRect(track, QColor(blend(theme.panel, theme.accent, 0.8)))
