"""How a picture and the words around it share a height in which not everything fits. No Qt.

First rows give way, then the notes, then the title: the switches above say what is shown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gemmviz.gui.charts.plot.layout import AXIS, AXIS_DENSE, DENSE_ROW, HEAD, LEAST_ROW

NOTE_LINE = 16.0
"""The height of a line of notes."""
FEW_ROWS, MANY_ROWS = 3, 30
"""As many should be seen, with one line each: before the title gives way, and before notes get a second line."""
GOOD_PLANE = 340.0
"""A roofline or a map of C should be as high."""


@dataclass(frozen=True, slots=True)
class Crowding:
    """`is_dense`: rows have one line each; `note_lines`: all notes together have at most so many lines, 0 where each
    has its own; `is_low`: the legend takes no room of its own.
    """

    is_dense: bool = False
    note_lines: int = 0
    is_low: bool = False


ROOMY = Crowding()


def crowding(room: float, rows: int, notes: float) -> Crowding:
    """Share out `room`, the pixels for the plot and its notes below title and legend, of which the whole notes would
    take `notes`.

    The more room, the less is crowded: nothing comes back once it is gone.
    """
    if room - notes >= HEAD + AXIS + LEAST_ROW * rows:
        return ROOMY
    if room - notes >= HEAD + AXIS_DENSE + DENSE_ROW * rows:
        return Crowding(is_dense=True)
    return Crowding(
        is_dense=True,
        note_lines=_lines(room - HEAD - AXIS_DENSE - DENSE_ROW * min(rows, MANY_ROWS)),
        is_low=room - min(notes, NOTE_LINE) < HEAD + AXIS_DENSE + DENSE_ROW * min(rows, FEW_ROWS),
    )


def crowding_of_plane(room: float, notes: float) -> Crowding:
    """The same for a picture without rows."""
    if room - notes >= GOOD_PLANE:
        return ROOMY
    return Crowding(note_lines=_lines(room - GOOD_PLANE), is_low=room - NOTE_LINE < GOOD_PLANE)


def _lines(room: float) -> int:
    return max(1, math.floor(room / NOTE_LINE))
