"""Whether launches end by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gemmviz.domain.figures import counted
from gemmviz.referee.emulated_gpu import launch_fault
from gemmviz.referee.evidence import RUNS_TO_ITS_END, STAYS_INSIDE, Ending
from gemmviz.referee.examination import Needs, by_cases, not_examined
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED
from gemmviz.referee.launches import endings_of
from gemmviz.referee.subject import Subject


@dataclass(frozen=True, slots=True)
class Ends:
    """Launches at claimed sizes: a deadlock, a trap, a failed assertion or a launch that takes too long fails. One
    that an invalid access ended is not examined, since another examination fails with it. The PTX machine launches what
    the GPU that it emulates may not: the verdict says so.
    """

    name: str = RUNS_TO_ITS_END
    asks: str = "Does every launch end without a deadlock, a trap or a time limit?"
    needs: Needs = Needs.RECORDINGS

    def examine(self, subject: Subject) -> Finding:
        cases = [_case(one) for one in endings_of(subject)]
        finding = by_cases(self, cases, f"Launches at {counted(len(cases), 'size')} ended without a fault.")
        accesses = [case for case in cases if case.named_by == STAYS_INSIDE]
        if accesses and not any(case.failed for case in cases):
            finding = not_examined(self, _accesses_words(accesses, len(cases)), cases)
        fault = launch_fault(subject)
        return replace(finding, caveat=f"{fault.gpu} cannot launch it ({fault.reason})") if fault else finding


def _case(one: Ending) -> Case:
    named_by = one.named_by
    is_failed, is_faulted = named_by == RUNS_TO_ITS_END, bool(named_by)
    found = one.fault or "ended by itself"
    return Case("a launch", found, str(one.shape), SEED, failed=is_failed, faulted=is_faulted, named_by=named_by)


def _accesses_words(accesses: Sequence[Case], launches: int) -> str:
    """Which of so many launches an invalid access ended, so that nobody knows whether they end by themselves."""
    told = f"an invalid access to memory ended the launch, which “{STAYS_INSIDE}” names."
    if len(accesses) == launches:
        return f"At every size {told}"
    others = counted(len(accesses) - 1, "other size")
    further = f" and {others}" if len(accesses) > 1 else ""
    return f"At {accesses[0].shape}{further} {told} All other launches ended by themselves."
