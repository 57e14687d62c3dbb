"""What becomes of the components of a structure that code as written moves one by one: whose copy they are."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from gemmviz.machine.ptx.addresses import address_of
from gemmviz.machine.ptx.parse import Statement

_REGISTER = re.compile(r"%[\w$]+")
_SUM = frozenset({"add.s64", "add.u64"})
_OF_CALL = re.compile(r"(?:st|ld)\.param\.v[24]\.\w+")
_WORD = re.compile(r"(?:ld|st)(?:\.(?:global|shared|local))?(?:\.nc)?\.[bu]32")
_MOST_SUMS = 8
"""Sums of a pointer and a number that are followed to the pointer's beginning."""


class Copies:
    """Where the registers of a function's statements come from, and where they go."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        self._makers: dict[str, Statement] = {}
        self._users: dict[str, list[Statement]] = defaultdict(list)
        for one in statements:
            is_store = one.words[0] == "st"
            made = () if is_store or not one.operands else _REGISTER.findall(one.operands[0])
            self._makers |= dict.fromkeys(made, one)
            for operand in one.operands if is_store else one.operands[1:]:
                for name in _REGISTER.findall(operand):
                    self._users[name].append(one)

    def address(self, statement: Statement) -> tuple[str, int] | None:
        """The pointer that an access is behind, and by how many bytes; None of what is no plain address."""
        address = address_of(statement)
        if address is None:
            return None
        base, offset = address
        for _ in range(_MOST_SUMS):
            maker = self._makers.get(base)
            if maker is None or maker.opcode not in _SUM or not re.fullmatch(r"-?\d+", maker.operands[2]):
                break
            base, offset = maker.operands[1], offset + int(maker.operands[2])
        return base, offset

    def offset(self, statement: Statement) -> int:
        """By how many bytes an access is behind its pointer."""
        address = self.address(statement)
        assert address is not None
        return address[1]

    def is_vector(self, part: Sequence[Statement]) -> bool:
        """Whether a function is given, or has returned, the components as one vector, so that they are aligned so."""
        first, *others = self._partners(part)
        return any(_OF_CALL.fullmatch(one.opcode) and all(one in more for more in others) for one in first)

    def is_aligned_pair(self, part: Sequence[Statement]) -> bool:
        """Whether two words are copied as they are, which the compiler does with what is aligned to both: other
        structures it copies by members, and by more than two words if they have more.
        """
        if len(part) != 2 or _WORD.fullmatch(part[0].opcode) is None:
            return False
        ordered = sorted(part, key=self.offset)
        others = [self._partners([one])[0] for one in ordered]
        copies = [one[0] if len(one) == 1 and _WORD.fullmatch(one[0].opcode) else None for one in others]
        places = [self.address(one) if one is not None else None for one in copies]
        first, second = places
        return first is not None and second == (first[0], first[1] + 4)

    def is_read_by_members(self, part: Sequence[Statement]) -> bool:
        """Whether something is computed from what was loaded, which is no copy of the whole then."""
        if part[0].words[0] != "ld":
            return False
        return any(user.words[0] not in ("st", "mov") for users in self._partners(part) for user in users)

    def _partners(self, part: Sequence[Statement]) -> list[list[Statement]]:
        """For each access what uses the value that it loads, or what made the value that it stores."""
        found = []
        for one in part:
            if one.words[0] == "ld":
                partners = self._users.get(one.operands[0], [])
            else:
                partners = [maker] if (maker := self._makers.get(one.operands[1])) is not None else []
            found.append(partners)
        return found
