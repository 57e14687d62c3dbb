"""Accesses of a vector (`float4`) that code as written makes one component at a time.

With `-G` NVIDIA's compiler copies a structure member by member. Where the same line as compiled has one access of all
members, the source's one access is recorded as one; also where it has no access at all, because the compiler has moved
it to the line that uses what was loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gemmviz.machine.ptx.parse import Module, Statement

_ADDRESS = re.compile(r"\[\s*(?P<base>[\w$%.]+)\s*(?:\+\s*(?P<offset>-?\d+))?\s*\]")
_SCALAR = re.compile(r"(?P<kind>ld|st)(?:\.(?:global|shared))?(?:\.nc)?\.[bfsu](?P<bits>32|64)")
_VECTOR = re.compile(r"(?P<kind>ld|st)\..*\bv(?P<count>[24])\.[bfsu](?P<bits>\d+)")


@dataclass(frozen=True, slots=True)
class Vectors:
    """What code as compiled accesses: `lines` of the source with accesses of several components, each with whether it
    loads or stores, and the bytes of an access; `scalar_lines` with other accesses, and the bits of each.

    In OpenCL C (`is_opencl`) a copy of 16 bytes by doublewords is that of a vector, which may be gone from code as
    compiled, even where that has no such access at all.
    """

    lines: frozenset[tuple[str, int, int]] = frozenset()
    scalar_lines: frozenset[tuple[str, int, int]] = frozenset()
    is_opencl: bool = False

    def has(self, kind: str, line: int, nbytes: int, bits: int) -> bool:
        """Whether the accesses of a line, or those that were moved from there, are of so many bytes at once, where code
        as written has some of so many `bits`. What accesses words is no doubleword of a vector.
        """
        scalars = {one for one in (32, 64) if (kind, line, one) in self.scalar_lines and one >= bits}
        if scalars or any(one[:2] == (kind, line) for one in self.lines):
            return (kind, line, nbytes) in self.lines
        return (self.is_opencl and bits == 64) or any((one[0], one[2]) == (kind, nbytes) for one in self.lines)


NO_VECTORS = Vectors()


def vector_accesses(module: Module, *, is_opencl: bool) -> Vectors:
    """What a module as compiled accesses; `is_opencl`: it was written in OpenCL C."""
    lines: set[tuple[str, int, int]] = set()
    scalar_lines: set[tuple[str, int, int]] = set()
    for statement in (one for function in module.functions for one in function.statements):
        if (match := _VECTOR.match(statement.opcode)) is not None:
            lines.add((match["kind"], statement.place.line, int(match["count"]) * int(match["bits"]) // 8))
        elif (match := _SCALAR.fullmatch(statement.opcode)) is not None:
            scalar_lines.add((match["kind"], statement.place.line, int(match["bits"])))
    return Vectors(frozenset(lines), frozenset(scalar_lines), is_opencl)


def joined(statements: Sequence[Statement], vectors: Vectors) -> Mapping[int, Statement | None]:
    """For each statement, by where it starts, that accesses a component of a vector: the access of all components in
    place of the first of them, None in place of the others.
    """
    found: dict[int, Statement | None] = {}
    for group in _groups(statements):
        scalar = _SCALAR.fullmatch(group[0].opcode)
        assert scalar is not None
        width = int(scalar["bits"]) // 8
        for first, count in _whole_vectors(group, width):
            part = group[first : first + count]
            if not vectors.has(scalar["kind"], part[0].place.line, count * width, 8 * width):
                continue
            lowest = min(part, key=_offset)
            space, _, element = part[0].opcode.rpartition(".")
            names = "{" + ", ".join(["_"] * count) + "}"
            operands = (lowest.operands[0], names) if scalar["kind"] == "st" else (names, lowest.operands[1])
            found |= dict.fromkeys((one.start for one in part), None)
            found[part[0].start] = replace(part[0], opcode=f"{space}.v{count}.{element}", operands=operands)
    return found


def _groups(statements: Sequence[Statement]) -> Iterator[list[Statement]]:
    """Neighbours that do the same at the same place of the source, behind the same pointer."""
    group: list[Statement] = []
    for statement in statements:
        is_scalar = _SCALAR.fullmatch(statement.opcode) is not None and _address(statement) is not None
        if group and is_scalar and _is_like(statement, group[-1]):
            group.append(statement)
            continue
        if len(group) > 1:
            yield group
        group = [statement] if is_scalar else []
    if len(group) > 1:
        yield group


def _is_like(one: Statement, other: Statement) -> bool:
    base, like = _address(one), _address(other)
    return (
        (one.opcode, one.place, one.guard, one.negated) == (other.opcode, other.place, other.guard, other.negated)
        and base is not None
        and like is not None
        and base["base"] == like["base"]
    )


def _whole_vectors(group: list[Statement], width: int) -> Iterator[tuple[int, int]]:
    """Where vectors begin in a group, and of how many components: of 4 rather than 2."""
    at = 0
    while at < len(group):
        for count in (4, 2):
            offsets = sorted(map(_offset, group[at : at + count]))
            if count * width <= 16 and offsets == [offsets[0] + width * i for i in range(count)]:
                yield at, count
                at += count
                break
        else:
            at += 1


def _address(statement: Statement) -> re.Match[str] | None:
    return next((match for operand in statement.operands if (match := _ADDRESS.fullmatch(operand))), None)


def _offset(statement: Statement) -> int:
    match = _address(statement)
    assert match is not None
    return int(match["offset"] or 0)
