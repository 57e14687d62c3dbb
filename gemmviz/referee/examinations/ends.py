"""Whether launches end by themselves."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.referee.examination import Needs, by_cases
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED
from gemmviz.referee.launches import Ending, endings_of
from gemmviz.referee.subject import Subject


@dataclass(frozen=True, slots=True)
class Ends:
    """Launches at claimed sizes: a deadlock, a trap, a failed assertion or a launch that takes too long fails."""

    name: str = "Runs to its end"
    asks: str = "Does every launch end without a deadlock, a trap or a time limit?"
    needs: Needs = Needs.RECORDINGS

    def examine(self, subject: Subject) -> Finding:
        cases = [_case(one) for one in endings_of(subject)]
        return by_cases(self, cases, f"Launches at {len(cases)} sizes ended by themselves.")


def _case(one: Ending) -> Case:
    is_wrong = bool(one.fault) and not one.is_access
    found = one.fault if is_wrong else "ended at an access to memory" if one.fault else "ended"
    return Case("a launch", found, str(one.shape), SEED, is_wrong)
