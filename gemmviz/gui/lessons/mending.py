"""Whether a reader has mended the kernel of a lesson: what its newest recording found. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.figures import counted
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.hazard import by_gravity
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.versions import version_with_text


def is_mended(session: Session, kernel: str, before: Sequence[TraceRun] = ()) -> bool:
    """Whether the newest recording of a kernel, by Record or by the editor's examination, found no hazard, and the
    result that was checked with it is right. Recordings that were there `before` do not count.
    """
    known = {id(trace) for trace in before}
    traces = (trace for trace in reversed(session.traces) if id(trace) not in known and trace.spec.kernel == kernel)
    newest = next(traces, None)
    if newest is None or newest.hazards:
        return False
    version = version_with_text(session, kernel, newest.source_text)
    return version is None or version.check is None or version.check.passed


def achieved_words(session: Session, kernel: str) -> str:
    """What a reader has achieved who mended a kernel: what its recordings found before, and now. "" where none of them
    has a hazard.
    """
    traces = [trace for trace in session.traces if trace.spec.kernel == kernel]
    before = next((trace for trace in reversed(traces) if trace.hazards), None)
    if before is None:
        return ""
    hazards = by_gravity(before.hazards)
    where = (f" on line {hazard.line}" if hazard.line else "" for hazard in hazards)
    places = dict.fromkeys(f"{hazard.kind.words}{line}" for hazard, line in zip(hazards, where, strict=True))
    faults = counted(sum(hazard.count for hazard in hazards), "access", "accesses")
    version = version_with_text(session, kernel, traces[-1].source_text)
    is_right = version is not None and version.check is not None and version.check.passed
    right = ", and its result is right" if is_right else ""
    return f"You mended {kernel}. Before: {faults} at fault ({listed(tuple(places))}). Now: no hazard{right}."
