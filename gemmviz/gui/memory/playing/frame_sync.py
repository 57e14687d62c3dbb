"""One or two playbacks and the player that drives them: which one leads, and which frame of the other goes with it.

Their pictures have one layout, so that the same element is at the same place in both.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.explain.requests.frame_facts import NO_FRAMES, FrameFacts
from gemmviz.explain.requests.pairing import PairStep, aligned_frames, leading, second_leads, usual_step, waiting_words
from gemmviz.gui.memory.playing.playback import Playback
from gemmviz.gui.player.player import Player


class FrameSync(QObject):
    """Sends both to their frames. The player counts the frames of the one that leads."""

    led = Signal(object)
    """The FrameFacts of the playback that leads from now on."""
    busy_changed = Signal(bool)
    """Whether frames of either are waited for."""

    def __init__(self, playbacks: tuple[Playback, Playback], player: Player, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._playbacks, self._player = playbacks, player
        self._leader = playbacks[0]
        self._aligned_frames = NO_FRAMES
        self._chosen: PairStep | None = None
        self._busy = [False, False]
        for place, playback in enumerate(playbacks):
            playback.ready.connect(self.settle)
            playback.busy_changed.connect(partial(self._on_busy, place))
        for one, other in (playbacks, playbacks[::-1]):
            one.view.needs_changed.connect(other.view.lay_out_beside)
        player.frame_changed.connect(self._on_index)
        player.arrival_changed.connect(self._on_arrival)

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
        self._leader = self._playbacks[0]
        self._player.set_count(0)

    @Slot()
    def settle(self) -> None:
        """Find out who leads now, and go on from where the first is."""
        first, second = self._playbacks
        facts, before = self._facts(), self._leader
        if first.facts is None:
            return
        leader, index = first, first.index
        if facts is not None and second_leads(*facts, self.step):
            leader = second
            found = aligned_frames(facts[1], facts[0], self.step)
            stays = before is second or found[second.index] == first.index
            index = second.index if stays else leading(first.index, found)
        self._leader = leader
        pair = self._pair()
        self._aligned_frames = aligned_frames(*pair[:2], self.step) if pair is not None else NO_FRAMES
        assert leader.facts is not None
        self._player.set_count(leader.facts.count)
        self._player.seek(index)
        self.led.emit(leader.facts)
        self._on_index(self._player.index)

    def seek(self, playback: Playback, index: int) -> None:
        """Bring one of them to a frame of its own, and the other along."""
        pair = self._pair()
        if playback is self._leader or pair is None:
            self._player.seek(index)
            return
        self._player.seek(leading(index, self._aligned_frames))

    def _facts(self) -> tuple[FrameFacts, FrameFacts] | None:
        """What is known of both; None while there are not two to keep in step."""
        one, other = (playback.facts for playback in self._playbacks)
        return (one, other) if one is not None and other is not None and one.count and other.count else None

    def _pair(self) -> tuple[FrameFacts, FrameFacts, Playback] | None:
        """What is known of the one that leads and of the other, and the other; None while there is one only."""
        facts, (first, second) = self._facts(), self._playbacks
        if facts is None:
            return None
        return (*facts, second) if self._leader is first else (facts[1], facts[0], first)

    @Slot(int)
    def _on_index(self, index: int) -> None:
        leader, pair = self._leader, self._pair()
        if leader.facts is None or index >= leader.facts.count:
            return
        leader.go(index)
        if pair is not None:
            pair[2].go(int(self._aligned_frames[index]))

    @Slot(float)
    def _on_arrival(self, arrival: float) -> None:
        for playback in self._playbacks:
            playback.show_arrival(arrival)

    def _on_busy(self, place: int, busy: bool) -> None:
        before = any(self._busy)
        self._busy[place] = busy
        if any(self._busy) != before:
            self.busy_changed.emit(any(self._busy))
