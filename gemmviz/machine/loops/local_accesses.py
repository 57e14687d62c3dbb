"""Which accesses of a kernel's code touch a thread's own local memory, and which bytes of it, as far as the text tells.

Nobody else reads or writes that memory: what a thread finds there follows from what it stored there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.machine.flow import registers_in, written
from gemmviz.machine.placement import FunctionFrame, PlacedBlock
from gemmviz.machine.ptx.addresses import address_in
from gemmviz.machine.ptx.parse import Statement

_VECTORS = {"v2": 2, "v4": 4, "v8": 8}
_NAME = re.compile(r"[A-Za-z_$%][\w$.]*")
_FROM_ELSEWHERE = frozenset({"ld", "ldu", "atom", "shfl", "call", "alloca", "stacksave"})
"""Instructions whose result may be an address that somebody stored, or one in local memory."""


@dataclass(frozen=True, slots=True)
class Bytes:
    """Bytes of a thread's local memory, from `begin` up to `end`; all of it where `end` is None."""

    begin: int = 0
    end: int | None = None

    def meets(self, other: Bytes) -> bool:
        """Whether they have a byte in common."""
        return (self.end is None or other.begin < self.end) and (other.end is None or self.begin < other.end)


ALL, NONE = Bytes(), Bytes(0, 0)


class LocalAccesses:
    """Knows the code of a kernel and of all functions that it calls; a thread has `nbytes` of local memory."""

    def __init__(self, blocks: Sequence[PlacedBlock], nbytes: int) -> None:
        self._nbytes = nbytes
        self._sets: dict[str, list[Statement]] = defaultdict(list)
        for block in blocks:
            for one in block.statements:
                for name in written(one):
                    self._sets[block.frame.prefix + name].append(one)

    def read(self, statement: Statement, frame: FunctionFrame) -> Bytes | None:
        """The bytes of its own local memory that a load reads, NONE of a kernel's parameter, which never changes; None
        where it may read something else. Parameters and results of functions lie there, too.
        """
        if statement.words[0] != "ld" or len(statement.operands) != 2:
            return None
        found = self._bytes(statement, statement.operands[1], frame)
        if found is None and "param" in statement.words and frame.function.is_entry:
            address = address_in(statement.operands[1])
            if address is None or statement.scope.register(address.base) is not None:
                return ALL
            return ALL if statement.scope.variable(address.base) in frame.locals else NONE
        if found is None and not {"local", "param"}.isdisjoint(statement.words):
            return ALL
        return found

    def may_write(self, statement: Statement, frame: FunctionFrame) -> Bytes | None:
        """The bytes of its own local memory that a statement may write; None where it writes none."""
        words = set(statement.words)
        if words & {"global", "shared", "const"} or statement.words[0] not in ("st", "atom", "red"):
            return None
        operand = next((one for one in statement.operands if "[" in one), "")
        found = self._bytes(statement, operand, frame)
        if found is None and (words & {"local", "param"} or self._may_be_local(operand, statement, frame)):
            return ALL
        return found

    def _bytes(self, statement: Statement, operand: str, frame: FunctionFrame) -> Bytes | None:
        address = address_in(operand)
        if address is None or set(statement.words) & {"global", "shared", "const"}:
            return None
        place = self._place(address.base, statement, frame)
        if place is None or place[1] is not {"local", "param"}.isdisjoint(statement.words):
            return None
        kind = re.sub(r"\D+", "", statement.words[-1])
        count = next((_VECTORS[word] for word in statement.words if word in _VECTORS), 1)
        begin = place[0] + address.offset
        end = begin + count * int(kind or 0) // 8
        is_sound = 0 <= begin < end <= self._nbytes and begin % (end - begin) == 0
        return Bytes(begin, end) if is_sound else None

    def _place(self, name: str, statement: Statement, frame: FunctionFrame) -> tuple[int, bool] | None:
        """The place in local memory that a name stands for, and whether as a full address; None if it is not known."""
        offset, is_full = 0, False
        seen: set[str] = set()
        while (variable := statement.scope.variable(name)) not in frame.locals:
            register = statement.scope.register(name)
            if register is None or register.unique in seen:
                return None
            seen.add(register.unique)
            step = self._step(frame.prefix + register.unique)
            if step is None or (is_full and step.words[0] == "cvta"):
                return None
            if step.words[0] == "add":
                offset += int(step.operands[2])
            is_full |= step.words[0] == "cvta"
            name, statement = step.operands[1], step
        return frame.locals[variable] + offset, is_full

    def _step(self, name: str) -> Statement | None:
        """The only statement that sets a register, if it makes it from an address and a constant; else None."""
        if len(self._sets[name]) != 1:
            return None
        one = self._sets[name][0]
        words = one.words
        if one.guard or not words[-1].endswith("64"):
            return None
        is_sum = words[0] == "add" and re.fullmatch(r"-?\d+", one.operands[2]) is not None
        is_cast = words[0] == "cvta" and "local" in words and "to" not in words
        return one if is_sum or is_cast or words[0] == "mov" else None

    def _may_be_local(self, operand: str, statement: Statement, frame: FunctionFrame) -> bool:
        """Whether an operand may hold an address in local memory or one that is made from it."""
        waiting = [(operand, statement)]
        seen: set[str] = set()
        while waiting:
            words, one = waiting.pop()
            if any(one.scope.variable(name) in frame.locals for name in _NAME.findall(words)):
                return True
            fresh = {frame.prefix + unique for unique in registers_in(words, one)} - seen
            seen |= fresh
            for source in (source for name in fresh for source in self._sets[name]):
                if source.words[0] not in _FROM_ELSEWHERE:
                    waiting += [(other, source) for other in source.operands[1:]]
                elif source.words[-1].endswith("64") and (frame.prefix or "param" not in source.words):
                    return True
        return False
