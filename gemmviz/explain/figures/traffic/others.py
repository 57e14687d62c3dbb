"""How many recordings a chart of traffic does not show, and why. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.figures import counted
from gemmviz.domain.recordings.trace_run import TraceRun

NOT_SHOWN = "not shown"


def others_words(shown: Sequence[TraceRun], known: Sequence[TraceRun]) -> str:
    """How many `known` recordings are not among those `shown`, and of what they are, as the begin of a sentence:
    "1 recording of another size is"; "" for none. Those of a shown size are of another lesson.
    """
    here, sizes = {id(trace) for trace in shown}, {trace.spec.shape for trace in shown}
    others = [trace for trace in known if id(trace) not in here]
    if not others:
        return ""
    kinds = {"lesson" if trace.spec.shape in sizes else "size" for trace in others}
    if len(others) == 1:
        return f"{counted(1, 'recording')} of another {next(iter(kinds))} is"
    return f"{counted(len(others), 'recording')} of other {' or '.join(f'{kind}s' for kind in sorted(kinds))} are"
