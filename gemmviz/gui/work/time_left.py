"""How long something still takes, in words. No Qt."""

from __future__ import annotations

from math import ceil

_KNOWN_AFTER_S = 1.0
"""What is said sooner is wrong."""


def time_left_words(done: float, total: float, elapsed_s: float) -> str:
    """ "about 12 s left", where what is `done` of the total took so long; "" while there is no telling."""
    if done <= 0 or done >= total or elapsed_s < _KNOWN_AFTER_S:
        return ""
    left_s = ceil(elapsed_s * (total - done) / done)
    return f"about {left_s} s left" if left_s < 90 else f"about {round(left_s / 60)} min left"
