"""Whether a kernel touches memory only within its arrays."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.hazard import HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.referee import recordings
from gemmviz.referee.examination import Needs, by_cases
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED, whole_numbers
from gemmviz.referee.subject import KernelFaultedError, Subject

_KINDS = (HazardKind.OUT_OF_BOUNDS, HazardKind.MISALIGNED)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Launches it at claimed sizes, on the PTX machine with every access checked, elsewhere with guards around each
    buffer, and looks through its recordings.
    """

    name: str = "Stays inside its arrays"
    asks: str = "Does it read and write within A, B and C only?"
    needs: Needs = Needs.NOTHING

    def examine(self, subject: Subject) -> Finding:
        claims = subject.claims
        sizes = [claims.home, *(Shape(*one) for one in (*claims.borders(), *claims.odd()))]
        cases = [_launched(subject, shape) for shape in dict.fromkeys(sizes)]
        cases += recordings.cases_of(subject, lambda hazard: hazard.kind in _KINDS)
        how = "every access was checked" if subject.device.is_emulated else "the guards around its buffers are intact"
        return by_cases(self, cases, f"At {len(dict.fromkeys(sizes))} sizes {how}.")


def _launched(subject: Subject, shape: Shape) -> Case:
    try:
        left = subject.launch(whole_numbers(shape, SEED).operands)
    except KernelFaultedError as error:
        if not error.is_access:
            return Case("a launch", f"ended for another reason: {error}", str(shape), SEED)
        if error.is_lost:
            raise
        return Case("a launch", str(error), str(shape), SEED, failed=True)
    words = " and ".join(left.overruns)
    found = f"{words} were overwritten" if words else "nothing beside the arrays was touched"
    return Case("a launch", found, str(shape), SEED, failed=bool(words))
