"""How a picture and the words around it share a height in which not everything fits. No Qt.

Notes have two lines, and more where room is left beside rows of a good height or a good plane: a link
opens a list of those that have no room. First rows give way, then the notes, then the subtitle's own line.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gemmviz.gui.charts.plot.layout import AXIS, AXIS_DENSE, DENSE_ROW, GOOD_ROW, HEAD, LEAST_ROW, ROOMY_ROW

NOTE_LINE = 16.0
"""The height of a line of notes."""
CROWDED_NOTE_LINES = 2
"""Lines of all notes on the screen where nothing is left over for them; pictures have them whole."""
FEW_ROWS, MANY_ROWS = 3, 30
"""As many should be seen, with one line each: before the title gives way, and before notes get a second line."""
GOOD_PLANE = 340.0
"""A roofline or a map of C should be as high."""


@dataclass(frozen=True, slots=True)
class Crowding:
    """`is_dense`: rows have one line each; `note_lines`: all notes together have at most so many lines, 0 where each
    has its own; `is_low`: the subtitle stands beside the title; `is_spacious`: rows lose nothing to the whole notes.
    """

    is_dense: bool = False
    note_lines: int = 0
    is_low: bool = False
    is_spacious: bool = False


ROOMY = Crowding(is_spacious=True)


def crowding(room: float, rows: int, notes: float) -> Crowding:
    """Share out `room`, the pixels for the plot and its notes below title and legend, of which the whole notes would
    take `notes`.

    The more room, the less is crowded: nothing comes back once it is gone.
    """
    height = _height(notes)
    if room - height >= HEAD + AXIS + LEAST_ROW * rows:
        spare = room - HEAD - AXIS - GOOD_ROW * rows
        return Crowding(note_lines=_note_lines(notes, spare), is_spacious=spare >= notes)
    if room - height >= HEAD + AXIS_DENSE + DENSE_ROW * rows:
        return Crowding(is_dense=True, note_lines=_note_lines(notes))
    return Crowding(
        is_dense=True,
        note_lines=_lines(room - HEAD - AXIS_DENSE - DENSE_ROW * min(rows, MANY_ROWS)),
        is_low=room - min(notes, NOTE_LINE) < HEAD + AXIS_DENSE + DENSE_ROW * min(rows, FEW_ROWS),
    )


def crowding_of_plane(room: float, notes: float) -> Crowding:
    """The same for a picture without rows, which shares what is beyond a good height with its notes."""
    if room - _height(notes) >= GOOD_PLANE:
        spare = room - GOOD_PLANE
        return Crowding(note_lines=_note_lines(notes, spare / 2), is_spacious=spare >= 2 * notes)
    return Crowding(note_lines=_lines(room - GOOD_PLANE), is_low=room - NOTE_LINE < GOOD_PLANE)


def crowding_of_columns(room: float, notes: float) -> Crowding:
    """The same for columns side by side, which are as high as they can be and keep their words."""
    spare = room - GOOD_PLANE
    return Crowding(note_lines=_note_lines(notes, spare / 2), is_spacious=spare >= 2 * notes)


def legible_height(rows: int) -> float:
    """What a plot keeps beside an open list of notes: room to spare for each of the rows, of FEW_ROWS at most."""
    return HEAD + AXIS_DENSE + ROOMY_ROW * min(rows, FEW_ROWS)


def _note_lines(notes: float, spare: float = 0.0) -> int:
    """The lines of notes that would take `notes` pixels, where so many pixels are left over; 0 for each its own."""
    lines = max(CROWDED_NOTE_LINES, math.floor(spare / NOTE_LINE))
    return 0 if notes <= max(CROWDED_NOTE_LINES * NOTE_LINE, spare) else lines


def _height(notes: float) -> float:
    return min(notes, CROWDED_NOTE_LINES * NOTE_LINE)


def _lines(room: float) -> int:
    return min(max(1, math.floor(room / NOTE_LINE)), CROWDED_NOTE_LINES)
