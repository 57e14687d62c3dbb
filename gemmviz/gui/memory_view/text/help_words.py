"""What the status bar says of keys and mouse over a memory view."""

from __future__ import annotations

from gemmviz.domain.recordings.trace_run import TraceRun

_ZOOM = "Wheel, + and −: zoom. {}: move. 0: show all. Double-click an array to enlarge it, and again to show all."
_KEYS = "Drag or arrow keys"
HELP = f"{_ZOOM.format(_KEYS)} Click a block of C to see it at work."
ONE_BLOCK_HELP = _ZOOM.format(_KEYS)
LESSON_HELP = _ZOOM.format("Drag")
"""In a lesson → goes to the next step, and the block stays that of the text."""


def help_words(run: TraceRun | None, *, is_in_lesson: bool) -> str:
    """The keys and clicks that the picture of a recording takes."""
    if is_in_lesson:
        return LESSON_HELP
    return ONE_BLOCK_HELP if run is not None and run.blocks_in_grid == 1 else HELP
