"""What is wrong with the accesses of a block: a pure function from its trace to a handful of findings.

Races between blocks need all blocks: see `rules.rule.HazardRule.grid_search`.
"""

from __future__ import annotations

from collections.abc import Iterable

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.trace.hazards.block_writes import CrossBlockWrites
from gemmviz.trace.hazards.findings import Hazard, HazardKind, merged
from gemmviz.trace.hazards.rules.rule import HazardRule
from gemmviz.trace.hazards.rules.table import RULES
from gemmviz.trace.hazards.searched_block import SearchedBlock
from gemmviz.trace.recorded_code import RecordedCode

__all__ = ["CrossBlockWrites", "Hazard", "HazardKind", "find_hazards", "merged"]


def find_hazards(trace: BlockTrace, c_is_undefined: bool = False, *, is_part: bool = False) -> tuple[Hazard, ...]:
    """Everything wrong within one block: one hazard per kind and site, or pair of sites, epoch by epoch.

    Within an epoch in the order of `RULES`. An access out of bounds is that and
    nothing else: whatever it hits is left out of races and of what has been written. Private memory is not looked at,
    and of global memory only C, where it begins undefined, is looked through for unwritten reads. `is_part`: requests
    of the block are missing in the trace, and rules that need them all are left out.

    Raises:
        ValueError: the trace is not whole: see `site_table`.
    """
    block = SearchedBlock(trace, c_is_undefined)
    rules = (rule for rule in RULES.values() if not (is_part and rule.needs_whole_trace))
    return _found(block, rules)


def hazards_of_whole(trace: BlockTrace) -> tuple[Hazard, ...]:
    """What rules find that need the whole trace of a block."""
    rules = [rule for rule in RULES.values() if rule.needs_whole_trace]
    return _found(SearchedBlock(trace), rules) if rules else ()


def without_doubtful(hazards: Iterable[Hazard], code: RecordedCode) -> tuple[Hazard, ...]:
    """The hazards without those that may only be there because something was not recorded: see
    `HazardRule.is_doubtful`.
    """
    return tuple(hazard for hazard in hazards if not RULES[hazard.kind].is_doubtful(hazard, code))


def _found(block: SearchedBlock, rules: Iterable[HazardRule]) -> tuple[Hazard, ...]:
    found = (hazard for rule in rules for hazard in rule.find(block))
    return tuple(sorted(found, key=lambda hazard: hazard.epoch))
