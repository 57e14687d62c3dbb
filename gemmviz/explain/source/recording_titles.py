"""What tells recordings of one title apart: inputs, device, version of the source, when they were made. No Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.source.recorded_lines import SEPARATOR, titles_of_recordings
from gemmviz.explain.source.version_words import time_words


def distinct_titles(traces: Sequence[TraceRun]) -> tuple[str, ...]:
    """A name for each of some recordings, the newest first: kernel, parameters and size, and what else tells it from
    others of that name. Only recordings that were made in one second may share a name.
    """
    titles = list(titles_of_recordings(traces))
    for facts in (_inputs, _device, _age, _made):
        told = [facts(trace, traces) for trace in traces]
        kinds = Counter(title for title, _ in dict.fromkeys(zip(titles, told, strict=True)))
        titles = [
            SEPARATOR.join(filter(None, (title, fact))) if kinds[title] > 1 else title
            for title, fact in zip(titles, told, strict=True)
        ]
    return tuple(titles)


def _inputs(trace: TraceRun, _: Sequence[TraceRun]) -> str:
    return f"{trace.spec.fill}, seed {trace.spec.seed}"


def _device(trace: TraceRun, _: Sequence[TraceRun]) -> str:
    return trace.device.distinct_name


def _age(trace: TraceRun, traces: Sequence[TraceRun]) -> str:
    """The newer source of two is the file as it was last recorded."""
    alike = [each.source_text for each in traces if (each.spec, each.form) == (trace.spec, trace.form)]
    newer = list(dict.fromkeys(alike)).index(trace.source_text)
    return f"{newer} versions ago" if newer > 1 else "the previous version" if newer else "the newest version"


def _made(trace: TraceRun, _: Sequence[TraceRun]) -> str:
    made = time_words(trace.finished)
    return f"recorded {made}" if made else ""
