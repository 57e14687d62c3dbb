"""How wide the columns of the results table are where a person gave them no width. No Qt.

The first columns are whole at the left of the table, and the last of them that has room ends where the table ends: no
figure is cut. Parameters are cut short before a column that is told first is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.explain.runs.columns import Key

FIRST_TOLD = frozenset({Key.KERNEL, Key.SIZE, Key.PARAMS, Key.MEDIAN, Key.GFLOPS, Key.TIMES_CPU, Key.ERROR})
"""The columns for which parameters are cut short."""


@dataclass(frozen=True, slots=True)
class ColumnNeed:
    """The pixels a column needs at least, those for all it has to show, and whether a person chose its width."""

    key: Key
    least: int
    whole: int
    is_chosen: bool = False


def fitted_widths(needs: Sequence[ColumnNeed], room: int) -> list[int]:
    """The width of each column in pixels, in the order given, in a table `room` pixels wide.

    Columns that have room at their least width share what is left: parameters first, then the kernels' titles, and the
    rest goes to the kernels, unless all columns are in sight. Columns beyond the room are as wide as what they show.
    """
    widths = [need.least if need.key in (Key.KERNEL, Key.PARAMS) else need.whole for need in needs]
    count = _in_sight(needs, widths, room)
    left = room - sum(widths[:count])
    for key in (Key.PARAMS, Key.KERNEL):
        for place, need in enumerate(needs[:count]):
            if need.key is key and not need.is_chosen:
                more = max(0, min(left, need.whole - widths[place]))
                widths[place] += more
                left -= more
    if count < len(needs):
        for place in [place for place, need in enumerate(needs[:count]) if not need.is_chosen][:1]:
            widths[place] += max(0, left)
    return widths


def _in_sight(needs: Sequence[ColumnNeed], widths: Sequence[int], room: int) -> int:
    """How many columns from the left have room. A column that is not told first leaves parameters their whole width."""
    used = owed = 0
    for place, (need, width) in enumerate(zip(needs, widths, strict=True)):
        used += width
        owed += need.whole - width if need.key is Key.PARAMS and not need.is_chosen else 0
        if used + (0 if need.key in FIRST_TOLD else owed) > room:
            return place
    return len(needs)
