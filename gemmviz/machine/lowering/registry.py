"""Which function lowers which instruction."""

from __future__ import annotations

from collections.abc import Callable

from gemmviz.machine.lowering.context import Lowering
from gemmviz.machine.ptx.parse import Statement

Lowers = Callable[[Lowering, Statement], None]

LOWERED_BY: dict[str, Lowers] = {}
"""By the first word of an opcode."""


def lowers(*words: str) -> Callable[[Lowers], Lowers]:
    """Enter a function as the one that lowers the instructions that begin with these words."""

    def enter(function: Lowers) -> Lowers:
        for word in words:
            assert word not in LOWERED_BY, word
            LOWERED_BY[word] = function
        return function

    return enter
