"""Whether the same inputs give the same bits, from run to run and in every order of the blocks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gemmviz.backends.machine.device import BlockOrder, MachineCompiled
from gemmviz.catalogue.claims.recorded_size import blocks_at, recorded_size
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.machine.ptx.unsteady_registers import unsteady_reads
from gemmviz.referee.attempts import FAULTED, attempt
from gemmviz.referee.examination import Needs, by_cases, failed, first_sentence, first_words, held, not_examined, varies
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED, Given, random_numbers, whole_numbers
from gemmviz.referee.recordings import cases_of, recordings_of
from gemmviz.referee.subject import Launched, Subject
from gemmviz.trace.hazards.rules.rule import Concern

_RUNS = 3
_REVERSED = "the last block first, each alone, in a first launch"
_WHOLE = re.compile(r"^(?!.*\.cas\b).*\.[usb](?:32|64)\b")
"""An atomic operation on whole numbers; one that compares and swaps may add floats."""
_DEPENDS = "It depends on the order in which blocks start, which a GPU does not promise."


@dataclass(frozen=True, slots=True)
class Determinism:
    """Launches with the same random inputs several times and, on the PTX machine, with the blocks in reverse, each
    alone, and in random orders: all results have to be the same, bit for bit. Where they differ, the order in which
    products are added may explain it: then all are within the bound, sums of small whole numbers, which no order
    changes, are the same bits, and nothing races. That is no fault.
    """

    name: str = "Gives the same bits each time"
    asks: str = "Are results the same from run to run, and whichever block comes first?"
    needs: Needs = Needs.LAUNCHES

    def examine(self, subject: Subject) -> Finding:
        found, unsteady = self._compared(subject), _unsteady_reads(subject)
        return replace(found, reason=f"{found.reason} The kernel {unsteady}.") if unsteady else found

    def _compared(self, subject: Subject) -> Finding:
        claims = subject.claims
        sizes = [claims.home, *(Shape(*one) for one in claims.odd()[:1])]
        if all(blocks_at(claims, shape) == 1 for shape in sizes):
            sizes.append(recorded_size(claims))
        most = max(sizes, key=lambda shape: blocks_at(claims, shape))
        compared = [
            one for shape in sizes for one in _compared(subject, shape, random_numbers(shape, Fill.NORMAL, SEED))
        ]
        cases = [one.case for one in compared]
        wrong = [case for case in cases if case.failed]
        faulted = [case for case in cases if case.faulted]
        if wrong:
            excused = [replace(case, failed=False) for case in cases]
            if recordings_of(subject).runs and _is_only_rounding(subject, compared):
                words = f"Right within the bound, but with {first_words(wrong)}. {_atomics_words(subject)}"
                return varies(self, words, excused)
            if subject.keeps_something and not any(case.faulted for case in wrong):
                words = "Not judged: the kernel keeps something from launch to launch, and results follow from that."
                return not_examined(self, words, excused)
            why = "" if wrong[0].faulted else f" {_atomics_words(subject)}"
            of_order = f"{_DEPENDS} " if any(one.faulted and one.tried == _REVERSED for one in wrong) else ""
            return failed(self, f"{of_order}{first_sentence(wrong)}{why}", cases)
        if len(faulted) == len(cases):
            return by_cases(self, cases, "")
        blocks = blocks_at(claims, most)
        reordered = f" and in three orders of {blocks} blocks at {most}" if blocks > 1 else ", of one block only"
        orders = reordered if subject.device.is_emulated else ""
        warps = "; the order of the warps was not changed" if subject.device.is_emulated else ""
        more = f" Nothing could be compared at {faulted[0].shape}, where {FAULTED}." if faulted else ""
        return held(self, f"Bitwise equal in {_RUNS} runs{orders}{warps}.{more}", cases)


@dataclass(frozen=True, slots=True)
class _Compared:
    """What a further run or order left, held against run 1, and whether both are within the bound."""

    case: Case
    is_within: bool = False


def _compared(subject: Subject, shape: Shape, given: Given) -> list[_Compared]:
    """A comparison for each further run and order; where run 1 ended at a fault there is one, which says so."""
    operands = given.operands
    orders: list[tuple[str, BlockOrder | None]] = [(f"run {number + 1}", None) for number in range(1, _RUNS)]
    if subject.device.is_emulated and blocks_at(subject.claims, shape) > 1:
        orders += [(_REVERSED, _reversed), *((f"the blocks in random order {n}", _drawn(n)) for n in (1, 2))]
    first = attempt(subject, Given("run 1", operands))
    if isinstance(first, Case):
        return [_Compared(first)]
    compared: list[_Compared] = []
    expected = subject.expected(first)
    is_first_within = subject.judge(first, expected).is_within
    for words, order in orders:
        given = Given(words, operands)
        left = _reversed_alone(subject, given) if order is _reversed else attempt(subject, given, order=order)
        if isinstance(left, Case):
            compared.append(_Compared(replace(left, found=f"{left.found}, which run 1 did not", failed=True)))
            if order is not None:  # in another order it would end so, too
                break
            continue
        differs = int(np.count_nonzero(first.c.view(np.uint32) != left.c.view(np.uint32)))
        told = f"{differs} of {first.c.size} elements differ in their bits from run 1" if differs else "the same bits"
        case = Case(words, told, str(shape), SEED, failed=bool(differs))
        compared.append(_Compared(case, is_first_within and (not differs or subject.judge(left, expected).is_within)))
    return compared


def _reversed_alone(subject: Subject, given: Given) -> Launched | Case:
    """What the last block first leaves, each alone, of a kernel that is loaded anew: none finds what another one that
    runs beside it, or an earlier launch, has set for it. Where blocks alone take too long in any order, they run
    together.
    """
    left = _alone(subject, given, _reversed)
    if isinstance(left, Case) and isinstance(_alone(subject, given, range), Case):
        return attempt(subject, given, order=_reversed)
    return left


def _alone(subject: Subject, given: Given, order: BlockOrder) -> Launched | Case:
    fresh = subject.anew()
    try:
        return attempt(fresh, given, order=order, one_by_one=True)
    finally:
        fresh.release()


def _is_only_rounding(subject: Subject, compared: Sequence[_Compared]) -> bool:
    """Whether results differ by the rounding of sums in another order alone: all are within the bound, sums that no
    order rounds are the same bits, and no two accesses race.
    """
    wrong = [one for one in compared if one.case.failed]
    if not all(one.is_within for one in wrong) or _races(subject):
        return False
    shapes = dict.fromkeys(one.case.shape for one in wrong)
    exact = (_compared(subject, shape, whole_numbers(shape, SEED)) for shape in map(Shape.parse, shapes))
    return not any(one.case.failed or one.case.faulted for ones in exact for one in ones)


def _races(subject: Subject) -> list[Case]:
    """The recordings in which accesses race, or read what nothing wrote."""
    cases = (case for concern in (Concern.ORDER, Concern.INITIALISED) for case in cases_of(subject, concern))
    return [case for case in cases if case.failed]


def _reversed(blocks: int) -> Sequence[int]:
    return range(blocks - 1, -1, -1)


def _drawn(seed: int) -> BlockOrder:
    def order(blocks: int) -> Sequence[int]:
        return [int(block) for block in np.random.default_rng(seed).permutation(blocks)]

    return order


def _unsteady_reads(subject: Subject) -> str:
    """The registers that hold something else on another GPU, as far as the PTX machine runs the kernel; "" for none."""
    compiled = subject.prepared(subject.claims.home).launcher.compiled
    program = compiled.program if isinstance(compiled, MachineCompiled) else None
    return unsteady_reads(one for piece in program.pieces for one in piece) if program is not None else ""


def _atomics_words(subject: Subject) -> str:
    """Which atomic operations may explain that bits differ: those on floats, as far as the kernel can be recorded."""
    runs = recordings_of(subject).runs
    if not runs:
        return "Whether atomic operations explain it is unknown: the kernel was not recorded."
    atomics = [site for run in runs for site in run.sites if site.is_atomic]
    lines = sorted({site.line for site in atomics if site.line and not _WHOLE.search(site.text)})
    if not lines:
        return f"No atomic operation{' on floats' if atomics else ''} explains it."
    words = ", ".join(map(str, lines))
    return f"Atomic operations (line {words}) add in an order that nothing fixes, and sums of floats depend on it."
