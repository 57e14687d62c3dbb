"""How type is larger and stronger where a window takes the whole screen, so that it is read from the back of a room."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from PySide6.QtWidgets import QWidget

from gemmviz.gui.looks.theme import Theme, blend, contrast

USUAL_HEIGHT = 720.0
"""Pixels of a screen on which type has its usual size."""
BODY_CONTRAST, FAINT_CONTRAST = 7.0, 4.5
"""What muted and faint words have at least on the whole screen."""
_STEPS = 50


def projector_scale(widget: QWidget) -> float:
    """1 in a window; on the whole screen as much as that is higher than USUAL_HEIGHT."""
    window = widget.window()
    return max(window.height() / USUAL_HEIGHT, 1.0) if window.isFullScreen() else 1.0


@cache
def projector_theme(theme: Theme) -> Theme:
    """The theme for the whole screen: muted words have a contrast of BODY_CONTRAST, faint ones of FAINT_CONTRAST."""
    return replace(
        theme,
        muted=_strengthened(theme, theme.muted, BODY_CONTRAST),
        faint=_strengthened(theme, theme.faint, FAINT_CONTRAST),
    )


def _strengthened(theme: Theme, colour: str, least: float) -> str:
    """The colour, or the nearest to it on the way to that of words with a contrast of at least `least`."""
    grounds = theme.window, theme.panel, theme.canvas
    tried = (blend(colour, theme.text, step / _STEPS) for step in range(_STEPS))
    strong = (each for each in tried if min(contrast(each, ground) for ground in grounds) >= least)
    return next(strong, theme.text)
