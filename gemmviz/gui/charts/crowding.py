"""How a picture and the words around it share a height in which not everything fits. No Qt.

First rows give way, then the notes, then the title: the switches above say what is shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.gui.charts.plot_layout import AXIS, AXIS_DENSE, DENSE_ROW, HEAD, LEAST_ROW

NOTE_LINE = 16.0
"""The height of all notes in one line."""
FEW_ROWS = 3
"""As many should be seen, with one line each."""
GOOD_PLANE = 240.0
"""A roofline or a map of C should be as high."""


@dataclass(frozen=True, slots=True)
class Crowding:
    """`is_dense`: rows have one line each; `is_brief`: all notes together have one line; `is_low`: the legend takes
    no room of its own.
    """

    is_dense: bool = False
    is_brief: bool = False
    is_low: bool = False


ROOMY = Crowding()


def crowding(room: float, rows: int, notes: float) -> Crowding:
    """Share out `room`, the pixels for the plot and its notes below title and legend, of which the whole notes would
    take `notes`.

    The more room, the less is crowded: nothing comes back once it is gone.
    """
    if room - notes >= HEAD + AXIS + LEAST_ROW * rows:
        return ROOMY
    return Crowding(
        is_dense=True,
        is_brief=room - notes < HEAD + AXIS_DENSE + DENSE_ROW * rows,
        is_low=room - min(notes, NOTE_LINE) < HEAD + AXIS_DENSE + DENSE_ROW * min(rows, FEW_ROWS),
    )


def crowding_of_plane(room: float, notes: float) -> Crowding:
    """The same for a picture without rows."""
    is_brief = room - notes < GOOD_PLANE
    return Crowding(is_brief=is_brief, is_low=is_brief and room - NOTE_LINE < GOOD_PLANE)
