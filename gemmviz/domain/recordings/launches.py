"""Recordings of one launch: blocks that were recorded one after the other are listed, and counted, as one recording."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.recordings.trace_run import TraceRun


def same_grid(one: TraceRun, other: TraceRun) -> bool:
    """Whether two recordings are of blocks of one launch."""
    return one.spec == other.spec and one.source_text == other.source_text and one.form is other.form


def launches_of(traces: Sequence[TraceRun]) -> tuple[tuple[TraceRun, ...], ...]:
    """The recordings by their launches, that of the newest recording first, the newest recording of each first."""
    groups: list[list[TraceRun]] = []
    for trace in reversed(traces):
        group = next((group for group in groups if same_grid(group[0], trace)), None)
        if group is None:
            groups.append([trace])
        else:
            group.append(trace)
    return tuple(map(tuple, groups))
