"""How long something still takes, in words. No Qt."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil, floor

LEAST_PART = 0.02
"""Of the whole: steps that are smaller are counted together as one part, whose time is known more exactly."""
FEWEST_PARTS = 2
"""Parts whose times are compared before anything is said."""
MOST_SPREAD = 2.0
"""The slowest of the parts in the middle half, over the fastest: with a greater spread nothing is said at first."""
STEP_S = 5
"""Seconds are rounded to multiples of it."""
MOST_SECONDS = 90
"""Longer times are said in minutes."""
_ROUNDING = 1e-6
"""What differences of float numbers are off by, in steps."""


class TimeLeft:
    """Estimates how long work still takes from the times of its parts, as a range.

    The first part does not count: it has what is done once, such as compiling. The range is that of the middle half of
    the other parts' times. An estimate that was made is corrected and never dropped: where the times come to differ
    much its range grows, and where a part takes longer than all of it, the mean pace up to now counts.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._paces: list[float] = []
        self._done = self._at = 0.0
        self._first = 0.0, 0.0
        self._is_begun = self._has_estimate = False

    def begin(self) -> None:
        """Other work begins, of which nothing is done."""
        self._paces, self._done, self._is_begun, self._has_estimate = [], 0.0, False, False

    def note(self, done: float) -> None:
        """So much is done by now, 0 to 1."""
        part = done - self._done
        if part < LEAST_PART and (done < 1.0 or part <= 0.0):
            return
        now = self._clock()
        if self._is_begun:
            self._paces.append((now - self._at) / part)
        else:
            self._first = done, now
        self._done, self._at, self._is_begun = done, now, True
        self._has_estimate = self._has_estimate or bool(self.words())

    def words(self) -> str:
        """ "10 to 15 s left"; "" before FEWEST_PARTS were done after the first, and where their times have differed
        much from the start.
        """
        if len(self._paces) < FEWEST_PARTS or self._done >= 1.0:
            return ""
        paces = sorted(self._paces)
        outside = len(paces) // 4
        low, high = paces[outside], paces[-1 - outside]
        since, left = self._clock() - self._at, 1.0 - self._done
        if high > MOST_SPREAD * low and not self._has_estimate:
            return ""
        if high * left <= since:
            done, at = self._first
            low = high = (self._clock() - at) / (self._done - done)
            since = 0.0
        return _range_words(max(low * left - since, 0.0), high * left - since)


def _range_words(low_s: float, high_s: float) -> str:
    step, unit = (STEP_S, "s") if high_s <= MOST_SECONDS else (60, "min")
    scale = 1 if unit == "s" else 60
    low = floor(low_s / step + _ROUNDING) * step // scale
    high = ceil(high_s / step - _ROUNDING) * step // scale
    if low == high:
        return f"about {low} {unit} left"
    return f"{low} to {high} {unit} left" if low else f"less than {high} {unit} left"
