"""Plays one recording, or two in step, on memory views, and tells frames and totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.running_totals import TotalsSoFar
from gemmviz.explain.requests.frame_facts import FrameFacts
from gemmviz.explain.requests.pairing import PairStep
from gemmviz.explain.requests.selection import Selection
from gemmviz.gui.memory.playing.frame_sync import FrameSync
from gemmviz.gui.memory.playing.playback import Playback
from gemmviz.gui.memory.playing.prepared import Preparation
from gemmviz.gui.memory_view.paired_view import PairedView
from gemmviz.gui.player.player import Player
from gemmviz.gui.player.schedule import SPEEDS, arrival_after, frame_seconds, motion_seconds
from gemmviz.gui.recording.grids import Playable
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.values import Frame

Prepare = Callable[[int, TraceRun, FrameMode, int], Preparation]
"""Makes a recording ready: for picture 0 or 1, in a mode, from a frame on."""
_ROUNDING = 1e-9
"""Of a frame: seconds are no whole numbers."""


class PicturePlayer(QObject):
    """Drives up to two views from frame `start` to frame `stop`, counted in moments where two play.

    `prepare` may be replaced by one that has prepared recordings ahead.
    """

    frame_shown = Signal(int, object)
    """0 or 1 for the picture, and its Frame."""
    totals_shown = Signal(int, object)
    """0 or 1 for the picture, and its TotalsSoFar."""
    playing_changed = Signal(bool)
    ended = Signal()
    """Frame `stop` was reached by playing."""
    failed = Signal(str)

    def __init__(self, views: tuple[PairedView, PairedView], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.prepare: Prepare = lambda _place, run, mode, start: Preparation(run, mode, start)
        self._player = Player(parent=self)
        self._playbacks = Playback(views[0], self), Playback(views[1], self)
        self._frame_sync = FrameSync(self._playbacks, self._player, self)
        self._start, self._stop, self._starts_playing, self._awaited = 0, -1, False, 0
        self._still: int | None = None
        for place, playback in enumerate(self._playbacks):
            playback.count_totals(wanted=True)
            playback.frame_shown.connect(lambda frame, place=place: self._on_frame(place, frame))
            playback.totals_counted.connect(lambda place=place: self._show_totals(place))
            playback.ready.connect(self._on_ready)
            playback.failed.connect(self.failed)
        self._player.frame_changed.connect(self._on_index)
        self._player.playing_changed.connect(self.playing_changed)

    @property
    def is_playing(self) -> bool:
        return self._player.playing

    @property
    def index(self) -> int:
        """The moment that shows: of one picture its frame."""
        return self._player.index

    @property
    def first_index(self) -> int:
        """The frame of the first picture."""
        return self._playbacks[0].index

    @property
    def end(self) -> int:
        """The moment at which the step ends."""
        return self._place(self._stop)

    @property
    def facts(self) -> FrameFacts | None:
        """What is known of the first recording's frames; None until they are made."""
        return self._playbacks[0].facts

    @property
    def is_paired(self) -> bool:
        """Whether there are two pictures, and the frames of both are made."""
        return self._frame_sync.is_paired

    @property
    def pair_step(self) -> PairStep:
        """What two pictures keep step by, once they are paired."""
        return self._frame_sync.step

    @property
    def moment(self) -> tuple[int, int]:
        """The moment of two pictures that shows, from 0, and how many there are."""
        return self._frame_sync.moment

    @property
    def modes(self) -> tuple[FrameMode | None, FrameMode | None]:
        """How the recording of each picture is divided into frames."""
        first, second = self._playbacks
        return first.mode, second.mode

    @property
    def selections(self) -> tuple[Selection, Selection]:
        """What is chosen in each picture."""
        first, second = self._playbacks
        return first.selection, second.selection

    @property
    def seconds(self) -> float:
        """How long playing takes from the beginning of the step to its end."""
        steps, speed = self.end - self._place(self._start), self._player.speed
        return steps * frame_seconds(speed) + motion_seconds(speed) if steps > 0 else 0.0

    @property
    def rest(self) -> int:
        """The moment that was named as the one to show still; else that at which a step ends that plays by itself, and
        at which any other one begins.
        """
        if self._still is not None:
            return self._place(self._still)
        return self.end if self._starts_playing else self._place(self._start)

    def at(self, seconds: float) -> tuple[int, float]:
        """The moment that shows so many seconds after the step began to play, and how far its tiles have come."""
        each, lasts = frame_seconds(self._player.speed), motion_seconds(self._player.speed)
        first = self._place(self._start)
        steps = min(max(int(seconds / each + _ROUNDING), 0), self.end - first)
        return first + steps, arrival_after(max(seconds - steps * each, 0.0), lasts) if steps else 1.0

    def show_at(self, index: int, arrival: float) -> None:
        """Pause at a moment, with its tiles so far on their way."""
        self._player.show_at(index, arrival)

    def make_at_once(self) -> None:
        """Make frames in this thread from now on, when they are asked for."""
        for playback in self._playbacks:
            playback.makes_at_once = True

    def totals_so_far(self, place: int) -> TotalsSoFar | None:
        """The totals of the frames that picture 0 or 1 has done; None while they are counted."""
        return self._playbacks[place].totals_so_far

    def show(
        self,
        runs: Sequence[TraceRun],
        mode: FrameMode,
        *,
        start: int = 0,
        stop: int = -1,
        still: int | None = None,
        speed: float = 1.0,
        plays: bool = True,
        align: str = "",
        thread: int | None = None,
    ) -> None:
        """Open one or two recordings, play them once they are ready, at about `speed` frames per second."""
        self._player.pause()
        self._start, self._stop, self._still, self._starts_playing = start, stop, still, plays
        self._player.set_speed(nearest_speed(speed))
        self._awaited = len(runs)
        begin: Callable[[FrameFacts], int] = self._begin
        for place, playback in enumerate(self._playbacks):
            run = runs[place] if place < len(runs) else None
            if run is None:
                playback.open(None)
            else:
                playback.open(Playable(run), mode, begin, self.prepare(place, run, mode, start))
                playback.select(Selection(thread=thread))
        # Now that the recordings before are closed, so that no frame of theirs is shown once more.
        self._frame_sync.hold()
        self._frame_sync.use_step(PairStep(align) if align else None)

    def replay(self) -> None:
        """Play from `start`."""
        self._player.pause()
        self._player.seek(self._place(self._start))
        self._player.play()

    def toggle(self) -> None:
        """Play or pause; at the end, play again."""
        if not self._player.playing and self._player.index >= self.end:
            self.replay()
        else:
            self._player.toggle()

    def step(self, frames: int) -> None:
        """Pause, and go one frame on or back."""
        if frames > 0:
            self._player.step_forward()
        else:
            self._player.step_back()

    def seek(self, index: int) -> None:
        """Pause at a moment: of one picture at its frame."""
        self._player.pause()
        self._player.seek(index)

    def stop(self) -> None:
        """Nothing plays, and no frame is made any more."""
        self._player.pause()
        for playback in self._playbacks:
            playback.open(None)

    def close(self) -> None:
        """For the end of the window."""
        self._player.pause()
        for playback in self._playbacks:
            playback.close()

    def set_reduced_motion(self, is_reduced: bool) -> None:
        self._player.set_reduced_motion(is_reduced)

    def _place(self, index: int) -> int:
        """A moment; negative numbers count from the end."""
        count = self._player.count
        return min(max(index + count if index < 0 else index, 0), max(count - 1, 0))

    def _begin(self, facts: FrameFacts) -> int:
        return min(max(self._start + facts.count if self._start < 0 else self._start, 0), max(facts.count - 1, 0))

    def _on_ready(self) -> None:
        self._awaited -= 1
        if self._awaited:
            return
        self._player.seek(self._place(self._start))
        if self._starts_playing:
            self._player.play()

    def _on_index(self, index: int) -> None:
        if self._player.playing and index >= self.end:
            self._player.pause()
            self.ended.emit()

    def _on_frame(self, place: int, frame: Frame) -> None:
        self.frame_shown.emit(place, frame)
        self._show_totals(place)

    def _show_totals(self, place: int) -> None:
        totals = self.totals_so_far(place)
        if totals is not None:
            self.totals_shown.emit(place, totals)


def nearest_speed(frames_per_second: float) -> float:
    """The speed of the player that comes nearest to so many frames a second."""
    return min(SPEEDS, key=lambda speed: abs(1.0 / frame_seconds(speed) - frames_per_second))
