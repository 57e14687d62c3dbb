"""What a recording found, in the sentence that follows it. No Qt."""

from __future__ import annotations

from gemmviz.domain import figures
from gemmviz.domain.recordings.hazard import by_gravity
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.tables import format_params
from gemmviz.explain.runs.recorded_extent import searched_words
from gemmviz.explain.source.recorded_lines import kind_words
from gemmviz.gui.figures.printed import printed_words
from gemmviz.trace.explain import what_is_left_out, what_one_pass_hides

MOST_LINES = 4
"""Lines of one kind of hazard that are named."""


def outcome_of(trace: TraceRun) -> str:
    """The hazards of a recording by kind and line and the gravest in a sentence, or that there are none."""
    name = f"{trace.spec.kernel} {format_params(trace.spec.params)}".rstrip()
    if not trace.hazards:
        words = f"{name}: no hazards found {searched_words(trace)}."
        rest = (what_is_left_out(trace), what_one_pass_hides(trace), printed_words(trace.printed))
        return " ".join(filter(None, (words, *rest)))
    lines: dict[str, list[int]] = {}
    hazards = by_gravity(trace.hazards)
    for hazard in hazards:
        lines.setdefault(kind_words(hazard), []).append(hazard.line)
    found = [f"{kind}{_on(sorted(set(numbers) - {0}))}" for kind, numbers in lines.items()]
    first = hazards[0].detail
    printed = printed_words(trace.printed)
    return f"{name}: {'; '.join(found)}. {first[:1].upper()}{first[1:]}" + (f". {printed}" if printed else "")


def _on(lines: list[int]) -> str:
    """The lines of a kind: " on line 37", " on lines 37 and 38"; "" where none is known."""
    if not lines:
        return ""
    if len(lines) == 1:
        return f" on line {lines[0]}"
    named = [str(number) for number in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        return f" on lines {', '.join(named)} and {figures.counted(len(lines) - MOST_LINES, 'more', 'more')}"
    return f" on lines {', '.join(named[:-1])} and {named[-1]}"
