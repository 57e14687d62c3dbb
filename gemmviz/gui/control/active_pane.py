"""Keeps the panels around the pictures at the frame of the picture a person has turned to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.domain.terms import Evidence
from gemmviz.explain.requests.machine_requests import RequestCode
from gemmviz.explain.requests.phase_figures import LoadsSoFar
from gemmviz.explain.requests.selection import Selection
from gemmviz.gui.inspector.element_card import ElementCard
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.memory.playing.playback import Playback
from gemmviz.gui.source.frame_lines import frames_of_line, lines_of_frame, next_frame_of
from gemmviz.gui.stages.bank_stage import BankStage
from gemmviz.gui.stages.request_in_front import RequestInFront
from gemmviz.gui.stages.request_stage import RequestStage
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.model.wavefronts import NO_SHARED_COST


class ActivePane(QObject):
    """The player's caption, the source and the figures show one of two playbacks."""

    run_shown = Signal(object)
    """The TraceRun of which a frame is shown: its source belongs beside it."""
    chosen_changed = Signal(bool)
    """Whether something is chosen in it."""
    frame_wanted = Signal(int)
    """A frame of it that a person wants to see."""

    def __init__(self, parts: Parts, playbacks: tuple[Playback, Playback], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._parts, self._playbacks = parts, playbacks
        self.place = 0
        for place, playback in enumerate(playbacks):
            playback.ready.connect(lambda place=place: self._on_ready(place))
            playback.frame_shown.connect(lambda frame, place=place: self._on_frame(place, frame))
            playback.selected.connect(lambda chosen, place=place: self._on_selected(place, chosen))
            playback.card_made.connect(lambda card, place=place: self._on_card(place, card))
            playback.loads_counted.connect(lambda at, loads, place=place: self._on_loads(place, at, loads))
        parts.frame_panel.selection.chosen.connect(self.select)
        parts.source.line_chosen.connect(self._on_line)
        parts.memory_page.turned.connect(self._mark_lines)
        parts.frame_panel.request.code_chosen.connect(self.show_code)
        parts.memory_page.stages.banks.code_chosen.connect(self.show_code)
        for stage in parts.memory_page.stages.stages:
            stage.request_shown.connect(self._mark_lines)
        parts.memory_page.stages.banks.layout_changed.connect(self._mark_lines)

    @property
    def playback(self) -> Playback:
        """The one that is followed."""
        return self._playbacks[self.place]

    def follow(self, place: int) -> None:
        """Turn to the first (0) or the second (1)."""
        self._parts.memory_page.show_active(place)
        if place != self.place:
            self.place = place
            self.show()

    def show(self) -> None:
        """Show all there is to show of it now."""
        playback = self.playback
        self._parts.frame_panel.show_block(playback.block)
        self._on_selected(self.place, playback.selection)
        self._on_ready(self.place)
        if playback.frame is not None:
            self._on_frame(self.place, playback.frame)
            playback.count_again()
        elif playback.playable is not None:
            self.run_shown.emit(playback.playable.run)
            self._mark_lines()

    @Slot(object)
    def select(self, selection: Selection) -> None:
        """Choose something in it."""
        self.playback.select(selection)

    @Slot(object)
    def show_code(self, code: RequestCode) -> None:
        """Show requests as a code has them, in every picture and in all that is said of them."""
        self._parts.memory_page.stages.banks.show_code(code)
        for playback in self._playbacks:
            playback.show_code(code)
        self._parts.frame_panel.show_code(code)

    def _on_ready(self, place: int) -> None:
        facts = self._playbacks[place].facts
        if place == self.place and facts is not None:
            self._parts.player_bar.set_mode(facts.mode, tuple(FrameMode))

    def _on_frame(self, place: int, frame: Frame) -> None:
        playback = self._playbacks[place]
        playable, block = playback.playable, playback.block
        if place != self.place or playable is None or block is None:
            return
        run = playable.run
        merged = playback.facts.merged if playback.facts is not None else None
        is_of_sass = merged is not None and frame.request is not None and merged.is_merged(frame.request.site)
        self._parts.player_bar.show_caption(frame.caption, Evidence.DERIVED if is_of_sass else Evidence.RECORDED)
        self._parts.frame_panel.show_frame(frame, block, run.device.place_name, run.machine, merged)
        self._show_followed()
        self.run_shown.emit(run)
        self._mark_lines()

    @Slot()
    def _mark_lines(self) -> None:
        """Mark in the source the line of the request that is in front, or else the lines of the frame; the panel shows
        that request, too.
        """
        playback, stage = self.playback, self._parts.memory_page.stages.in_front
        self._parts.frame_panel.request.show_in_front(_in_front(stage))
        if playback.playable is None or playback.block is None:
            return
        if stage is None:
            lines = lines_of_frame(playback.frame, playback.block)
        else:
            lines = (stage.request.site.line,) if stage.request is not None and stage.request.site.line else ()
        self._parts.source.show_frame_lines(lines, playback.playable.run)

    def _on_selected(self, place: int, selection: Selection) -> None:
        if place == self.place:
            self._parts.frame_panel.selection.show_selection(selection)
            self._show_followed()
            self.chosen_changed.emit(not selection.is_empty)

    def _show_followed(self) -> None:
        """Name the thread that the picture follows, as its legend does, where none is chosen."""
        scene = self.playback.view.picture_state() if self.playback.selection.thread is None else None
        example = scene.example if scene is not None and not scene.shows_tree else None
        self._parts.frame_panel.selection.show_followed(example.thread if example is not None else None)

    def _on_card(self, place: int, card: ElementCard | None) -> None:
        if place == self.place:
            self._parts.frame_panel.selection.show_card(card)

    def _on_loads(self, place: int, index: int, loads: tuple[LoadsSoFar, ...]) -> None:
        if place == self.place:
            self._parts.frame_panel.figures.show_loads(index, loads)

    @Slot(int)
    def _on_line(self, line: int) -> None:
        """The next frame that runs a line, if the source is that of what is played."""
        playback = self.playback

        def go(frames: NDArray[np.int32]) -> None:
            place = next_frame_of(frames, playback.index)
            if place is not None and playback is self.playback:
                self.frame_wanted.emit(place)

        if playback.playable is not None and self._parts.source.trace is playback.playable.run:
            playback.ask("line", lambda frames: frames_of_line(frames, line), go)


def _in_front(stage: RequestStage | None) -> RequestInFront | None:
    """The request that a stage shows; None for none."""
    if stage is None or stage.request is None:
        return None
    if isinstance(stage, BankStage):
        return RequestInFront(stage.request, stage.sentence, stage.cost, stage.evidence)
    return RequestInFront(stage.request, stage.sentence, NO_SHARED_COST, Evidence.RECORDED)
