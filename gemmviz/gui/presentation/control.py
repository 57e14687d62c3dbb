"""Presents what is played: lends the pictures to the whole screen and puts them back; of a stage it shows a twin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from gemmviz.domain.recordings.access import Space
from gemmviz.explain.requests.block_requests import first_request_in
from gemmviz.gui.memory.hazard_sentences import recording_warning, warning_of
from gemmviz.gui.memory.pane import MemoryPane
from gemmviz.gui.memory.playing.linked_view import LinkedView
from gemmviz.gui.memory.playing.playback import Playback
from gemmviz.gui.memory.stage_pages import StagePages
from gemmviz.gui.memory_view.places.camera import Camera
from gemmviz.gui.memory_view.sampled_frames import sampled
from gemmviz.gui.player.caption_label import split_caption
from gemmviz.gui.player.player import Player
from gemmviz.gui.presentation.screen import PresentationScreen
from gemmviz.gui.presentation.slide import slide_text
from gemmviz.gui.presentation.stage import PresentationStage
from gemmviz.gui.recording.block_names import totals_words
from gemmviz.gui.recording.grids import Playable
from gemmviz.gui.stages.bank_stage import BankStage
from gemmviz.gui.stages.request_stage import RequestStage
from gemmviz.gui.work.last_work import Asked, LastWork

STILL_LOADING = "The requests of this block are still loading. Present them when they are shown."
PREPARING = "Preparing the frames. The presentation begins when they are ready."
NOTHING = "Nothing to present: record a block first (F6), or open a session with a recording."
RECORDING = "The recording is not finished yet. Press F11 again when it is shown."


@dataclass(frozen=True, slots=True)
class _Lent:
    """A view that is on the screen, and how it was before."""

    pane: MemoryPane
    camera: Camera
    policy: Qt.FocusPolicy


class PresentationControl(QObject):
    """Begins and ends the presentation. `panes` hold the pictures of `playbacks`; the second may play nothing.

    A stage of `stages` that is in front is presented instead. `titles` are what tells two pictures apart.
    """

    refused = Signal(str)
    """Why there is no presentation, as a sentence."""
    changed = Signal(bool)
    """Whether it is going on."""
    view_asked = Signal(int)
    """The animation, the banks or the sectors are wanted in front: 0, 1 or 2."""
    other_asked = Signal()
    """The request of the other recording is wanted in place of the one that is shown."""
    swap_asked = Signal()
    """The two pictures are to be exchanged."""
    outdated = Signal()
    """The block whose request is on the screen is not the one that is chosen any more."""

    def __init__(
        self,
        panes: tuple[MemoryPane, ...],
        playbacks: tuple[Playback, ...],
        player: Player,
        stages: StagePages,
        titles: Callable[[], Sequence[str]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._titles = titles
        self._panes, self._playbacks, self._player, self._stages = panes, playbacks, player, stages
        self._twin: RequestStage | None = None
        self._origin: RequestStage | None = None
        self._screen: PresentationScreen | None = None
        self._lent: list[_Lent] = []
        self._focus: QWidget | None = None
        self._last_work: LastWork | None = None
        self._is_awaited = False  # whether a person wants it to begin once the frames are made
        for place, playback in enumerate(playbacks):
            playback.frame_shown.connect(partial(self._show_text, place))
            playback.totals_counted.connect(self._show_totals)
            playback.ready.connect(self._keep_captions)
            playback.ready.connect(self._begin_if_awaited)
        stages.block_changed.connect(self._on_block_changed)

    @property
    def screen(self) -> PresentationScreen | None:
        """The window of the presentation; None while there is none."""
        return self._screen

    @property
    def is_empty(self) -> bool:
        """Whether no picture and no request is there to be presented."""
        return self._stages.playable is None and all(playback.playable is None for playback in self._playbacks)

    @property
    def is_loading(self) -> bool:
        """Whether the requests of the view in front are still being loaded."""
        return self._stages.in_front is not None and self._stages.in_front.is_busy

    @property
    def why_nothing(self) -> str:
        """What to say where no recording is there to be presented."""
        last = self._last_work
        is_recording = last is not None and last.is_running and last.asked is Asked.RECORDING
        return RECORDING if is_recording else NOTHING

    @Slot(object)
    def show_work(self, last: LastWork | None) -> None:
        """Know what was asked of the engine last."""
        self._last_work = last

    @Slot()
    def toggle(self) -> None:
        """Begin, or end. While frames are prepared that is said, and it begins once they are there."""
        self._is_awaited = self._screen is None and self._stages.in_front is None and self._is_preparing
        if self._is_awaited:
            self.refused.emit(PREPARING)
        elif self._screen is None:
            self.begin()
        else:
            self.end()

    @property
    def _is_preparing(self) -> bool:
        return any(each.playable is not None and each.facts is None for each in self._playbacks)

    @Slot()
    def _begin_if_awaited(self) -> None:
        """Begin what was asked for, unless a person has turned to something else meanwhile."""
        if self._is_awaited and not self._is_preparing:
            self._is_awaited = False
            if self._panes[0].isVisible() and self._stages.in_front is None:
                self.begin()

    def begin(self) -> None:
        """Show one picture, or two where two are compared, or the request of a stage, on the whole screen."""
        stage, playable = self._stages.in_front, self._stages.playable
        if self._screen is None and stage is not None and playable is not None:
            if stage.is_busy:
                self.refused.emit(STILL_LOADING)
                return
            self._focus = self._focus_in_window()
            self._twin, self._origin = stage.twin(stage.picture.theme), stage
            hazards = bool(playable.run.hazards)
            self._show(
                PresentationStage([self._twin.picture], [playable.run.spec.shape], hazards=hazards), self._twin.player
            )
            say = partial(self._show_request, playable)
            self._twin.request_shown.connect(say)
            if isinstance(self._twin, BankStage):
                self._twin.layout_changed.connect(say)
            say()
            return
        shown = [pane for pane, playback in zip(self._panes, self._playbacks, strict=True) if playback.playable]
        if self._screen is not None or not shown:
            if not shown:
                self.refused.emit(self.why_nothing)
            return
        self._focus = self._focus_in_window()
        views = []
        for pane in shown:
            view = pane.lend_view()
            camera = view.camera if isinstance(view, LinkedView) else Camera()
            self._lent.append(_Lent(pane, camera, view.focusPolicy()))
            view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            views.append(view)
        runs = [each.playable.run for each in self._playbacks if each.playable is not None]
        compares = len(shown) == 2 and not totals_words(runs[0], runs[1])
        hazards = any(map(self._has_hazards, self._playbacks))
        shapes = [run.spec.shape for run in runs]
        self._show(PresentationStage(views, shapes, hazards=hazards, compares=compares), self._player)
        self._keep_captions()
        for view in views:
            view.fit()
        for place, playback in enumerate(self._playbacks):
            if playback.frame is not None:
                self._show_text(place, playback.frame)
        self._show_totals()

    def _show(self, stage: PresentationStage, player: Player) -> None:
        one_of_two = self._twin is not None and all(each.playable is not None for each in self._playbacks)
        window = self._panes[0].window()
        self._screen = PresentationScreen(stage, player, window, self._twin, one_of_two=one_of_two)
        self._screen.left.connect(self.end)
        self._screen.view_asked.connect(self._show_view)
        self._screen.other_asked.connect(self.other_asked)
        self._screen.swap_asked.connect(self.swap_asked)
        self._screen.setGeometry(window.screen().geometry())  # the screen that the window is on
        self._screen.showFullScreen()
        self._screen.activateWindow()
        self._screen.setFocus()
        self.changed.emit(True)

    def _show_view(self, view: int) -> None:
        """Bring a view to the front; a stage shows the first request of the frame that is shown."""
        self.view_asked.emit(view)
        stage, shown = self._stages.in_front, self._stages.playable
        playback = next((each for each in self._playbacks if shown is not None and shown.is_same(each.playable)), None)
        if stage is None or playback is None or playback.frames is None or playback.block is None:
            return
        space = Space.SHARED if isinstance(stage, BankStage) else Space.GLOBAL
        found = first_request_in(playback.block, space, playback.frames.span(playback.index).slots)
        if found is not None:
            stage.choose_request(*found)

    @Slot()
    def end(self) -> None:
        """Put the pictures back as they were; the stage shows what was chosen on the whole screen."""
        screen, self._screen = self._screen, None
        if screen is None:
            return
        screen.stage.release()
        if self._twin is not None and self._origin is not None:
            self._twin.show_end()  # nothing of it moves any more
            self._origin.follow(self._twin)
            self._twin.picture.setParent(self._twin)
            self._twin.deleteLater()
            self._twin = self._origin = None
        for lent in self._lent:
            view = lent.pane.take_view_back()
            view.setFocusPolicy(lent.policy)
            if isinstance(view, LinkedView):
                view.show_camera(lent.camera)
        self._lent.clear()
        screen.hide()
        screen.deleteLater()
        window = self._panes[0].window()
        window.activateWindow()
        if self._focus is not None and isValid(self._focus):
            self._focus.setFocus()
        self._focus = None
        self.changed.emit(False)

    def _focus_in_window(self) -> QWidget | None:
        """What has the keyboard in the window; None where a presentation has it that this one takes the place of."""
        focus = QApplication.focusWidget()
        return focus if focus is not None and focus.window() is self._panes[0].window() else None

    @Slot()
    def _on_block_changed(self) -> None:
        if self._twin is not None:
            self.outdated.emit()

    def _show_text(self, place: int, _frame: object) -> None:
        playback = self._playbacks[place]
        if self._screen is None or self._twin is not None or playback.playable is None or playback.frame is None:
            return
        if place < len(self._screen.stage.texts):
            run, block, facts = playback.playable.run, playback.playable.block, playback.facts
            wrong = (
                warning_of(playback.frame, run, facts, playback.block, playback.leading) if facts is not None else ""
            )
            head, sentence = split_caption(playback.frame.caption)
            count = len(self._screen.stage.texts)
            others = [each.playable for other, each in enumerate(self._playbacks[:count]) if other != place]
            beside = next((each.run for each in others if each is not None), None)
            title = next(iter(self._titles()[place : place + 1]), "") if beside is not None else ""
            text = slide_text(run, block, head, sentence, wrong, beside, title=title)
            self._screen.stage.show_text(place, text)
            self._show_so_far(place)

    def _show_totals(self) -> None:
        """Compare the totals of the whole blocks: what they have done by one moment is seldom the same work."""
        if self._screen is not None and self._screen.stage.totals:
            for place, playback in enumerate(self._playbacks):
                self._screen.stage.show_totals(place, playback.totals.in_all if playback.totals is not None else None)
                self._show_so_far(place)

    def _show_so_far(self, place: int) -> None:
        """Show what the block has done by the end of its frame."""
        if self._screen is not None and self._screen.stage.totals:
            self._screen.stage.show_so_far(place, self._playbacks[place].totals_so_far)

    def _keep_captions(self) -> None:
        """Know what captions other frames have, so that type does not jump from frame to frame."""
        if self._screen is None or self._twin is not None:
            return
        found: list[list[tuple[str, str]]] = []
        for playback in self._playbacks[: len(self._screen.stage.texts)]:
            frames = playback.frames
            indices = sampled(range(len(frames))) if frames is not None else ()
            found.append(
                [split_caption(frames.frame(index).caption) for index in indices] if frames is not None else []
            )
        self._screen.stage.keep_captions(tuple(zip_longest(*found, fillvalue=("", ""))))

    @staticmethod
    def _has_hazards(playback: Playback) -> bool:
        return playback.playable is not None and bool(playback.playable.run.hazards)

    def _show_request(self, playable: Playable, _changed: object = None) -> None:
        if self._screen is not None and self._twin is not None:
            twin, run = self._twin, playable.run
            is_modelled = isinstance(twin, BankStage) and twin.is_modelled
            wrong = recording_warning(run)
            places = (place for place, each in enumerate(self._playbacks) if playable.is_same(each.playable))
            title = next((title for place in places for title in self._titles()[place : place + 1]), "")
            text = slide_text(run, playable.block, *twin.presented, wrong, title=title, is_modelled=is_modelled)
            self._screen.stage.show_text(0, text)
