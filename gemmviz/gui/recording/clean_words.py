"""What may be said of a recording in which no hazard was found."""

from __future__ import annotations

from gemmviz.domain import figures
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.runs.recorded_extent import searched_words
from gemmviz.trace.explain import what_the_size_hides


def clean_words(trace: TraceRun) -> str:
    """What may be said where no hazard was found; "" where there is one."""
    if trace.hazards:
        return ""
    found = f"No hazards found {searched_words(trace)}: no race, nothing out of bounds, no uninitialised read."
    if 0 < trace.blocks_searched < trace.blocks_recorded:
        searched, recorded = figures.count(trace.blocks_searched), figures.count(trace.blocks_recorded)
        found += f" {searched} of the {recorded} recorded blocks were searched for races and uninitialised reads."
    if trace.skipped:
        places = "1 place was" if len(trace.skipped) == 1 else f"{len(trace.skipped)} places were"
        found += f" But {places} not recorded, and a hazard there would not be seen."
    return " ".join(filter(None, (found, what_the_size_hides(trace))))
