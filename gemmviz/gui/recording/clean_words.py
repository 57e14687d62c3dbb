"""What may be said of a recording in which no hazard was found, and of two beside each other."""

from __future__ import annotations

from gemmviz.domain import figures
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.hazard import by_gravity
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.runs.recorded_extent import searched_words
from gemmviz.explain.source.recorded_lines import kind_words, notes_of
from gemmviz.explain.source.recordings_beside import names_beside
from gemmviz.trace.explain import what_the_size_hides

MOST_NAMED = 3
"""Kinds of hazards with their lines that are named of a recording whose hazards are not listed."""


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


def words_beside(shown: TraceRun, pair: tuple[TraceRun, TraceRun], names: VersionNames) -> str:
    """What was found in each of two recordings and what explains its figures, a paragraph for each, the left one first;
    of the one that is `shown`, whose hazards are listed, no hazards. `names` are those of the session's versions.
    """
    paragraphs = []
    for trace, name in zip(pair, names_beside(*pair, names), strict=True):
        found = [clean_words(trace) if not trace.hazards else "" if trace is shown else _hazards_words(trace)]
        words = "\n".join(filter(None, (*found, *notes_of(trace))))
        paragraphs += [f"{name.title}: {words}"] if words else []
    return "\n\n".join(paragraphs)


def _hazards_words(trace: TraceRun) -> str:
    """How many hazards a recording has, and which kinds in which lines."""
    kinds = tuple(dict.fromkeys(f"{kind_words(each)} in line {each.line}" for each in by_gravity(trace.hazards)))
    more = f" and {len(kinds) - MOST_NAMED} more" if len(kinds) > MOST_NAMED else ""
    return f"{figures.counted(len(trace.hazards), 'hazard')} ({', '.join(kinds[:MOST_NAMED])}{more})."
