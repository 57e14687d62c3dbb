"""Whether results are right at the sizes that are claimed, and at sizes that nothing divides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.referee.claims import ODD, Sizes
from gemmviz.referee.examination import Examination, Needs, by_cases, not_examined
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED, Given, random_numbers, whole_numbers
from gemmviz.referee.subject import KernelFaultedError, Subject


@dataclass(frozen=True, slots=True)
class ClaimedSizes:
    """Compares results with float64 at the borders of what the description claims, and sees that it refuses the sizes
    just outside.
    """

    name: str = "Right at the sizes it claims"
    asks: str = "Is the product right at the borders of the claimed sizes, and is all else refused?"
    needs: Needs = Needs.ANSWERS

    def examine(self, subject: Subject) -> Finding:
        sizes = subject.claims.borders()
        cases = [case for one in sizes for case in _cases(subject, Shape(*one))]
        refused = subject.claims.beyond()
        cases += [
            Case("a size just outside", f"refused: {subject.claims.refusal(one)}", str(Shape(*one))) for one in refused
        ]
        outside = f"; {len(refused)} sizes just outside are refused" if refused else ""
        return _found(self, cases, f"Claimed: {subject.claims.words}. Right at {len(sizes)} sizes{outside}.")


@dataclass(frozen=True, slots=True)
class OddSizes:
    """Compares results with float64 at primes and ones, K = 1, tall and wide matrices."""

    name: str = "Right at sizes nothing divides"
    asks: str = "Is the product right at primes, at 1, at K = 1, tall and wide, where that is claimed?"
    needs: Needs = Needs.ANSWERS

    def examine(self, subject: Subject) -> Finding:
        claims = subject.claims
        claimed = claims.odd()
        refused: list[Sizes] = [one for one in ODD if not claims.is_claimed(one)]
        said = [Case("not claimed", f"refused: {claims.refusal(one)}", str(Shape(*one))) for one in refused]
        if not claimed:
            words = f"Not claimed: it takes {claims.words}. All {len(refused)} such sizes are refused before a launch."
            return not_examined(self, words, said)
        cases = [case for one in claimed for case in _cases(subject, Shape(*one))]
        others = f"; {len(refused)} others are not claimed, and refused" if refused else ""
        return _found(self, [*cases, *said], f"Right at {len(claimed)} such sizes{others}.")


def _found(examination: Examination, cases: Sequence[Case], words: str) -> Finding:
    judged = [case for case in cases if not case.found.startswith(_FAULTED) and not case.found.startswith("refused")]
    if not judged:
        return not_examined(examination, "Every launch ended at a fault.", cases)
    faulted = sum(case.found.startswith(_FAULTED) for case in cases)
    more = f" {faulted} launches ended at a fault." if faulted else ""
    return by_cases(examination, cases, words + more)


_FAULTED = "the launch ended at a fault"


def _cases(subject: Subject, shape: Shape) -> list[Case]:
    """Whole numbers, which are to be exact, and random ones."""
    return [judged(subject, given) for given in (whole_numbers(shape, SEED), random_numbers(shape, Fill.NORMAL, SEED))]


def judged(subject: Subject, given: Given, *, is_exact: bool | None = None) -> Case:
    """What comes of inputs: exact where they are whole numbers and nothing is scaled, else within the bound.

    A launch that ends at a fault is told by other examinations, and fails none here.
    """
    operands = given.operands
    shape = Shape(operands.a.shape[0], operands.b.shape[1], operands.a.shape[1])
    try:
        launched = subject.launch(operands)
    except KernelFaultedError as error:
        if error.is_lost:
            raise
        return Case(given.words, f"{_FAULTED}: {error}", str(shape), operands.seed)
    result = subject.judge(launched)
    exact = (operands.fill is Fill.INTEGERS if is_exact is None else is_exact) and subject.is_plain
    if result.unwritten:
        found, is_wrong = f"{result.unwritten} of {result.elements} elements are not written", True
    elif exact:
        is_wrong = not result.is_exact
        wrong = f"{result.elements - result.equal} of {result.elements} elements are wrong; {result.first_unequal}"
        found = wrong if is_wrong else "exact"
    else:
        is_wrong = not result.is_within
        found = f"error {result.error:.4g} u·G, bound {result.bound:.4g}"
        found += f"; {result.worst}" if is_wrong else ""
    return Case(given.words, found, str(shape), operands.seed, failed=is_wrong)
