"""What is played as a session keeps it, and back: what a foreign file names and does not have is passed over. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.shown import ShownFrame
from gemmviz.explain.requests.frame_facts import FrameFacts
from gemmviz.explain.requests.what_if import MOST_PADDING, NewLayout, Swizzle
from gemmviz.gui.recording.grids import Playable
from gemmviz.trace.frames.plan import FrameMode

Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class KeptFrame:
    """Called with the frames of a block, it gives the one that was kept; the first where there is no such one."""

    mode: FrameMode | None
    frame: int

    def __call__(self, facts: FrameFacts) -> int:
        return self.frame if facts.mode is self.mode and 0 <= self.frame < facts.count else 0


def kept_frame(
    traces: Sequence[TraceRun], playable: Playable | None, mode: FrameMode, index: int, layout: NewLayout
) -> ShownFrame | None:
    """A frame of what is played, and the layout tried on its banks; None where nothing is played, or its recording is
    not in the session any more.
    """
    place = next((at for at, run in enumerate(traces) if playable is not None and run is playable.run), None)
    if place is None or playable is None:
        return None
    swizzle = str(layout.swizzle) if layout.swizzle is not Swizzle.NONE else ""
    return ShownFrame(place, playable.number, str(mode), index, layout.padding, swizzle)


def layout_of(kept: ShownFrame | None) -> NewLayout:
    """The layout that was tried; as recorded where none was, or where there is no such one."""
    swizzle = word_of(Swizzle, kept.swizzle or str(Swizzle.NONE)) if kept is not None else None
    if kept is None or swizzle is None or not 0 <= kept.padding <= MOST_PADDING:
        return NewLayout()
    return NewLayout(kept.padding, swizzle)


def playable_of(traces: Sequence[TraceRun], kept: ShownFrame | None) -> Playable | None:
    """What was played; None where the session does not have it."""
    if kept is None or not 0 <= kept.recording < len(traces):
        return None
    run = traces[kept.recording]
    return Playable(run, kept.block) if 0 <= kept.block < len(run.blocks) else None


def begin_of(kept: ShownFrame | None) -> KeptFrame:
    """Where to begin, and in which mode; in the natural one and at its first frame where no such mode is known."""
    if kept is None:
        return KeptFrame(None, 0)
    return KeptFrame(word_of(FrameMode, kept.mode), kept.frame)


def word_of(kind: type[Word], word: str) -> Word | None:
    """The member of an enum that a word names; None for none."""
    try:
        return kind(word)
    except ValueError:
        return None
