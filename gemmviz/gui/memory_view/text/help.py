"""What the status bar says of a picture: which keys and clicks it takes. No Qt."""

from __future__ import annotations

from gemmviz.domain.recordings.trace_run import TraceRun

_ZOOM = (
    "Wheel, + and −: zoom. {}: move. 0: show all. Double-click an array to enlarge it, and again to show all. "
    "Shift+arrow keys: choose an element."
)
ONE_BLOCK_HELP = _ZOOM.format("Drag or arrow keys")
HELP = f"{ONE_BLOCK_HELP} Click a block of C to see it at work."
LESSON_HELP = _ZOOM.format("Drag")
"""In a lesson → goes to the next step, and the block stays that of the text."""


def picture_help(run: TraceRun | None, *, is_in_lesson: bool) -> str:
    """What can be done with the picture of a recording; "" where nothing is recorded yet (None)."""
    if is_in_lesson:
        return LESSON_HELP
    if run is None:
        return ""
    return ONE_BLOCK_HELP if run.blocks_in_grid == 1 else HELP
