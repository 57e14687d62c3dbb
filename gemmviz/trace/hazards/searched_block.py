"""One block while it is searched for hazards."""

from __future__ import annotations

from functools import cached_property

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.counts.site_table import SiteTable, site_table
from gemmviz.trace.hazards.barrier_faults import as_hazards
from gemmviz.trace.hazards.barriers import missed_barriers, with_what_follows
from gemmviz.trace.hazards.bounds import Addresses, check_bounds
from gemmviz.trace.hazards.shadow import Shadow, shadow_of
from gemmviz.trace.hazards.unwritten import unwritten_reads


class SearchedBlock:
    """The trace of a block, and what several rules look at, each made once.

    `c_is_undefined`: C begins undefined, so that reads of what nothing has written to it are hazards.

    Raises:
        ValueError: the trace is not whole: see `site_table`.
    """

    def __init__(self, trace: BlockTrace, c_is_undefined: bool = False) -> None:
        self.trace = trace
        self.table: SiteTable = site_table(trace)
        self._c_is_undefined = c_is_undefined
        self.sound: Addresses
        """Shape (warps, slots, 32), bytes: without accesses out of bounds and misaligned ones."""
        self.unsound: tuple[Hazard, ...]
        """What is wrong with the others."""
        self.sound, self.unsound = check_bounds(trace, self.table)

    @cached_property
    def shadow(self) -> Shadow:
        """Who has touched each location."""
        return shadow_of(self.trace, self.sound, self.table)

    @cached_property
    def barriers_and_unwritten(self) -> tuple[Hazard, ...]:
        """Divergent barriers and unwritten reads, those that follow from a barrier told with it."""
        unwritten = unwritten_reads(self.trace, self.sound, self.table, self.shadow, self._c_is_undefined)
        divergent = as_hazards(HazardKind.DIVERGENT_BARRIER, self.trace, missed_barriers(self.trace))
        return with_what_follows(divergent, unwritten)
