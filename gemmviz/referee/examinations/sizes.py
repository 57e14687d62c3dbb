"""Whether results are right at the sizes that are claimed, and at sizes that nothing divides."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, replace
from functools import partial

from gemmviz.domain import figures
from gemmviz.domain.edge_case_sizes import ODD, Sizes
from gemmviz.domain.figures import counted
from gemmviz.domain.kernels.call import Factor
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.measure.check.judge import Expected
from gemmviz.referee.attempts import attempt
from gemmviz.referee.examination import Needs, by_cases, not_examined
from gemmviz.referee.examinations.right_where import where_right
from gemmviz.referee.examinations.unwritten_words import unwritten_words
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.given_constants import given_constants
from gemmviz.referee.inputs import SEED, Given, random_numbers, whole_numbers
from gemmviz.referee.other_values import factor_pairs, of_other_values, other_factors, other_parameters
from gemmviz.referee.subject import Launched, Subject
from gemmviz.referee.suggested_sizes import has_suggested_sizes
from gemmviz.referee.words import largest_words


@dataclass(frozen=True, slots=True)
class ClaimedSizes:
    """Compares results with float64 at the borders of what the description claims and with one long dimension at a
    time, at equal dimensions and at halves of tiles, at sizes that its code compares its own with, with random numbers
    where all dimensions are large, and at `_telling_sizes` with every other value of its parameters, another alpha and
    another beta, and at one size with alpha and beta of 0, 1 and -1; tries other values of constants that the
    description gives the kernel, and sees that it refuses the sizes just outside. Sizes outside those that only its
    launch suggests are no matter of its own.
    """

    name: str = "Right at the sizes it claims"
    asks: str = "Is the product right at the borders of the claimed sizes, and are all other sizes refused?"
    needs: Needs = Needs.ANSWERS

    def examine(self, subject: Subject) -> Finding:
        apart = [(one.m, one.n, one.k) for one in subject.compared_sizes]
        sizes = [*dict.fromkeys((*subject.claims.borders(), *subject.claims.forms(), *subject.claims.long(), *apart))]
        large = [one for one in subject.claims.large() if one not in sizes]
        cases = [case for one in sizes for case in _cases(subject, Shape(*one))]
        named_by = next((case.named_by for case in cases if case.named_by), "")
        cases += [_of_large(subject, Shape(*one), named_by) for one in large]
        sizes += large
        others = of_other_values(
            subject,
            [*other_factors(subject), *other_parameters(subject)],
            lambda other: [partial(_cases, other, shape) for shape in _telling_sizes(other)],
        )
        pairs = of_other_values(
            subject, factor_pairs(subject), lambda other: [partial(_cases, other, _telling_sizes(other)[0])]
        )
        cases += [*others.cases, *pairs.cases]
        is_suggested = has_suggested_sizes(subject.kernel)
        beyond = () if is_suggested else subject.claims.beyond()
        refused = [
            Case("a size just outside", f"refused: {subject.claims.refusal(one)}", str(Shape(*one))) for one in beyond
        ]
        outside = f"; {counted(len(refused), 'size')} just outside {_are(refused)} refused" if refused else ""
        tried = f"{counted(len(sizes), 'size')}{f', {largest_words(sizes)}' if len(sizes) > 1 else ''}"
        with_others = "".join(f" Right also with {one.words}." for one in (others, pairs) if one.judged)
        claim = "No sizes are claimed; examined were" if is_suggested else "Claimed:"
        words = f"{claim} {subject.claims.words}. Right at {tried}{outside}.{subject.claims.left_out}{with_others}"
        constants = given_constants(subject, _case_of_random_numbers)
        words += f"{others.caveat_sentence}{pairs.caveat_sentence}{constants.words}"
        doubts = [f"it is {one.reason}" for one in subject.kernel.constraints if one.doubt]
        words += "".join(f" {one[:1].upper()}{one[1:]}." for one in doubts)
        caveat = " and ".join(filter(None, (*doubts, others.caveat, pairs.caveat, constants.caveat)))
        if subject.claims.gap and not any(case.failed for case in cases):
            return not_examined(self, f"{subject.claims.gap}. {words}", (*cases, *refused))
        return replace(_with_condition(by_cases(self, cases, words, refused)), caveat=caveat)


SUGGESTED_SIZES = ClaimedSizes(
    "Right at sizes its launch suggests",
    "No sizes are claimed. Is the product right at the borders of those that its launch suggests?",
)
"""The same examination of a kernel that claims no sizes."""


@dataclass(frozen=True, slots=True)
class OddSizes:
    """Compares results with float64 at primes and ones, K = 1, tall and wide matrices."""

    name: str = "Right at sizes nothing divides"
    asks: str = "Is the product right at primes, at 1, at K = 1, tall and wide, where that is claimed?"
    needs: Needs = Needs.ANSWERS

    def examine(self, subject: Subject) -> Finding:
        claims = subject.claims
        claimed = claims.odd()
        outside = [one for one in ODD if not claims.is_claimed(one) and not claims.has_gap(one)]
        refused: list[Sizes] = [] if has_suggested_sizes(subject.kernel) else outside
        said = [Case("not claimed", f"refused: {claims.refusal(one)}", str(Shape(*one))) for one in refused]
        if not claimed and has_suggested_sizes(subject.kernel):
            return not_examined(
                self, f"The description names no sizes, and “{SUGGESTED_SIZES.name}” has none of these."
            )
        if not claimed:
            words = f"Not claimed: it takes {claims.words}. All {len(refused)} such sizes are refused before a launch."
            return not_examined(self, words, said)
        cases = [case for one in claimed for case in _cases(subject, Shape(*one))]
        others = f"; {counted(len(refused), 'other')} {_are(refused)} not claimed, and refused" if refused else ""
        return _with_condition(by_cases(self, cases, f"Right at {counted(len(claimed), 'such size')}{others}.", said))


def _with_condition(finding: Finding) -> Finding:
    """The finding, if it failed with what the sizes have in common that are right."""
    return replace(finding, reason=f"{finding.reason}{where_right(finding.cases)}")


def _are(what: Sized) -> str:
    return "is" if len(what) == 1 else "are"


def _telling_sizes(subject: Subject) -> list[Shape]:
    """The first size that nothing divides, one long dimension at a time, which shows what a grid of fixed size leaves
    out, the other sizes that nothing divides or, where none is claimed, the borders, and a small size.
    """
    claims = subject.claims
    first, *others = [Shape(*one) for one in claims.odd() or claims.borders()] or [claims.small]
    return [*dict.fromkeys((first, *(Shape(*one) for one in claims.long()), *others, claims.small))]


def _case_of_random_numbers(subject: Subject) -> Case:
    return judged(subject, random_numbers(_telling_sizes(subject)[0], Fill.NORMAL, SEED))


def _cases(subject: Subject, shape: Shape) -> list[Case]:
    """Whole numbers, which are to be exact, and random ones."""
    return [judged(subject, given) for given in (whole_numbers(shape, SEED), random_numbers(shape, Fill.NORMAL, SEED))]


def _of_large(subject: Subject, shape: Shape, named_by: str) -> Case:
    """Random numbers at a large size. A fault there is no other one than that at a smaller size, which the examination
    `named_by` names, "" for none.
    """
    found = judged(subject, random_numbers(shape, Fill.NORMAL, SEED))
    return replace(found, failed=False, named_by=named_by) if found.faulted and named_by else found


def judged(subject: Subject, given: Given, *, is_exact: bool | None = None) -> Case:
    """What comes of inputs: exact where they are whole numbers and nothing is scaled, else within the bound."""
    operands = given.operands
    launched = attempt(subject, given)
    if isinstance(launched, Case):
        return launched
    expected = subject.expected(launched)
    result = subject.judge(launched, expected)
    exact = (operands.fill is Fill.INTEGERS if is_exact is None else is_exact) and subject.is_plain
    if result.unwritten:
        name = subject.prepared(launched.shape).call.result
        found, is_wrong = unwritten_words(launched.c, result.unwritten, name), True
    elif exact:
        is_wrong = not result.is_exact
        of = "1 element is" if result.elements == 1 else f"{result.elements} elements are"
        wrong = f"{result.elements - result.equal} of {of} wrong; {result.first_unequal}"
        found = wrong if is_wrong else "exact"
    else:
        is_wrong = not result.is_within
        found = figures.error_against_bound(result.error, result.bound)
        found += f"; {result.worst}{_other_factor_words(subject, launched, expected)}" if is_wrong else ""
    return Case(given.words, found, str(launched.shape), operands.seed, failed=is_wrong)


def _other_factor_words(subject: Subject, launched: Launched, expected: Expected) -> str:
    """With which alpha or beta in place of its own a wrong result would be right, as one is that ignores it; "" for
    none.
    """
    call = subject.prepared(launched.shape).call
    for factor, name, value in ((Factor.ALPHA, "alpha", 1.0), (Factor.BETA, "beta", 0.0), (Factor.BETA, "beta", 1.0)):
        own = call.alpha if factor is Factor.ALPHA else call.beta
        other = replace(call, alpha=value) if factor is Factor.ALPHA else replace(call, beta=value)
        if factor not in subject.kernel.call.arguments or own == value:
            continue
        if subject.judged_as(launched, other, expected).is_within:
            return f": right with {name} = {value:g} in place of {own:g}, so {name} may be ignored"
    return ""
