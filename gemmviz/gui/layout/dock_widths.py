"""The widths of the docks beside the centre, by that of the window. No Qt."""

from __future__ import annotations

LEFT_WIDTH, RIGHT_WIDTH = 296, 300
PANELS_WIDTH = 1268
"""Pixels of a window's width from which the panels at both sides have room beside the centre."""
READABLE_WIDTH, READABLE_AT, RIGHT_SHARE, MOST_RIGHT_WIDTH = 448, 1280, 0.5, 572
"""The source has so many pixels in a window of 1280, 40 columns of code beside figures, and half of what is more."""
CENTRE_WIDTH = 900
"""The centre has so much before figures get more than their least, or a person's own width of a dock gives way."""
EDITOR_SHARE, MOST_EDITOR_WIDTH = 0.42, 760
"""Of the width of a window the editor gets this part."""


def figures_width(window_width: int) -> int:
    """Pixels of the docks at the right of a window while another one than the source is in front."""
    return min(max(window_width - LEFT_WIDTH - CENTRE_WIDTH, RIGHT_WIDTH), MOST_RIGHT_WIDTH)


def right_width(window_width: int) -> int:
    """Pixels of the docks at the right of a window while the source is in front."""
    share = READABLE_WIDTH + round(RIGHT_SHARE * (max(window_width, PANELS_WIDTH) - READABLE_AT))
    return min(share, MOST_RIGHT_WIDTH)


def editor_width(window_width: int) -> int:
    """Pixels of the docks at the right of a window while a kernel is edited there."""
    return min(max(round(EDITOR_SHARE * window_width), right_width(window_width)), MOST_EDITOR_WIDTH)
