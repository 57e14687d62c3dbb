"""One launch at each size that a kernel claims, made once for the examinations that look at how launches end."""

from __future__ import annotations

from gemmviz.domain.shape import Shape
from gemmviz.referee.evidence import Ending
from gemmviz.referee.inputs import SEED, whole_numbers
from gemmviz.referee.subject import KernelFaultedError, Subject


def endings_of(subject: Subject) -> tuple[Ending, ...]:
    """How launches at the home, at borders, at odd, equal and long sizes and at those that the code names end, from the
    first call on the same. After one that a time limit ended there are no further ones, which may take as long.

    Raises:
        KernelFaultedError: the device was lost.
        CancelledError: stopped.
    """
    if subject.endings is None:
        claims = subject.claims
        further = (*claims.borders(), *claims.odd(), *claims.forms(), *claims.long())
        sizes = dict.fromkeys([claims.home, *(Shape(*one) for one in further), *subject.compared_sizes])
        found: list[Ending] = []
        for shape in sizes:
            found.append(_launched(subject, shape))
            if found[-1].is_late:
                break
        subject.endings = tuple(found)
    return subject.endings


def _launched(subject: Subject, shape: Shape) -> Ending:
    try:
        return Ending(shape, subject.launch(whole_numbers(shape, SEED).operands).overruns)
    except KernelFaultedError as error:
        if error.is_lost:
            raise
        return Ending(shape, fault=str(error), is_access=error.is_access, is_late=error.is_late)
