"""What a text that stands beside a picture speaks of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SpokenOf:
    """The `arrays` that are framed, and `tags`: array, row, column and words of each, which stand at that element.

    With `follows_thread` what a thread does is shown as an example.
    """

    arrays: tuple[str, ...] = ()
    tags: tuple[tuple[str, int, int, str], ...] = ()
    follows_thread: bool = True
