"""What is said of an array in a frame."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said beside a name, and the widest that the same form says of it in other frames."""

    words: str
    widest: str
