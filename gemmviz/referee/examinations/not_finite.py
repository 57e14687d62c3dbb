"""Whether NaN and infinity reach the elements that they must, and no others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gemmviz.domain.elements import element_name
from gemmviz.domain.operands import Operands
from gemmviz.domain.terms import Fill
from gemmviz.referee.attempts import attempt
from gemmviz.referee.examination import Needs, by_cases
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED, Given, whole_numbers
from gemmviz.referee.subject import Subject


@dataclass(frozen=True, slots=True)
class NotFinite:
    """Puts a NaN or an infinity into one element of A, or of B, among whole numbers with many zeros: by IEEE 754-2019,
    section 6.2, and 7.2 for 0 times infinity, a row of C, or a column, is not finite, and everything else is as before.
    """

    name: str = "Hands NaN and infinity on"
    asks: str = "Does a NaN or infinity in one element of A reach exactly its row of C, and in B its column?"
    needs: Needs = Needs.RIGHT_PRODUCT

    def examine(self, subject: Subject) -> Finding:
        shape = subject.claims.home
        row, column, k = shape.m // 2, shape.n // 3, shape.k // 2
        plain = whole_numbers(shape, SEED).operands
        expected = subject.launch(plain).c
        cases = []
        for value, words in ((np.nan, "NaN"), (np.inf, "infinity")):
            for name in "AB":
                a, b = plain.a.copy(), plain.b.copy()
                is_other = np.ones(expected.shape, bool)
                if name == "A":
                    a[row, k], is_other[row, :], place = value, False, element_name(name, row, k)
                else:
                    b[k, column], is_other[:, column], place = value, False, element_name(name, k, column)
                left = attempt(subject, Given(f"{words} in {place}", Operands(a, b, Fill.INTEGERS, SEED)))
                if isinstance(left, Case):
                    cases.append(left)
                    continue
                c = left.c
                is_finite = np.isfinite(c)
                lost = int(np.count_nonzero(is_finite & ~is_other))
                spread = int(np.count_nonzero(is_other & (c != expected)))
                found = "reached exactly the elements that it must"
                if lost:
                    found = f"{lost} of {np.count_nonzero(~is_other)} elements that must not be finite are"
                elif spread:
                    found = f"{spread} elements changed that do not depend on it"
                cases.append(Case(f"{words} in {place}", found, str(shape), SEED, failed=bool(lost or spread)))
        return by_cases(self, cases, "NaN and infinity reach their row or column of C and nothing else.")
