"""Whether launches end by themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gemmviz.domain.figures import counted
from gemmviz.referee.emulated_gpu import launch_fault
from gemmviz.referee.evidence import Ending
from gemmviz.referee.examination import RUNS_TO_ITS_END, Needs, by_cases
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED
from gemmviz.referee.launches import endings_of
from gemmviz.referee.subject import Subject


@dataclass(frozen=True, slots=True)
class Ends:
    """Launches at claimed sizes: an access outside the arrays, a deadlock, a trap, a failed assertion or a launch
    that takes too long fails. The PTX machine launches what the GPU that it emulates may not: the verdict says so."""

    name: str = RUNS_TO_ITS_END
    asks: str = "Does every launch end without a fault, a deadlock or a time limit?"
    needs: Needs = Needs.RECORDINGS

    def examine(self, subject: Subject) -> Finding:
        cases = [_case(one) for one in endings_of(subject)]
        finding = by_cases(self, cases, f"Launches at {counted(len(cases), 'size')} ended without a fault.")
        fault = launch_fault(subject)
        return replace(finding, caveat=f"{fault.gpu} cannot launch it ({fault.reason})") if fault else finding


def _case(one: Ending) -> Case:
    has_fault = bool(one.fault)
    return Case("a launch", one.fault or "ended by itself", str(one.shape), SEED, failed=has_fault, faulted=has_fault)
