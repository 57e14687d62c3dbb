"""The two themes as plain values: a colour for every role, the same names in both."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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
    what others are compared with. All but the greys are told apart by people with any common colour blindness.
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


LIGHT = Theme(
    name="light", dark=False,
    window="#f5f7f9", panel="#ffffff", canvas="#f5f7f9", field="#edf0f3", line="#dfe4e9",
    text="#171c22", muted="#5b6672", faint="#7b8794",
    accent="#1f74c9", on_accent="#ffffff", selected="#e2eefb",
    a="#1f74b8", b="#b86e00", c="#00805f", host="#6b5aa6", hazard="#c2410c", good="#00805f", reference="#8a95a1",
)  # fmt: skip

DARK = Theme(
    name="dark", dark=True,
    window="#14181d", panel="#1c2128", canvas="#12161b", field="#262c35", line="#313944",
    text="#e8ecf1", muted="#9aa6b3", faint="#7d8997",
    accent="#4a9bea", on_accent="#0b1219", selected="#24364c",
    a="#4a9bea", b="#e5a019", c="#3fbf97", host="#a99be6", hazard="#ff7a4d", good="#3fbf97", reference="#8a95a1",
)  # fmt: skip


def theme_for(choice: ThemeChoice, desktop_is_dark: bool) -> Theme:
    """The theme a choice stands for."""
    if choice is ThemeChoice.AUTO:
        return DARK if desktop_is_dark else LIGHT
    return DARK if choice is ThemeChoice.DARK else LIGHT
