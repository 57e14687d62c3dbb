"""Colours of blocks, by wave or by SM, of a theme. No Qt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.explain.runs.block_schedule import ColourBy
from gemmviz.gui.looks.theme import Theme, blend

Table = NDArray[np.uint32]
"""Shape (n + 1,), 0xAARRGGBB for each group, and at the end 0, for no block."""

WAVE_SHADES = 1.0, 0.6, 0.28
"""Waves have these strengths in turn, in one order so that it can be followed, from the one that a single wave is seen
in: more than three shades of a colour cannot be told apart."""


def group_colours(theme: Theme, by: ColourBy, count: int) -> tuple[str, ...]:
    """A colour for each group as #rrggbb. Waves have the WAVE_SHADES in turn; SMs go from blue by teal to orange, by
    their numbers.
    """
    if by is ColourBy.WAVE:
        shades = [blend(theme.canvas, theme.c, part) for part in WAVE_SHADES]
        return tuple(shades[place % len(shades)] for place in range(count))
    return tuple(_unit(theme, place / max(count - 1, 1)) for place in range(count))


def colour_table(theme: Theme, by: ColourBy, count: int) -> Table:
    """The same for pictures that are arrays."""
    solid = [0xFF000000 | int(colour[1:], 16) for colour in group_colours(theme, by, count)]
    return np.array([*solid, 0], np.uint32)


def _unit(theme: Theme, part: float) -> str:
    return blend(theme.a, theme.c, 2 * part) if part < 0.5 else blend(theme.c, theme.b, 2 * part - 1)
