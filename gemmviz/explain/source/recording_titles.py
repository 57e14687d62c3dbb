"""What tells recordings of one title apart: inputs, device, version of the source, when they were made. No Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gemmviz.domain.input_words import input_words
from gemmviz.domain.kernels.version_names import VersionNames, time_words
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.source.recorded_lines import SEPARATOR, titles_of_recordings


def distinct_titles(traces: Sequence[TraceRun], names: VersionNames | None = None) -> tuple[str, ...]:
    """A name for each of some recordings, the newest first: kernel, parameters and size, and what else tells it from
    others of that name. Only recordings that were made in one second may share a name. `names` are those of their
    versions; without them, of the texts of these recordings.
    """
    known = names or VersionNames(traces=tuple(reversed(traces)))
    titles = list(titles_of_recordings(traces))
    for facts in (inputs_of, device_of, known.of_recording, made_of):
        told = [facts(trace) for trace in traces]
        kinds = Counter(title for title, _ in dict.fromkeys(zip(titles, told, strict=True)))
        titles = [
            SEPARATOR.join(filter(None, (title, fact))) if kinds[title] > 1 else title
            for title, fact in zip(titles, told, strict=True)
        ]
    return tuple(titles)


def inputs_of(trace: TraceRun) -> str:
    """ "uniform, seed 0"."""
    return input_words(trace.spec.fill, trace.spec.seed)


def device_of(trace: TraceRun) -> str:
    """ "PTX machine, sm_90a"."""
    return trace.device.distinct_name


def made_of(trace: TraceRun) -> str:
    """ "recorded 03:12:05"."""
    made = time_words(trace.finished)
    return f"recorded {made}" if made else ""
