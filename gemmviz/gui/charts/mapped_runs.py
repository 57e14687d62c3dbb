"""Which runs of a session have error maps, and of which of them an export makes pictures. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.runs.result import RunResult, Session

MOST_MAPS = 8
"""Error maps of one export as pictures, at most: the wrong runs' first, then the newest. The tables have them all."""


def runs_with_maps(runs: Sequence[RunResult]) -> tuple[int, ...]:
    """The places of the runs that have an error map."""
    return tuple(place for place, run in enumerate(runs) if run.error_map.values.size)


def mapped_runs(runs: Sequence[RunResult]) -> tuple[int, ...]:
    """The places of the runs whose error maps are exported as pictures."""
    mapped = runs_with_maps(runs)
    wrong = [place for place in mapped if not runs[place].accuracy.passed]
    sound = [place for place in reversed(mapped) if runs[place].accuracy.passed]
    return tuple(sorted((wrong + sound)[:MOST_MAPS]))


def left_out(session: Session) -> str:
    """How many error maps become pictures, in words; "" where all do."""
    mapped = runs_with_maps(session.runs)
    if len(mapped) <= MOST_MAPS:
        return ""
    wrong = sum(not session.runs[place].accuracy.passed for place in mapped)
    which = "the newest" if not wrong else "the wrong and the newest" if wrong < MOST_MAPS else "the first wrong ones"
    return f"{MOST_MAPS} of {len(mapped)}, {which}"
