"""What is wrong with the accesses of a block: a pure function from its trace to a handful of findings.

Races between blocks need all blocks: `block_writes.CrossBlockWrites`.
"""

from __future__ import annotations

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.trace.counts.site_table import site_table
from gemmviz.trace.hazards.barriers import divergent_barriers, with_what_follows
from gemmviz.trace.hazards.block_writes import CrossBlockWrites
from gemmviz.trace.hazards.bounds import check_bounds
from gemmviz.trace.hazards.copies_in_flight import touched_in_flight
from gemmviz.trace.hazards.findings import Hazard, HazardKind, merged
from gemmviz.trace.hazards.races import races
from gemmviz.trace.hazards.shadow import shadow_of
from gemmviz.trace.hazards.unwritten import unwritten_reads

__all__ = ["CrossBlockWrites", "Hazard", "HazardKind", "find_hazards", "merged"]


def find_hazards(trace: BlockTrace, c_is_undefined: bool = False) -> tuple[Hazard, ...]:
    """Everything wrong within one block: one hazard per kind and site, or pair of sites, epoch by epoch.

    Within an epoch: out of bounds, races, asynchronous copies not waited for, divergent barriers, unwritten
    reads. An access out of bounds is that and
    nothing else: whatever it hits is left out of races and of what has been written. Private memory is not looked at,
    and of global memory only C, where it begins undefined, is looked through for unwritten reads.

    Raises:
        ValueError: the trace is not whole: see `site_table`.
    """
    table = site_table(trace)
    inside, outside = check_bounds(trace, table)
    shadow = shadow_of(trace, inside, table)
    found = (
        *outside,
        *races(trace, shadow),
        *touched_in_flight(trace, inside, table),
        *with_what_follows(divergent_barriers(trace), unwritten_reads(trace, inside, table, shadow, c_is_undefined)),
    )
    return tuple(sorted(found, key=lambda hazard: hazard.epoch))
