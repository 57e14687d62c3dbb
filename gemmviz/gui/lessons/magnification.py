"""How much larger a lesson is on a large screen: one factor for words, pictures and charts."""

from __future__ import annotations

import math

BASE_WIDTH, BASE_HEIGHT = 1180.0, 690.0
"""Pixels of a page at which everything has its own size."""
MOST_IN_WINDOW, MOST_ON_SCREEN = 1.3, 3.0
"""In a window a reader sits near; the whole screen may be a projector's."""
_STEPS = 20
"""Factors between 1 and 2: type is not set anew at every pixel."""


def magnification_for(width: float, height: float, *, is_full_screen: bool) -> float:
    """The factor for a page of that size in pixels, 1 at least."""
    fitting = min(width / BASE_WIDTH, height / BASE_HEIGHT, MOST_ON_SCREEN if is_full_screen else MOST_IN_WINDOW)
    return max(math.floor(fitting * _STEPS + 1e-9) / _STEPS, 1.0)
