"""How wide the panels at the sides of the window are, and from which width of it both have room beside the centre.

All in pixels. The picture of memory has its least width first: below it the experiment folds, unless a person opened
it; then the source gets narrower, down to the least width of a panel.
"""

from __future__ import annotations

LEFT_WIDTH, RIGHT_WIDTH = 296, 300
SEPARATORS = 12
"""Of both lines between the centre and the panels beside it."""
PICTURE_WIDTH = 600
"""What one picture gets, so that its legend has one line and numbers in elements have room; a chart needs as much for
the buttons of its views.
"""
TWO_CENTRE_WIDTH = 1208
"""Two pictures beside each other have so much before the docks at the right get more than their least."""
CENTRE_WIDTH = 900
"""The centre has so much before figures get more than their least, or a person's own width of a dock gives way."""
BOTH_SIDES_FROM = 1268, 1432, 1500
"""Pixels of a window's width from which the experiment has room beside no picture, one, and two."""
PANELS_WIDTH = BOTH_SIDES_FROM[0]
READABLE_WIDTH, READABLE_AT, RIGHT_SHARE, MOST_RIGHT_WIDTH = 448, 1280, 0.5, 572
"""The source has so many pixels in a window of 1280, 40 columns of code beside figures, and half of what is more."""
EDITOR_SHARE, EDITOR_SHARE_BESIDE_TWO, MOST_EDITOR_WIDTH = 0.42, 0.28, 760
"""Of the width of a window the editor gets this part."""


def figures_width(window_width: int) -> int:
    """The docks at the right of a window while another one than the source is in front."""
    return min(max(window_width - LEFT_WIDTH - CENTRE_WIDTH, RIGHT_WIDTH), MOST_RIGHT_WIDTH)


def right_width(window_width: int) -> int:
    """The docks at the right of a window while the source is in front and nothing else wants the room."""
    share = READABLE_WIDTH + round(RIGHT_SHARE * (max(window_width, PANELS_WIDTH) - READABLE_AT))
    return min(share, MOST_RIGHT_WIDTH)


def source_width(window_width: int, pictures: int, *, is_left_shown: bool) -> int:
    """The docks at the right of a window while the source is in front beside so many pictures, 0 to 2, or beside a
    chart, which counts as one; the experiment `is_left_shown` or folded.
    """
    wide = right_width(window_width)
    if pictures == 2:
        wide = min(wide, window_width - LEFT_WIDTH - TWO_CENTRE_WIDTH)
    elif pictures and is_left_shown:
        wide = min(wide, window_width - LEFT_WIDTH - SEPARATORS - PICTURE_WIDTH)
    return max(wide, RIGHT_WIDTH)


def editor_width(window_width: int, pictures: int = 0) -> int:
    """The docks at the right of a window while a kernel is edited there beside so many pictures, 0 to 2."""
    share = EDITOR_SHARE_BESIDE_TWO if pictures == 2 else EDITOR_SHARE
    return min(max(round(share * window_width), right_width(window_width)), MOST_EDITOR_WIDTH)
