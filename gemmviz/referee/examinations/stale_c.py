"""Whether a result depends on what C held before."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gemmviz.domain.kernels.call import Factor
from gemmviz.domain.terms import InitialC
from gemmviz.referee import recordings
from gemmviz.referee.attempts import attempt
from gemmviz.referee.examination import Needs, by_cases, held, not_examined
from gemmviz.referee.examinations.unwritten_words import unwritten_words
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED, Given, whole_numbers
from gemmviz.referee.subject import Launched, Subject
from gemmviz.trace.hazards.rules.rule import Concern

_ONE_IN_BFLOAT16 = 0x3F80


@dataclass(frozen=True, slots=True)
class StaleC:
    """Launches with C full of NaNs, full of zeros, and twice on the same C: the bits of all results are the same, and
    no NaN is left. Where beta is 0 this is the rule of the BLAS: C need not be set on input (Dongarra et al., A set of
    level 3 basic linear algebra subprograms, ACM TOMS 16:1, 1990).
    """

    name: str = "Ignores what C held before"
    asks: str = "Is every element written, and none made from what C held before the launch?"
    needs: Needs = Needs.LAUNCHES

    def examine(self, subject: Subject) -> Finding:
        shape = subject.claims.home
        call = subject.prepared(shape).call
        if not call.has_d and call.c_begins is InitialC.ZERO:
            return self._beginning_at_zero(subject)
        if not call.has_d and call.c_begins is InitialC.RANDOM:
            return self._without_beta(subject)
        given = whole_numbers(shape, SEED)
        operands = given.operands
        clean = subject.launch(operands, np.zeros_like(subject.poison(shape)))
        poisoned = attempt(subject, Given("C full of NaNs", operands))
        twice = attempt(subject, Given("two launches on the same C", operands), launches=2)
        cases: list[Case] = []
        race, differing = recordings.race_words(subject), list[str]()
        again = attempt(subject, Given("C full of zeros again", operands), np.zeros_like(subject.poison(shape)))
        is_unsteady = isinstance(again, Case) or _differing(clean, again) > 0
        for words, left in (("C full of NaNs", poisoned), ("two launches on the same C", twice)):
            if isinstance(left, Case):
                cases.append(replace(left, found=f"{left.found}, which one with zeros did not", failed=True))
                continue
            differs = _differing(clean, left)
            found = "the same result as with zeros"
            if left.unwritten:
                found = unwritten_words(left.c, left.unwritten, call.result)
            elif differs:
                found = f"{differs} of {left.c.size} elements differ from those with zeros"
            is_wrong = bool(left.unwritten or (differs and not race and not is_unsteady))
            differing += [words] if differs else []
            cases.append(Case(words, found, str(shape), SEED, failed=is_wrong))
        cases += recordings.cases_of(subject, Concern.INITIAL_C)
        subject.starts_at_zero = any(case.failed for case in cases) and _is_whole(poisoned)
        if differing and not any(case.failed for case in cases):
            unsteady = "Not judged: two launches with C full of zeros differ as well, so something else changes them."
            return not_examined(self, recordings.follows_from(race) if race else unsteady, cases)
        return by_cases(
            self,
            cases,
            f"With {given.words}, C full of NaNs, C full of zeros and the C of the launch before give the same bits.",
        )

    def _beginning_at_zero(self, subject: Subject) -> Finding:
        """Whether a kernel that is described to add to C does so: with ones in C each element is larger by 1 than with
        zeros. One that does something else breaks no claim, since its C begins as zeros.
        """
        shape = subject.claims.home
        given, empty = whole_numbers(shape, SEED), subject.poison(shape)
        one = _ONE_IN_BFLOAT16 if empty.dtype == np.uint16 else 1
        clean = attempt(subject, Given("C full of zeros", given.operands), np.zeros_like(empty))
        ones = attempt(subject, Given("C full of ones", given.operands), np.full_like(empty, one))
        if isinstance(clean, Case) or isinstance(ones, Case):
            return by_cases(self, [left for left in (clean, ones) if isinstance(left, Case)], "")
        subject.adds_to_c = bool((ones.c == clean.c + 1).all())
        found = "each element larger by 1" if subject.adds_to_c else "the same result as with zeros"
        cases = [Case("C full of ones", found, str(shape), SEED)]
        begins = "Its description says that C begins as zeros"
        if subject.adds_to_c:
            words = f"{begins}. With {given.words} and ones in C the result is A·B + C."
            return replace(held(self, words, cases), name="Adds to what C held before", asks="Is the result A·B + C?")
        if not _differing(clean, ones):
            return held(self, f"{begins}; with ones in C the result is the same.", cases)
        cases = [replace(cases[0], found="neither the same result as with zeros nor one that is larger by 1")]
        return not_examined(self, f"Not claimed: {begins[0].lower()}{begins[1:]}.", cases)

    def _without_beta(self, subject: Subject) -> Finding:
        """What a NaN in C does where a kernel that reads C is given 0 for beta. To pass it on breaks no claim."""
        reads = "its description says that C begins as numbers that are read"
        if Factor.BETA not in subject.kernel.call.arguments:
            return not_examined(self, f"Not claimed: {reads}.")
        rule = replace(subject.kernel.call, beta=0.0, c_begins=InitialC.UNDEFINED)
        plain = Subject(replace(subject.kernel, call=rule), subject.params, subject.device, subject.watch)
        try:
            shape = subject.claims.home
            operands = whole_numbers(shape, SEED).operands
            clean, poisoned = plain.launch(operands, zero_c=True), plain.launch(operands)
        finally:
            plain.release()
        stay = int(np.count_nonzero(np.isnan(poisoned.c) & ~np.isnan(clean.c)))
        found = f"{stay} of {clean.c.size} NaNs stay" if stay else "the same result as with zeros"
        cases = [Case("beta = 0 and C full of NaNs", found, str(shape), SEED)]
        if stay:
            words = f"Not claimed: {reads}. With beta = 0 it reads C too, where the BLAS does not: NaNs stay."
            caveat = "with beta = 0 a NaN in C stays, where the BLAS does not read C"
            return replace(not_examined(self, words, cases), caveat=caveat)
        return held(self, "With beta = 0 it does not read C, as the BLAS does not; else C is a claimed input.", cases)


def _differing(one: Launched, other: Launched) -> int:
    """How many elements differ in their bits."""
    words = one.c.view(np.uint32) != other.c.view(np.uint32)
    return int(np.count_nonzero(words.reshape(one.c.size, -1).any(axis=1)))


def _is_whole(left: Launched | Case) -> bool:
    """Whether a launch wrote every element, or ended at a fault before that."""
    return isinstance(left, Case) or not left.unwritten
