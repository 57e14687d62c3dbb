"""What is played as a session keeps it, and back: what a foreign file names and does not have is passed over. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.shown import Shown, ShownFrame
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.requests.frame_facts import FrameFacts
from gemmviz.explain.requests.pairing import PairStep
from gemmviz.explain.requests.what_if import MOST_PADDING, NewLayout, Swizzle
from gemmviz.gui.recording.grids import Playable
from gemmviz.trace.frames.plan import FrameMode

Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class KeptFrame:
    """Called with the frames of a block, it gives the one that was kept, counted among those of its recorded requests;
    the first where there is no such one.
    """

    mode: FrameMode | None
    frame: int

    def __call__(self, facts: FrameFacts) -> int:
        index = facts.index_of_recorded(self.frame) if facts.mode is self.mode and self.frame >= 0 else 0
        return index if index < facts.count else 0


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """One picture: the block that it plays, None for none, the layout tried on its banks, and where it begins."""

    playable: Playable | None
    layout: NewLayout
    begin: KeptFrame


@dataclass(frozen=True, slots=True)
class KeptView:
    """What was shown: the pictures in the order of their places, their colours, how two go together, None where nobody
    chose it, and what the page had in front.
    """

    pictures: tuple[KeptPicture, KeptPicture]
    heat: HeatKind
    step: PairStep | None
    memory_view: str


def kept_view(traces: Sequence[TraceRun], shown: Shown) -> KeptView | None:
    """What was shown when a session was saved; None where the session does not have its first picture."""
    first, beside = _picture(traces, shown.first), _picture(traces, shown.beside)
    if first.playable is None:
        return None
    heat, step = _word_of(HeatKind, shown.heat) or HeatKind.NONE, _word_of(PairStep, shown.step)
    return KeptView((first, beside), heat, step, shown.memory_view)


def _picture(traces: Sequence[TraceRun], kept: ShownFrame | None) -> KeptPicture:
    return KeptPicture(_playable(traces, kept), _layout(kept), _begin(kept))


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


def _layout(kept: ShownFrame | None) -> NewLayout:
    """The layout that was tried; as recorded where none was, or where there is no such one."""
    swizzle = _word_of(Swizzle, kept.swizzle or str(Swizzle.NONE)) if kept is not None else None
    if kept is None or swizzle is None or not 0 <= kept.padding <= MOST_PADDING:
        return NewLayout()
    return NewLayout(kept.padding, swizzle)


def _playable(traces: Sequence[TraceRun], kept: ShownFrame | None) -> Playable | None:
    """What was played; None where the session does not have it."""
    if kept is None or not 0 <= kept.recording < len(traces):
        return None
    run = traces[kept.recording]
    return Playable(run, kept.block) if 0 <= kept.block < len(run.blocks) else None


def _begin(kept: ShownFrame | None) -> KeptFrame:
    """Where to begin, and in which mode; in the natural one and at its first frame where no such mode is known."""
    if kept is None:
        return KeptFrame(None, 0)
    return KeptFrame(_word_of(FrameMode, kept.mode), kept.frame)


def _word_of(kind: type[Word], word: str) -> Word | None:
    """The member of an enum that a word names; None for none."""
    try:
        return kind(word)
    except ValueError:
        return None
