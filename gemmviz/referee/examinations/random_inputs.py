"""Whether results are within the bound for random inputs, also of very different magnitudes."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.edge_case_magnitudes import NARROW, WIDE
from gemmviz.domain.terms import Arithmetic, Element, Fill
from gemmviz.referee.examination import Needs, by_cases
from gemmviz.referee.examinations.sizes import judged
from gemmviz.referee.finding import Finding
from gemmviz.referee.inputs import SEED, magnitudes, random_numbers, small_numbers
from gemmviz.referee.subject import Subject

_SMALL = 1e-4
"""What small numbers reach; half holds none of their products."""


@dataclass(frozen=True, slots=True)
class RandomInputs:
    """Uniform, normal, small and widely spread random numbers; the error is compared with the arithmetic's bound."""

    name: str = "Within the error bound"
    asks: str = "Is every element within the bound of its arithmetic, whatever the magnitudes?"
    needs: Needs = Needs.RIGHT_PRODUCT

    def examine(self, subject: Subject) -> Finding:
        shape = subject.claims.home
        given = (
            *(random_numbers(shape, Fill.UNIFORM, SEED + n) for n in range(2)),
            *(random_numbers(shape, Fill.NORMAL, SEED + n) for n in range(2)),
            *(() if has_half(subject) else (small_numbers(shape, _SMALL, SEED),)),
            magnitudes(shape, NARROW if has_half(subject) else WIDE, SEED),
        )
        cases = [judged(subject, one) for one in given]
        model = subject.model
        is_as_claimed = model is None or model.meets(subject.kernel.arithmetic)
        bound = "the bound" if is_as_claimed else f"the bound of what was found ({subject.found_arithmetic})"
        return by_cases(self, cases, f"{len(cases)} random inputs, all within {bound}.")


def has_half(subject: Subject) -> bool:
    """Whether numbers have the range of half: it is stored, claimed, or was found."""
    call = subject.prepared(subject.claims.home).call
    stored = any(call.storage(name).element is Element.HALF for name in call.matrices)
    found = subject.model is not None and 15 in (subject.model.inputs.largest, subject.model.sums.largest)
    return stored or found or subject.kernel.arithmetic is Arithmetic.FP16
