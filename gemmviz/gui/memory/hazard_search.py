"""Finds, on a thread of its own, every frame of a block in which accesses at fault take place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, Signal

from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.explain.requests.frame_facts import FrameFacts, FrameIndices, FrameMarks
from gemmviz.gui.tasks.background import Background
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.hazards.rules.hazard_frames import hazard_frames


class HazardSearch(QObject):
    """Looks through one block at a time, the one that was asked for last."""

    found = Signal(object)
    """The Marks of the facts that were asked about, with all frames at fault, not the first examples alone."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self, threads=1)
        self._facts: FrameFacts | None = None
        self._marks: FrameMarks | None = None
        self._between = False

    @property
    def marks(self) -> FrameMarks | None:
        """What was found; None while it is looked for, and where nothing is."""
        return self._marks

    def look(self, facts: FrameFacts, hazards: Sequence[Hazard]) -> None:
        """Ends in `found`, at once where it is known; in nothing without hazards, or with too much to look at."""
        if facts is self._facts:
            if self._marks is not None:
                self.found.emit(self._marks)
            return
        self.stop()
        self._facts = facts
        self._between = any(h.kind.is_between_blocks and not h.elements for h in hazards)
        if not hazards or not facts.count:
            return
        trace, mode, hazards = facts.trace, facts.mode, tuple(hazards)
        self._background.start(lambda: hazard_frames(Frames(trace, mode), hazards), self._on_found, _raise)

    def stop(self) -> None:
        """Nothing is looked for any more."""
        self._background.cancel_all()
        self._facts = self._marks = None

    def _on_found(self, frames: FrameIndices | None) -> None:
        if self._facts is None or frames is None:
            return
        first = self._facts.marks
        self._marks = replace(
            first, hazards=np.union1d(first.hazards, frames), are_all=True, first_between_blocks=self._between
        )
        self.found.emit(self._marks)


def _raise(fault: Exception) -> None:
    raise fault
