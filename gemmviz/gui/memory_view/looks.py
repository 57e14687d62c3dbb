"""The colours of the picture, by what they stand for; 256 to a table, as the images want them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtGui import QColor

from gemmviz.gui.charts.error_colours import error_table
from gemmviz.gui.charts.error_map_figure import LEVELS as RAMP
from gemmviz.gui.memory_view.heat_maps import LEVELS
from gemmviz.gui.memory_view.shades import Role
from gemmviz.gui.memory_view.shared_shades import HELD, READ, STALE, WRITTEN, Slot
from gemmviz.gui.theme import Theme, blend

PALE, FAINT, RESTING = 0.34, 0.2, 0.66
"""How much of a colour shows: of what was before, of what is stale, of what lies in shared memory and rests."""
PALEST = 0.16
"""Where on the ramp heat begins: what is little must differ from what is nothing."""
CLEAR = 0
Table = list[int]
"""256 colours as 0xAARRGGBB."""


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """A theme as the painters of this view want it."""

    theme: Theme
    matrix: Mapping[str, Table]
    shared: Table
    heat: Table

    def colour(self, name: str) -> QColor:
        """The colour of a matrix; that of C for computed values."""
        return QColor({"A": self.theme.a, "B": self.theme.b}.get(name, self.theme.c))


def looks_of(theme: Theme) -> Looks:
    """The tables of a theme."""
    colours = {"A": theme.a, "B": theme.b, "C": theme.c}
    matrix = {name: _roles(theme, colour) for name, colour in colours.items()}
    ramp = error_table(theme)
    heat = [CLEAR] * 256
    for level in range(1, LEVELS + 1):
        along = PALEST + (1.0 - PALEST) * (level - 1) / (LEVELS - 1)
        red, green, blue = (int(part) for part in ramp[round(along * (RAMP - 1))])
        heat[level] = 0xFF000000 | red << 16 | green << 8 | blue
    return Looks(theme, matrix, _slots(theme), heat)


def _roles(theme: Theme, colour: str) -> Table:
    table = [CLEAR] * 256
    for role in (Role.LOADED_BEFORE, Role.STORED_BEFORE):
        table[role] = _argb(blend(theme.field, colour, PALE))
    for role in (Role.LOADED_NOW, Role.STORED_NOW):
        table[role] = _argb(colour)
    return table


def _slots(theme: Theme) -> Table:
    colours = {Slot.A: theme.a, Slot.B: theme.b, Slot.OTHER: theme.c, Slot.ZERO: theme.reference}
    table = [CLEAR] * 256
    for shade in range(256):
        colour = colours.get(Slot(shade & HELD)) if shade & HELD in list(Slot) else None
        if colour is None:
            table[shade] = _argb(theme.field) if shade & HELD == Slot.UNWRITTEN else CLEAR
            continue
        strength = 1.0 if shade & (READ | WRITTEN) else FAINT if shade & STALE else RESTING
        if Slot(shade & HELD) is Slot.ZERO:
            strength *= 0.4
        table[shade] = _argb(blend(theme.field, colour, strength))
    return table


def _argb(colour: str) -> int:
    return 0xFF000000 | int(colour[1:], 16)
