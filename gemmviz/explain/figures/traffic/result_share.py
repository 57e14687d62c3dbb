"""The part of its traffic that a kernel moves for C, which says little about how it reads A and B. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gemmviz.domain import figures
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.access import AccessKind, Space, result_of
from gemmviz.domain.recordings.multiply_adds import work_of
from gemmviz.domain.recordings.trace_run import TraceRun

TELLING = 1 / 3
"""From this part on a note says so: the order of kernels is then not that of a large K."""
_MOST_NAMED = 3


def result_share(trace: TraceRun) -> float:
    """The bytes of global memory that are moved for C, and for D where it is the result, as a part of all; nan where
    none are, no site names the result, or elements are stored more than once, as sums that grow in memory.
    """
    result = result_of(trace.arrays)
    moved = {
        site: trace.counts.of(site).bytes_moved
        for site in trace.sites
        if site.space is Space.GLOBAL and site.is_counted
    }
    whole = sum(moved.values())
    if result is None or not whole or not any(site.array == result.name for site in moved):
        return math.nan
    stores = [site for site in moved if (site.array, site.kind) == (result.name, AccessKind.STORE)]
    stored = sum(trace.counts.of(site).accesses * site.width_bytes // result.element_bytes for site in stores)
    if stored > work_of(trace).stored:
        return math.nan
    return sum(nbytes for site, nbytes in moved.items() if site.array in {"C", result.name}) / whole


def result_share_words(named: Sequence[tuple[str, TraceRun]]) -> tuple[str, ...]:
    """A sentence that names the recordings, each with its name, of whose traffic over a third is that for C; () for
    none.
    """
    shares = [(name, result_share(trace)) for name, trace in named]
    large = [f"{figures.percent(share, 2)} of {name}" for name, share in shares if share > TELLING]
    if not large:
        return ()
    return (f"C makes up {listed(large, _MOST_NAMED)}: record a larger K to see how kernels differ in reading A and B",)
