"""Where what stands beside the name of a row has room: behind the name, or below it."""

from __future__ import annotations

from PySide6.QtGui import QFontMetricsF

from gemmviz.explain.figures.distinctions import BETWEEN
from gemmviz.explain.figures.figure import Row
from gemmviz.gui.charts.plot.fonts import Fonts
from gemmviz.gui.charts.plot.layout import Area

BESIDE_NAME = 8.0
"""Between a row's name and what stands beside it."""


def behind_name(row: Row, area: Area, fonts: Fonts) -> float:
    """Where it begins behind the name of a row of two lines."""
    return area.left + QFontMetricsF(fonts.name).horizontalAdvance(row.name) + BESIDE_NAME


def below_name(row: Row) -> str:
    """What stands below the name where it has what stands beside it behind it."""
    return f"{row.detail}{BETWEEN}{row.beside}"


def has_room_below_only(row: Row, area: Area, fonts: Fonts) -> bool:
    """Whether what stands beside a name would be cut there, but has room behind the words below it."""
    measure = QFontMetricsF(fonts.detail).horizontalAdvance
    would_be_cut = behind_name(row, area, fonts) + measure(row.beside) > area.right
    return bool(row.beside and row.detail) and would_be_cut and measure(below_name(row)) <= area.width
