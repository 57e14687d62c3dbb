"""Which kernels a session has something of, and what it shows."""

from __future__ import annotations

from gemmviz.domain.runs.result import Session
from gemmviz.domain.spec import RunSpec


def kernels_of(session: Session) -> tuple[str, ...]:
    """The ids of the kernels that a session has runs, recordings, block schedules, versions or swept settings of, each
    once; first the one that it shows.
    """
    shown = shown_spec(session)
    kept = session.shown.set_up if session.shown is not None else None
    specs = [spec for spec in (kept, shown) if spec is not None]
    specs += [trace.spec for trace in session.traces]
    specs += [run.spec for run in session.runs]
    specs += [schedule.spec for schedule in session.schedules]
    others = [version.kernel for version in session.versions] + [sweep.kernel for sweep in session.sweeps]
    return tuple(dict.fromkeys((*(spec.kernel for spec in specs), *others)))


def shown_spec(session: Session) -> RunSpec | None:
    """The spec of the recording that was shown when a session was saved, or of the newest; where there is no recording,
    of the newest run, or else of the newest block schedule; None where there is neither.
    """
    traces, first = session.traces, session.shown.first if session.shown is not None else None
    if first is not None and first.recording < len(traces):
        return traces[first.recording].spec
    if traces:
        return traces[-1].spec
    if session.runs:
        return session.runs[-1].spec
    return session.schedules[-1].spec if session.schedules else None
