"""Whether a kernel is right in whichever order its blocks start, of which a GPU promises none."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from math import prod

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.check import MOST_BLOCKS, check
from gemmviz.adopt.prove.machine import CompiledKernel
from gemmviz.adopt.reasons import Reason
from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.domain.shape import Shape

_RUN_S = 6.0
"""For a launch with its blocks in reverse: blocks that wait for another one mostly show sooner that they do."""
_ENOUGH_BLOCKS = 4
_DEPENDS = "it depends on the order in which blocks start, which a GPU does not promise"


def fault_of_block_order(
    made: CompiledKernel, description: Description, sizes: Sequence[Shape], limit_s: float
) -> Reason | None:
    """What is wrong where the last block starts first and each ends before the next one starts, at one of the sizes at
    which the kernel is right; None for nothing. The variables of its file are as in a first launch.
    """
    blocks = {shape: _blocks_at(description, shape) for shape in sizes}
    several = [shape for shape, count in blocks.items() if 1 < count <= MOST_BLOCKS]
    if not several:
        return None
    shape = min(several, key=lambda one: (blocks[one] < _ENOUGH_BLOCKS, one.m * one.n * one.k))
    limit_s = min(limit_s, _RUN_S)
    found = check(replace(made, order=last_first, others={}), description, shape, limit_s)
    if found.is_right:
        return None
    if not found.is_untold:
        return Reason(f"{_DEPENDS}: at {shape}, where the last block starts first, {found.fault}", found.kind)
    begin = time.monotonic()
    ascending = check(replace(made, order=range, others={}), description, shape, limit_s)
    if not ascending.is_right or time.monotonic() - begin > limit_s / 2:
        return None
    waits = "a block waits for another one"
    return Reason(f"{_DEPENDS}: at {shape}, where the last block starts first, {waits}: {found.fault}", found.kind)


def last_first(blocks: int) -> Sequence[int]:
    """The numbers of so many blocks, the last one first."""
    return range(blocks - 1, -1, -1)


def _blocks_at(description: Description, shape: Shape) -> int:
    names = {"M": shape.m, "N": shape.n, "K": shape.k, **description.defaults}
    try:
        return prod(evaluate_whole(text, names) for text in description.grid)
    except ExpressionError:
        return 0
