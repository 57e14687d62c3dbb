"""Hazards on the slider: those of the picture that leads, and those of the other at the frames that go with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, Signal

from gemmviz.explain.requests.frame_facts import FrameFacts, FrameIndices, FrameMarks
from gemmviz.explain.requests.pairing import PairStep, aligned_frames
from gemmviz.gui.memory.hazard_search import HazardSearch
from gemmviz.gui.memory.playing.frame_sync import FrameSync
from gemmviz.gui.memory.playing.playback import Playback


class SliderHazards(QObject):
    """Looks for the hazards of one or two playbacks and says what the slider is to mark."""

    marked = Signal(object)
    """The Marks of the frames that the slider counts."""

    def __init__(
        self, playbacks: tuple[Playback, Playback], frame_sync: FrameSync, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._playbacks, self._frame_sync = playbacks, frame_sync
        self._searches = HazardSearch(self), HazardSearch(self)
        self._led: FrameFacts | None = None
        for search in self._searches:
            search.found.connect(self._tell)

    def show(self, led: FrameFacts) -> None:
        """The slider counts these frames from now on, which are those of one of the playbacks."""
        self._led = None
        for playback, search in zip(self._playbacks, self._searches, strict=True):
            if playback.facts is not None and playback.playable is not None:
                search.look(playback.facts, playback.playable.run.hazards)
            else:
                search.stop()
        self._led = led
        self._tell()

    def stop(self) -> None:
        """Nothing is looked for any more."""
        self._led = None
        for search in self._searches:
            search.stop()

    def _tell(self) -> None:
        if self._led is None:
            return
        known = [
            (search.marks or playback.facts.marks, playback.facts)
            for playback, search in zip(self._playbacks, self._searches, strict=True)
            if playback.facts is not None
        ]
        own = next((marks for marks, facts in known if facts is self._led), self._led.marks)
        other = next(((marks, facts) for marks, facts in known if facts is not self._led and facts.count), None)
        self.marked.emit(own if other is None else with_beside(own, self._led, *other, self._frame_sync.step))


def with_beside(own: FrameMarks, led: FrameFacts, theirs: FrameMarks, other: FrameFacts, step: PairStep) -> FrameMarks:
    """The marks of the frames that lead, with the hazards of the other: at the first frame that each goes with."""
    beside = led_frames(led, other, step, theirs.hazards)
    sides = [marks for marks in (own, theirs) if marks.hazards.size]
    return replace(
        own,
        beside=beside,
        are_all=bool(sides) and all(marks.are_all for marks in sides),
        first_between_blocks=any(marks.first_between_blocks for marks in sides),
    )


def led_frames(led: FrameFacts, other: FrameFacts, step: PairStep, frames: FrameIndices) -> FrameIndices:
    """The frames that lead to `frames` of the other, or past them to the next it is shown at; of several the first."""
    if not frames.size or not led.count:
        return np.zeros(0, np.int32)
    found = np.searchsorted(aligned_frames(led, other, step), frames)
    return np.unique(np.minimum(found, led.count - 1)).astype(np.int32)
