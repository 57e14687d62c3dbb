"""How large the letters of a recording in words and figures can be in a picture, and what of it is shown then."""

from __future__ import annotations

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.recording.view import RecordingView
from gemmviz.gui.widgets.widget_image import settle

MOST_LINES = 2.0
"""So much smaller may the letters of a source be, so that more of its lines are seen."""
SMALLER_LARGE = tuple(percent / 100 for percent in range(60, 130, 5))
"""On the whole screen they are so much smaller: the first of these at which there is room for everything."""
TALL = 4000
"""Units in which nothing that is measured is in want of room."""


def fit_recording(view: RecordingView, room: tuple[float, float], trace: TraceRun, *, large: bool) -> float:
    """Make a view of a recording ready for a picture of `room` units; how much smaller its letters are than units.

    In `large` letters only lines with figures are shown, from the first hazard on where not all of them have room.
    """
    width, height = room
    view.set_for_picture(only_figures=large)
    smaller, needed = 1.0, 0
    for smaller in SMALLER_LARGE if large else (1.0,):
        view.resize(round(width * smaller), TALL)
        settle(view)
        needed = view.picture_height()
        if needed <= height * smaller and view.minimumSizeHint().width() <= width * smaller:
            break
    smaller = smaller if large else min(max(needed / height, 1.0), MOST_LINES)
    view.resize(round(width * smaller), TALL)
    settle(view)
    view.divide_picture(round(height * smaller))
    settle(view)
    if large and trace.hazards and needed > view.height():
        view.begin_at(trace.hazards[0].line)
    return smaller
