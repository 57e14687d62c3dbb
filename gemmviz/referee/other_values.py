"""The other values of a kernel's parameters, each judged with the rest as they are."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from gemmviz.domain.listing import listed
from gemmviz.domain.spec import Params
from gemmviz.referee.claims import NoSizeError
from gemmviz.referee.emulated_gpu import launch_fault
from gemmviz.referee.finding import Case
from gemmviz.referee.subject import Subject

OTHERS_S = 60.0
"""How long one examination may take for all other values; no more than this part of the time for all:"""
_SHARE = 0.25
_MOST_NAMED = 4


@dataclass(slots=True)
class OtherValues:
    """Cases of other values, each with its values in words; the values that were judged, those that were not, and
    those with which the GPU that is emulated cannot launch the kernel.
    """

    cases: list[Case] = field(default_factory=list)
    judged: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    unlaunched: list[str] = field(default_factory=list)
    gpu: str = ""

    @property
    def words(self) -> str:
        """ " The same with TILE = 8 and TILE = 32."; "" for no other values. Values of several parameters were not
        judged together, and that is said.
        """
        several = len({one.partition(" = ")[0] for one in self.judged}) > 1
        alone = ", one at a time" if several else ""
        return f" The same with {listed(self.judged, _MOST_NAMED)}{alone}." if self.judged else ""

    @property
    def caveat(self) -> str:
        """What the verdict leaves open: "TILE = 32 was not judged"; "" for nothing."""
        found = []
        if self.left_out:
            found.append(f"{_named(self.left_out)} {'was' if len(self.left_out) == 1 else 'were'} not judged")
        if self.unlaunched:
            found.append(f"{self.gpu} cannot launch it with {_named(self.unlaunched)}")
        return " and ".join(found)


def of_other_values(subject: Subject, examined: Callable[[Subject], Sequence[Case]]) -> OtherValues:
    """What is `examined` with every further value that the kernel offers of each of its parameters, the rest as they
    are; nothing where somebody chose other values than the defaults. Values that allow no size are no values to judge.

    Raises:
        KernelFaultedError: the device was lost.
        CancelledError: stopped.
    """
    found = OtherValues()
    end = time.monotonic() + min(OTHERS_S, _SHARE * max(0.0, subject.left_s()))
    for params, words in _further(subject):
        if time.monotonic() > end:
            found.left_out.append(words)
            continue
        other = Subject(subject.kernel, params, subject.device, subject.watch, subject.limit_s, subject.left_s)
        other.starts_at_zero, other.model, other.step = subject.starts_at_zero, subject.model, subject.step
        try:
            cases = examined(other)
        except NoSizeError:
            continue
        finally:
            other.release()
        found.cases += [replace(one, tried=f"{one.tried}, {words}") for one in cases]
        fault = launch_fault(other)
        if fault is not None:
            found.gpu = fault.gpu
            found.unlaunched.append(f"{words} ({fault.reason})")
        else:
            (found.judged if cases else found.left_out).append(words)
    return found


def _named(values: Sequence[str]) -> str:
    more = len(values) - _MOST_NAMED
    return listed([*values[:_MOST_NAMED], *([f"{more} more values"] if more > 0 else [])])


def _further(subject: Subject) -> list[tuple[Params, str]]:
    """The parameters with one further value each, and that value in words."""
    if subject.params != subject.kernel.params({}):
        return []
    return [
        (
            tuple((name, choice if name == one.name else value) for name, value in subject.params),
            f"{one.name} = {choice}",
        )
        for one in subject.kernel.parameters
        for choice in one.choices
        if choice != one.default
    ]
