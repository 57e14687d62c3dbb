"""The views of the page of memory: what each is called in a session, and its button."""

from __future__ import annotations

from gemmviz.gui.widgets.segments import Segment

MEMORY_VIEWS = "animation", "banks", "sectors", "totals"
"""In the order of their buttons."""
SEGMENTS = (
    Segment("memoryAnimation", "Animation", "The block at work, frame by frame"),
    Segment("memoryBanks", "Banks", "One request to shared memory: which lanes meet in which bank"),
    Segment("memorySectors", "Sectors", "One request to global memory: what is fetched, and how much of it is used"),
    Segment("memoryTotals", "Totals and hazards", "What each source line cost in all recorded blocks, and all hazards"),
)
SIDE_SEGMENTS = (
    Segment("leftSide", "Left", "Show the recording of the picture at the left"),
    Segment("rightSide", "Right", "Show the recording of the picture at the right"),
)

VIEW_BY_WORDS = dict(zip((segment.words for segment in SEGMENTS), MEMORY_VIEWS, strict=True))
"""The views by what stands on their buttons."""
