"""The colours of an error map: one hue from pale to dark, which every eye can order, and one for what is wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.explain.figures.error_map import LEVELS
from gemmviz.gui.looks.theme import Theme

_LIGHT_RAMP = ("#f1f6fb", "#c3dbf0", "#7fb2dd", "#3a83c0", "#135089", "#062c52")
_DARK_RAMP = ("#1f2731", "#22415f", "#2b6396", "#4a8fcb", "#8dbfea", "#dcedfb")
"""From the smallest error to the largest: away from the background, evenly in lightness."""


def error_table(theme: Theme) -> NDArray[np.uint8]:
    """Colours as RGB for each level of an error picture, shape (256, 3)."""
    ramp = np.array([_rgb(colour) for colour in (_DARK_RAMP if theme.dark else _LIGHT_RAMP)], np.float64)
    places = np.linspace(0.0, len(ramp) - 1.0, LEVELS)
    table = np.zeros((256, 3), np.uint8)
    for channel in range(3):
        table[:LEVELS, channel] = np.rint(np.interp(places, np.arange(len(ramp)), ramp[:, channel]))
    table[LEVELS:] = _rgb(theme.hazard)
    return table


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue
