"""Whether a kernel leaves its inputs as they are."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.terms import Fill
from gemmviz.referee.attempts import attempt
from gemmviz.referee.examination import Needs, by_cases
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED, random_numbers, whole_numbers
from gemmviz.referee.subject import Subject


@dataclass(frozen=True, slots=True)
class InputsKept:
    """Compares A, B and a C that is read only with what they were before the launch, bit for bit."""

    name: str = "Leaves its inputs as they are"
    asks: str = "Do A and B hold the same bits after a launch as before?"
    needs: Needs = Needs.LAUNCHES

    def examine(self, subject: Subject) -> Finding:
        shape, cases = subject.claims.home, []
        for given in (whole_numbers(shape, SEED), random_numbers(shape, Fill.NORMAL, SEED + 1)):
            left = attempt(subject, given)
            if isinstance(left, Case):
                cases.append(left)
                continue
            changed = left.changed
            found = f"{' and '.join(changed)} changed" if changed else "unchanged"
            cases.append(Case(given.words, found, str(shape), given.operands.seed, failed=bool(changed)))
        return by_cases(self, cases, "A and B are unchanged, bit for bit.")
