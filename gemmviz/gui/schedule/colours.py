"""Colours of blocks, by wave or by SM, of a theme. No Qt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.gui.looks.theme import Theme, blend
from gemmviz.gui.schedule.figure import ColourBy

Table = NDArray[np.uint32]
"""Shape (n + 1,), 0xAARRGGBB for each group, and at the end 0, for no block."""

_PLAIN = 5
"""As many waves are told apart by one shade stronger each."""


def group_colours(theme: Theme, by: ColourBy, count: int) -> tuple[str, ...]:
    """A colour for each group as #rrggbb. Waves grow stronger, and where there are many, of two that follow each
    other on a slot one is darker; SMs go from blue by teal to orange, by their numbers.
    """
    if by is ColourBy.WAVE:
        return tuple(_wave(theme, place, count) for place in range(count))
    return tuple(_unit(theme, place / max(count - 1, 1)) for place in range(count))


def colour_table(theme: Theme, by: ColourBy, count: int) -> Table:
    """The same for pictures that are arrays."""
    solid = [0xFF000000 | int(colour[1:], 16) for colour in group_colours(theme, by, count)]
    return np.array([*solid, 0], np.uint32)


def _wave(theme: Theme, place: int, count: int) -> str:
    along = place / (count - 1) if count > 1 else 0.6
    part = 0.3 + 0.7 * along if count <= _PLAIN else 0.26 + 0.5 * along + (0.24 if place % 2 else 0.0)
    return blend(theme.canvas, theme.c, part)


def _unit(theme: Theme, part: float) -> str:
    return blend(theme.a, theme.c, 2 * part) if part < 0.5 else blend(theme.c, theme.b, 2 * part - 1)
