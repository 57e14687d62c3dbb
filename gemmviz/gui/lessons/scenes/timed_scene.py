"""A scene that goes on by itself, a step at each tick of a timer."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Slot

from gemmviz.gui.lessons.scenes.scene import LessonScene, SceneMoment

_ROUNDING = 1e-6
"""Of a tick: seconds are no whole numbers."""


class TimedScene(LessonScene):
    """Plays, pauses and steps. A scene calls `tick_every` once, and says how it moves: `replay`, `advance`, `go_on`,
    `is_at_end`, `ticks`, `tick` and `show_tick`.
    """

    _is_reduced = False

    def tick_every(self, milliseconds: int) -> None:
        """Make the timer; nothing plays yet."""
        self._timer = QTimer(self, interval=milliseconds)
        self._timer.timeout.connect(self._on_tick)

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is left to play."""
        raise NotImplementedError

    @property
    def ticks(self) -> int:
        """How many ticks the scene has from its beginning to its end."""
        raise NotImplementedError

    @property
    def tick(self) -> int:
        """The tick that shows what is shown, from 0, or else the last one before."""
        raise NotImplementedError

    def show_tick(self, tick: int) -> None:
        """Show what a tick, counted from 0, brings when the scene plays from its beginning."""
        raise NotImplementedError

    def advance(self) -> None:
        """Go on by what one tick brings."""
        raise NotImplementedError

    def go_on(self, frames: int) -> None:
        """Go on by what one press of a key brings, so many times; back for a negative number."""
        raise NotImplementedError

    @property
    def can_play(self) -> bool:
        return True

    @property
    def is_playing(self) -> bool:
        return self._timer.isActive()

    @property
    def seconds(self) -> float:
        return (self.ticks - 1) * self._timer.interval() / 1000

    @property
    def moment(self) -> SceneMoment:
        return SceneMoment(self.tick)

    @property
    def has_ended(self) -> bool:
        return self.is_at_end

    def moment_at(self, seconds: float) -> SceneMoment:
        ticks = int(seconds * 1000 / self._timer.interval() + _ROUNDING)
        return SceneMoment(min(max(ticks, 0), self.ticks - 1))

    def show_moment(self, moment: SceneMoment) -> None:
        self.stop()
        self.show_tick(moment.place)

    def set_playing(self, is_playing: bool) -> None:
        """Play from here on, or pause."""
        if is_playing != self.is_playing:
            self._timer.start() if is_playing else self._timer.stop()
            self.playing_changed.emit(is_playing)

    def toggle(self) -> None:
        if self.is_at_end:
            self.replay()
        else:
            self.set_playing(not self.is_playing)

    def step(self, frames: int) -> None:
        self.stop()
        self.go_on(frames)

    def stop(self) -> None:
        self.set_playing(False)

    @Slot()
    def resume(self) -> None:
        """Go on after `stop`, where the scene is still in sight and has something left to play."""
        if self.isVisible() and not self.is_at_end:
            self.set_playing(True)

    def set_reduced_motion(self, is_reduced: bool) -> None:
        self._is_reduced = is_reduced

    @Slot()
    def _on_tick(self) -> None:
        self.advance()
        if self.is_at_end:
            self.stop()
