"""What became of the figures of each line between two versions of a kernel, as far as they can be compared. No Qt."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.explain.source.comparability import why_not_compared
from gemmviz.explain.source.line_changes import LineChange, line_changes
from gemmviz.explain.source.version_figures import (
    NOT_COMPARED,
    UNKNOWN_BEFORE,
    Measured,
    is_repair,
)
from gemmviz.explain.source.worth import Worth


def changes_between(before: Measured | None, after: Measured | None) -> tuple[LineChange, ...]:
    """What became of each line; () where the newest version has no recording. Where the version before was not
    recorded, or its recording cannot be compared, lines have the figures of the newest alone.
    """
    if after is None or after.trace is None:
        return ()
    old = before.trace if before is not None else None
    if before is None or old is None:
        return line_changes(None, after.trace, why_alone=UNKNOWN_BEFORE if before is not None else "")
    if why_not_compared(old, after.trace):
        return line_changes(None, after.trace, why_alone=NOT_COMPARED)
    changes = line_changes(old, after.trace)
    if not is_repair(before, after):
        return changes
    return tuple(replace(one, worth=Worth.PRICE) if one.worth is Worth.WORSE else one for one in changes)
