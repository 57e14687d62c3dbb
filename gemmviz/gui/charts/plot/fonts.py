"""The fonts of a plot."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QFont

from gemmviz.gui.looks.fonts import NORMAL, SMALL, figures, words


@dataclass(frozen=True, slots=True)
class Fonts:
    """The fonts of a plot, made once."""

    name: QFont
    detail: QFont
    value: QFont
    note: QFont
    head: QFont
    tick: QFont


SMALL_ON_SCREEN = 9.5
"""Points of small words in a picture for the whole screen: its capitals have 20 pixels of 1080 where all has room."""


def plot_fonts(*, small: bool = False, large: bool = False) -> Fonts:
    """The fonts of a plot; `small` ones are for its lowest rows, `large` ones for the whole screen."""
    least = SMALL_ON_SCREEN if large else SMALL
    size = least if small else NORMAL
    head = words(least if large else least - 0.5, QFont.Weight.DemiBold)
    head.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 104.0)
    return Fonts(
        name=words(size, QFont.Weight.Medium),
        detail=figures(least),
        value=figures(size, QFont.Weight.DemiBold),
        note=words(least),
        head=head,
        tick=figures(least),
    )
