"""The colours of the picture, by what they stand for; 256 to a table, as the images want them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF

from gemmviz.explain.block.heat_maps import LEVELS
from gemmviz.explain.figures.error_map import LEVELS as RAMP
from gemmviz.gui.looks.error_colours import error_table
from gemmviz.gui.looks.fonts import LARGE, NORMAL, SMALL, figures, words
from gemmviz.gui.looks.theme import WORDS_CONTRAST, Theme, blend, ink_on, strengthened
from gemmviz.gui.memory_view.shades import ElementRole
from gemmviz.gui.memory_view.shared_shades import HELD, READ, STALE, WRITTEN, Slot

KNOWN_WIDTHS = 2048
"""Texts whose widths are kept: most of the picture's are the same from frame to frame."""
TINY = 7.0
"""Points of the figures on a scale."""
FAINT, RESTING = 0.2, 0.66
"""How much of a colour shows: of what is stale, of what lies in shared memory and rests."""
ZERO = 0.4
"""How much of the grey of zeros shows."""
FULL = 0.6
"""How much of its colour a sum shows after its last product."""
PALEST = 0.16
"""Where on the ramp heat begins: what is little must differ from what is nothing."""
CLEAR = 0
Table = NDArray[np.uint32]
"""256 colours as 0xAARRGGBB, each opaque or CLEAR."""


class Face(Enum):
    """The sorts of writing in the picture."""

    HEAD = "head of a section, in capitals"
    SMALL = "small words"
    SMALL_STRONG = "small words that stand out"
    WORDS = "words"
    LETTER = "letter of a matrix"
    SIGN = "sign of a sum or product"
    NAME = "name of an array"
    FIGURES = "small figures"
    FIGURES_STRONG = "figures that stand out"
    COUNTER = "figures that count, read from afar"
    TINY = "figures on a scale"


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """A theme as the painters of this view want it."""

    theme: Theme
    matrix: Mapping[str, Table]
    shared: Table
    heat: Table
    sums: Table
    faces: Mapping[Face, QFont]
    metrics: Mapping[Face, QFontMetricsF]
    width: Callable[[str, Face], float]
    """How wide a text is, in pixels."""

    def fitted(self, text: str, face: Face, room: float) -> str:
        """The text, cut with an ellipsis where it does not fit."""
        if self.width(text, face) <= room:
            return text
        return self.metrics[face].elidedText(text, Qt.TextElideMode.ElideRight, max(room, 0.0))

    def ink_on(self, ground: int) -> QColor:
        """The colour of letters on a colour of a table; CLEAR lets the field be seen."""
        return QColor(ink_on(self.theme, QColor.fromRgba(int(ground)).name() if ground != CLEAR else self.theme.field))

    def colour(self, name: str) -> QColor:
        """The colour of a matrix; that of C for computed values."""
        return QColor({"A": self.theme.a, "B": self.theme.b}.get(name, self.theme.c))

    def words_colour(self, name: str) -> str:
        """The colour of a matrix where it is that of words, which are read on any ground of the picture."""
        return strengthened(self.theme, self.colour(name).name(), WORDS_CONTRAST)


def pale(theme: Theme) -> float:
    """How much of its colour an element keeps that was touched before: more on a dark ground, where it would be dim."""
    return 0.46 if theme.dark else 0.34


def begun(theme: Theme) -> float:
    """How much of its colour a sum shows after its first product: more on a dark ground, where it would be dim."""
    return 0.3 if theme.dark else 0.12


def looks_of(theme: Theme, *, is_on_screen: bool = False) -> Looks:
    """The tables of a theme; on the whole screen the figures on a scale are as high as small ones, and narrow."""
    colours = {"A": theme.a, "B": theme.b, "C": theme.c, "D": theme.c}
    matrix = {name: _roles(theme, colour) for name, colour in colours.items()}
    faces = _faces()
    if is_on_screen:
        faces[Face.TINY] = figures(SMALL)
        faces[Face.TINY].setStretch(round(100 * TINY / SMALL))
    metrics = {face: QFontMetricsF(font) for face, font in faces.items()}
    width = lru_cache(KNOWN_WIDTHS)(lambda text, face: metrics[face].horizontalAdvance(text))
    return Looks(theme, matrix, _slots(theme), _heat(theme), _sums(theme), faces, metrics, width)


def _faces() -> dict[Face, QFont]:
    head = words(SMALL, QFont.Weight.DemiBold)
    head.setCapitalization(QFont.Capitalization.AllUppercase)
    head.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 0.4)
    return {
        Face.HEAD: head,
        Face.SMALL: words(SMALL),
        Face.SMALL_STRONG: words(SMALL, QFont.Weight.DemiBold),
        Face.WORDS: words(NORMAL),
        Face.LETTER: words(NORMAL + 1, QFont.Weight.DemiBold),
        Face.SIGN: words(LARGE),
        Face.FIGURES: figures(SMALL),
        Face.FIGURES_STRONG: figures(NORMAL, QFont.Weight.DemiBold),
        Face.COUNTER: figures(NORMAL + 2, QFont.Weight.DemiBold),
        Face.NAME: figures(NORMAL, QFont.Weight.DemiBold),
        Face.TINY: figures(TINY),
    }


@lru_cache(maxsize=32)
def _roles(theme: Theme, colour: str) -> Table:
    table = np.full(256, CLEAR, np.uint32)
    for role in (ElementRole.LOADED_BEFORE, ElementRole.STORED_BEFORE):
        table[role] = _argb(blend(theme.field, colour, pale(theme)))
    for role in (ElementRole.LOADED_NOW, ElementRole.STORED_NOW):
        table[role] = _argb(colour)
    return _shared(table)


@lru_cache(maxsize=8)
def _heat(theme: Theme) -> Table:
    ramp, table = error_table(theme), np.full(256, CLEAR, np.uint32)
    for level in range(1, LEVELS + 1):
        along = PALEST + (1.0 - PALEST) * (level - 1) / (LEVELS - 1)
        red, green, blue = (int(part) for part in ramp[round(along * (RAMP - 1))])
        table[level] = 0xFF000000 | red << 16 | green << 8 | blue
    return _shared(table)


@lru_cache(maxsize=8)
def _slots(theme: Theme) -> Table:
    colours = {Slot.A: theme.a, Slot.B: theme.b, Slot.OTHER: theme.c, Slot.ZERO: theme.reference}
    table = np.full(256, CLEAR, np.uint32)
    for shade in range(256):
        colour = colours.get(Slot(shade & HELD)) if shade & HELD in list(Slot) else None
        if colour is None:
            table[shade] = _argb(theme.field) if shade & HELD == Slot.UNWRITTEN else CLEAR
            continue
        strength = 1.0 if shade & (READ | WRITTEN) else FAINT if shade & STALE else RESTING
        if Slot(shade & HELD) is Slot.ZERO:
            strength *= ZERO
        table[shade] = _argb(blend(theme.field, colour, strength))
    return _shared(table)


@lru_cache(maxsize=8)
def _sums(theme: Theme) -> Table:
    """Paler for fewer products added; 255 is solid: stored."""
    first = begun(theme)
    part = [first + (FULL - first) * level / 254 for level in range(255)]
    colours = [CLEAR, *(_argb(blend(theme.field, theme.c, share)) for share in part[1:]), _argb(theme.c)]
    return _shared(np.array(colours, np.uint32))


def _shared(table: Table) -> Table:
    """A table that all views of a theme share, so that none may change it."""
    table.setflags(write=False)
    return table


def _argb(colour: str) -> int:
    return 0xFF000000 | int(colour[1:], 16)
