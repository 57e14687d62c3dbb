"""Why nothing was proven of a kernel, for a person: file, line, what is not supported, and what to do about it."""

from __future__ import annotations

import re
from pathlib import Path

from gemmviz.adopt.prove.faults import GUESSED

RACES = "the kernel races"
"""How the reason of a kernel begins that a race keeps from computing its product, behind its line."""
_LINE = re.compile(r"line (\d+): ")
_OPCODE = re.compile(
    r"the machine does not implement (?P<opcode>[\w.:]+)[^\n]*?"
    r"(?:: (?P<operand>\S+) is not (?:known|declared|a \w+))?$",
    re.MULTILINE,
)
_ON_GPU = "an NVIDIA GPU does: describe the kernel in {name}.toml and run it there"
_FAMILIES = (
    (re.compile(r"wmma|mma|wgmma|tcgen05"), "tensor cores", _ON_GPU),
    (re.compile(r"cp\.async\.bulk|cp\.reduce\.async\.bulk|tensormap|multimem"), "the TMA", _ON_GPU),
    (re.compile(r"barrier\.cluster|mapa|getctarank|clusterlaunchcontrol"), "clusters of blocks", _ON_GPU),
    (re.compile(r"tex|tld4|suld|sust|sured|txq|suq"), "textures or surfaces", "read through pointers instead"),
)
"""Instructions by how their names begin, what they belong to, and what to do."""
_REMEDIES = (
    (re.compile("nothing was proven within"), "allow more time (`--time-limit`)"),
    (re.compile("did not end within"), "it may loop forever, or need more time"),
    (re.compile("Not found beside the file or in the compiler"), "put the missing files beside it"),
    (re.compile(RACES), "separate the two accesses by a barrier, and look again"),
    (re.compile("is undefined"), "define it in the file, or in one that it includes"),
    (
        re.compile("is no part of a product"),
        "it was compared with alpha·A·B + beta·C for every order of its pointers and numbers, row-major and "
        "column-major, with its parameters and, in float32 and double, any constants as alpha and beta; gemmviz "
        "describes no other kernels",
    ),
)


def explained(reason: str, path: Path, line: int, described: str) -> str:
    """A reason with its place in front, FILE:LINE, and with a remedy behind it; `line` is the kernel's, where the
    reason names none, and `described` the name of the file that a description lies beside.
    """
    found = _LINE.match(reason)
    place = "" if reason.startswith(f"{path}") else f"{path}:{found[1] if found is not None else line}: "
    words = reason[found.end() :] if found is not None else reason
    opcode = _OPCODE.search(words)
    if opcode is not None:
        return f"{place}{_not_executed(opcode['opcode'], opcode['operand'] or '', described)}"
    remedies = [remedy for mark, remedy in _REMEDIES if mark.search(words)][:1]
    if GUESSED in words:
        remedies.append(
            f"where its block is another one, write the launch into the file, or `block` into {described}.toml"
        )
    return "; ".join((f"{place}{words}", *remedies))


def _not_executed(opcode: str, operand: str, described: str) -> str:
    """What an instruction, or the operand of it that is not known, belongs to, and what to do."""
    if operand:
        return f"it uses {operand} ({opcode}), which the PTX machine does not know; {_ON_GPU.format(name=described)}"
    matching = ((words, remedy) for pattern, words, remedy in _FAMILIES if pattern.match(opcode))
    family, remedy = next(matching, ("", _ON_GPU))
    short = ".".join(opcode.split(".")[:3])
    what = f"it uses {family} ({short})" if family else f"it uses the instruction {opcode}"
    return f"{what}, which the PTX machine does not execute; {remedy.format(name=described)}"
