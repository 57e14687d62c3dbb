"""What a line's accesses to shared memory cost a GPU, whose machine code (SASS) may have others than the PTX. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.recordings.access import AccessPath, Site, Space
from gemmviz.domain.recordings.machine_accesses import (
    AccessSort,
    MachineAccesses,
    MachineChange,
    MergedRequests,
    SharedMemoryCost,
)
from gemmviz.domain.recordings.sass_cells import sort_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.source.machine_words import sorts_of


@dataclass(frozen=True, slots=True)
class LineCode:
    """Whose accesses the figures of a line in one space count: with `differs` SASS has others than the PTX, and `cost`
    is what is derived for these, None where that is not known.
    """

    differs: bool
    cost: SharedMemoryCost | None = None


def line_code(trace: TraceRun | None, line: int, space: Space | None) -> LineCode:
    """Whether SASS accesses a space otherwise at a line, from 1, and what that costs in shared memory. Accesses that
    were merged with those of other lines count at the line that has the instruction in SASS.
    """
    machine = trace.machine if trace is not None else None
    if trace is None or machine is None or space is None:
        return LineCode(differs=False)
    found = [one for one in machine.of_line(line) if one.sort in sorts_of(space)]
    if all(one.change is MachineChange.NONE for one in found):
        return LineCode(differs=False)
    return LineCode(True, _cost(trace, machine, line) if space is Space.SHARED else None)


def _cost(trace: TraceRun, machine: MachineAccesses, line: int) -> SharedMemoryCost | None:
    sites = [site for site in trace.sites if site.line == line and site.space is Space.SHARED and site.is_counted]
    changed = {one.sort: one for one in machine.of_line(line) if one.change is not MachineChange.NONE}
    same = [site for site in sites if sort_of(site) not in changed]
    parts = [recorded_cost(trace, site) for site in same]
    for sort in changed:
        if not sort.is_shared:
            continue
        merged = next((one for one in machine.merged_with(line) if one.sort is sort), None)
        places = _places(machine, merged, sort) if merged is not None else []
        if merged is None or len(places) != 1:
            return None
        if places == [line]:
            parts.append(SharedMemoryCost(merged.requests, merged.wavefronts, merged.excess))
    return SharedMemoryCost(
        sum(one.requests for one in parts), sum(one.wavefronts for one in parts), sum(one.excess for one in parts)
    )


def _places(machine: MachineAccesses, merged: MergedRequests, sort: AccessSort) -> list[int]:
    """The lines that have the instructions of merged accesses in SASS."""
    return [line for line in merged.lines if any(one.sort is sort and one.sass for one in machine.of_line(line))]


def recorded_cost(trace: TraceRun, site: Site) -> SharedMemoryCost:
    """What the accesses of a site to shared memory cost as recorded."""
    found = trace.counts.of(site)
    requests = 0 if site.path is AccessPath.ASYNC_COPY else found.requests
    return SharedMemoryCost(requests, found.wavefronts, found.wavefronts - found.ideal_wavefronts)
