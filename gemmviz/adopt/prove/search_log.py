"""How far a search has come: what is being tried, how much time is left, and what tries came to nothing for."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from gemmviz.adopt.finding import AdoptionStep, Progress
from gemmviz.adopt.prove.faults import NO_TRY, OF_MEANING, Tried, TriedFault, reasons_of, told_of
from gemmviz.adopt.prove.resemblance import Observation

_MOST_SEEN = 6


@dataclass(slots=True)
class SearchLog:
    """The log of one kernel's search, which has `budget_s` seconds from its making on."""

    progress: Progress
    budget_s: float
    begin: float = field(default_factory=time.monotonic)
    faults: list[TriedFault] = field(default_factory=list)
    """Why tries came to nothing."""
    tried: Tried = NO_TRY
    seen: list[Observation] = field(default_factory=list)
    """The first tries that ran, each with another block."""
    guess: int = 0
    guesses: int = 0
    """Which of how many guesses is being tried: blocks and numbers of all that was compiled so far."""

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() - self.begin > self.budget_s

    @property
    def saw_product(self) -> bool:
        """Whether a try came so far that all that several blocks wrote was a product."""
        return any(one.stage >= OF_MEANING for one in told_of(self.faults))

    def observe(self, seen: Observation) -> None:
        """Keep what ran, to look at it where nothing is proven."""
        is_new = all(one.geometry != seen.geometry for one in self.seen)
        if is_new and len(self.seen) < _MOST_SEEN:
            self.seen.append(seen)

    def tell(self, words: str) -> None:
        """Say what is being done."""
        self.progress(AdoptionStep(words, self.guess, self.guesses))

    def fail(self, stage: int, words: str) -> None:
        """Note why the try came to nothing, and how far it had come."""
        self.faults.append(TriedFault(stage, self.tried.said_of(words), self.tried.is_likely))

    def reasons(self, compile_faults: Sequence[str]) -> tuple[str, ...]:
        """Why nothing was proven: what the tries that came farthest and were tried first failed at."""
        words = reasons_of(self.faults)
        if self.is_over:
            return (f"nothing was proven within {self.budget_s:g} s", *words)
        return words or tuple(compile_faults[:1]) or ("it has no launch that could be tried",)
