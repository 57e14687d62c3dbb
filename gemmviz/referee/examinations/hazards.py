"""Whether the recorded accesses of a kernel have hazards."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.figures import count
from gemmviz.referee.examination import Needs, by_cases, not_examined
from gemmviz.referee.finding import Finding
from gemmviz.referee.recordings import cases_of, recordings_of
from gemmviz.referee.subject import Subject
from gemmviz.trace.hazards.rules.rule import Concern
from gemmviz.trace.hazards.rules.table import concern_of


@dataclass(frozen=True, slots=True)
class Hazards:
    """Records every block of a small grid, as written and as compiled, and looks for races within and between blocks,
    barriers that some threads do not reach, uninitialised reads of shared memory and copies that nobody waits for.
    """

    name: str = "Free of races"
    asks: str = "Are all accesses ordered by barriers, and all shared memory written before it is read?"
    needs: Needs = Needs.RECORDINGS

    def examine(self, subject: Subject) -> Finding:
        found = recordings_of(subject)
        if not found.runs:
            return not_examined(self, "; ".join(found.missing))
        cases = cases_of(subject, Concern.ORDER)
        without = f" Not recorded {'; '.join(found.missing)}." if found.missing else ""
        undecided = [one for run in found.runs for one in run.hazards if concern_of(one) is Concern.UNDECIDED_ORDER]
        if undecided and not any(case.failed for case in cases):
            return not_examined(self, f"Possible race in line {undecided[0].line}: {undecided[0].detail}", cases)
        accesses = count(sum(run.accesses for run in found.runs))
        has_faults = any(concern_of(one) is Concern.BOUNDS for run in found.runs for one in run.hazards)
        beyond = " Recordings continue after accesses at which a launch ends." if has_faults else ""
        return by_cases(self, cases, f"None among {accesses} recorded accesses.{beyond}{without}")
