"""One bad situation, and how it ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fault_record.scratch import Scratch


class Outcome(StrEnum):
    """How a situation ended, from best to worst."""

    SURVIVED = "survived"
    UNTRIED = "untried"
    LOST = "lost"
    LEFT = "left running"
    HANGING = "hanging"


class CannotTryError(Exception):
    """The situation cannot be made on this machine; the message says why."""


class LostError(Exception):
    """The program did not do what it should have; the message says what it did."""


class HangingError(Exception):
    """The program did not end in time, or its window stopped listening."""


class LeftError(Exception):
    """Processes or files were left behind."""


@dataclass(frozen=True, slots=True)
class Case:
    """A situation. `attempt` makes it in a scratch folder and raises one of the errors above unless it is survived."""

    group: str
    name: str
    attempt: Callable[[Scratch], None]

    def __str__(self) -> str:
        return f"{self.group}: {self.name}"


@dataclass(frozen=True, slots=True)
class Result:
    """How a case ended; `reason` is "" if it was survived."""

    case: Case
    outcome: Outcome
    reason: str
    took_s: float
