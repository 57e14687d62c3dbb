"""What SASS does otherwise than the recorded PTX, as cells of the tables of recordings; "" for what is not known."""

from __future__ import annotations

from gemmviz.domain.recordings.access import AccessKind, AccessPath, Site, Space
from gemmviz.domain.recordings.machine_accesses import AccessSort, MachineChange, SharedMemoryCost
from gemmviz.domain.recordings.trace_run import TraceRun

SHARED_IN_SASS = ("shared_requests_in_SASS", "wavefronts_in_SASS", "excess_wavefronts_in_SASS")
"""All requests to shared memory of a recording, derived for the machine code."""
SITE_IN_SASS = ("change_in_SASS", "lines_merged_in_SASS", *SHARED_IN_SASS)
"""What became of a site in the machine code: where its accesses were merged, the lines whose accesses these are, and
what all of these lines cost together.
"""
Cells = tuple[str | int, ...]
_NOT_KNOWN: Cells = ("", "", "")
_SORTS = {
    (Space.SHARED, AccessKind.LOAD): AccessSort.SHARED_LOADS,
    (Space.SHARED, AccessKind.STORE): AccessSort.SHARED_STORES,
    (Space.GLOBAL, AccessKind.LOAD): AccessSort.GLOBAL_LOADS,
    (Space.GLOBAL, AccessKind.STORE): AccessSort.GLOBAL_STORES,
}


def shared_cells(run: TraceRun) -> Cells:
    """The cells of SHARED_IN_SASS of a recording."""
    if run.machine is None:
        return _NOT_KNOWN
    counted = [site for site in run.sites if site.space is Space.SHARED and site.is_counted]
    own = [run.counts.of(site) for site in counted if site.path in (AccessPath.LOAD_STORE, AccessPath.ATOMIC)]
    copied = [run.counts.of(site) for site in counted if site.path is AccessPath.ASYNC_COPY]
    wavefronts, ideal = (
        sum(getattr(one, name) for one in (*own, *copied)) for name in ("wavefronts", "ideal_wavefronts")
    )
    cost = run.machine.shared_cost(SharedMemoryCost(sum(one.requests for one in own), wavefronts, wavefronts - ideal))
    return (cost.requests, cost.wavefronts, cost.excess) if cost is not None else _NOT_KNOWN


def sort_of(site: Site) -> AccessSort | None:
    """Which accesses of the machine code a site's are compared with; None for those that have no counterpart."""
    if site.path is AccessPath.ASYNC_COPY:
        return AccessSort.ASYNC_COPIES
    return _SORTS.get((site.space, site.kind)) if site.path is AccessPath.LOAD_STORE else None


def site_cells(run: TraceRun, site: Site) -> Cells:
    """The cells of SITE_IN_SASS of a site."""
    sort = sort_of(site)
    if run.machine is None or sort is None:
        return ("", "", *_NOT_KNOWN)
    change = next((one.change for one in run.machine.of_line(site.line) if one.sort is sort), None)
    if change is None:
        return ("", "", *_NOT_KNOWN)
    merged = next((one for one in run.machine.merged_with(site.line) if one.sort is sort), None)
    if merged is not None:
        lines = " ".join(map(str, merged.lines))
        return (change.value, lines, merged.requests, merged.wavefronts, merged.excess)
    if change is not MachineChange.NONE or site.space is not Space.SHARED:
        return (change.value, "", *_NOT_KNOWN)
    found = run.counts.of(site)
    return (change.value, "", found.requests, found.wavefronts, found.wavefronts - found.ideal_wavefronts)
