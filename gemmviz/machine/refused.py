"""What the machine refuses, in words for the author of a kernel: what the instruction belongs to, and what to do."""

from __future__ import annotations

import re
from dataclasses import dataclass

_REFUSED = re.compile(
    r"the machine does not implement (?P<opcode>[\w.:]+)[^\n]*?"
    r"(?:: (?:(?P<operand>\S+) is not (?:known|declared|a \w+)|(?P<why>[^:\n]+)))?$",
    re.MULTILINE,
)
_FAMILIES = (
    (re.compile(r"wmma|mma|wgmma|tcgen05|ldmatrix|stmatrix|movmatrix"), "tensor cores", ""),
    (re.compile(r"cp\.async\.bulk|cp\.reduce\.async\.bulk|tensormap|multimem"), "the TMA", ""),
    (re.compile(r"barrier\.cluster|mapa|getctarank|clusterlaunchcontrol"), "clusters of blocks", ""),
    (re.compile(r"tex|tld4|suld|sust|sured|txq|suq"), "textures or surfaces", "read through pointers instead"),
)
"""Instructions by how their names begin, what they belong to, and what to do where a GPU is not the only way."""


@dataclass(frozen=True, slots=True)
class Refused:
    """What a kernel uses that the machine refuses, as a clause, and what its author can do; "" where only a GPU runs
    it.
    """

    words: str
    remedy: str = ""


def refused_in(message: str) -> Refused | None:
    """What the message of a `NotImplementedInMachineError` names; None where it names no instruction."""
    found = _REFUSED.search(message)
    if found is None:
        return None
    opcode, operand, why = found["opcode"], found["operand"], found["why"]
    if operand:
        return Refused(f"it uses {operand} ({opcode}), which the PTX machine does not know")
    because = f": {why}" if why else ""
    family, remedy = next(((words, remedy) for begin, words, remedy in _FAMILIES if begin.match(opcode)), ("", ""))
    what = f"{family} ({'.'.join(opcode.split('.')[:3])})" if family else f"the instruction {opcode}"
    return Refused(f"it uses {what}, which the PTX machine does not execute{because}", remedy)


def with_remedy(message: str, otherwise: str) -> str:
    """The message of an error of the machine with what it names in the place of the statement, and what to do behind
    it: `otherwise`, a clause on what runs it, where only a GPU does.
    """
    found, refused = _REFUSED.search(message), refused_in(message)
    if found is None or refused is None:
        return f"{message}. The PTX machine does not run it; {otherwise}"
    return f"{message[: found.start()]}{refused.words}; {refused.remedy or otherwise}"
