"""Launches for an examination: what they leave behind, or the case that says that one ended at a fault."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from gemmviz.backends.machine.device import BlockOrder
from gemmviz.referee.finding import Case
from gemmviz.referee.inputs import Given
from gemmviz.referee.subject import KernelFaultedError, Launched, Subject

FAULTED = "the launch ended at a fault"


def attempt(
    subject: Subject,
    given: Given,
    start: NDArray[Any] | None = None,
    launches: int = 1,
    order: BlockOrder | None = None,
    *,
    one_by_one: bool = False,
) -> Launched | Case:
    """What a launch leaves behind (`Subject.launch`), or a faulted case in the words of the inputs. The case fails
    unless a launch at this size is known to end at a fault (`Subject.fault_named_by`).

    Raises:
        KernelFaultedError: the device was lost.
        CancelledError: stopped.
    """
    try:
        return subject.launch(given.operands, start, launches, order, one_by_one=one_by_one)
    except KernelFaultedError as error:
        if error.is_lost:
            raise
        named_by = subject.fault_named_by(error.shape)
        found = f"{FAULTED}: {error}"
        seed = given.operands.seed
        return Case(given.words, found, str(error.shape), seed, failed=not named_by, faulted=True, named_by=named_by)
