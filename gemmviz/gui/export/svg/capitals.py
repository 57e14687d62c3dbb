"""Capitals that a font makes: Qt's SVG says neither that it makes them nor which letters they are."""

from __future__ import annotations

import re
from html import escape, unescape

from PySide6.QtCore import QPoint
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QWidget

_TOKEN = re.compile(
    r'<g\b[^>]*?\btransform="matrix\(([^)]*)\)"|(<text\b[^>]*?\bx="([^"]*)"\s+y="([^"]*)"[^>]*>)([^<]*)(?=</text>)'
)
_UP = 3.0
"""Pixels above the line that letters stand on, where they surely are."""


def with_capitals(svg: str, widget: QWidget) -> str:
    """The SVG that a widget was painted on, with text in capitals where the widget that wrote it has such a font."""
    at = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]

    def said(token: re.Match[str]) -> str:
        matrix, begin, x, y, text = token.groups()
        if matrix is not None:
            at[:] = [float(part) for part in matrix.split(",")]
            return token[0]
        own_x, own_y = float(x) + 1.0, float(y) - _UP
        place = QPoint(round(at[0] * own_x + at[2] * own_y + at[4]), round(at[1] * own_x + at[3] * own_y + at[5]))
        writer = widget.childAt(place) or widget
        if writer.font().capitalization() is not QFont.Capitalization.AllUppercase:
            return token[0]
        return begin + escape(unescape(text).upper(), quote=False)

    return _TOKEN.sub(said, svg)
