"""Accesses of a vector (`float4`) that code as written makes one component at a time.

With `-G` NVIDIA's compiler copies a structure member by member. The source's one access is recorded as one:

- where the type tells its alignment: arguments and results of functions are moved as a vector (`copied_structs`), and
  what is as wide as it is aligned is copied by pairs of words whatever its members are;
- where the same line as compiled has one access of all members, or of more than the source's access, since the compiler
  joins neighbours; also where it has no access at all, because the compiler has moved it to the line that uses what was
  loaded.

Members that the source reads one by one stay accesses of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gemmviz.catalogue.kernel_functions import plain_text
from gemmviz.machine.ptx.parse import Module, Statement
from gemmviz.trace.ptx.probing.copied_structs import Copies

_SCALAR = re.compile(r"(?P<kind>ld|st)(?:\.(?:global|shared))?(?:\.nc)?\.[bfsu](?P<bits>32|64)")
_VECTOR = re.compile(r"(?P<kind>ld|st)\..*\bv(?P<count>[24])\.[bfsu](?P<bits>\d+)")
_STRUCTURE = re.compile(
    r"\b(?:struct|class)\b(?!\s*(?:alignas|__align__|__attribute__))(?:\s+\w+)?\s*(?::[^{};]*)?\{(?P<members>[^}]*)"
)
"""One that may be less aligned than it is wide."""
_WHOLE_WORDS = re.compile(r"\b(?:int|unsigned|uint|u?int32_t)\b")
_NO_WORDS = re.compile(r"\b(?:float|double|half|__half|long)\b|\*")


@dataclass(frozen=True, slots=True)
class Vectors:
    """What code as compiled accesses: `lines` of the source with accesses of several components, each with whether it
    loads or stores, and the bytes of an access; `scalar_lines` with other accesses, and the bits of each.

    In OpenCL C (`is_opencl`) a copy of 16 bytes by doublewords is that of a vector, which may be gone from code as
    compiled, even where that has no such access at all. With `has_unaligned` the source has structures of
    `int` that are copied by pairs of words as `int2` is.
    """

    lines: frozenset[tuple[str, int, int]] = frozenset()
    scalar_lines: frozenset[tuple[str, int, int]] = frozenset()
    is_opencl: bool = False
    has_unaligned: bool = False

    def has(self, kind: str, line: int, nbytes: int, bits: int, wider: frozenset[tuple[str, int, int]]) -> bool:
        """Whether the accesses of a line, or those that were moved from there, are of so many bytes at once, or are
        among those `wider` that cover several; where code as written has some of so many `bits`. What accesses words is
        no doubleword of a vector.
        """
        own = {one for one in self.lines if one[:2] == (kind, line)}
        if own or any((kind, line, one) in self.scalar_lines for one in (32, 64) if one >= bits):
            return any(one[2] == nbytes or (one[2] > nbytes and one in wider) for one in own)
        if self.is_opencl and bits == 64:
            return True
        return any(one[0] == kind and (one[2] == nbytes or (one[2] > nbytes and one in wider)) for one in self.lines)


def vector_accesses(module: Module, text: str, *, is_opencl: bool) -> Vectors:
    """What a module as compiled accesses; `is_opencl`: its source, of the given text, was written in OpenCL C."""
    lines: set[tuple[str, int, int]] = set()
    scalar_lines: set[tuple[str, int, int]] = set()
    for statement in (one for function in module.functions for one in function.statements):
        if (match := _VECTOR.match(statement.opcode)) is not None:
            lines.add((match["kind"], statement.place.line, int(match["count"]) * int(match["bits"]) // 8))
        elif (match := _SCALAR.fullmatch(statement.opcode)) is not None:
            scalar_lines.add((match["kind"], statement.place.line, int(match["bits"])))
    structures = [match["members"] for match in _STRUCTURE.finditer(plain_text(text))]
    has_unaligned = any(_WHOLE_WORDS.search(one) and not _NO_WORDS.search(one) for one in structures)
    return Vectors(frozenset(lines), frozenset(scalar_lines), is_opencl, has_unaligned)


def joined(statements: Sequence[Statement], vectors: Vectors) -> Mapping[int, Statement | None]:
    """For each statement, by where it starts, that accesses a component of a vector: the access of all components in
    place of the first of them, None in place of the others.
    """
    copies = Copies(statements)
    groups = list(_groups(statements, copies))
    wider = _covering_more(vectors, statements, groups)
    found: dict[int, Statement | None] = {}
    for group in groups:
        for part in _whole_vectors(group, copies, vectors, wider):
            lowest = min(part, key=copies.offset)
            space, _, element = part[0].opcode.rpartition(".")
            names = "{" + ", ".join(["_"] * len(part)) + "}"
            is_store = part[0].opcode.startswith("st")
            operands = (lowest.operands[0], names) if is_store else (names, lowest.operands[1])
            found |= dict.fromkeys((one.start for one in part), None)
            found[part[0].start] = replace(part[0], opcode=f"{space}.v{len(part)}.{element}", operands=operands)
    return found


def _covering_more(
    vectors: Vectors, statements: Sequence[Statement], groups: Sequence[Sequence[Statement]]
) -> frozenset[tuple[str, int, int]]:
    """Of the accesses as compiled those that are wider than anything that their line as written accesses in one go."""
    widest: dict[tuple[str, int], int] = {}
    native = [(match, one) for one in statements if (match := _VECTOR.match(one.opcode)) is not None]
    own = [(match["kind"], one.place.line, int(match["count"]) * int(match["bits"]) // 8) for match, one in native]
    own += [(group[0].opcode[:2], group[0].place.line, len(group) * _width(group[0])) for group in groups]
    for kind, line, nbytes in own:
        widest[kind, line] = max(nbytes, widest.get((kind, line), 0))
    return frozenset(one for one in vectors.lines if 0 < widest.get(one[:2], 0) < one[2])


def _groups(statements: Sequence[Statement], copies: Copies) -> Iterator[list[Statement]]:
    """Neighbours that do the same at the same place of the source, behind the same pointer."""
    group: list[Statement] = []
    for statement in statements:
        is_scalar = _SCALAR.fullmatch(statement.opcode) is not None and copies.address(statement) is not None
        if group and is_scalar and _is_like(statement, group[-1], copies):
            group.append(statement)
            continue
        if len(group) > 1:
            yield group
        group = [statement] if is_scalar else []
    if len(group) > 1:
        yield group


def _is_like(one: Statement, other: Statement, copies: Copies) -> bool:
    base, like = copies.address(one), copies.address(other)
    return (
        (one.opcode, one.place, one.guard, one.negated) == (other.opcode, other.place, other.guard, other.negated)
        and base is not None
        and like is not None
        and base[0] == like[0]
    )


def _whole_vectors(
    group: list[Statement], copies: Copies, vectors: Vectors, wider: frozenset[tuple[str, int, int]]
) -> Iterator[list[Statement]]:
    """The vectors of a group: of 4 components rather than 2."""
    width, at = _width(group[0]), 0
    while at < len(group):
        rows = [group[at : at + count] for count in (4, 2) if count * width <= 16]
        rows = [row for row in rows if _is_row([copies.offset(one) for one in row], width)]
        found = next((row for row in rows if copies.is_vector(row)), None)
        if found is None and rows and _is_vector(rows[0], len(group), copies, vectors, wider):
            found = rows[0]
        if found is not None:
            yield found
        at += len(found or (rows[0] if rows else group[:1]))


def _is_row(offsets: Sequence[int], width: int) -> bool:
    """Whether two or four accesses lie behind each other, in any order."""
    lowest, count = min(offsets), len(offsets)
    return count in (2, 4) and sorted(offsets) == [lowest + width * i for i in range(count)]


def _is_vector(
    part: list[Statement], among: int, copies: Copies, vectors: Vectors, wider: frozenset[tuple[str, int, int]]
) -> bool:
    """Whether `part`, of `among` neighbours, is one access of the source where no call tells."""
    if copies.is_read_by_members(part):
        return False
    if among == 2 and not vectors.has_unaligned and copies.is_aligned_pair(part):
        return True
    kind, width = part[0].opcode[:2], _width(part[0])
    covering = wider if among % 2 == 0 else frozenset()  # of three components (`float3`) two are no access
    return vectors.has(kind, part[0].place.line, len(part) * width, 8 * width, covering)


def _width(statement: Statement) -> int:
    return int(re.sub(r"\D+", "", statement.words[-1])) // 8
