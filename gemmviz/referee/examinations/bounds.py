"""Whether a kernel touches memory only within its arrays."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.figures import counted
from gemmviz.referee import recordings
from gemmviz.referee.evidence import STAYS_INSIDE, Ending
from gemmviz.referee.examination import Needs, by_cases, held, named_words, not_examined
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED
from gemmviz.referee.launches import endings_of
from gemmviz.referee.subject import Subject
from gemmviz.trace.hazards.rules.rule import Concern


@dataclass(frozen=True, slots=True)
class Bounds:
    """Launches it at claimed sizes, on the PTX machine with every access checked, elsewhere with guards around each
    buffer, and looks through its recordings.
    """

    name: str = STAYS_INSIDE
    asks: str = "Does it read and write within A, B and C only?"
    needs: Needs = Needs.RECORDINGS

    def examine(self, subject: Subject) -> Finding:
        launches = [_case(one) for one in endings_of(subject)]
        recorded = recordings.cases_of(subject, Concern.BOUNDS)
        cases = [*launches, *recorded]
        if any(case.failed for case in cases):
            return by_cases(self, cases, "")
        others = [case for case in launches if case.faulted]
        if len(others) == len(launches):
            return not_examined(self, f"Every launch ended at a fault{named_words(others)}.", cases)
        how = "every access was checked" if subject.device.is_emulated else "the guards around its buffers are intact"
        further = f" and at {counted(len(others) - 1, 'other')}" if len(others) > 1 else ""
        more = f" At {others[0].shape}{further} the launch ended at another fault." if others else ""
        return held(self, f"At {counted(len(launches) - len(others), 'size')} {how}.{more}", cases)


def _case(one: Ending) -> Case:
    overruns = " and ".join(one.overruns)
    found = one.fault or (f"{overruns} were overwritten" if overruns else "nothing beside the arrays was touched")
    is_wrong = one.is_access or bool(overruns)
    is_faulted = bool(one.fault)
    return Case("a launch", found, str(one.shape), SEED, failed=is_wrong, faulted=is_faulted, named_by=one.named_by)
