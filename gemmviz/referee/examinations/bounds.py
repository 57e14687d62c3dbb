"""Whether a kernel touches memory only within its arrays."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.referee import recordings
from gemmviz.referee.examination import Needs, by_cases
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED
from gemmviz.referee.launches import Ending, endings_of
from gemmviz.referee.subject import Subject
from gemmviz.trace.hazards.rules.rule import Concern


@dataclass(frozen=True, slots=True)
class Bounds:
    """Launches it at claimed sizes, on the PTX machine with every access checked, elsewhere with guards around each
    buffer, and looks through its recordings.
    """

    name: str = "Stays inside its arrays"
    asks: str = "Does it read and write within A, B and C only?"
    needs: Needs = Needs.RECORDINGS

    def examine(self, subject: Subject) -> Finding:
        cases = [_case(one) for one in endings_of(subject) if one.is_access or not one.fault]
        how = "every access was checked" if subject.device.is_emulated else "the guards around its buffers are intact"
        words = f"At {len(cases)} sizes {how}."
        cases += recordings.cases_of(subject, Concern.BOUNDS)
        return by_cases(self, cases, words)


def _case(one: Ending) -> Case:
    overruns = " and ".join(one.overruns)
    found = one.fault or (f"{overruns} were overwritten" if overruns else "nothing beside the arrays was touched")
    return Case("a launch", found, str(one.shape), SEED, bool(one.fault or overruns))
