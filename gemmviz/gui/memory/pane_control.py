"""Writes around each picture what belongs to its frame: caption, hazards, what is chosen, the totals so far."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.explain.block.running_totals import common_scale
from gemmviz.explain.requests.selection import Selection
from gemmviz.explain.source.recorded_lines import kind_words
from gemmviz.gui.inspector.element_card import ElementCard
from gemmviz.gui.memory.hazard_sentences import hazard_words, nearest_hazard
from gemmviz.gui.memory.pane import MemoryPane
from gemmviz.gui.memory.playing.playback import Playback
from gemmviz.gui.memory_view.text.labels import PREPARING, block_words
from gemmviz.gui.recording.grids import Block
from gemmviz.trace.frames.values import Frame


class PaneControl(QObject):
    """Ties the panes to their playbacks; totals are counted only while two are compared."""

    hazard_asked = Signal(object, object)
    """A TraceRun and one of its hazards, to be seen where it happens."""

    def __init__(
        self, panes: tuple[MemoryPane, MemoryPane], playbacks: tuple[Playback, Playback], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._panes, self._playbacks = panes, playbacks
        for place, playback in enumerate(playbacks):
            playback.opening.connect(partial(self._on_opening, place))
            playback.ready.connect(self._keep_lines)
            playback.failed.connect(partial(self._on_failed, place))
            playback.frame_shown.connect(partial(self._on_frame, place))
            playback.leading_changed.connect(partial(self._show_hazards, place))
            playback.totals_counted.connect(self._on_totals)
            playback.selected.connect(partial(self._on_selected, place))
            playback.card_made.connect(partial(self._on_card, place))
            panes[place].lines_changed.connect(self._level)
            panes[place].elsewhere_asked.connect(partial(self._on_elsewhere, place))

    def set_compared(self, compared: bool) -> None:
        """Whether two are played."""
        for playback in self._playbacks:
            playback.count_totals(compared)
        self._keep_lines()

    def _keep_lines(self) -> None:
        """A line that one of them needs is kept in both."""
        hazards = any(_has_hazards(playback) for playback in self._playbacks)
        for pane in self._panes:
            pane.keep_lines(hazards)

    def _level(self) -> None:
        """Both have as many lines for a hazard as the longest needs."""
        lines = max(pane.hazard_lines for pane in self._panes)
        for pane in self._panes:
            pane.keep_hazard_lines(lines)

    def _on_opening(self, place: int) -> None:
        """Nothing of what was played before stays beside the name of what is opened, or after all is closed."""
        pane = self._panes[place]
        pane.show_caption(PREPARING if self._playbacks[place].playable is not None else "")
        pane.show_hazards(())
        pane.show_elsewhere("")
        pane.show_totals(None)

    def _on_failed(self, place: int, _words: str) -> None:
        """No frame comes."""
        if self._playbacks[place].frame is None:
            self._panes[place].show_caption("")

    def _on_frame(self, place: int, frame: Frame) -> None:
        pane = self._panes[place]
        pane.show_caption(frame.caption)
        self._show_totals(place)
        self._show_hazards(place)

    def _show_hazards(self, place: int) -> None:
        """What is wrong in the frame that is shown, the hazard first that a person chose."""
        playback, pane = self._playbacks[place], self._panes[place]
        frame, facts, playable = playback.frame, playback.facts, playback.playable
        if frame is not None and facts is not None and playable is not None and playable.run.hazards:
            said = hazard_words(frame, playable.run, facts, playback.block, playback.leading)
            pane.show_hazards(said, nearest_hazard(frame, facts))
            pane.show_elsewhere(*elsewhere_words(() if said else elsewhere(playable.run.hazards, playable.block)))

    def _on_elsewhere(self, place: int) -> None:
        playable = self._playbacks[place].playable
        others = elsewhere(playable.run.hazards, playable.block) if playable is not None else ()
        if playable is not None and others:
            self.hazard_asked.emit(playable.run, others[0])

    def _on_totals(self) -> None:
        """Both have one scale: that of the larger."""
        most = common_scale(playback.totals for playback in self._playbacks if playback.totals is not None)
        for place, pane in enumerate(self._panes):
            pane.totals.show_scale(most)
            self._show_totals(place)

    def _show_totals(self, place: int) -> None:
        """Those of the frame that the picture shows."""
        totals = self._playbacks[place].totals_so_far
        if totals is not None:
            self._panes[place].show_totals(totals)

    def _on_selected(self, place: int, selection: Selection) -> None:
        self._panes[place].show_selection(selection)

    def _on_card(self, place: int, card: ElementCard | None) -> None:
        selection = self._playbacks[place].selection
        if not selection.is_empty:
            self._panes[place].show_selection(selection, card)


def _has_hazards(playback: Playback) -> bool:
    """Whether anything may be wrong in a frame: a hazard is kept with the first block it was found in only."""
    return playback.facts is not None and playback.playable is not None and bool(playback.playable.run.hazards)


def elsewhere(hazards: Sequence[Hazard], block: Block) -> tuple[Hazard, ...]:
    """The hazards whose first example lies in another block."""
    return tuple(hazard for hazard in hazards if hazard.block != block)


def elsewhere_words(hazards: Sequence[Hazard]) -> tuple[str, str]:
    """The first in a few words, and all in a sentence each."""
    if not hazards:
        return "", ""
    first, others = hazards[0], f" (and {len(hazards) - 1} more)" if len(hazards) > 1 else ""
    words = f"! {kind_words(first)} in {block_words(first.block)}{others}"
    return words, "\n".join(("Show it where it happens:", *(f"{kind_words(each)}: {each.detail}" for each in hazards)))
