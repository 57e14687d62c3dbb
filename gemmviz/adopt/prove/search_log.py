"""How far a search has come: what is being tried, how much time is left, and what tries came to nothing for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from gemmviz.adopt.description import Description, SizeRule
from gemmviz.adopt.finding import AdoptionStep, KernelFinding, Progress
from gemmviz.adopt.prove.faults import (
    NO_TRY,
    OF_MEANING,
    OF_RULES,
    Tried,
    TriedFault,
    is_hopeless,
    reasons_of,
    told_of,
)
from gemmviz.adopt.reasons import FaultKind, Reason
from gemmviz.adopt.resemblance.observation import Observation
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape

_MOST_SEEN = 6
_SEARCH_SHARE = 0.75
"""Of the time for a kernel: what is left is for recordings, in which races are looked for."""
_LEAST_RUN_S = 0.1
MOST_WAITED_S = 300.0
"""Five times what this usually takes: without a limit a busy machine would not come to an end."""
LOOKING_FOR_RACES = "looking for races: "
"""How words about a recording begin."""


@dataclass(slots=True)
class SearchLog:
    """The log of one kernel's search. All that is done about the kernel has `budget_s` seconds, of which `spent_s` have
    passed when it is made.
    """

    progress: Progress
    budget_s: float
    clock: Callable[[], float] = time.monotonic
    spent_s: float = 0.0
    has_hard_limit: bool = False
    """Whether the limit holds for what is done once for all kernels, too."""
    begin: float = field(init=False)
    faults: list[TriedFault] = field(default_factory=list)
    """Why tries came to nothing."""
    tried: Tried = NO_TRY
    seen: list[Observation] = field(default_factory=list)
    """The first tries that ran, each with another block."""
    guess: int = 0
    guesses: int = 0
    """Which of how many guesses is being tried: blocks and numbers of all that was compiled so far."""
    words: str = "reading the file"
    """What is being done."""
    proven: KernelFinding | None = None
    """What was proven, while it is completed."""
    settled: Reason | None = None
    """Why the kernel is no product whatever its launch: what it does wrong where its product is right."""
    irregular: Description | None = None
    """What it was right as at some sizes with M, N and K apart, where no rule was found for which, or where it is
    `settled` that it is no product all the same; None for nothing.
    """
    steps: tuple[SizeRule, ...] = ()
    """Multiples that the irregular description may need: at others races follow from a launch that does not fit."""
    wrong: Description | None = None
    """What single blocks showed it to be, where whole products were wrong; None for nothing."""
    race: tuple[Reason, ...] | None = None
    """The race of the launch that is most likely, where the tries with it proved nothing; () for no race, None while it
    was not looked for.
    """
    recorded: dict[tuple[str, Description, bool, Shape], TraceRun | None] = field(default_factory=dict)
    """Recordings of launches that were not proven, by the source, the launch, whether the first block alone was asked
    for, and the size; None where it cannot be recorded.
    """
    equal_writes: dict[int, str] = field(default_factory=dict)
    """By line, what several threads write to one place, always with the same value, in recordings so far."""
    is_left: bool = False
    """Whether nobody waits for the search any more."""
    _waits_since: float | None = None
    _waited_s: float = 0.0

    def __post_init__(self) -> None:
        self.begin = self.clock() - self.spent_s

    def now(self) -> float:
        """The clock, where the limit is not hard without the time that was waited for what is done once for all
        kernels, up to MOST_WAITED_S.
        """
        clock = self.clock()
        if self.has_hard_limit:
            return clock
        waits_s = 0.0 if self._waits_since is None else clock - self._waits_since
        return clock - min(self._waited_s + waits_s, MOST_WAITED_S)

    def wait(self, is_waiting: bool) -> None:
        """Hear whether such work goes on: its time is not taken from the kernel's."""
        if is_waiting and self._waits_since is None:
            self._waits_since = self.clock()
        elif not is_waiting and self._waits_since is not None:
            self._waited_s += self.clock() - self._waits_since
            self._waits_since = None

    @property
    def left_s(self) -> float:
        """How much time is left for the kernel."""
        return max(0.0, self.begin + self.budget_s - self.now())

    @property
    def is_over(self) -> bool:
        """Whether the search has had its time, or came to an end."""
        return self.settled is not None or self.now() - self.begin > _SEARCH_SHARE * self.budget_s

    def run_s(self, most_s: float) -> float:
        """How long a run may take that takes `most_s` seconds at most."""
        return max(_LEAST_RUN_S, min(most_s, self.left_s))

    @property
    def late_words(self) -> str:
        """That the time ended, and with what: "the time limit of 120 s ended while compiling the analysis"."""
        return f"the time limit of {self.budget_s:g} s ended while {self.words.removeprefix(LOOKING_FOR_RACES)}"

    @property
    def saw_product(self) -> bool:
        """Whether a try came so far that all that several blocks wrote was a product."""
        return any(one.stage >= OF_MEANING for one in told_of(self.faults))

    def observe(self, seen: Observation) -> None:
        """Keep what ran, to look at it where nothing is proven: of tries with one block the first, or a later one with
        more sizes, since with one row of a result nothing tells rows from columns.
        """
        place = next((place for place, one in enumerate(self.seen) if one.geometry == seen.geometry), None)
        if place is not None:
            if len(seen.trial.sizes) > len(self.seen[place].trial.sizes):
                self.seen[place] = seen
        elif len(self.seen) < _MOST_SEEN:
            self.seen.append(seen)

    def tell(self, words: str) -> None:
        """Say what is being done with a guess."""
        self._tell(words, self.guess, self.guesses)

    def tell_beside(self, words: str) -> None:
        """Say what is being done behind the last guess."""
        self._tell(words, 0, 0)

    def _tell(self, words: str, guess: int, guesses: int) -> None:
        if not self.is_left:
            self.words = words
            self.progress(AdoptionStep(words, guess, guesses))

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Work that says nothing of the kernel where nothing is proven by it: then what it logs is forgotten."""
        before = (self.settled, self.irregular, self.wrong)
        faults, seen = len(self.faults), [*self.seen]
        yield
        if self.proven is None:
            del self.faults[faults:]
            self.seen = seen
            self.settled, self.irregular, self.wrong = before

    def fail(
        self,
        stage: int,
        reason: Reason,
        *,
        is_of_block: bool = True,
        is_likely: bool = True,
    ) -> None:
        """Note why the try came to nothing, and how far it had come. `is_of_block`: another block may do better,
        `is_likely`: its grid was no guess in the place of a launch in host code.
        """
        is_of_block = is_of_block and stage != OF_RULES  # with a wrong launch nothing is right
        said = self.tried.said_of(reason) if is_of_block else reason
        self.faults.append(TriedFault(stage, said, self.tried.is_likely and is_likely, is_of_block))

    def reasons(self, compile_faults: Sequence[Reason]) -> tuple[Reason, ...]:
        """Why nothing was proven: what the tries that came farthest and were tried first failed at."""
        found = reasons_of(self.faults) or tuple(compile_faults[:1])
        if self.is_over and not is_hopeless(self.faults):
            searched = f"{_SEARCH_SHARE * self.budget_s:g} s of search"
            words = f"nothing was proven within {searched}, of a time limit of {self.budget_s:g} s"
            return (Reason(words, FaultKind.NO_TIME), *found)
        return found or (Reason("it has no launch that could be tried"),)
