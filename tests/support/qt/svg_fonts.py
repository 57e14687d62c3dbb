"""Reads an SVG with Qt, which takes a list of families for the name of one."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QByteArray
from PySide6.QtSvg import QSvgRenderer


def svg_renderer(path: Path) -> QSvgRenderer:
    """What draws an SVG in the first font of each of its lists."""
    text = re.sub(r'font-family="([^",]+),[^"]*"', r'font-family="\1"', path.read_text(encoding="utf-8"))
    return QSvgRenderer(QByteArray(text.encode()))
