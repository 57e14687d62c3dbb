"""Which rows of a chart are of the newest runs, so that these are found at a glance. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gemmviz.domain.runs.result import RunResult
from gemmviz.explain.figures.figure import Figure, Row

NEWEST = "Newest run"


def with_newest(figure: Figure, newest: Sequence[RunResult]) -> Figure:
    """A figure whose rows of these runs stand out; as it is where they are all of its runs, as none is to be found."""
    wanted = {id(run) for run in newest}
    of_runs = [row for row in figure.rows if row.run is not None]
    new = [row for row in of_runs if id(row.run) in wanted]
    if not new or len(new) == len(of_runs):
        return figure
    return replace(figure, rows=tuple(_marked(row) if id(row.run) in wanted else row for row in figure.rows))


def _marked(row: Row) -> Row:
    return replace(row, is_new=True, tooltip=f"{NEWEST}\n{row.tooltip}")
