"""One or two playbacks and the player that drives them: at which moment each of two shows which of its frames.

Their pictures have one layout, so that the same element is at the same place in both, and write numbers alike.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.explain.requests.frame_facts import FrameFacts
from gemmviz.explain.requests.pairing import Moments, PairStep, moments_alone, moments_of, usual_step, waiting_words
from gemmviz.gui.memory.playing.playback import Playback
from gemmviz.gui.player.player import Player


class FrameSync(QObject):
    """Sends both to their frames. The player counts moments: of one playback its frames."""

    moments_changed = Signal(object)
    """The Moments that the player counts from now on."""
    busy_changed = Signal(bool)
    """Whether frames of either are waited for."""

    def __init__(self, playbacks: tuple[Playback, Playback], player: Player, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._playbacks, self._player = playbacks, player
        self._moments = Moments(())
        self._chosen: PairStep | None = None
        self._busy = [False, False]
        for place, playback in enumerate(playbacks):
            playback.ready.connect(self.settle)
            playback.busy_changed.connect(partial(self._on_busy, place))
        playbacks[0].view.stand_beside(playbacks[1].view)
        player.frame_changed.connect(self._on_index)
        player.arrival_changed.connect(self._on_arrival)

    @property
    def moment(self) -> tuple[int, int]:
        """The moment that shows, from 0, and how many there are."""
        return self._player.index, self._moments.count

    @property
    def is_paired(self) -> bool:
        """Whether there are two, and the frames of both are made."""
        return self._facts() is not None

    @property
    def step(self) -> PairStep:
        """What the two keep step by: as a person chose, or else as suits them."""
        facts = self._facts()
        return self._chosen or (usual_step(*facts) if facts is not None else PairStep.PHASE)

    @property
    def chosen(self) -> PairStep | None:
        """The step a person chose; None where nobody did."""
        return self._chosen

    @property
    def waiting_words(self) -> str:
        """Which of two waits for the other at its last barrier interval; "" for neither."""
        phases = [
            (each.facts.phases, each.playable.run.spec.kernel)
            for each in self._playbacks
            if each.facts is not None and each.playable is not None
        ]
        return waiting_words(*phases) if len(phases) > 1 and self.step is PairStep.PHASE else ""

    @Slot(object)
    def use_step(self, step: PairStep | None) -> None:
        """Keep step by this from now on; None for what suits the two."""
        self._chosen = step
        self.settle()

    def hold(self) -> None:
        """Stop at no frame at all, while other frames are prepared."""
        self._moments = Moments(())
        self._player.set_count(0)

    @Slot()
    def settle(self) -> None:
        """Find out anew which frames go together, and go on from where both are, or else the first is."""
        first, second = self._playbacks
        if first.facts is None:
            return
        facts = self._facts()
        self._moments = moments_of(*facts, self.step) if facts is not None else moments_alone(first.facts)
        index = self._moments.nearest(first.index, second.index) if facts is not None else first.index
        self._player.set_count(self._moments.count)
        self._player.seek(index)
        self.moments_changed.emit(self._moments)
        self._on_index(self._player.index)

    def seek(self, playback: Playback, index: int) -> None:
        """Bring one of them to a frame of its own, and the other along."""
        side = self._playbacks.index(playback)
        self._player.seek(self._moments.first_showing(side, index) if side < len(self._moments.frames) else index)

    def _facts(self) -> tuple[FrameFacts, FrameFacts] | None:
        """What is known of both; None while there are not two to keep in step."""
        one, other = (playback.facts for playback in self._playbacks)
        return (one, other) if one is not None and other is not None and one.count and other.count else None

    @Slot(int)
    def _on_index(self, index: int) -> None:
        if index < self._moments.count:
            for playback, frames in zip(self._playbacks, self._moments.frames, strict=False):
                playback.go(int(frames[index]))

    @Slot(float)
    def _on_arrival(self, arrival: float) -> None:
        for playback in self._playbacks:
            playback.show_arrival(arrival)

    def _on_busy(self, place: int, busy: bool) -> None:
        before = any(self._busy)
        self._busy[place] = busy
        if any(self._busy) != before:
            self.busy_changed.emit(any(self._busy))
