"""Whether the same inputs give the same bits, from run to run and in every order of the blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gemmviz.backends.machine.device import BlockOrder
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.referee.attempts import FAULTED, attempt
from gemmviz.referee.examination import Needs, by_cases, failed, first_words, held
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED, Given, random_numbers
from gemmviz.referee.recorded_size import blocks_at, recorded_size
from gemmviz.referee.recordings import recordings_of
from gemmviz.referee.subject import Subject

_RUNS = 3


@dataclass(frozen=True, slots=True)
class Determinism:
    """Launches with the same random inputs several times and, on the PTX machine, with the blocks in reverse and in
    random orders: all results have to be the same, bit for bit. Where they differ, atomic operations on the result
    explain it if there are some.
    """

    name: str = "Gives the same bits each time"
    asks: str = "Are results the same from run to run, and whichever block comes first?"
    needs: Needs = Needs.LAUNCHES

    def examine(self, subject: Subject) -> Finding:
        claims = subject.claims
        sizes = [claims.home, *(Shape(*one) for one in claims.odd()[:1])]
        if all(blocks_at(claims, shape) == 1 for shape in sizes):
            sizes.append(recorded_size(claims))
        most = max(sizes, key=lambda shape: blocks_at(claims, shape))
        cases = [case for shape in sizes for case in _cases(subject, shape)]
        wrong = [case for case in cases if case.failed]
        faulted = [case for case in cases if case.faulted]
        if wrong:
            why = "" if wrong[0].faulted else f" {_explanation(subject)}"
            return failed(self, f"With {first_words(wrong)}.{why}", cases)
        if len(faulted) == len(cases):
            return by_cases(self, cases, "")
        blocks = blocks_at(claims, most)
        reordered = f" and in three orders of {blocks} blocks at {most}" if blocks > 1 else ", of one block only"
        orders = reordered if subject.device.is_emulated else ""
        warps = "; the order of the warps was not changed" if subject.device.is_emulated else ""
        more = f" Nothing could be compared at {faulted[0].shape}, where {FAULTED}." if faulted else ""
        return held(self, f"Bitwise equal in {_RUNS} runs{orders}{warps}.{more}", cases)


def _cases(subject: Subject, shape: Shape) -> list[Case]:
    """A case for each further run and order; where run 1 ended at a fault there is one case, which says so."""
    operands = random_numbers(shape, Fill.NORMAL, SEED).operands
    orders: list[tuple[str, BlockOrder | None]] = [(f"run {number + 1}", None) for number in range(1, _RUNS)]
    if subject.device.is_emulated and blocks_at(subject.claims, shape) > 1:
        orders += [
            ("the blocks in reverse", _reversed),
            *((f"the blocks in random order {n}", _drawn(n)) for n in (1, 2)),
        ]
    first = attempt(subject, Given("run 1", operands))
    if isinstance(first, Case):
        return [first]
    cases = []
    for words, order in orders:
        left = attempt(subject, Given(words, operands), order=order)
        if isinstance(left, Case):
            cases.append(replace(left, found=f"{left.found}, which run 1 did not", failed=True))
            continue
        differs = int(np.count_nonzero(first.c.view(np.uint32) != left.c.view(np.uint32)))
        told = f"{differs} of {first.c.size} elements differ in their bits from run 1" if differs else "the same bits"
        cases.append(Case(words, told, str(shape), SEED, failed=bool(differs)))
    return cases


def _reversed(blocks: int) -> Sequence[int]:
    return range(blocks - 1, -1, -1)


def _drawn(seed: int) -> BlockOrder:
    def order(blocks: int) -> Sequence[int]:
        return [int(block) for block in np.random.default_rng(seed).permutation(blocks)]

    return order


def _explanation(subject: Subject) -> str:
    sites = [site for run in recordings_of(subject).runs for site in run.sites if site.is_atomic and site.line]
    lines = sorted({site.line for site in sites})
    if not lines:
        return "No atomic operation explains it."
    words = ", ".join(str(line) for line in lines)
    return f"Atomic operations (line {words}) add in an order that nothing fixes, and sums of floats depend on it."
