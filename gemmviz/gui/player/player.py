"""The clock of the animation. It paints nothing and knows no frames, only how many there are."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from gemmviz.gui.player.schedule import (
    MOTION_S,
    SPEEDS,
    Course,
    arrival_after,
    begun,
    changed,
    moment,
)

TICK_MS = 16


class Player(QObject):
    """Tells which frame shows, counted from 0, and how far its things have moved from where they were before.

    `clock` gives seconds. A receiver that takes long costs frames, not time: the next one is that of its moment.
    """

    frame_changed = Signal(int)
    arrival_changed = Signal(float)
    """From 0 (where things were in the frame before) to 1 (where they are in this one)."""
    playing_changed = Signal(bool)
    speed_changed = Signal(float)
    loop_changed = Signal(bool)

    def __init__(
        self, clock: Callable[[], float] = time.perf_counter, interval_ms: int = TICK_MS, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self._count = self._index = 0
        self._arrival, self._speed = 1.0, 1.0
        self._loop = self._reduced_motion = self._resumes = False
        self._course: Course | None = None
        self._stepped_s: float | None = None
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(interval_ms)
        self._timer.timeout.connect(self.advance)

    @property
    def count(self) -> int:
        return self._count

    @property
    def index(self) -> int:
        """The frame that shows; 0 if there is none."""
        return self._index

    @property
    def arrival(self) -> float:
        return self._arrival

    @property
    def playing(self) -> bool:
        return self._course is not None

    @property
    def speed(self) -> float:
        return self._speed

    @property
    def loop(self) -> bool:
        return self._loop

    @property
    def reduced_motion(self) -> bool:
        return self._reduced_motion

    def set_count(self, count: int) -> None:
        """There are so many frames; an index beyond them becomes the last. With fewer than two nothing plays.

        Raises:
            ValueError: the count is negative.
        """
        if count < 0:
            raise ValueError(f"{count} frames: there cannot be fewer than none")
        self._count = count
        if count < 2:
            self.pause()
        if self._course is not None:
            self._course = changed(self._course, self._clock(), count=count)
        self._show(min(self._index, max(count - 1, 0)), self._arrival)

    @Slot()
    def play(self) -> None:
        """Go on from here; from the first frame if this is the last."""
        if self.playing or self._count < 2:
            return
        now, self._stepped_s = self._clock(), None
        if self._index == self._count - 1 and not self._loop:
            self._course = Course(0, now, self._count, self._speed, self._loop, arrives=False)
        else:
            self._course = begun(self._index, now, self._count, self._speed, self._loop)
        self._timer.start()
        self.playing_changed.emit(True)
        self.advance()

    @Slot()
    def pause(self) -> None:
        """Stay at the frame that shows; what moves comes to its place at once."""
        self._resumes = False
        if self._course is None:
            return
        self._course = None
        self._timer.stop()
        self._show(self._index, 1.0)
        self.playing_changed.emit(False)

    @Slot()
    def toggle(self) -> None:
        """Play or pause."""
        if self.playing:
            self.pause()
        else:
            self.play()

    @Slot()
    def hold(self) -> None:
        """Pause while a person drags the slider; `release` goes on if it was playing."""
        resumes = self.playing
        self.pause()
        self._resumes = resumes

    @Slot()
    def release(self) -> None:
        """End a `hold`."""
        if self._resumes:
            self._resumes = False
            self.play()

    @Slot()
    def step_forward(self) -> None:
        """Pause and move to the next frame; from the last to the first if it loops."""
        self._step(self._index + 1)

    @Slot()
    def step_back(self) -> None:
        """Pause and move to the frame before; from the first to the last if it loops."""
        self._step(self._index - 1)

    @Slot()
    def first(self) -> None:
        """Show the first frame."""
        self.seek(0)

    @Slot()
    def last(self) -> None:
        """Show the last frame."""
        self.seek(self._count - 1)

    @Slot(int)
    def seek(self, index: int) -> None:
        """Show a frame, at once and without a motion; the nearest there is. Playing goes on from there."""
        if not self._count:
            return
        index = min(max(index, 0), self._count - 1)
        self._stepped_s = None
        if self._course is None:
            self._timer.stop()
        else:
            self._course = Course(index, self._clock(), self._count, self._speed, self._loop, arrives=False)
        self._show(index, 1.0)

    def show_at(self, index: int, arrival: float) -> None:
        """Pause at a frame, the nearest there is, with what moves so far on its way."""
        self.pause()
        self.seek(index)
        self._show(self._index, arrival)

    @Slot(float)
    def set_speed(self, speed: float) -> None:
        """Play so many times as fast.

        Raises:
            ValueError: the speed is not one of SPEEDS.
        """
        if speed not in SPEEDS:
            raise ValueError(f"speed {speed:g}: choose one of {', '.join(f'{s:g}' for s in SPEEDS)}")
        if speed == self._speed:
            return
        self._speed = speed
        if self._course is not None:
            self._course = changed(self._course, self._clock(), speed=speed)
        self.speed_changed.emit(speed)

    @Slot(bool)
    def set_loop(self, loop: bool) -> None:
        """Whether the first frame follows the last."""
        if loop == self._loop:
            return
        self._loop = loop
        if self._course is not None:
            self._course = changed(self._course, self._clock(), loop=loop)
        self.loop_changed.emit(loop)

    @Slot(bool)
    def set_reduced_motion(self, reduced: bool) -> None:
        """Whether things jump to their places instead of moving there."""
        self._reduced_motion = reduced
        if reduced:
            self._show(self._index, 1.0)

    @Slot()
    def advance(self) -> None:
        """Bring everything to the present moment; the timer calls it."""
        course, now = self._course, self._clock()
        if course is not None:
            at = moment(course, now)
            self._show(at.index, at.arrival)
            if at.ended and self._course is course:
                self.pause()
        elif self._stepped_s is not None:
            arrival = arrival_after(now - self._stepped_s, MOTION_S)
            if arrival >= 1.0 or self._reduced_motion:
                self._stepped_s = None
                self._timer.stop()
            self._show(self._index, arrival)
        else:
            self._timer.stop()

    def _step(self, index: int) -> None:
        self.pause()
        if self._loop and self._count:
            index %= self._count
        if not 0 <= index < self._count or index == self._index:
            return
        if not self._reduced_motion:
            self._stepped_s = self._clock()
            self._timer.start()
        self._show(index, 0.0)

    def _show(self, index: int, arrival: float) -> None:
        """The frame is told before its motion: a receiver never moves the one before it back to its start."""
        arrival = 1.0 if self._reduced_motion else arrival
        new_frame, new_arrival = index != self._index, arrival != self._arrival
        self._index, self._arrival = index, arrival
        if new_frame:
            self.frame_changed.emit(index)
        if new_arrival:
            self.arrival_changed.emit(self._arrival)
