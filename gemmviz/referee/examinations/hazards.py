"""Whether the recorded accesses of a kernel have hazards."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.figures import count
from gemmviz.domain.hazard import Hazard, HazardKind
from gemmviz.referee.examination import Needs, by_cases, not_examined
from gemmviz.referee.finding import Finding
from gemmviz.referee.recordings import cases_of, recordings_of
from gemmviz.referee.subject import Subject

_ELSEWHERE = (HazardKind.OUT_OF_BOUNDS, HazardKind.MISALIGNED)
"""Told by the examination of bounds."""


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
        cases = cases_of(subject, _is_meant)
        without = f" Not recorded {'; '.join(found.missing)}." if found.missing else ""
        accesses = count(sum(run.accesses for run in found.runs))
        return by_cases(self, cases, f"None among {accesses} recorded accesses.{without}")


def _is_meant(hazard: Hazard) -> bool:
    is_of_c = hazard.kind is HazardKind.UNWRITTEN_READ and "`c_begins" in hazard.detail
    return hazard.kind not in _ELSEWHERE and not is_of_c
