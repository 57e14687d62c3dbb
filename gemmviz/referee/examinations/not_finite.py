"""Whether NaN and infinity reach the elements that they must, and no others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gemmviz.domain.elements import element_name
from gemmviz.domain.operands import Matrix, Operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Arithmetic, Fill
from gemmviz.referee.attempts import attempt
from gemmviz.referee.examination import Needs, by_cases
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED, Given, whole_numbers
from gemmviz.referee.subject import Subject


@dataclass(frozen=True, slots=True)
class NotFinite:
    """Puts a NaN or an infinity into one element of A, or of B, among whole numbers with many zeros: by IEEE 754-2019,
    section 6.2, and 7.2 for 0 times infinity, a row of C, or a column, is not finite, infinity stays infinity but where
    it meets a 0, and everything else is as before. Also in the last column of A and the last row of B at a size that
    nothing divides: there a zero that fills up a tile may meet it. Arithmetic that splits each element into a rounded
    part and the rest makes NaN of an infinity, since its rest is infinity less infinity.
    """

    name: str = "Hands NaN and infinity on"
    asks: str = "Does a NaN or infinity in one element of A reach exactly its row of C, and in B its column?"
    needs: Needs = Needs.RIGHT_PRODUCT

    def examine(self, subject: Subject) -> Finding:
        home = subject.claims.home
        cases = _cases(subject, home, home.k // 2)
        odd = next((Shape(*one) for one in subject.claims.odd() if min(one) > 1), None)
        cases += _cases(subject, odd, odd.k - 1) if odd is not None else []
        words = "NaN and infinity reach their row or column of C and nothing else."
        if _splits_elements(subject):
            words += " Of an infinity NaN may come, since the kernel splits each element in two."
        return by_cases(self, cases, words)


def _cases(subject: Subject, shape: Shape, k: int) -> list[Case]:
    """What comes of a NaN and of an infinity in column k of A and in row k of B."""
    row, column = shape.m // 2, shape.n // 3
    plain = whole_numbers(shape, SEED).operands
    launched = subject.launch(plain)
    if not subject.judge(launched).is_within:  # other examinations name that
        return []
    expected = launched.c
    alpha = subject.prepared(shape).call.alpha
    cases = []
    for value, words in ((np.nan, "NaN"), (np.inf, "infinity")):
        for name in "AB":
            a, b, must = plain.a.copy(), plain.b.copy(), expected.copy()
            is_other = np.ones(expected.shape, bool)
            with np.errstate(invalid="ignore"):
                if name == "A":
                    a[row, k], is_other[row, :], place = value, False, element_name(name, row, k)
                    must[row, :] = alpha * value * b[k, :]
                else:
                    b[k, column], is_other[:, column], place = value, False, element_name(name, k, column)
                    must[:, column] = alpha * value * a[:, k]
            tried = f"{words} in {place}"
            left = attempt(subject, Given(tried, Operands(a, b, Fill.INTEGERS, SEED)))
            if isinstance(left, Case):
                cases.append(left)
                continue
            found = _fault(left.c, must, is_other, is_infinity_kept=not _splits_elements(subject))
            said = found or "reached exactly the elements that it must"
            cases.append(Case(tried, said, str(shape), SEED, failed=bool(found)))
    return cases


def _splits_elements(subject: Subject) -> bool:
    """Whether the claimed arithmetic multiplies a rounded part of each element, and the rest, apart."""
    return subject.kernel.arithmetic is Arithmetic.TF32X3


def _fault(
    c: Matrix, must: Matrix, is_other: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], *, is_infinity_kept: bool
) -> str:
    """What is wrong with a result that must be `must`, of which `is_other` does not depend on what is not finite. Of an
    infinity that is not kept, NaN may come.
    """
    reached = int(np.count_nonzero(~is_other))
    if lost := int(np.count_nonzero(np.isfinite(c) & ~is_other)):
        return f"{lost} of {reached} elements that must not be finite are"
    if spread := int(np.count_nonzero(is_other & (c != must))):
        return f"{spread} elements changed that do not depend on it"
    are_infinite = ~is_other & np.isinf(must) & (is_infinity_kept | ~np.isnan(c))
    if others := int(np.count_nonzero(are_infinite & (c != must))):
        are_nan = np.isnan(c[are_infinite & (c != must)]).all()
        how = "are NaN" if are_nan else "are not, or have the other sign"
        return f"{others} of {np.count_nonzero(are_infinite)} elements that must be infinite {how}"
    return ""
