"""Plays one block of one recording on one picture: its frames, made on another thread, and what is chosen in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.domain.recordings.access import BlockTrace, Space
from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.shown import ShownFrame
from gemmviz.explain.block.running_totals import RunningTotals, TotalsSoFar
from gemmviz.explain.requests.frame_facts import FrameFacts
from gemmviz.explain.requests.loads import Loads
from gemmviz.explain.requests.machine_requests import RequestCode
from gemmviz.explain.requests.phase_figures import LoadsSoFar, loads_so_far
from gemmviz.explain.requests.selection import NOTHING, Element, Selection
from gemmviz.explain.requests.what_if import NewLayout
from gemmviz.explain.source.machine_words import differs_in
from gemmviz.gui.inspector.element_card import ElementCard, card_of
from gemmviz.gui.memory.playing.kept_place import kept_frame
from gemmviz.gui.memory.playing.making import Made, make, with_terms
from gemmviz.gui.memory.playing.prepared import Preparation, PreparedPicture
from gemmviz.gui.memory_view.paired_view import PairedView
from gemmviz.gui.player.frame_server import FrameServer
from gemmviz.gui.player.moments import FrameMoment, first_frame
from gemmviz.gui.recording.grids import Playable
from gemmviz.gui.tasks.background import Background
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.thread_variables import BlockVariables
from gemmviz.trace.frames.values import Frame

Answer = TypeVar("Answer")
Begin = Callable[[FrameFacts], int]
"""At which frame to begin, once it is known which there are."""


class Playback(QObject):
    """Shows the frame it is told to; which one that is, others decide."""

    opening = Signal()
    """Something else is being opened, or is closed: what was told before holds no longer."""
    ready = Signal()
    """What was opened can be gone to from now on: `facts` tells how far."""
    frame_shown = Signal(object)
    """The Frame that the picture shows now."""
    selected = Signal(object)
    """The Selection from now on."""
    card_made = Signal(object)
    """The Card of what is chosen, or else of what the pointer is on, in this frame; None for neither."""
    loads_counted = Signal(int, object)
    """A frame, and its LoadsSoFar."""
    totals_counted = Signal()
    """`totals` is there from now on."""
    leading_changed = Signal()
    """Another hazard is told first: `leading`."""
    failed = Signal(str)
    busy_changed = Signal(bool)

    def __init__(self, view: PairedView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.view = view
        self.block: BlockTrace | None = None
        self.facts: FrameFacts | None = None
        self.frame: Frame | None = None
        self.totals: RunningTotals | None = None
        self.leading: Hazard | None = None
        """The hazard of the recording that a person chose; it is told first."""
        self.makes_at_once = False
        """Whether what is prepared, and each frame, is made in this thread when it is asked for: for pictures."""
        self._playable: Playable | None = None
        self._made: Made | None = None
        self._moves = self._wants_totals = False
        self._index = self._landed = 0
        self._mode: FrameMode | None = None
        self._code = RequestCode.SASS
        self._begin: Begin = first_frame
        self._selection = NOTHING
        self._hovered: Element | None = None
        self._loads = Loads()
        self._variables: BlockVariables | None = None
        self._server = FrameServer(self)
        self._own = Background(self, threads=1)
        self._server.opened.connect(self._on_opened)
        self._server.frame_ready.connect(self._on_frame)
        self._server.failed.connect(self.failed)
        self._server.busy_changed.connect(self.busy_changed)
        view.element_chosen.connect(self._on_element)
        view.thread_chosen.connect(self._on_thread)
        view.element_hovered.connect(self._on_hovered)

    @property
    def playable(self) -> Playable | None:
        """What is played."""
        return self._playable

    @property
    def frames(self) -> Frames | None:
        """The frames of the picture; None while they are made."""
        return self._made.frames if self._made is not None else None

    @property
    def index(self) -> int:
        """The frame that is shown, or is on its way."""
        return self._index

    @property
    def recorded_index(self) -> int:
        """The same counted among the frames of the recorded requests."""
        return self.facts.recorded_index(self._index) if self.facts is not None and self.facts.count else self._index

    @property
    def mode(self) -> FrameMode | None:
        """The mode of its frames; while they are made the one that was asked for, None for the natural one."""
        return self.facts.mode if self.facts is not None else self._mode

    @property
    def code(self) -> RequestCode:
        """The code that its warp requests are shown of, where they are known in it."""
        return self._code

    def show_code(self, code: RequestCode) -> None:
        """Show its warp requests as a code has them, from the same moment on."""
        if code is self._code:
            return
        self._code = code
        facts = self.facts
        if facts is not None and facts.merged is not None and facts.mode is FrameMode.REQUEST:
            self.open(self._playable, facts.mode, self.place)

    @property
    def place(self) -> Begin:
        """Where it stands now, to begin there in other frames. One who did not move meanwhile comes back exactly."""
        has_moved = self._index != self._landed or not isinstance(self._begin, FrameMoment)
        return FrameMoment(self.facts, self._index) if self.facts is not None and has_moved else self._begin

    @property
    def selection(self) -> Selection:
        """What is chosen."""
        return self._selection

    def open(
        self,
        playable: Playable | None,
        mode: FrameMode | None = None,
        begin: Begin = first_frame,
        prepared: Preparation | None = None,
    ) -> None:
        """Open a block, the natural mode for None; ends in `ready` or `failed`. None closes what is open.

        What is chosen stays if the block does. What is `prepared` already is shown at once.
        """
        self._mode, self._begin = mode, begin
        same = playable is not None and playable.is_same(self._playable)
        if playable is None or self._playable is None or playable.run is not self._playable.run:
            self.leading = None
        self._server.close()
        self._own.cancel_all()
        self._playable = playable
        self.facts = self.frame = self.totals = self._made = None
        self._index = self._landed = 0
        self._moves, self._loads = False, Loads()
        if not same:
            self.block = self._variables = None
        if playable is not None and not same:
            stored = playable.run.blocks[playable.number]
            self.block = stored.trace(playable.run.sites, playable.run.arrays)
            self._variables = BlockVariables(self.block, stored.values, playable.run.launch.block)
        self.view.show_recording(playable.run if playable is not None else None, self.block, None)
        self.opening.emit()
        if not same:
            self.select(NOTHING)
        if playable is None:
            self.view.picture_state()  # a picture that is hidden now would keep what it painted last
        elif prepared is not None and self.makes_at_once:
            self.totals = prepared.get().totals
            self._use(prepared.get().made, prepared.get().facts)
        elif prepared is None:
            self._server.open(playable.run, playable.number, mode, self._code)
        else:
            if prepared.at_hand is not None:
                self._show(prepared.at_hand.made)
                if prepared.at_hand.first is not None:
                    self.view.show_frame(prepared.at_hand.first)
            self._own.start(prepared.get, self._adopt, self._on_failed)

    def close(self) -> None:
        """Nothing is made any more; for the end of the window."""
        self._server.close()
        self._own.cancel_all()

    def go(self, index: int) -> None:
        """Show a frame, as soon as it is made."""
        if self.facts is None or not 0 <= index < self.facts.count:
            return
        self._moves = index != self._index
        self._index = index
        if not self._moves and self.frame is not None:
            return
        if self.makes_at_once and self._made is not None:
            self._on_frame(index, self._made.frames.frame(index))
        else:
            self._server.request(index)

    def lead_with(self, hazard: Hazard) -> None:
        """Tell a hazard first that a person chose, as long as this recording is played."""
        self.leading = hazard
        self.leading_changed.emit()

    def show_arrival(self, fraction: float) -> None:
        """How far things have come. They move only towards a frame that is shown, and only if it is a new one."""
        arrived = self.frame is None or self.frame.index != self._index or not self._moves
        self.view.set_arrival(1.0 if arrived else min(max(fraction, 0.0), 1.0))

    def select(self, selection: Selection) -> None:
        """Mark an element, a thread or a warp."""
        self._selection = selection
        self.view.show_thread(selection.thread)
        self.view.show_warp(selection.warp)
        self.view.show_element(*selection.element) if selection.element else self.view.show_element(None)
        self.selected.emit(selection)
        self._ask_card()

    def count_totals(self, wanted: bool) -> None:
        """Whether `totals` shall be counted."""
        self._wants_totals = wanted
        made, block, playable = self._made, self.block, self._playable
        if not wanted or made is None or block is None or playable is None or self.totals is not None:
            return
        is_of_ptx = differs_in(playable.run.machine, Space.SHARED)
        self._own.start(
            lambda: RunningTotals(block, made.analysis.timeline, is_of_ptx=is_of_ptx), self._on_totals, self._on_failed
        )

    @property
    def totals_so_far(self) -> TotalsSoFar | None:
        """The totals up to the end of the frame that the picture shows; None while they are counted."""
        if self.totals is None or self.frame is None:
            return None
        return self.totals.until(self.frame)

    def ask(self, topic: str, question: Callable[[Frames], Answer], on_answer: Callable[[Answer], None]) -> None:
        """Put a question to the frames; see `FrameServer.ask`."""
        self._server.ask(topic, question, on_answer)

    def count_again(self) -> None:
        """Tell once more what is known of the frame that is shown, to one who has just begun to listen."""
        if self.frame is not None:
            self._ask_loads(self.frame)
            self._ask_card()

    @Slot(object)
    def _on_opened(self, facts: FrameFacts) -> None:
        playable, block = self._playable, self.block
        if playable is not None and block is not None:
            # The picture asks questions of its own, and Frames may be asked from one thread only.
            job = partial(make, playable.run, block, facts.mode, facts.merged, self._code)
            self._own.start(job, lambda made: self._use(made, facts), self._on_failed)

    def _adopt(self, prepared: PreparedPicture) -> None:
        self.totals = prepared.totals
        self._server.adopt(prepared.frames, prepared.facts, prepared.first)
        self._use(prepared.made, prepared.facts)

    def _use(self, made: Made, facts: FrameFacts) -> None:
        """Everything is there: show it."""
        self._made, self.facts = made, with_terms(facts, made.frames, made.analysis)
        self._index = self._landed = self._begin(self.facts)
        self._show(made)
        self.count_totals(self._wants_totals)
        self.ready.emit()

    def _show(self, made: Made) -> None:
        """Give the picture all but a frame."""
        if self._playable is not None:
            self.block = made.block
            self.view.show_recording(self._playable.run, made.frames.trace, made.frames, made.analysis)
            self.view.set_values(made.a, made.b, made.c)

    def _on_failed(self, error: Exception) -> None:
        self.failed.emit(f"the frames cannot be made: {error}")

    def _on_totals(self, totals: RunningTotals) -> None:
        self.totals = totals
        self.totals_counted.emit()

    @Slot(int, object)
    def _on_frame(self, index: int, frame: Frame) -> None:
        if self.facts is None or index >= self.facts.count:
            return
        self.frame = frame
        self.view.show_frame(frame)
        self.frame_shown.emit(frame)
        self._ask_loads(frame)
        self._ask_card()

    def _ask_loads(self, frame: Frame) -> None:
        loads = self._loads

        def tell(found: tuple[LoadsSoFar, ...]) -> None:
            self.loads_counted.emit(frame.index, found)

        self._server.ask("loads", lambda frames: loads_so_far(frames, frame, loads), tell, quietly=True)

    def _ask_card(self) -> None:
        frame, loads, variables = self.frame, self._loads, self._variables
        wanted = self._selection if not self._selection.is_empty else Selection(element=self._hovered)
        if frame is None or wanted.is_empty:
            self.card_made.emit(None)
            return

        def tell(card: ElementCard | None) -> None:
            now = self._selection if not self._selection.is_empty else Selection(element=self._hovered)
            if now == wanted:
                self.card_made.emit(card)

        self._server.ask("card", lambda frames: card_of(frames, frame, wanted, loads, variables), tell, quietly=True)

    @Slot(object)
    def _on_element(self, element: Element | None) -> None:
        self.select(Selection(element=element))

    @Slot(int)
    def _on_thread(self, thread: int) -> None:
        """The view tells the element of C first and then the thread that makes it."""
        self.select(Selection(element=self._selection.element, thread=thread))

    @Slot(object)
    def _on_hovered(self, element: Element | None) -> None:
        self._hovered = element
        if self._selection.is_empty:
            self._ask_card()


def frame_kept_of(playback: Playback, traces: Sequence[TraceRun], layout: NewLayout) -> ShownFrame | None:
    """What a session keeps of a playback, and the layout tried on its banks; None for one that plays nothing of it."""
    if playback.mode is None:
        return None
    return kept_frame(traces, playback.playable, playback.mode, playback.recorded_index, layout)
