"""How a person stops a measurement: a question asked between samples, never inside a timed window."""

from __future__ import annotations

from collections.abc import Callable

ShouldCancel = Callable[[], bool]
"""True once the person wants to stop."""

Fraction = Callable[[float], None]
"""Told how much of the budget is spent, from 0 to 1."""


class CancelledError(Exception):
    """The measurement was stopped before there was anything to report."""


def never() -> bool:
    """The ShouldCancel of a measurement that nobody can stop."""
    return False


def unheard(fraction: float) -> None:
    """The Fraction of a measurement that nobody watches."""
    del fraction


def raise_if_cancelled(should_cancel: ShouldCancel) -> None:
    """Ask, and leave if the answer is yes.

    Raises:
        CancelledError: the person wants to stop.
    """
    if should_cancel():
        raise CancelledError("the measurement was cancelled before its first sample")
