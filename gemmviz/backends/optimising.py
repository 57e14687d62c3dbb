"""When LLVM's optimisation of a kernel that is recorded pays."""

from __future__ import annotations

_WORTH_A_SECOND = 10_000_000
"""Words that blocks write down for which a second of LLVM's work pays: optimised code needs some 0.2 µs less for each,
and two cores share them (docs/RECORD.md).
"""
_MOST_INSTRUCTIONS = 2500
"""Instructions of PTX up to which LLVM optimises a kernel that is recorded: the largest portable rungs have 2 220, and
LLVM's time was found to grow with the instructions up to there.
"""


def is_worth_optimising(instructions: int, words: int) -> bool:
    """Whether a kernel of so many instructions still writes down so many words that the time for LLVM is won back.

    LLVM takes half a second, and as much for each 100 instructions that write down what they do.
    """
    return instructions <= _MOST_INSTRUCTIONS and words > _WORTH_A_SECOND * (0.5 + instructions / 200)
