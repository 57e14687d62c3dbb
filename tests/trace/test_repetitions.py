"""Blocks that repeat another one: what is found in them is told of the first of them in the grid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from gemmviz.domain.recordings.access import BARRIER_SITE, BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.hazards import hazards
from gemmviz.trace.hazards.rules.divergent_barrier import DivergentBarrierRule
from gemmviz.trace.hazards.searched_block import SearchedBlock
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


@dataclass(frozen=True, slots=True)
class IdleBarrierRule(DivergentBarrierRule):
    """Barriers with no access before them: what is found in a part of a trace is wrong."""

    @property
    def needs_whole_trace(self) -> bool:
        return True

    def find(self, block: SearchedBlock) -> Sequence[Hazard]:
        trace = block.trace
        busy = set(trace.slot_epoch[trace.slot_site != BARRIER_SITE].tolist())
        idle = [epoch for epoch in trace.slot_epoch[trace.slot_site == BARRIER_SITE].tolist() if epoch not in busy]
        return [Hazard(self.kind, 7, "barrier", trace.block, (), epoch, 1, "", blocks=1) for epoch in idle[:1]]


def test_that_a_rule_that_needs_the_whole_trace_sees_no_part_of_it(
    trace_of: Callable[..., BlockTrace], monkeypatch: pytest.MonkeyPatch
) -> None:
    sites, arrays = "3 global load 4 A\n4 shared store 4 s", "A global 8x8\ns shared 1x32"
    busy = trace_of(sites, "0 | A:0-31\nbarrier\n1 | s:0-31\nbarrier", arrays)
    idle = trace_of(sites, "0 | A:0-31\nbarrier\nbarrier\n1 | s:0-31", arrays)
    assert np.flatnonzero(busy.slot_site == BARRIER_SITE).size == 2
    monkeypatch.setattr(hazards, "RULES", {HazardKind.DIVERGENT_BARRIER: IdleBarrierRule()})
    seen = Repetitions()
    seen.add(busy, [(1, 0, 0)])
    assert seen.hazards() == []
    assert hazards.find_hazards(busy) == ()
    seen.add(idle, [(1, 0, 0), (2, 0, 0)])
    assert [(one.block, one.count, one.blocks) for one in seen.hazards()] == [((1, 0, 0), 2, 2)]
    assert hazards.find_hazards(idle, is_part=True) == ()
