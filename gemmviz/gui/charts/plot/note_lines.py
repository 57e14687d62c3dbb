"""What is said below the figure of a row: in two lines where one has no room and the row is high enough."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontMetricsF

from gemmviz.gui.charts.plot.layout import NATURAL_ROW

NOTE_LINE = 13.0
"""Pixels from one line to the next."""
_BETWEEN = " · "


def note_lines(text: str, font: QFont, width: float, row: float) -> list[str]:
    """The lines of a note in a row so high, parted between two facts: two at most, and one where the row is too low."""
    room = QFontMetricsF(font).horizontalAdvance
    first, rest = text, list[str]()
    while row >= NATURAL_ROW and room(first) > width and _BETWEEN in first:
        first, _, last = first.rpartition(_BETWEEN)
        rest.insert(0, last)
    return [first, _BETWEEN.join(rest)] if rest else [first]
