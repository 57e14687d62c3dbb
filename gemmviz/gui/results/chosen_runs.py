"""Which runs and recordings the charts show when no row is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.shape import Shape


def comparable_runs(runs: Sequence[RunResult]) -> tuple[RunResult, ...]:
    """The runs of a session that can be compared with the newest: same size, fill and seed; of equal ones the newest.

    In the order of the session; () for a session without runs.
    """
    if not runs:
        return ()
    last = runs[-1].spec
    newest: dict[object, RunResult] = {}
    for run in runs:
        spec = run.spec
        if (spec.shape, spec.fill, spec.seed) == (last.shape, last.fill, last.seed):
            key = (spec.kernel, spec.params, spec.device, spec.mode)
            newest.pop(key, None)
            newest[key] = run
    return tuple(newest.values())


def comparable_traces(session: Session, *, all_sizes: bool = False, shape: Shape | None = None) -> tuple[TraceRun, ...]:
    """The recordings of a size, that of the newest where there is none of that `shape`, or of all sizes; of the same
    kernel, parameters, size and form the one of most blocks.

    Of two that have equally many blocks the newer.
    """
    best: dict[object, TraceRun] = {}
    sizes = [trace.spec.shape for trace in session.traces]
    wanted = shape if shape in sizes else next(reversed(sizes), None)
    for trace in session.traces:
        key = key_of(trace)
        known = best.get(key)
        is_wanted = all_sizes or trace.spec.shape == wanted
        if is_wanted and (known is None or trace.blocks_recorded >= known.blocks_recorded):
            best[key] = trace
    return tuple(best.values())


def key_of(trace: TraceRun) -> object:
    """What recordings of which a chart shows one have in common."""
    return trace.spec.kernel, trace.spec.params, trace.spec.shape, trace.form
