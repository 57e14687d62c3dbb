"""From how often the machine ran each piece of a kernel's code to instructions by source line and kind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gemmviz.compiler.nvidia.instructions import kind_of
from gemmviz.domain.recordings.executed import Executed
from gemmviz.machine.ptx.parse import Statement


def executed_of(pieces: Sequence[Sequence[Statement]], counts: NDArray[np.int64]) -> tuple[Executed, ...]:
    """What was executed, in the order of the lines. `counts`, shape (pieces, 2): how often warps ran each piece, and
    the sum of their active lanes.
    """
    sums: dict[tuple[int, str], list[int]] = {}
    for statements, (times, lanes) in zip(pieces, counts.tolist(), strict=True):
        for statement in statements if times else ():
            kept = sums.setdefault((statement.place.line, kind_of(statement.opcode)), [0, 0])
            kept[0] += times
            kept[1] += lanes
    return tuple(Executed(line, kind, *found) for (line, kind), found in sorted(sums.items()))
