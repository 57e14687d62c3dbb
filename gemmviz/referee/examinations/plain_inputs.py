"""Whether results are exact for inputs whose products are."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.referee.examination import Needs, by_cases
from gemmviz.referee.examinations.sizes import judged
from gemmviz.referee.finding import Finding
from gemmviz.referee.inputs import SEED, identities, ones, single_elements, whole_numbers, zeros
from gemmviz.referee.subject import Subject


@dataclass(frozen=True, slots=True)
class PlainInputs:
    """Zeros, ones, identities and small whole numbers: every sum is exact in every order, and one wrong bit fails."""

    name: str = "Exact for plain inputs"
    asks: str = "Are products of zeros, ones, identities and small whole numbers right to the last bit?"
    needs: Needs = Needs.ANSWERS

    def examine(self, subject: Subject) -> Finding:
        shape = subject.claims.home
        given = (
            zeros(shape),
            ones(shape),
            *identities(shape, SEED),
            *(whole_numbers(shape, SEED + n) for n in range(3)),
        )
        cases = [judged(subject, one) for one in given]
        return by_cases(self, cases, f"{len(cases)} inputs, all exact.")


@dataclass(frozen=True, slots=True)
class SingleElements:
    """One element of A, or of B, is not zero: exactly one row, or column, of C may be, which catches a wrong index."""

    name: str = "Each element in its place"
    asks: str = "Does one element of A reach its row of C alone, and one of B its column?"
    needs: Needs = Needs.ANSWERS

    def examine(self, subject: Subject) -> Finding:
        cases = [judged(subject, one) for one in single_elements(subject.claims.home)]
        return by_cases(self, cases, f"{len(cases)} single elements, all exact.")
