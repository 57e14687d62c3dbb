"""One warp request of a recorded block, large, step by step: what both stages have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gemmviz.domain.recordings.access import BlockTrace, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.requests.block_requests import BlockRequests
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.gui.looks.own_sheet import set_sheet
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.player.player import Player
from gemmviz.gui.player.schedule import speed_for
from gemmviz.gui.stages.own_keys import Keys, OwnKeys
from gemmviz.gui.stages.request_chooser import CHOOSER_KEYS, RequestChooser
from gemmviz.gui.stages.stage_canvas import StageCanvas
from gemmviz.gui.stages.stage_picture import StagePicture
from gemmviz.gui.stages.stage_words import LOOKING, NO_BLOCK, nothing_words
from gemmviz.gui.stages.transport import Shows, Transport
from gemmviz.gui.tasks.latest_only import LatestOnly
from gemmviz.gui.widgets.focus_ring import is_by_keys
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.roomy_label import RoomyLabel

MARGIN, NARROW = 16, 760


class RequestStage(QWidget):
    """Shows the request that costs most until another one is chosen, finished until it is played.

    What is asked while the requests of a block are still gathered, on another thread, is done once they are there; one
    that `gathers_at_once` does it in this thread, for pictures.
    """

    finished = Signal()
    """A request that was played is over."""
    request_shown = Signal(object)
    """The LaneRequest from now on, or None."""
    refused = Signal(str)
    """Why a key changes nothing, as a sentence."""

    def __init__(self, name: str, space: Space, canvas: StageCanvas, theme: Theme, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._space, self._canvas = space, canvas
        self._block: BlockTrace | None = None
        self._requests: BlockRequests | None = None
        self._wanted: tuple[int, int] | None = None
        self._shows, self._reduced_motion, self.gathers_at_once = Shows.END, False, False
        self._newest = LatestOnly(self)
        self._player = Player(parent=self)
        self._chooser = RequestChooser(name, theme)
        self._transport = Transport(name, theme)
        self._sentence = named(RoomyLabel(), f"{name}Sentence", role="title")
        self._detail = named(RoomyLabel(), f"{name}Detail", role="muted")
        self._card, self._controls = named(QFrame(), f"{name}Card", role="card"), QWidget()
        self._theme = theme
        self.installEventFilter(OwnKeys(self))
        self._connect()

    @property
    def sentence(self) -> str:
        """What is seen, as one sentence."""
        return self._canvas.instead

    @property
    def request(self) -> LaneRequest | None:
        """The request that is shown; None while requests are gathered, or where there are none."""
        return self._canvas.request

    @property
    def player(self) -> Player:
        """The clock of the steps."""
        return self._player

    @property
    def is_busy(self) -> bool:
        """Whether the requests of a block are still gathered."""
        return self._block is not None and self._requests is None

    @property
    def is_playing(self) -> bool:
        """Whether the request plays, or will as soon as it is there."""
        return self._player.playing or (self.is_busy and self._shows is Shows.PLAY)

    @property
    def reduced_motion(self) -> bool:
        """Whether things jump to their places."""
        return self._reduced_motion

    def show_block(self, run: TraceRun | None, block: BlockTrace | None) -> None:
        """Take a recorded block and show its request that costs most; None: there is none."""
        self._newest.forget()
        self._block = block if run is not None else None
        self._requests = self._wanted = None
        self._shows = Shows.END
        self._chooser.show_requests(None)
        self._show_nothing(LOOKING if self._block is not None else NO_BLOCK)
        if self._block is not None and self.gathers_at_once:
            self._on_gathered(self.gather(self._block))
        elif self._block is not None:
            self._newest.start(partial(self.gather, self._block), self._on_gathered, self._on_failed)

    @Slot(int, int)
    def choose_request(self, site_index: int, place: int) -> None:
        """Show a recorded request: the index of its site in the recording, and its place among the requests of that
        site, counted from 0. One that the block does not have changes nothing."""
        if self.is_busy:
            self._wanted = site_index, place
        elif self._requests is not None:
            self._choose(*self._shown_place((site_index, place)))

    @Slot()
    def play(self) -> None:
        """Play the request; from its start if it is over. With reduced motion its end is shown at once."""
        self._shows = Shows.PLAY
        if self.is_busy:
            return
        if self._reduced_motion or not self._canvas.steps:
            self._player.last()
            self.finished.emit()
        else:
            self._player.play()

    @Slot()
    def pause(self) -> None:
        """Stay where it is."""
        self._shows = Shows.START if self._shows is Shows.PLAY else self._shows
        self._player.pause()

    @Slot()
    def restart(self) -> None:
        """Go back to the start of the request; playing goes on from there."""
        self._shows = self._shows if self.is_playing else Shows.START
        self._player.first()

    @Slot()
    def show_end(self) -> None:
        """Show the finished picture at once."""
        self._shows = Shows.END
        self._player.pause()
        self._player.last()

    @Slot(bool)
    def set_reduced_motion(self, reduced: bool) -> None:
        """Whether things jump to their places instead of moving there."""
        self._reduced_motion = reduced
        self._player.set_reduced_motion(reduced)
        if reduced and self._player.playing:
            self._player.last()
            self._player.pause()

    @property
    def presented(self) -> tuple[str, str]:
        """The same for a slide: how the array is laid out, "" where that cannot be changed, and the sentence."""
        return "", self.sentence if self.request is not None else ""

    @property
    def detail(self) -> str:
        """What else there is to say of the request, "" for nothing."""
        return self._detail.text()

    def twin(self, theme: Theme) -> RequestStage:
        """Another stage that shows the same request, as far as it has come; never on this one's page."""
        made = self._new(theme)
        made.set_reduced_motion(self._reduced_motion)
        made._show_nothing(self.sentence)
        if self._requests is not None and self.request is not None:
            made._requests = self._requests
            made._chooser.show_requests(self._requests)
            made.follow(self)
        return made

    def follow(self, other: RequestStage) -> None:
        """Show what another stage shows of the same block, as far as it has come; nothing changes for another block."""
        if self._requests is not None and self._requests is other._requests:
            self._choose(*other._chooser.choice)
            self._player.seek(other._player.index)
            self._canvas.set_progress(other._canvas.progress)

    @abstractmethod
    def table(self) -> PlotTable:
        """What the picture shows of the request: a row for each place that a lane needs."""

    @abstractmethod
    def _new(self, theme: Theme) -> RequestStage:
        """Another stage of this kind, which knows what was gathered here."""

    @property
    def controls(self) -> QWidget:
        """The choices and buttons below the picture."""
        return self._controls

    def set_controls_visible(self, visible: bool) -> None:
        """Whether the choices and buttons below the picture are shown; keys work without them."""
        self._controls.setVisible(visible)

    def set_choices_visible(self, visible: bool) -> None:
        """Whether another request can be chosen and played with controls; a layout can be tried without them."""
        for part in (self._chooser, self._transport):
            part.setVisible(visible)

    def set_words_visible(self, visible: bool) -> None:
        """Whether the sentence and its details are shown below the picture."""
        self._sentence.setVisible(visible)
        self._detail.setVisible(visible)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._show_focus(bool(self._card.styleSheet()))
        for part in (self._canvas, self._chooser, self._transport):
            part.set_theme(theme)

    @abstractmethod
    def gather(self, block: BlockTrace) -> Any:
        """What the stage needs of a block; runs on another thread."""

    @abstractmethod
    def _take(self, gathered: Any) -> BlockRequests:
        """Keep what was gathered; the requests to choose from."""

    @abstractmethod
    def _longest(self, block: BlockTrace) -> tuple[Sequence[str], Sequence[str]]:
        """The longest sentences and the longest of what else is said, to keep room for."""

    @abstractmethod
    def _show_request(self, request: LaneRequest) -> tuple[str, str]:
        """Show a request on the canvas; its sentence, and what else there is to say."""

    def _show_nothing(self, why: str) -> None:
        self._player.pause()
        self._player.set_count(0)
        self._transport.set_possible(False)
        self._clear()
        self._say(why, "")
        self.request_shown.emit(None)

    @abstractmethod
    def _clear(self) -> None:
        """Show no request on the canvas."""

    def _say(self, sentence: str, detail: str) -> None:
        """Say this of the request below the picture; where there is none, in the middle of it."""
        self._sentence.setText(sentence if self.request is not None else "")
        self._canvas.say_instead(sentence)
        self._detail.setText(detail)
        self._canvas.setAccessibleName(sentence)
        self.setAccessibleDescription(sentence)

    def _on_gathered(self, gathered: Any) -> None:
        self._requests = self._take(gathered)
        self._chooser.show_requests(self._requests)
        for label, longest in zip((self._sentence, self._detail), self._longest(self._requests.block), strict=True):
            label.keep_room_for(longest)
        worst, wanted = self._requests.worst, self._wanted
        if worst is None:
            self._show_nothing(nothing_words(self._space, self._requests.is_moved_whole))
        elif wanted is None or not self._choose(*self._shown_place(wanted)):
            self._choose(*worst)
        if self._shows is Shows.PLAY:
            self.play()

    def _shown_place(self, recorded: tuple[int, int]) -> tuple[int, int]:
        """Where the site and place of a recorded request are among the requests to choose from."""
        return recorded

    def _on_failed(self, fault: Exception) -> None:
        self._block = None
        self._show_nothing(f"The requests of this block cannot be shown: {fault}.")

    def _choose(self, site: int, place: int) -> bool:
        """Show a request as far as it is to be shown; False if there is none such."""
        request = self._requests.request(site, place) if self._requests is not None else None
        if request is None:
            return False
        was_playing = self._player.playing
        self._player.pause()
        self._chooser.show_choice(site, place)
        self._say(*self._show_request(request))
        self._transport.set_possible(True)
        self._count_steps()
        (self._player.last if self._shows is Shows.END else self._player.first)()
        self._on_moved()
        if was_playing:
            self.play()
        self.request_shown.emit(request)
        return True

    def _count_steps(self) -> None:
        """The player has a frame before the first step and one after each."""
        steps = self._canvas.steps
        self._player.set_count(steps + 1)
        self._player.set_speed(speed_for(steps))

    @Slot()
    def _on_moved(self) -> None:
        index, arrival = self._player.index, self._player.arrival
        self._canvas.set_progress(index - 1 + arrival if index else 0.0)

    @Slot(bool)
    def _on_playing(self, playing: bool) -> None:
        self._transport.show_playing(playing)
        if not playing and self._player.index == self._player.count - 1:
            self._shows = Shows.END
            self.finished.emit()

    def _connect(self) -> None:
        player, transport = self._player, self._transport
        player.frame_changed.connect(self._on_moved)
        player.arrival_changed.connect(self._on_moved)
        player.playing_changed.connect(self._on_playing)
        self._chooser.chosen.connect(self._choose)
        self._chooser.refused.connect(lambda why: self.refused.emit(LOOKING if self.is_busy else why))
        transport.play_asked.connect(self.toggle)
        transport.restart_asked.connect(self.restart)
        transport.end_asked.connect(self.show_end)

    @Slot()
    def toggle(self) -> None:
        """Play, or pause."""
        if self.is_playing:
            self.pause()
        else:
            self.play()

    @Slot()
    def step_back(self) -> None:
        """Go one step back."""
        self._player.step_back()

    @Slot()
    def step_forward(self) -> None:
        """Go one step on."""
        self._player.step_forward()

    first, last = restart, show_end

    def _lay_out(self, beside: QWidget | None, above: QWidget | None) -> None:
        """Picture, controls and words; `beside` stands at the right of the picture, `above` over the choices."""
        self.picture = StagePicture(self._canvas, beside)
        choices = QHBoxLayout()
        choices.setSpacing(8)
        choices.addWidget(self._chooser, 1)
        choices.addWidget(self._transport)
        controls = QVBoxLayout(self._controls)
        controls.setContentsMargins(MARGIN, 0, MARGIN, 10)
        controls.setSpacing(8)
        if above is not None:
            controls.addWidget(above)
        controls.addLayout(choices)
        card = QVBoxLayout(self._card)
        card.setContentsMargins(0, 8, 0, 0)
        card.setSpacing(8)
        card.addWidget(self.picture, 1)
        card.addWidget(self._controls)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 4, MARGIN, 12)
        column.setSpacing(6)
        column.addWidget(self._card, 1)
        column.addWidget(self._sentence)
        column.addWidget(self._detail)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._chooser.set_narrow(event.size().width() < NARROW)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_focus(is_by_keys(event))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_focus(False)

    def _show_focus(self, is_shown: bool) -> None:
        """The card's edge says that keys brought the focus to the stage."""
        edge = f"#{self._card.objectName()} {{ border: 1px solid {self._theme.accent}; }}" if is_shown else ""
        set_sheet(self._card, edge)

    @property
    def keys(self) -> Keys:
        """What keys do here, and where the stage is presented."""
        steps: Keys = {(Qt.Key.Key_Right, False): self.step_forward, (Qt.Key.Key_Left, False): self.step_back}
        return {**steps, **self._transport.keys, **self._chooser.keys}

    @property
    def key_words(self) -> tuple[str, ...]:
        """What is changed by which keys, for a line of keys."""
        return CHOOSER_KEYS
