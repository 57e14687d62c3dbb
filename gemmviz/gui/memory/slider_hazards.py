"""Hazards on the slider: those of both pictures, each at the first moment that shows its frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from gemmviz.explain.requests.frame_facts import FrameMarks
from gemmviz.explain.requests.pairing import Moments
from gemmviz.gui.memory.hazard_search import HazardSearch
from gemmviz.gui.memory.playing.playback import Playback


class SliderHazards(QObject):
    """Looks for the hazards of one or two playbacks and says what the slider is to mark."""

    marked = Signal(object)
    """The FrameMarks of the moments that the slider counts."""

    def __init__(self, playbacks: tuple[Playback, Playback], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._playbacks = playbacks
        self._searches = HazardSearch(self), HazardSearch(self)
        self._moments: Moments | None = None
        for search in self._searches:
            search.found.connect(self._tell)

    def show(self, moments: Moments) -> None:
        """The slider counts these moments of the playbacks from now on."""
        self._moments = None
        for playback, search in zip(self._playbacks, self._searches, strict=True):
            if playback.facts is not None and playback.playable is not None:
                search.look(playback.facts, playback.playable.run.hazards)
            else:
                search.stop()
        self._moments = moments
        self._tell()

    def stop(self) -> None:
        """Nothing is looked for any more."""
        self._moments = None
        for search in self._searches:
            search.stop()

    def _tell(self) -> None:
        if self._moments is None:
            return
        known = [
            search.marks or playback.facts.marks
            for playback, search in zip(self._playbacks, self._searches, strict=True)
            if playback.facts is not None
        ]
        if len(known) == len(self._moments.frames):  # else a picture is gone, and what follows shows other moments
            self.marked.emit(marks_of(self._moments, known))


def marks_of(moments: Moments, known: Sequence[FrameMarks]) -> FrameMarks:
    """The marks of the moments of one or two pictures: barriers and hazards of the leader, and hazards of the other."""
    if len(moments.frames) < 2:
        return known[0]
    own, other = moments.leader, 1 - moments.leader
    sides = [marks for marks in known if marks.hazards.size]
    return replace(
        known[own],
        barriers=moments.showing(own, known[own].barriers),
        hazards=moments.showing(own, known[own].hazards),
        beside=moments.showing(other, known[other].hazards),
        are_all=bool(sides) and all(marks.are_all for marks in sides),
        first_between_blocks=any(marks.first_between_blocks for marks in sides),
    )
