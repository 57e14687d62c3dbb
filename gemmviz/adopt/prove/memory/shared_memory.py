"""How much dynamic shared memory a proven kernel needs, where no launch says it: as little as it is right with."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.prove.check import check
from gemmviz.adopt.prove.launcher import ArrayLauncher
from gemmviz.adopt.prove.search_log import SearchLog

_STEP = 16
"""Bytes: no element is larger."""
_RUN_S = 10.0


def with_least_shared(made: ArrayLauncher, found: KernelFinding, guess: BlockGuess, log: SearchLog) -> KernelFinding:
    """The finding with no more bytes of dynamic shared memory than its blocks touch at the sizes that were right; as it
    is where a launch says how many there are, or sizes need different numbers.
    """
    described = found.description
    assert described is not None
    if guess.is_launched or not described.shared_bytes.isdigit() or described.shared_bytes == "0":
        return found
    log.tell("looking for the shared memory that it needs")

    def with_bytes(nbytes: int) -> Description:
        return replace(described, shared_bytes=str(nbytes))

    def is_right(nbytes: int, places: slice) -> bool:
        shapes = found.right_sizes[places]
        return all(check(made, with_bytes(nbytes), one, log.run_s(_RUN_S)).is_right for one in shapes)

    enough, few = -(-int(described.shared_bytes) // _STEP), 0
    while enough > few + 1 and not log.is_over:
        middle = (enough + few) // 2
        enough, few = (middle, few) if is_right(middle * _STEP, slice(1)) else (enough, middle)
    least = enough * _STEP
    if log.is_over or least >= int(described.shared_bytes) or not is_right(least, slice(1, None)):
        return found
    words = f"the shared memory: at the sizes that were right its blocks touch no more than {least} bytes of it"
    return replace(found, description=with_bytes(least), because=(*found.because, words))
