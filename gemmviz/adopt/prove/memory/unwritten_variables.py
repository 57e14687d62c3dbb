"""Whether what a block writes depends on variables of its threads to which nothing was written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from gemmviz.adopt.axis_words import axis_words
from gemmviz.adopt.description import FoundHazard
from gemmviz.adopt.prove.launcher import TryError
from gemmviz.adopt.prove.machine import CompiledKernel
from gemmviz.adopt.reasons import UNINITIALISED, FaultKind, Reason
from gemmviz.adopt.resemblance.observation import Observation
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.machine.watched import LOCAL

_SAID = "{name} is used before its value is set, so its value is undefined"
Outcome = tuple[bytes, bytes] | str
"""The places that a block wrote and what it wrote there, or how it failed."""


def unwritten_read(seen: Observation) -> Reason | None:
    """That one block writes other results where registers or local memory begin with other values, and the line of the
    first read; None where it does not. A kernel whose results differ from run to run anyway tells nothing.
    """
    kernel = seen.trial.kernel
    plain = _outcome(seen, ())

    def matters(names: Sequence[str]) -> bool:
        return _outcome(seen, tuple(names)) != plain

    names = [*kernel.program.registers, LOCAL]
    if not matters(names) or _outcome(seen, ()) != plain:
        return None
    found = _one_of(names, matters)
    what = "an array of its own" if found == LOCAL else "a variable of its own"
    line = _line_of_first_read(kernel, found) if found != LOCAL else 0
    block = axis_words(seen.geometry.block)
    return Reason(
        f"{UNINITIALISED}, {what}: with blocks of {block} threads, what one block "
        "writes changes with what lay there before",
        FaultKind.UNINITIALISED,
        line=line,
    )


def unset_hazards(kernel: CompiledKernel, found: FoundKernel) -> tuple[FoundHazard, ...]:
    """The variables of a kernel of which the compiler says that they are used before their values are set."""
    return tuple(
        FoundHazard(HazardKind.UNWRITTEN_READ, (line,), _SAID.format(name=name), "NVIDIA's compiler")
        for line, name in kernel.unset
        if found.line <= line <= found.last_line
    )


def unset_reason(kernel: CompiledKernel, found: FoundKernel) -> Reason | None:
    """The first of these variables as a reason why nothing was proven; None for none."""
    hazard = next(iter(unset_hazards(kernel, found)), None)
    if hazard is None:
        return None
    words = f"{UNINITIALISED}, says NVIDIA's compiler: {hazard.detail}"
    return Reason(words, FaultKind.UNINITIALISED, line=hazard.line)


def _outcome(seen: Observation, names: tuple[str, ...]) -> Outcome:
    trial = replace(seen.trial, kernel=replace(seen.trial.kernel, unwritten=names, others={}))
    try:
        traces = trial.run(seen.geometry, (1, 1, 1))
    except TryError as error:
        return str(error)
    return traces.written.tobytes(), traces.after[traces.written].tobytes()


def _one_of(names: Sequence[str], matters: Callable[[Sequence[str]], bool]) -> str:
    """A name that matters alone, or the first of as few as matter together."""
    while len(names) > 1:
        middle = len(names) // 2
        part = next((one for one in (names[:middle], names[middle:]) if matters(one)), None)
        if part is None:
            break
        names = part
    return names[0]


def _line_of_first_read(kernel: CompiledKernel, name: str) -> int:
    register = re.compile(rf"{re.escape(name)}(?![\w$])")
    statements = sorted((one for piece in kernel.program.pieces for one in piece), key=lambda one: one.start)
    reads = (
        one.place.line
        for one in statements
        if one.guard == name or any(register.search(text) for text in one.operands[1:])
    )
    return next((line for line in reads if line), 0)
