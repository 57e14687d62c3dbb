"""How far work is and how long it takes, in words for whatever shows it."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtWidgets import QProgressBar

from gemmviz.gui.work.time_left import TimeLeft

TICK_MS = 250
"""How often the elapsed time is written anew."""
LONGER = "longer than estimated"
_STEPS = 1000
"""Of the bar from empty to full."""


def elapsed_words(seconds: float) -> str:
    """A time that passes, as short as it may be: 3.2 s, 41 s, 2 min 05 s."""
    if seconds < 10:
        return f"{max(seconds, 0.0):.1f} s"
    if seconds < 60:
        return f"{int(seconds)} s"
    return f"{int(seconds // 60)} min {int(seconds % 60):02d} s"


def fill_bar(bar: QProgressBar, part: float) -> None:
    """Fill a bar; of a part of 0 it moves instead. By itself it would paint all of the window that is due, here and
    now.
    """
    bar.setUpdatesEnabled(False)
    bar.setMaximum(_STEPS if part else 0)  # Qt's busy bar is one without a maximum
    bar.setValue(round(part * _STEPS))
    bar.setUpdatesEnabled(True)


class ProgressClock:
    """The time counts from `begin`. While no part is done nobody knows how fast it goes: `part` is 0, and there is no
    percentage.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._since, self._longest_s = clock, 0.0, 0.0
        self._time_left = TimeLeft(clock)
        self.part = 0.0
        """What is done, 0 to 1."""

    def begin(self, longest_s: float = 0.0) -> None:
        """Work begins that was said to take `longest_s` seconds at most, 0: no estimate."""
        self._since, self._longest_s, self.part = self._clock(), longest_s, 0.0
        self._time_left.begin()

    def note(self, fraction: float) -> None:
        """So much is done by now, 0 to 1."""
        self.part = min(max(fraction, 0.0), 1.0) if fraction == fraction else 0.0  # a NaN is no progress
        self._time_left.note(self.part)

    @property
    def percent(self) -> str:
        """ "50 %"; "" while no part is done."""
        return f"{int(self.part * 100)} %" if self.part else ""

    @property
    def elapsed(self) -> str:
        """How long it has gone on."""
        return elapsed_words(self._clock() - self._since)

    @property
    def left(self) -> str:
        """How long it still takes, or that it takes longer than was said; "" while nobody knows."""
        is_late = 0.0 < self._longest_s < self._clock() - self._since
        return self._time_left.words() or (LONGER if is_late else "")
