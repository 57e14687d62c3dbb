"""How much of a grid a recording has, in words."""

from __future__ import annotations

from gemmviz.domain import figures
from gemmviz.domain.recordings.trace_run import TraceRun


def blocks_words(trace: TraceRun) -> str:
    """Which part of the grid was recorded."""
    whole = figures.count(trace.blocks_in_grid)
    if trace.blocks_recorded >= trace.blocks_in_grid:
        return "its only block" if trace.blocks_in_grid == 1 else f"all {whole} blocks"
    return f"{figures.count(trace.blocks_recorded)} of {whole} blocks"


def searched_words(trace: TraceRun) -> str:
    """Where hazards were searched for, behind "No hazards found": "in 1 of 20 blocks", "in any of the 20 blocks"."""
    searched = trace.blocks_searched or trace.blocks_recorded
    if searched < trace.blocks_recorded:
        return f"in {figures.count(searched)} of {figures.count(trace.blocks_recorded)} recorded blocks"
    if trace.blocks_recorded < trace.blocks_in_grid:
        return f"in {blocks_words(trace)}"
    whole = figures.count(trace.blocks_in_grid)
    return "in the only block" if trace.blocks_in_grid == 1 else f"in any of the {whole} blocks"


def counted_words(trace: TraceRun) -> str:
    """Of what the figures of a recording are, beside them: "of the whole grid", "of this block"."""
    if trace.blocks_recorded >= trace.blocks_in_grid:
        return "of the whole grid"
    return "of this block" if trace.blocks_recorded == 1 else f"of {figures.count(trace.blocks_recorded)} blocks"


def loaders_words(trace: TraceRun) -> str:
    """Whose loads `a_loads` and `b_loads` count, never those of another recording: "this block"."""
    if trace.blocks_recorded >= trace.blocks_in_grid:
        return "the whole grid"
    if trace.blocks_recorded == 1:
        return "this block"
    return f"the {figures.count(trace.blocks_recorded)} blocks of this recording"
