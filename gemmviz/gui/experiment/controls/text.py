"""The small-capitals font of section heads."""

from __future__ import annotations

from PySide6.QtGui import QFont

from gemmviz.gui.looks.fonts import SMALL, words


def heading_font() -> QFont:
    """Small capitals, spaced a little."""
    font = words(SMALL, QFont.Weight.DemiBold)
    font.setCapitalization(QFont.Capitalization.AllUppercase)
    font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 105)
    return font
