"""What every examination has: a name, a question, and a way to a finding."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Protocol

from gemmviz.referee.finding import Case, Finding, Outcome
from gemmviz.referee.subject import Subject


class Needs(IntEnum):
    """What has to be true of a kernel for an examination to find anything new."""

    RECORDINGS = 0
    """Nothing: recordings or a first launch are enough."""
    LAUNCHES = 1
    """Launches end by themselves."""
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


def not_examined(examination: Examination, reason: str, cases: Sequence[Case] = ()) -> Finding:
    return Finding(examination.name, examination.asks, Outcome.NOT_EXAMINED, reason, tuple(cases))


def by_cases(examination: Examination, cases: Sequence[Case], all_held: str) -> Finding:
    """Failed where a case failed, with the first as the reason; else held."""
    wrong = [case for case in cases if case.failed]
    if not wrong:
        return held(examination, all_held, cases)
    more = f" {len(wrong)} of {len(cases)} cases failed." if len(wrong) > 1 else ""
    where = f" at {wrong[0].shape}" if wrong[0].shape else ""
    return failed(examination, f"With {wrong[0].tried}{where}: {wrong[0].found}.{more}", cases)
