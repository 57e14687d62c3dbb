"""Values that compiled code writes down at chosen statements, but only where they have changed since it did last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gemmviz.machine.flow import ReadBefore, registers_in
from gemmviz.machine.ptx.parse import Module

NOT_WRITTEN = 0x7FA5C3D1
"""Every word of a thread's local memory before something is stored there: a signalling NaN that no arithmetic makes."""


@dataclass(frozen=True, slots=True)
class WatchedValue:
    """One value of each lane, under its number: a register, a constant, or `nbytes` of the memory of a function's
    variables ("[__local_depot0+16]").

    A value in memory of fewer than 4 bytes has its whole word in the upper half of the 64 bits that are written down.
    """

    number: int
    operand: str
    nbytes: int

    @property
    def is_in_memory(self) -> bool:
        return self.operand.startswith("[")


WatchPlan = Mapping[int, Sequence[WatchedValue]]
"""What is watched before the statements that begin at these places of the PTX text."""


def read_before(module: Module, plan: WatchPlan) -> ReadBefore:
    """The registers that a plan reads, so that they are kept until then."""
    found: dict[int, list[str]] = {}
    for function in module.functions if plan else ():
        for statement in function.statements:
            for one in plan.get(statement.start, ()):
                if not one.is_in_memory:
                    found.setdefault(statement.start, []).extend(registers_in(one.operand, statement))
    return found
