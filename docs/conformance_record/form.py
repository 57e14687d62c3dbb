"""A form of an instruction: its PTX, its operands, its results."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """PTX that makes results of operands.

    `text` names its operands %a, %b, %c and its results %d, %e; `operands` are their kinds, `results` their widths in
    bits. %cell is the address of 64 bytes of the thread's own in global memory, %mine that of 16 bytes in shared
    memory, %shared the same as a full address; %own is the number of the thread in its block, %lane that of its lane.
    A form with a `bound` is approximate, see `bounds.py`.
    """

    group: str
    name: str
    text: str
    operands: tuple[str, ...]
    results: tuple[int, ...]
    bound: str = ""


def simple(group: str, opcode: str, operands: str, bits: int, more: str = "", bound: str = "") -> Form:
    """A form of one instruction with one result; `operands` are kinds with blanks between them."""
    kinds = tuple(operands.split())
    names = "".join(f", %{'abc'[place]}" for place in range(len(kinds)))
    return Form(group, opcode + more, f"{opcode} %d{names}{more};", kinds, (bits,), bound)


def bits_of_predicates(instructions: list[str]) -> str:
    """PTX that runs instructions which set %p, and collects what they set in the bits of %d."""
    lines = ["{ .reg .pred %p; .reg .b32 %t; mov.b32 %d, 0;"]
    for place, instruction in enumerate(instructions):
        end = "" if instruction.endswith("}") else ";"
        lines.append(f"{instruction}{end} selp.b32 %t, {1 << place}, 0, %p; or.b32 %d, %d, %t;")
    return "\n".join(lines) + " }"
