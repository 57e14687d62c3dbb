"""Whether results are exact for inputs whose products are."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gemmviz.domain.listing import listed
from gemmviz.domain.terms import Arithmetic, Element
from gemmviz.referee.examination import Needs, by_cases
from gemmviz.referee.examinations.random_inputs import has_half
from gemmviz.referee.examinations.sizes import judged
from gemmviz.referee.finding import Case, Finding, Outcome
from gemmviz.referee.inputs import (
    SEED,
    Given,
    denormal_numbers,
    halves,
    identities,
    ones,
    single_elements,
    tiny_numbers,
    whole_numbers,
    zeros,
)
from gemmviz.referee.subject import Subject

_KEPT = "kept"


@dataclass(frozen=True, slots=True)
class PlainInputs:
    """Zeros, ones, identities, small whole numbers and halves: every sum is exact in every order, and one wrong bit
    fails. Tiny numbers beside huge ones are exact, too, where a kernel computes with numbers of float32's range.
    Denormal numbers that a kernel does not keep are told.
    """

    name: str = "Exact for plain inputs"
    asks: str = "Are products of zeros, ones, identities, small whole numbers and halves exactly right?"
    needs: Needs = Needs.ANSWERS

    def examine(self, subject: Subject) -> Finding:
        shape = subject.claims.home
        given = (
            zeros(shape),
            ones(shape),
            *identities(shape, SEED),
            *(whole_numbers(shape, SEED + n) for n in range(3)),
            halves(shape, SEED),
            *(tiny_numbers(shape, SEED) if _keeps_denormals(subject) and not has_half(subject) else ()),
        )
        cases = [judged(subject, one) for one in given]
        are_right = _right_words(subject)
        finding = by_cases(self, cases, f"{len(cases)} inputs, {are_right}. Zeros of either sign count as equal.")
        if finding.outcome is not Outcome.HELD or not _keeps_denormals(subject):
            return finding
        further = [_of_denormals(subject, one) for one in denormal_numbers(shape, SEED)]
        lost = [case.tried for case in further if case.found != _KEPT]
        caveat = f"{listed(lost)} are not kept (they may become 0)" if lost else ""
        return replace(finding, cases=(*finding.cases, *further), caveat=caveat)


def _keeps_denormals(subject: Subject) -> bool:
    """Whether a kernel claims float32, whose numbers below 2^-126 keep fewer bits and are no zeros."""
    call = subject.prepared(subject.claims.home).call
    is_float = all(call.storage(name).element is Element.FLOAT32 for name in call.matrices)
    return subject.is_plain and is_float and subject.kernel.arithmetic is Arithmetic.FP32


def _of_denormals(subject: Subject, given: Given) -> Case:
    """Whether products of denormal numbers are exact. That they are not is no failure: compilers flush them to 0 where
    they are asked for speed.
    """
    case = judged(subject, given)
    return case if case.faulted else replace(case, found=case.found if case.failed else _KEPT, failed=False)


@dataclass(frozen=True, slots=True)
class SingleElements:
    """One element of A, or of B, is not zero: exactly one row, or column, of C may be, which catches a wrong index."""

    name: str = "Each element in its place"
    asks: str = "Does one element of A reach its row of C alone, and one of B its column?"
    needs: Needs = Needs.ANSWERS

    def examine(self, subject: Subject) -> Finding:
        cases = [judged(subject, one) for one in single_elements(subject.claims.home)]
        return by_cases(self, cases, f"{len(cases)} single elements, {_right_words(subject)}.")


def _right_words(subject: Subject) -> str:
    """How results were compared that are right: those that are scaled or added to are rounded."""
    return "all exact" if subject.is_plain else "all within the bound (products with alpha and beta are rounded)"
