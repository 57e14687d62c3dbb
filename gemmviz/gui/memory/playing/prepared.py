"""A block of a recording made ready to be played, off the window's thread, before anybody asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock

from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.running_totals import RunningTotals
from gemmviz.explain.requests.frame_facts import FrameFacts, facts_of
from gemmviz.explain.requests.machine_requests import RequestCode, frames_in_code, machine_requests
from gemmviz.explain.source.machine_words import differs_in
from gemmviz.gui.memory.playing.making import Made, make
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.values import Frame


@dataclass(frozen=True, slots=True, eq=False)
class PreparedPicture:
    """All that a picture needs to show its first frame. `frames` are for one thread at a time, `made` for the view."""

    frames: Frames
    facts: FrameFacts
    made: Made
    first: Frame | None
    totals: RunningTotals


class Preparation:
    """Makes a recording's first block ready once, for all who ask, on any thread.

    `start` is the frame that is shown first; a negative number counts from the end.
    """

    def __init__(self, run: TraceRun, mode: FrameMode, start: int = 0) -> None:
        self.run, self.mode, self.start = run, mode, start
        self._lock = Lock()
        self._made: PreparedPicture | None = None

    @property
    def at_hand(self) -> PreparedPicture | None:
        """What is ready already; asking never waits."""
        return self._made

    def get(self) -> PreparedPicture:
        """Make it, or wait for another thread that does."""
        with self._lock:
            if self._made is None:
                self._made = _prepare(self.run, self.mode, self.start)
            return self._made

    def is_for(self, run: TraceRun, mode: FrameMode, start: int) -> bool:
        """Whether it is of that recording, from that frame on."""
        return self.run is run and self.mode is mode and self.start == start


def _prepare(run: TraceRun, mode: FrameMode, start: int) -> PreparedPicture:
    block = run.blocks[0].trace(run.sites, run.arrays)
    merged = machine_requests(run, block)
    frames = frames_in_code(run, block, mode, merged, RequestCode.SASS)
    facts = facts_of(frames, run.hazards, merged)
    made = make(run, block, mode, merged)
    index = min(max(start + facts.count if start < 0 else start, 0), facts.count - 1)
    first = frames.frame(index) if facts.count else None
    totals = RunningTotals(block, made.analysis.timeline, is_of_ptx=differs_in(run.machine, Space.SHARED))
    return PreparedPicture(frames, facts, made, first, totals)
