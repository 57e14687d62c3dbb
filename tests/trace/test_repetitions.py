"""Blocks that repeat another one: what is found in them is told of the first of them in the grid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.trace.repeats import Repetitions


@pytest.mark.parametrize("order", [[(1, 2, 0), (0, 2, 0), (2, 0, 1)], [(2, 0, 1), (1, 2, 0), (0, 2, 0)]])
def test_that_a_hazard_is_told_of_the_first_block_in_whatever_order_they_came(
    trace_of: Callable[..., BlockTrace], order: list[tuple[int, int, int]]
) -> None:
    racing = trace_of("38 shared store 4 s\n44 shared load 4 s", "0 | s:0-31\n1 | s:1-31", "s shared 1x32")
    like = replace(racing, block=(2, 2, 0))
    one, other, whole = Repetitions(), Repetitions(), Repetitions()
    one.add(like, order[:1])
    other.add(like, order[1:])
    whole.add_all([one, other])
    (hazard,) = whole.hazards()
    assert (hazard.block, hazard.blocks, hazard.count) == ((0, 2, 0), 3, 3 * 31)
