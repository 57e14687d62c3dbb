"""The other values of a kernel's parameters, each judged with the rest as they are."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from gemmviz.domain.listing import listed
from gemmviz.domain.spec import Params
from gemmviz.referee.claims import NoSizeError
from gemmviz.referee.finding import Case
from gemmviz.referee.subject import Subject

OTHERS_S = 60.0
"""How long one examination may take for all other values; no more than this part of the time for all:"""
_SHARE = 0.25
_MOST_NAMED = 4


@dataclass(slots=True)
class OtherValues:
    """Cases of other values, each with its values in words; the values that were judged, and those that were not."""

    cases: list[Case] = field(default_factory=list)
    judged: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    @property
    def words(self) -> str:
        """ " The same with TILE = 8 and TILE = 32."; "" for no other values."""
        return f" The same with {listed(self.judged, _MOST_NAMED)}." if self.judged else ""

    @property
    def caveat(self) -> str:
        """What the verdict leaves open: "TILE = 32 was not judged"; "" for nothing."""
        more = len(self.left_out) - _MOST_NAMED
        named = [*self.left_out[:_MOST_NAMED], *([f"{more} more values"] if more > 0 else [])]
        return f"{listed(named)} {'was' if len(self.left_out) == 1 else 'were'} not judged" if named else ""


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
        (found.judged if cases else found.left_out).append(words)
    return found


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
