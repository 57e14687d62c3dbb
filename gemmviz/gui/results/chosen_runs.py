"""Which runs and recordings the charts show when no row is chosen."""

from __future__ import annotations

from gemmviz.domain.result import RunResult, Session
from gemmviz.domain.trace_run import TraceRun


def comparable_runs(session: Session) -> tuple[RunResult, ...]:
    """The runs that can be compared with the newest: same size, fill and seed; of equal ones the newest.

    In the order of the session; () for a session without runs.
    """
    if not session.runs:
        return ()
    last = session.runs[-1].spec
    newest: dict[object, RunResult] = {}
    for run in session.runs:
        spec = run.spec
        if (spec.shape, spec.fill, spec.seed) == (last.shape, last.fill, last.seed):
            key = (spec.kernel, spec.params, spec.device, spec.mode)
            newest.pop(key, None)
            newest[key] = run
    return tuple(newest.values())


def comparable_traces(session: Session) -> tuple[TraceRun, ...]:
    """The recordings of the newest recording's size; of the same kernel and parameters the one of most blocks.

    Of two that have equally many blocks the newer.
    """
    if not session.traces:
        return ()
    shape = session.traces[-1].spec.shape
    best: dict[object, TraceRun] = {}
    for trace in session.traces:
        key = (trace.spec.kernel, trace.spec.params)
        known = best.get(key)
        if trace.spec.shape == shape and (known is None or trace.blocks_recorded >= known.blocks_recorded):
            best[key] = trace
    return tuple(best.values())
