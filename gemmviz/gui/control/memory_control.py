"""Plays recordings, one or two in step: from the session to the pictures, and from the player to all around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.domain.recordings.launches import same_grid
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.shown import Shown
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.requests.pairing import Moments
from gemmviz.explain.requests.selection import NOTHING
from gemmviz.gui.commands.entries import Entry, recording_entries
from gemmviz.gui.control.active_pane import ActivePane
from gemmviz.gui.control.choice_focus import ChoiceFocus
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.memory.pane_control import PaneControl
from gemmviz.gui.memory.playing.frame_sync import FrameSync
from gemmviz.gui.memory.playing.kept_place import kept_view
from gemmviz.gui.memory.playing.linked_view import Link
from gemmviz.gui.memory.playing.offers import Offer, Offers
from gemmviz.gui.memory.playing.pending_recording import PendingRecording
from gemmviz.gui.memory.playing.playback import Begin, Playback, frame_kept_of
from gemmviz.gui.memory.playing.watched import watched_in
from gemmviz.gui.memory.selection_link import SelectionLink
from gemmviz.gui.memory.slider_hazards import SliderHazards
from gemmviz.gui.notices.notice import NoticeKind
from gemmviz.gui.player.hidden_pause import HiddenPause
from gemmviz.gui.player.moments import first_frame
from gemmviz.gui.player.player import Player
from gemmviz.gui.player.player_wiring import connect_player
from gemmviz.gui.presentation.memory_presentation import presentation_of
from gemmviz.gui.recording.block_names import Watched
from gemmviz.gui.recording.grids import FIRST, SECOND, Block, Grid, Playable, grid_with, grids_of, to_show
from gemmviz.trace.frames.plan import FrameMode


class MemoryControl(QObject):
    """Holds one or two playbacks. What is to be recorded it asks for; the recording comes with a session."""

    record_asked = Signal(object, str, object, object)
    """The RunSpec whose size and inputs are wanted, the id of a kernel, its blocks, none for the whole grid, and the
    CodeForm, or None for the usual one.
    """
    run_shown = Signal(object)
    """The TraceRun of which a frame is shown, or None for none: its source belongs beside it."""
    chosen_changed = Signal(bool)
    """Whether something is chosen in the picture that is followed."""
    notified = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""

    def __init__(self, parts: Parts, parent: QObject | None = None, present: QAction | None = None) -> None:
        """`present` is what a person does to begin the presentation."""
        super().__init__(parent)
        self._parts = parts
        self._session: Session | None = None
        self._grids: tuple[Grid, ...] = ()
        self._offers = Offers()
        self._pending: PendingRecording | None = None
        self._to_see: tuple[int, Hazard] | None = None
        self.player = Player(parent=self)
        self._playbacks = Playback(parts.memory, self), Playback(parts.beside, self)
        self._sync = FrameSync(self._playbacks, self.player, self)
        self._active_pane = ActivePane(parts, self._playbacks, self)
        self._around = PaneControl(parts.memory_page.panes, self._playbacks, self)
        self.focus = ChoiceFocus(parts.memory_page, self._active_pane)
        self._selections = SelectionLink(self._playbacks, self)
        self._link = Link(parts.memory, parts.beside, self)
        self._heat = HeatKind.NONE
        self._hazards = SliderHazards(self._playbacks, self)
        page = parts.memory_page
        self.presentation = presentation_of(page, self._playbacks, self.player, self, present)
        self.presentation.refused.connect(lambda words: self.notified.emit(NoticeKind.INFO, words, ""))
        connect_player(self.player, parts.player_bar, lambda: page.in_sight(self.player), page.bring_playable)
        HiddenPause(self.player, page.pictures)
        self._connect()

    @property
    def played(self) -> tuple[Playable | None, Playable | None]:
        """What the two pictures play."""
        first, second = self._playbacks
        return first.playable, second.playable

    @property
    def watched(self) -> Watched | None:
        """What plays in the picture a person has turned to, its frame and how it is shown; None for nothing."""
        place = self._active_pane.place
        return watched_in(self._playbacks, place, self._heat, self._sync, self._version_names)

    @property
    def shown(self) -> Shown | None:
        """What is played, to be kept with the session; None for nothing."""
        traces, page = self._session.traces if self._session is not None else (), self._parts.memory_page
        first, beside = (frame_kept_of(each, traces, page.stages.layout_of(each.playable)) for each in self._playbacks)
        words = str(self._heat), str(self._sync.chosen or "")
        return Shown(first, beside, *words, memory_view=page.view_in_front) if first is not None else None

    def show_session(self, session: Session) -> None:
        """Play the newest recording if it is new, or what was shown when the session was saved, once it is opened."""
        before = self._session.traces if self._session is not None else ()
        is_opened = session.shown is not None and (self._session is None or session.shown is not self._session.shown)
        self._session, self._grids = session, grids_of(session.traces)
        new = [trace for trace in reversed(session.traces) if all(trace is not old for old in before)]
        pending = self._pending
        found = pending.among(new) if pending is not None else None
        if is_opened and session.shown is not None and self._show_again(session.shown):
            self._pending = None
        elif pending is not None and found is not None:
            self._pending = None
            self._open_from_here(pending.place, found)
            if pending.hazard is not None:
                self._to_see = pending.place, pending.hazard
        elif new and new[0] is session.traces[-1]:
            self._open_new(new[0])
        self._leave_what_is_gone()
        self._show_choices()
        if new:
            self.focus.recording_came()

    def set_offers(self, offers: Offers) -> None:
        """The kernels that could be recorded, and on what."""
        if offers != self._offers:
            self._offers = offers
            self._show_choices()

    @Slot()
    def forget_pending(self) -> None:
        """A recording begins for which a person pressed Record: it is not what was asked for here."""
        self._pending = None

    @Slot()
    def clear_chosen(self) -> None:
        """Choose no element, no thread and no warp any more."""
        self._active_pane.select(NOTHING)

    @Slot(object, object)
    def see(self, run: TraceRun, hazard: Hazard) -> None:
        """Show a hazard where it happens, once its block is recorded if it is not at hand."""
        grid = grid_with(self._grids, run)
        if grid is None:
            return
        self._parts.memory_page.show_animation()
        second = self.played[SECOND]
        place = SECOND if second is not None and grid.holds(second.run) else FIRST
        playable = grid.at(hazard.block)
        if playable is None:
            self._ask_block(place, run, hazard.block, hazard)
            return
        if not playable.is_same(self.played[place]):
            self._on_playable(place, playable)
        self._to_see = place, hazard
        self._see_it(place)

    def stop(self) -> None:
        """Nothing is played or made any more; for the end of the window."""
        self.presentation.end()
        self.player.pause()
        for playback in self._playbacks:
            playback.close()
        self._hazards.stop()

    def _connect(self) -> None:
        page, bar = self._parts.memory_page, self._parts.player_bar
        for place, playback in enumerate(self._playbacks):
            playback.failed.connect(lambda words: self.notified.emit(NoticeKind.ERROR, words, ""))
            playback.failed.connect(bar.expect_nothing)
            playback.ready.connect(partial(self._see_it, place))
            playback.view.block_chosen.connect(partial(self._on_block, place))
            page.panes[place].focused.connect(partial(self.turn_to, place))
            page.panes[place].clear_asked.connect(partial(playback.select, NOTHING))
        self._sync.moments_changed.connect(self._on_moments)
        self._hazards.marked.connect(bar.set_marks)
        self._sync.busy_changed.connect(bar.set_busy)
        self._active_pane.run_shown.connect(self.run_shown)
        for follow in (self._parts.figures.follow_recording, self._parts.pages.follow_recording):
            self.run_shown.connect(follow)
        self._active_pane.chosen_changed.connect(self.chosen_changed)
        self._active_pane.frame_wanted.connect(lambda index: self._sync.seek(self._active_pane.playback, index))
        bar.mode_chosen.connect(self._on_mode)
        page.options.heat_chosen.connect(self._on_heat)
        page.playable_chosen.connect(self._on_playable)
        page.side_chosen.connect(self.turn_to)
        page.trace_chosen.connect(lambda run: self.play(run, place=self._active_pane.place))
        page.hazard_chosen.connect(self.see)
        self._around.hazard_asked.connect(self.see)
        page.offer_chosen.connect(self._on_offer)
        page.options.step_chosen.connect(self._sync.use_step)
        page.options.link.clicked.connect(self._on_linked)
        page.options.swap.clicked.connect(self._on_swapped)

    def _show_again(self, shown: Shown) -> bool:
        """Show what was shown when the session was saved; False if the session does not have it."""
        kept = kept_view(self._session.traces, shown) if self._session is not None else None
        if kept is None:
            return False
        self._on_heat(kept.heat)
        self._parts.memory_page.show_again(self._heat, kept.memory_view)
        for place, picture in enumerate(kept.pictures):
            self._parts.memory_page.stages.keep_layout(picture.playable, picture.layout)
            self._open(place, picture.playable, picture.begin.mode, picture.begin)
        self._sync.use_step(kept.step)
        return True

    def _open_new(self, run: TraceRun) -> None:
        """A recording nobody was waiting for; two pictures that are compared stay two."""
        if not run.blocks:
            words = f"the recording of {run.spec.kernel} keeps no block to play. Record it again with one block"
            self.notified.emit(NoticeKind.WARNING, words, "")
            self._parts.player_bar.expect_nothing()
            return
        place, playable = to_show(run, *self.played)
        self._open(place, playable)
        self._active_pane.follow(place)

    def _leave_what_is_gone(self) -> None:
        """What was removed is played no longer; another recording of its block, or the newest, takes its place."""
        there = {id(trace) for trace in self._session.traces} if self._session is not None else set()
        first, second = self.played
        if second is not None and id(second.run) not in there:
            self._open(SECOND, None)
        if first is not None and id(first.run) not in there:
            own = next((grid for grid in self._grids if same_grid(grid.runs[0], first.run)), None)
            same = own.at(first.block) if own is not None else None
            self._open_from_here(FIRST, same or (self._grids[0].newest if self._grids else None))

    def _open_from_here(self, place: int, playable: Playable | None) -> None:
        """Another block of the launch that plays goes on in its mode and from its moment; all else begins anew."""
        playback, before = self._playbacks[place], self.played[place]
        if playable is not None and before is not None and same_grid(before.run, playable.run):
            self._open(place, playable, playback.mode, playback.place)
        else:
            self._open(place, playable)

    def _open(
        self, place: int, playable: Playable | None, mode: FrameMode | None = None, begin: Begin = first_frame
    ) -> None:
        self._to_see = None
        self._playbacks[place].open(playable, mode, begin)
        if place == FIRST:
            self._sync.hold()
        first, second = self.played
        if second is not None and (first is None or second.is_same(first)):
            self._playbacks[SECOND].open(None)
            second = None
        if second is None and place == SECOND:
            self._sync.settle()
        self._around.set_compared(second is not None)
        self._active_pane.follow(self._active_pane.place if second is not None else FIRST)
        if playable is None or place == self._active_pane.place:
            self._active_pane.show()
        if first is None:
            self._hazards.stop()
            self._parts.player_bar.set_count(0)
            self.run_shown.emit(None)
        elif place == FIRST:
            self._parts.player_bar.expect_frames()

    @property
    def _version_names(self) -> VersionNames:
        session = self._session
        return session.version_names if session is not None else VersionNames()

    def _show_choices(self) -> None:
        """What can be chosen now, and what is at hand."""
        page, played, first = self._parts.memory_page, self.played, self.played[FIRST]
        traces, names = self._session.traces if self._session is not None else (), self._version_names
        offers = self._offers.beside(first.run if first is not None else None, self._grids)
        page.show_recordings(traces, self._grids, played, offers, names)
        page.options.show_step(self._sync.step)
        page.show_active(self._active_pane.place)
        self._show_link()
        for playback in self._playbacks:
            grid = grid_with(self._grids, playback.playable.run) if playback.playable is not None else None
            if grid is not None:
                playback.view.show_recorded_blocks(each.block[:2] for each in grid.blocks)

    def ask(self, pending: PendingRecording, blocks: tuple[Block, ...]) -> None:
        """Ask for a recording, and remember what it is for."""
        self._pending = pending
        self.record_asked.emit(pending.spec, pending.kernel, blocks, pending.form)

    def _ask_block(self, place: int, run: TraceRun, block: Block, hazard: Hazard | None = None) -> None:
        """Ask for another block of a recording's launch, in its form."""
        self.ask(PendingRecording(place, run.spec.kernel, run.spec, block, hazard, run.form), (block,))

    def _see_it(self, place: int) -> None:
        """Go to the hazard that was to be seen, once its frames are there."""
        facts = self._playbacks[place].facts
        if self._to_see is None or self._to_see[0] != place or facts is None:
            return
        (_, hazard), self._to_see = self._to_see, None
        self._playbacks[place].lead_with(hazard)
        if (index := facts.frame_of(hazard)) is not None:
            self.player.pause()
            self._sync.seek(self._playbacks[place], index)
            self._active_pane.follow(place)

    def _on_moments(self, moments: Moments) -> None:
        bar, index = self._parts.player_bar, self.player.index
        bar.set_count(moments.count, is_recorded=True)
        if self.player.playing:
            self.player.seek(index)  # frames that were waited for begin with the first
        self._hazards.show(moments)
        bar.show_index(self.player.index)
        self._parts.memory_page.options.show_step(self._sync.step)
        self._parts.memory_page.show_waiting(self._sync.waiting_words)

    def turn_to(self, place: int) -> None:
        """Let the panels follow the first (0) or the second (1) of two pictures."""
        if self.played[SECOND] is not None:
            self._active_pane.follow(place)

    @Slot(object)
    def _on_heat(self, kind: HeatKind) -> None:
        self._heat = kind
        for playback in self._playbacks:
            playback.view.set_heat(kind)

    def _on_block(self, place: int, x: int, y: int) -> None:
        """A block of C was clicked: play it if it is at hand, else ask for it."""
        playable = self.played[place]
        grid = grid_with(self._grids, playable.run) if playable is not None else None
        if playable is None or grid is None:
            return
        block = (x, y, 0)
        if (there := grid.at(block)) is None:
            self._ask_block(place, playable.run, block)
        else:
            self._on_playable(place, there)

    @Slot(object)
    def _on_mode(self, mode: FrameMode) -> None:
        for place, playable in enumerate(self.played):
            if playable is not None:
                self._open(place, playable, mode, self._playbacks[place].place)

    @Slot(int, object)
    def _on_playable(self, place: int, playable: Playable | None) -> None:
        self._open_from_here(place, playable)
        self._show_choices()

    def entries(self, show_tab: Callable[[str], object]) -> list[Entry]:
        """The recordings of the session, for the command palette; one that is chosen plays on the page of memory."""
        session, play = self._session, lambda run: (show_tab(TABS[0]), self.play(run))
        return recording_entries(session, play) if session is not None else []

    @Slot(object)
    def play(self, run: TraceRun, number: int = 0, place: int = FIRST) -> None:
        """Play a block of a recording of the session, if it keeps one."""
        if run.blocks and grid_with(self._grids, run) is not None:
            self._on_playable(place, Playable(run, number))
            self._active_pane.follow(place)

    @Slot(object)
    def play_one_of(self, runs: Sequence[TraceRun]) -> None:
        """Turn to the picture of one of some recordings, or play the last of them where none is in view."""
        there = {id(run) for run in runs}
        in_view = (place for place, each in enumerate(self.played) if each is not None and id(each.run) in there)
        place = next(in_view, None)
        if place is not None:
            self.turn_to(place)
        elif runs:
            self.play(runs[-1])

    @Slot(object)
    def _on_offer(self, offer: Offer) -> None:
        """Record another kernel with the size, the inputs and the form of the first, to stand beside it."""
        first = self.played[FIRST]
        if first is not None:
            pending = PendingRecording(SECOND, offer.kernel, first.run.spec, form=offer.form)
            self.ask(pending, self._offers.blocks_beside(offer.kernel, first))

    @Slot()
    def _on_swapped(self) -> None:
        """Exchange the two pictures: each goes on from its moment, and the panels stay with the one that they show."""
        place = SECOND - self._active_pane.place
        before = [(each.playable, each.mode, each.place, each.selection) for each in reversed(self._playbacks)]
        for number, (playable, mode, moment, _) in enumerate(before):
            self._open(number, playable, mode, moment)
        for playback, (*_, selection) in zip(self._playbacks, before, strict=True):
            playback.select(selection)
        self._show_choices()
        self.turn_to(place)

    @Slot(bool)
    def _on_linked(self, wanted: bool) -> None:
        self._link.is_wanted = wanted
        self._show_link()

    def _show_link(self) -> None:
        is_possible = self._link.show_played(*self.played, self._active_pane.place)
        self._parts.memory_page.options.show_linked(self._link.is_on, is_possible)
