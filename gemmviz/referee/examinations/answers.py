"""Whether a result comes from the inputs of this launch: no constant, and none remembered."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gemmviz.domain.operands import Operands
from gemmviz.referee.attempts import attempt
from gemmviz.referee.examination import Needs, by_cases
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED, Given, whole_numbers
from gemmviz.referee.subject import Launched, Subject


@dataclass(frozen=True, slots=True)
class Answers:
    """Changes A alone, B alone and both between launches on the same buffers: the result has to change as the product
    does. Negated and doubled inputs have negated and doubled products, whatever else is wrong with a kernel.
    """

    name: str = "Follows its inputs"
    asks: str = "Does the result change with A and with B from launch to launch?"
    needs: Needs = Needs.LAUNCHES

    def examine(self, subject: Subject) -> Finding:
        shape = subject.claims.home
        one, other = whole_numbers(shape, SEED).operands, whole_numbers(shape, SEED + 1).operands
        first = subject.launch(one)
        given = (
            Given("another A on the same buffers", Operands(other.a, one.b, one.fill, one.seed)),
            Given("another B on the same buffers", Operands(one.a, other.b, one.fill, one.seed)),
            Given("another A and B on the same buffers", replace(other, seed=one.seed)),
        )
        cases = []
        for changed in given:
            left = attempt(subject, changed)
            if isinstance(left, Case):
                cases.append(left)
                continue
            is_same = _same(first, left)
            found = "the result is that of the first inputs" if is_same else "the result changed"
            cases.append(Case(changed.words, found, str(shape), SEED, failed=is_same))
        again = attempt(subject, Given("the first A and B again", one))
        if isinstance(again, Launched):
            is_same = _same(first, again)
            found = "the first result again" if is_same else "not the first result, though the inputs are the same"
            is_wrong = not is_same and _is_settled(subject)
            again = Case("the first A and B again", found, str(shape), SEED, failed=is_wrong)
        cases.append(again)
        return by_cases(self, cases, "The result follows A and B from launch to launch on the same buffers.")


def _same(one: Launched, other: Launched) -> bool:
    return bool(np.array_equal(one.c, other.c, equal_nan=True))


def _is_settled(subject: Subject) -> bool:
    """Whether the same inputs twice in a row give the same result: else the results are not reproducible, and not
    remembered.
    """
    operands = whole_numbers(subject.claims.home, SEED).operands
    return _same(subject.launch(operands), subject.launch(operands))
