"""What is wrong with the accesses of a block: a pure function from its trace to a handful of findings.

Races between blocks need all blocks: see `rules.rule.HazardRule.grid_search`.
"""

from __future__ import annotations

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.trace.hazards.block_writes import CrossBlockWrites
from gemmviz.trace.hazards.findings import Hazard, HazardKind, merged
from gemmviz.trace.hazards.rules.table import RULES
from gemmviz.trace.hazards.searched_block import SearchedBlock

__all__ = ["CrossBlockWrites", "Hazard", "HazardKind", "find_hazards", "merged"]


def find_hazards(trace: BlockTrace, c_is_undefined: bool = False) -> tuple[Hazard, ...]:
    """Everything wrong within one block: one hazard per kind and site, or pair of sites, epoch by epoch.

    Within an epoch in the order of `RULES`. An access out of bounds is that and
    nothing else: whatever it hits is left out of races and of what has been written. Private memory is not looked at,
    and of global memory only C, where it begins undefined, is looked through for unwritten reads.

    Raises:
        ValueError: the trace is not whole: see `site_table`.
    """
    block = SearchedBlock(trace, c_is_undefined)
    found = (hazard for rule in RULES.values() for hazard in rule.find(block))
    return tuple(sorted(found, key=lambda hazard: hazard.epoch))
