"""What came of looking at a file: for each of its kernels what was proven, or why nothing was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.outcome import AdoptOutcome, outcome_of
from gemmviz.adopt.reasons import Reason
from gemmviz.domain.shape import Shape

MOST_KERNELS = 64
"""Kernels of a file that are looked at where none is named."""


@dataclass(frozen=True, slots=True)
class SearchedSize:
    """A size at which races were looked for, in `blocks` blocks of a grid of `of`."""

    shape: Shape
    blocks: int
    of: int

    @property
    def is_whole(self) -> bool:
        return self.blocks == self.of


@dataclass(frozen=True, slots=True)
class KernelFinding:
    """A kernel of a file, and its proven description; None where nothing was proven, and `why` says for which reasons.

    `because` are the grounds for what was tried, `notes` further facts, `checks` the number of whole products that were
    compared with float64 on the PTX machine, `right_sizes` those of their sizes that its description allows.
    `devices` are the names of further devices that it was right on at all of these. `left_out` says what was not looked
    at, as where there was no time for it, and why; `fixed` which parameters keep their value, since no other one that
    was tried is right.
    """

    kernel: str
    line: int
    description: Description | None
    why: tuple[Reason, ...] = ()
    notes: tuple[str, ...] = ()
    because: tuple[str, ...] = ()
    checks: int = 0
    right_sizes: tuple[Shape, ...] = ()
    devices: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    searched: tuple[SearchedSize, ...] = ()
    """The sizes at which races were looked for, and none found."""
    as_it_is: Description | None = None
    """How it is launched, where that is known and a fault such as a race keeps the kernel from being proven."""
    is_describable: bool = True
    """Whether a description by hand may make it run, where nothing was proven: of what does not compile, never ends,
    takes what gemmviz gives no values of, or is seen to be another operation none does.
    """

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why nothing was proven, in words."""
        return tuple(one.words for one in self.why)

    @property
    def has_race(self) -> bool:
        """Whether the first reason why nothing was proven is a race in a block."""
        return any(one.kind.is_race_in_block for one in self.why[:1])

    @property
    def is_proven(self) -> bool:
        return self.description is not None and self.description.is_proven

    @property
    def outcome(self) -> AdoptOutcome:
        """What the look came to."""
        return AdoptOutcome.NOT_PROVEN if self.description is None else outcome_of(self.description)

    @property
    def is_verified(self) -> bool:
        return self.outcome is AdoptOutcome.VERIFIED

    @property
    def limits(self) -> int:
        """How many rules for sizes the description has that leave some out."""
        rules = self.description.rules if self.description is not None else ()
        return sum(
            rule.is_power + (rule.multiple > 1) + (rule.least > rule.multiple) + bool(rule.most) for rule in rules
        )


@dataclass(frozen=True, slots=True)
class AdoptionStep:
    """What is being done about a kernel, number `kernel` of `kernels` that are looked at. `guess` of `guesses` is being
    tried; 0 where none is.
    """

    words: str = ""
    guess: int = 0
    guesses: int = 0
    kernel: int = 0
    kernels: int = 0

    @property
    def text(self) -> str:
        """The words, and how far it is: "kernel 2 of 3: running tiles with blocks of 16 × 16 (guess 3 of 24)"."""
        which = f"kernel {self.kernel} of {self.kernels}: " if self.kernels > 1 else ""
        return f"{which}{self.words}" + (f" (guess {self.guess} of {self.guesses})" if self.guess else "")


Progress = Callable[[AdoptionStep], None]


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found out about the kernels of a file that were looked at. `kernels` are the names of all that it has,
    `fault` says why the file cannot be read, "" where it can.
    """

    kernels: tuple[str, ...]
    found: tuple[KernelFinding, ...]
    fault: str = ""
    must_run_python: bool = False
    """Whether the file is Python that has to be run before its kernels can be looked at, and nobody allowed that."""

    @property
    def unseen(self) -> int:
        """How many kernels of the file were not looked at."""
        return len(self.kernels) - len(self.found)

    @property
    def has_race(self) -> bool:
        """Whether a race is the first reason why nothing was proven of one of the kernels."""
        return any(one.has_race for one in self.found)

    @property
    def proven(self) -> tuple[KernelFinding, ...]:
        return tuple(one for one in self.found if one.is_proven)

    @property
    def only_as_it_is(self) -> KernelFinding | None:
        """The one kernel of which all is known but that it is right, as its description says, where nothing was proven;
        None where there is no such kernel.
        """
        known = [replace(one, description=one.as_it_is) for one in self.found if one.as_it_is is not None]
        return known[0] if len(known) == 1 and not self.proven else None

    @property
    def only(self) -> KernelFinding | None:
        """The one kernel that was proven to be a product; None where there is none, or more than one."""
        return self.proven[0] if len(self.proven) == 1 else None

    @property
    def outcome(self) -> AdoptOutcome:
        """What the look at the file came to: that of the one kernel that was proven; NOT_PROVEN where there is none, or
        more than one.
        """
        return self.only.outcome if self.only is not None else AdoptOutcome.NOT_PROVEN
