"""Whether a result comes from the inputs of this launch: no constant, and none remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.elements import element_name
from gemmviz.domain.operands import Operands
from gemmviz.domain.shape import Shape
from gemmviz.referee.attempts import attempt
from gemmviz.referee.examination import Needs, by_cases, not_examined
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED, Given, whole_numbers
from gemmviz.referee.recordings import follows_from, race_words
from gemmviz.referee.subject import Launched, Subject

_SAME, _CHANGED = "the result is that of the first inputs", "the result changed"
_KEEPS = "the kernel keeps something from launch to launch"
_FIRST_FURTHER, _FURTHER = 100, 4
"""Seeds behind the first of further inputs, and how many of them are tried, where an element stays the same."""
_MOST_SEEDS = 64
"""That are tried for inputs whose products differ."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Changes A alone, B alone and both between launches on the same buffers: the result has to change as the product
    does, and each element of a plain product: further inputs show whether those that stay the same ever change. The
    last inputs have to give what they give a kernel that is loaded anew, whose variables are as in its file.
    """

    name: str = "Follows its inputs"
    asks: str = "Does the result change with A and with B from launch to launch, and with nothing else?"
    needs: Needs = Needs.LAUNCHES

    def examine(self, subject: Subject) -> Finding:
        shape = subject.claims.home
        one, other = telling_inputs(shape)
        first = subject.launch(one)
        given = (
            Given("another A on the same buffers", Operands(other.a, one.b, one.fill, one.seed)),
            Given("another B on the same buffers", Operands(one.a, other.b, one.fill, one.seed)),
            Given("another A and B on the same buffers", replace(other, seed=one.seed)),
        )
        cases, seen = [], [first]
        left: Launched | Case = first
        for changed in given:
            left = attempt(subject, changed)
            if isinstance(left, Case):
                cases.append(left)
                continue
            seen.append(left)
            found, is_wrong = _changed((one, changed.operands), (first, left))
            cases.append(Case(changed.words, found, str(shape), SEED, failed=is_wrong))
        has_followed = not any(case.failed or case.faulted for case in cases)
        stuck = _constant_elements(subject, seen) if has_followed and subject.is_plain else None
        subject.follows_in_part = stuck is not None
        is_told = any(case.found in (_SAME, _CHANGED) for case in cases)
        if isinstance(left, Launched):
            cases.append(_beside_anew(subject, left, (one, other)))
            subject.keeps_something = cases[-1].failed
        again = attempt(subject, Given("the first A and B again", one))
        if isinstance(again, Launched):
            is_same = _same(first, again)
            found = "the first result again" if is_same else "not the first result, though the inputs are the same"
            found = _no_number(again) or found
            is_wrong = not is_same and _is_settled(subject)
            again = Case("the first A and B again", found, str(shape), SEED, failed=is_wrong)
        cases.append(again)
        is_in_doubt = has_followed and any(case.failed for case in cases)
        if is_in_doubt and (race := race_words(subject)) and not _keeps_without_races(subject, (one, other)):
            cases = [replace(case, found=case.found.partition(":")[0], failed=False) for case in cases]
            words = "The result changes with A and B from launch to launch; whether the kernel keeps state is unknown."
            if stuck is not None:
                return by_cases(self, [stuck, *cases], words)
            return not_examined(self, f"{follows_from(race)} {words}", cases)
        if subject.keeps_something:  # which is why the others fail
            cases.sort(key=lambda case: not case.found.endswith(_KEEPS))
        cases = [stuck, *cases] if stuck is not None else cases
        if not is_told and isinstance(left, Launched) and not any(case.failed or case.faulted for case in cases):
            words = f"No result shows whether it follows the inputs: {_no_number(left)}."
            return not_examined(self, words, cases)
        elements = "Every element" if subject.is_plain else "The result"
        words = f"{elements} follows A and B from launch to launch on the same buffers, and is that of a first launch."
        return by_cases(self, cases, words)


def _changed(given: Sequence[Operands], left: Sequence[Launched]) -> tuple[str, bool]:
    """How a result differs from the first one, and whether it does not where the products do. Elements that are no
    numbers, or that were not written, tell nothing.
    """
    first, other = (one.c for one in left)
    are_numbers = np.isfinite(first) & np.isfinite(other)
    if not are_numbers.any():
        return _no_number(left[1]) or _no_number(left[0]) or "no element is a number in both", False
    is_same = np.array_equal(first[are_numbers], other[are_numbers])
    one, two = (_product(operands)[are_numbers] for operands in given)
    return (_SAME if is_same else _CHANGED), is_same and not np.array_equal(one, two)


def _constant_elements(subject: Subject, seen: Sequence[Launched]) -> Case | None:
    """The case of elements that are the same number in all launches, and in further ones, though their products
    differ; None where there are none. Further A come with both signs, since what cuts off one sign is no constant.
    """
    first, shape = seen[0], seen[0].shape
    is_same, differs = np.isfinite(first.c), np.zeros(first.c.shape, bool)
    product = _product(first.operands)

    def compare(left: Launched) -> None:
        np.logical_and(is_same, left.c == first.c, out=is_same)
        np.logical_or(differs, _product(left.operands) != product, out=differs)

    for left in seen[1:]:
        compare(left)
    for seed in range(SEED + _FIRST_FURTHER, SEED + _FIRST_FURTHER + _FURTHER):
        one = whole_numbers(shape, seed).operands
        for operands in (one, replace(one, a=-one.a)):
            if not (is_same & differs).any():
                return None
            further = attempt(subject, Given("other inputs", operands))
            if isinstance(further, Launched):
                compare(further)
    places = np.argwhere(is_same & differs)
    if not places.size:
        return None
    row, column = (int(one) for one in places[0])
    name = element_name(subject.prepared(shape).call.result, row, column)
    found = f"{len(places)} of {first.c.size} elements never change though their products do; "
    found += f"{name} is always {float(first.c[row, column]):.9g}"
    return Case("elements that stay the same", found, str(shape), SEED, failed=True)


def _no_number(left: Launched) -> str:
    """That no element of a result is a number; "" where one is."""
    if np.isfinite(left.c).any():
        return ""
    return "no element was written" if left.unwritten == left.c.size else "no element is a finite number"


def telling_inputs(shape: Shape) -> tuple[Operands, Operands]:
    """Small whole numbers, and others, whose products change with A alone, with B alone and with both: where a matrix
    is a single 0, they do not.
    """
    for seed in range(SEED, SEED + _MOST_SEEDS):
        one, other = whole_numbers(shape, seed).operands, whole_numbers(shape, seed + 1).operands
        exchanged = (Operands(other.a, one.b, one.fill), Operands(one.a, other.b, one.fill), other)
        first = _product(one)
        if not any(np.array_equal(first, _product(further)) for further in exchanged):
            break
    return one, other


def _product(operands: Operands) -> NDArray[np.float64]:
    product: NDArray[np.float64] = operands.a.astype(np.float64) @ operands.b.astype(np.float64)
    return product


def _beside_anew(subject: Subject, behind: Launched, inputs: Sequence[Operands]) -> Case:
    """Whether the last of some inputs gave the same result `behind` launches as with a kernel that is loaded anew. What
    differs counts if both results come again: results that chance makes are not remembered.
    """
    shape, words = subject.claims.home, "a later launch beside a first one with the same inputs"
    first = _anew(subject, inputs[-1:])
    if isinstance(first, Case):
        return first
    if _same(behind, first):
        return Case(words, "the same result", str(shape), SEED)
    sequences = (inputs[-1:], inputs[-1:], inputs, inputs)
    left = [_anew(subject, given) for given in sequences]
    firsts, lasts = (first, *left[:2]), left[2:]
    is_settled = _are_same(firsts) and _are_same(lasts) and not _are_same((first, *lasts))
    count = int(np.count_nonzero(behind.c != first.c))
    found = f"{count} of {first.c.size} elements differ"
    found += f", each time: {_KEEPS}" if is_settled else ", by chance"
    return Case(words, found, str(shape), SEED, failed=is_settled)


def _keeps_without_races(subject: Subject, inputs: Sequence[Operands]) -> bool:
    """Whether the last of some inputs gives another result behind the others where each block ends before the next one
    begins, so that no two of them race; only the PTX machine can do that.
    """
    if not subject.device.is_emulated:
        return False
    left = [_anew(subject, given, one_by_one=True) for given in (inputs[-1:], inputs)]
    return not _are_same(left) and all(isinstance(one, Launched) for one in left)


def _are_same(left: Sequence[Launched | Case]) -> bool:
    launched = [one for one in left if isinstance(one, Launched)]
    return len(launched) == len(left) and all(_same(launched[0], one) for one in launched)


def _anew(subject: Subject, inputs: Sequence[Operands], *, one_by_one: bool = False) -> Launched | Case:
    """What the last of some launches of a kernel that is loaded anew leaves."""
    fresh = subject.anew()
    try:
        order = range if one_by_one else None
        given = [Given("a kernel that is loaded anew", operands) for operands in inputs]
        left = [attempt(fresh, one, order=order, one_by_one=one_by_one) for one in given]
    finally:
        fresh.release()
    return left[-1]


def _same(one: Launched, other: Launched) -> bool:
    return bool(np.array_equal(one.c, other.c, equal_nan=True))


def _is_settled(subject: Subject) -> bool:
    """Whether the same inputs twice in a row give the same result: else the results are not reproducible, and not
    remembered.
    """
    operands = whole_numbers(subject.claims.home, SEED).operands
    return _same(subject.launch(operands), subject.launch(operands))
