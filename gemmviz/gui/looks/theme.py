"""The two themes as plain values: a colour for every role, the same names in both."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

WORDS_CONTRAST = 4.5
"""What words have at least on their ground, by WCAG 2."""
_STEPS = 50


class ThemeChoice(StrEnum):
    """What a person chooses; AUTO follows the desktop."""

    LIGHT = "light"
    DARK = "dark"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as #rrggbb, by role.

    `window` is behind panels, `panel` the panels, `canvas` behind pictures and charts, `field` inputs and cells.
    `line` separates, `text` `muted` `faint` are three strengths of words. `accent` is the one colour of choice and
    action, `on_accent` words on it, `selected` a pale accent behind what is chosen. `a` `b` `c` are the matrices'
    colours, `host` that of CPU kernels in charts, `hazard` what is wrong, `good` what passed, `reference` grey for
    what others are compared with. `a` is the accent's own blue and `c` is `good`'s teal; all others are told apart by
    people with any common colour blindness. Everything reads at 4.5:1 on `window`, `panel`, `canvas` and `field`, but
    `b`, `faint` and `reference`, which reach 3:1: enough for areas, lines and what is disabled. Words have a contrast
    of WORDS_CONTRAST: see `strengthened` and `ink_on`.
    """

    name: str
    dark: bool
    window: str
    panel: str
    canvas: str
    field: str
    line: str
    text: str
    muted: str
    faint: str
    accent: str
    on_accent: str
    selected: str
    a: str
    b: str
    c: str
    host: str
    hazard: str
    good: str
    reference: str

    @property
    def grid(self) -> str:
        """The lines of charts on `canvas`: fainter than all that is drawn over them, yet seen on a dark ground."""
        return self.line

    @property
    def spot(self) -> str:
        """The frame around what a text speaks of: the violet of CPU kernels in charts, which no matrix has."""
        return self.host

    @property
    def outline(self) -> str:
        """The edges of arrays and the lines between their tiles: 3:1 on `field`, `canvas` and `panel`, no stronger than
        is needed for that.
        """
        return blend(self.field, self.faint, 0.8 if self.dark else 0.96)


LIGHT = Theme(
    name="light",
    dark=False,
    window="#f5f7f9",
    panel="#ffffff",
    canvas="#f5f7f9",
    field="#edf0f3",
    line="#dfe4e9",
    text="#171c22",
    muted="#586370",
    faint="#7a8693",
    accent="#1a6dbe",
    on_accent="#ffffff",
    selected="#e2eefb",
    a="#1a6dbe",
    b="#bd7a08",
    c="#08705a",
    host="#5b3486",
    hazard="#b3200a",
    good="#08705a",
    reference="#7c8793",
)

DARK = Theme(
    name="dark",
    dark=True,
    window="#14181d",
    panel="#1c2128",
    canvas="#12161b",
    field="#262c35",
    line="#313944",
    text="#e8ecf1",
    muted="#9fabb7",
    faint="#7f8b99",
    accent="#4f9aed",
    on_accent="#0b1219",
    selected="#22344a",
    a="#4f9aed",
    b="#f4b740",
    c="#42cba7",
    host="#d6c1fa",
    hazard="#f0704a",
    good="#42cba7",
    reference="#808b98",
)


@lru_cache(4096)
def blend(under: str, over: str, part: float) -> str:
    """The colour of `over` laid on `under` so thinly that `part` of it (0 to 1) shows."""
    pairs = ((int(under[at : at + 2], 16), int(over[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(low + (high - low) * part):02x}" for low, high in pairs)


@cache
def strengthened(theme: Theme, colour: str, least: float, *others: str) -> str:
    """The colour, or the nearest to it on the way to that of words with a contrast of at least `least` on the grounds
    of a theme, and on `others`.
    """
    grounds = theme.window, theme.panel, theme.canvas, *others
    tried = (blend(colour, theme.text, step / _STEPS) for step in range(_STEPS))
    strong = (each for each in tried if min(contrast(each, ground) for ground in grounds) >= least)
    return next(strong, theme.text)


@cache
def ink_on(theme: Theme, ground: str) -> str:
    """The colour of words on any ground: one of the theme's two, or else black or white, with WORDS_CONTRAST."""
    inks = theme.text, theme.on_accent, *sorted(("#000000", "#ffffff"), key=lambda ink: -contrast(ink, ground))
    return next((ink for ink in inks if contrast(ink, ground) >= WORDS_CONTRAST), inks[2])


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG 2, from 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    """The relative luminance of a colour by WCAG 2, from 0 to 1."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def theme_for(choice: ThemeChoice, desktop_is_dark: bool) -> Theme:
    """The theme a choice stands for."""
    if choice is ThemeChoice.AUTO:
        return DARK if desktop_is_dark else LIGHT
    return DARK if choice is ThemeChoice.DARK else LIGHT
