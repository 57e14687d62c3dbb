"""What every examination has: a name, a question, and a way to a finding."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Protocol

from gemmviz.domain.figures import counted
from gemmviz.domain.listing import listed
from gemmviz.referee.finding import Case, Finding, Outcome
from gemmviz.referee.subject import Subject


class Needs(IntEnum):
    """What has to be true of a kernel for an examination to find anything new."""

    RECORDINGS = 0
    """Nothing: recordings or a first launch are enough."""
    LAUNCHES = 1
    """No launch ran into a time limit."""
    ANSWERS = 2
    """Its results follow its inputs."""
    RIGHT_PRODUCT = 3
    """Its product of small whole numbers is right, too."""


class Examination(Protocol):
    """One thing that a kernel is examined for."""

    @property
    def name(self) -> str: ...

    @property
    def asks(self) -> str: ...

    @property
    def needs(self) -> Needs: ...

    def examine(self, subject: Subject) -> Finding:
        """What is found.

        Raises:
            KernelFaultedError: a launch ended at a fault.
            CancelledError: stopped.
        """
        ...


def held(examination: Examination, reason: str, cases: Sequence[Case] = ()) -> Finding:
    return Finding(examination.name, examination.asks, Outcome.HELD, reason, tuple(cases))


def failed(examination: Examination, reason: str, cases: Sequence[Case] = ()) -> Finding:
    return Finding(examination.name, examination.asks, Outcome.FAILED, reason, tuple(cases))


def varies(examination: Examination, reason: str, cases: Sequence[Case] = ()) -> Finding:
    return Finding(examination.name, examination.asks, Outcome.VARIES, reason, tuple(cases))


def not_examined(examination: Examination, reason: str, cases: Sequence[Case] = ()) -> Finding:
    return Finding(examination.name, examination.asks, Outcome.NOT_EXAMINED, reason, tuple(cases))


def by_cases(examination: Examination, cases: Sequence[Case], all_held: str, refused: Sequence[Case] = ()) -> Finding:
    """Failed where a case failed, with the first as the reason, or where launches of some cases ended at a fault; not
    examined where those of all did; else held. `refused` are further cases, of sizes at which nothing was launched.
    """
    every = (*cases, *refused)
    wrong = [case for case in cases if case.failed]
    faulted = [case for case in cases if case.faulted]
    if wrong:
        others = f"; {counted(len(refused), 'other size')} {'is' if len(refused) == 1 else 'are'} refused" * bool(
            refused
        )
        more = f" {len(wrong)} of {len(cases)} cases failed{others}." if len(wrong) > 1 else ""
        return failed(examination, f"{first_sentence(wrong)}{more}", every)
    if not faulted:
        return held(examination, all_held, every)
    if len(faulted) == len(cases):
        return not_examined(examination, f"Every launch ended at a fault{named_words(faulted)}.", every)
    words = f"{len(faulted)} of {len(cases)} cases left no result to compare. {first_sentence(faulted)}"
    return failed(examination, words, every)


def named_words(faulted: Sequence[Case]) -> str:
    """Which examinations name the faults of these cases: ", which “Runs to its end” names"; "" where none does."""
    names = [*dict.fromkeys(f"“{case.named_by}”" for case in faulted if case.named_by)]
    return f", which {listed(names)} {'names' if len(names) == 1 else 'name'}" if names else ""


def first_sentence(cases: Sequence[Case]) -> str:
    """`first_words` as a sentence: "Ones at 16x16x16: exact." """
    said = first_words(cases)
    return f"{said[:1].upper()}{said[1:]}."


def first_words(cases: Sequence[Case]) -> str:
    """What the first of the cases tried, where, and what it found: "ones at 16x16x16: exact"; of lines at fault, which
    a list names, how many there are.
    """
    first = cases[0]
    where = f" at {first.shape}" if first.shape else ""
    return f"{first.tried}{where}: {counted(len(first.faults), 'hazard') if first.faults else first.found}"
