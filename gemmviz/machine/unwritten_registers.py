"""What registers and local memory hold before a kernel writes to them: zeros, or all bits set."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine.program import Program

LOCAL = "local memory"
"""Stands for a thread's local memory among the names of registers."""


def fill_unwritten(
    program: Program, names: Collection[str], states: NDArray[np.uint8], local: NDArray[np.uint8]
) -> None:
    """Set all bits of these registers in the `states` of warps, one a row, and of local memory where it is named."""
    for name in names:
        if name == LOCAL:
            local[:] = 0xFF
            continue
        place, bits = program.registers[name]
        nbytes = 4 if bits == 1 else max(bits, 8) // 8 * LANES  # a predicate is a mask
        states[:, place : place + nbytes] = 0xFF
