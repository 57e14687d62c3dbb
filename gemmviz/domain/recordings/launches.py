"""Recordings of one launch: blocks that were recorded one after the other are listed, and counted, as one recording."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.recordings.trace_run import TraceRun


def same_grid(one: TraceRun, other: TraceRun) -> bool:
    """Whether two recordings are of blocks of one launch."""
    return one.spec == other.spec and one.source_text == other.source_text and one.form is other.form


def same_blocks(one: TraceRun, other: TraceRun) -> bool:
    """Whether two recordings are of the same blocks of one launch, by the same device: one of them says it all."""
    blocks, others = ([block.block for block in each.blocks] for each in (one, other))
    is_same = one.device.id == other.device.id and one.blocks_recorded == other.blocks_recorded
    return is_same and blocks == others and same_grid(one, other)


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
