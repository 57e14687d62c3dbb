"""Whether a reader has mended the kernel of a lesson: what its newest recording found. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

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
