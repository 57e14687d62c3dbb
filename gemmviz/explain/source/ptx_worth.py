"""What the change of a total of the PTX is worth where a GPU's machine code (SASS) has other accesses. No Qt."""

from __future__ import annotations

from collections.abc import Callable

from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.machine_accesses import SharedMemoryCost
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.source.line_costs import line_code, recorded_cost
from gemmviz.explain.source.line_figures import LineFigureKind
from gemmviz.explain.source.machine_words import shared_cost_of
from gemmviz.explain.source.worth import Worth, worth_of
from gemmviz.trace.explain import totals_of

_IN_SASS: dict[LineFigureKind, Callable[[SharedMemoryCost], int]] = {
    LineFigureKind.SHARED_REQUESTS: lambda cost: cost.requests,
    LineFigureKind.WAVEFRONTS: lambda cost: cost.wavefronts,
    LineFigureKind.EXCESS: lambda cost: cost.excess,
}


def worth_in_sass(figure: LineFigureKind, before: TraceRun | None, after: TraceRun | None) -> Worth | None:
    """What the change of a figure of shared memory is worth for a GPU. Where it is derived for one of the two alone,
    what the lines cost that SASS has as the PTX is the least of the other one. None where that does not tell.
    """
    if before is None or after is None:
        return None
    read = _IN_SASS[figure]
    old, new = (shared_cost_of(trace.machine, totals_of(trace)) for trace in (before, after))
    if old is not None and new is not None:
        return worth_of(read(old), read(new))
    if new is not None and read(new) < sum(map(read, _costs_as_in_ptx(before))):
        return Worth.BETTER
    if old is not None and read(old) < sum(map(read, _costs_as_in_ptx(after))):
        return Worth.WORSE
    return None


def _costs_as_in_ptx(trace: TraceRun) -> list[SharedMemoryCost]:
    """What accesses to shared memory cost at lines where SASS has those of the PTX."""
    sites = [site for site in trace.sites if site.space is Space.SHARED and site.is_counted]
    same = [site for site in sites if not line_code(trace, site.line, Space.SHARED).differs]
    return [recorded_cost(trace, site) for site in same]
