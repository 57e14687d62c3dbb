"""How rows and notes share a height in which not everything fits: rows give way first, then the notes. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.gui.charts.plot_layout import AXIS, AXIS_DENSE, DENSE_ROW, HEAD, LEAST_ROW


@dataclass(frozen=True, slots=True)
class Crowding:
    """`is_dense`: rows have one line each; `is_brief`: all notes together have one line."""

    is_dense: bool = False
    is_brief: bool = False


ROOMY = Crowding()


def crowding(room: float, rows: int, notes: float) -> Crowding:
    """Share out `room`, the pixels for the plot and its notes, of which the whole notes would take `notes`.

    The more room, the less is crowded: neither of the two comes back once it is gone.
    """
    if room - notes >= HEAD + AXIS + LEAST_ROW * rows:
        return ROOMY
    return Crowding(is_dense=True, is_brief=room - notes < HEAD + AXIS_DENSE + DENSE_ROW * rows)
