"""How large the letters of a recording in words and figures can be in a picture, and what of it is shown then."""

from __future__ import annotations

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.recording.view import RecordingView
from gemmviz.gui.widgets.widget_image import settle

SMALLER = tuple(percent / 100 for percent in range(60, 105, 5))
"""Letters are so much smaller than units: the first of these at which there is room for everything, at most as small as
they are read from the back of a room.
"""
TALL = 4000
"""Units in which nothing that is measured is in want of room."""


def fit_recording(view: RecordingView, room: tuple[float, float], trace: TraceRun) -> float:
    """Make a view of a recording ready for a picture of `room` units; how much smaller its letters are than units.

    Only lines with figures are shown, from the first hazard on where not all of them have room.
    """
    width, height = room
    view.set_for_picture()
    smaller, needed = 1.0, 0
    for smaller in SMALLER:
        view.resize(round(width * smaller), TALL)
        settle(view)
        needed = view.picture_height()
        if needed <= height * smaller and view.minimumSizeHint().width() <= width * smaller:
            break
    view.resize(round(width * smaller), TALL)
    settle(view)
    view.divide_picture(round(height * smaller))
    settle(view)
    if trace.hazards and needed > view.height():
        view.begin_at(trace.hazards[0].line)
    return smaller
