"""Values that compiled code writes down at chosen statements, but only where they have changed since it did last; and
what registers and local memory hold before it writes to them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine.flow import ReadBefore, registers_in
from gemmviz.machine.ptx.parse import Module

NOT_WRITTEN = 0x7FA5C3D1
"""Every word of a thread's local memory before something is stored there: a signalling NaN that no arithmetic makes."""
LOCAL = "local memory"
"""Stands for a thread's local memory among the names of registers."""


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


def fill_unwritten(
    registers: Mapping[str, tuple[int, int]],
    names: Collection[str],
    states: NDArray[np.uint8],
    local: NDArray[np.uint8],
) -> None:
    """Set all bits of some registers in the `states` of warps, one a row, and of local memory where it is named; other
    registers hold 0. `registers` are the place and the bits of each.
    """
    for name in names:
        if name == LOCAL:
            local[:] = 0xFF
            continue
        place, bits = registers[name]
        nbytes = 4 if bits == 1 else max(bits, 8) // 8 * LANES  # a predicate is a mask
        states[:, place : place + nbytes] = 0xFF
