"""What the change of a total of the PTX is worth where a GPU's machine code (SASS) has other accesses. No Qt."""

from __future__ import annotations

from gemmviz.domain.recordings.machine_accesses import SharedMemoryCost
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.source.line_changes import line_changes
from gemmviz.explain.source.line_figures import LineFigureKind
from gemmviz.explain.source.machine_words import shared_cost_of
from gemmviz.explain.source.worth import Worth, worth_of
from gemmviz.trace.explain import totals_of

_IN_SASS = {
    LineFigureKind.SHARED_REQUESTS: lambda cost: cost.requests,
    LineFigureKind.WAVEFRONTS: lambda cost: cost.wavefronts,
    LineFigureKind.EXCESS: lambda cost: cost.excess,
}


def worth_of_lines(before: TraceRun | None, after: TraceRun | None) -> dict[LineFigureKind, Worth]:
    """What the changes of the figures of shared memory are worth that are worth the same in every line that changed:
    the total has the word of its lines, unless it is derived for SASS and went another way there. {} without both.
    """
    if before is None or after is None:
        return {}
    worths: dict[LineFigureKind, set[Worth]] = {}
    for one in line_changes(before, after):
        if one.figure in _IN_SASS and one.worth is not Worth.SAME:
            worths.setdefault(one.figure, set()).add(one.worth)
    costs = _cost(before), _cost(after)
    return {
        figure: worth
        for figure, (worth, *others) in worths.items()
        if not others and _of_sass(figure, *costs) in (None, worth)
    }


def _cost(trace: TraceRun) -> SharedMemoryCost | None:
    return shared_cost_of(trace.machine, totals_of(trace))


def _of_sass(figure: LineFigureKind, before: SharedMemoryCost | None, after: SharedMemoryCost | None) -> Worth | None:
    """What the change is worth as derived for SASS; None where that is not known."""
    if before is None or after is None:
        return None
    read = _IN_SASS[figure]
    return worth_of(read(before), read(after))
