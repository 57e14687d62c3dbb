"""What a chart shows otherwise of the newest runs and recordings, those of the last request. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.doubts import STEADIER, TIME_RAN_OUT
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.terms import StopReason
from gemmviz.explain.figures.figure import Figure, Row
from gemmviz.explain.figures.roofline.roofline import Roofline

NEWEST, NEWEST_RECORDING = "Newest run", "Newest recording"
RUN_AGAIN = f"{TIME_RAN_OUT}; {STEADIER} Quick off or a larger budget"


def with_newest(figure: Figure, newest: Sequence[RunResult | TraceRun], *, is_repeatable: bool = True) -> Figure:
    """A figure whose rows of these runs or recordings stand out, unless they are all that it shows, as none is to be
    found. Where a time limit ended one of these runs its note says what to do, if what ran `is_repeatable`.
    """
    figure = _with_advice(figure, newest) if is_repeatable else figure
    wanted = {id(one) for one in newest}
    there = [row for row in figure.rows if _made_of(row) is not None]
    new = [row for row in there if id(_made_of(row)) in wanted]
    if not new or len(new) == len(there):
        return figure
    return replace(figure, rows=tuple(_marked(row) if id(_made_of(row)) in wanted else row for row in figure.rows))


def with_newest_points(roofline: Roofline, figure: Figure) -> Roofline:
    """A roofline whose marks stand out like the rows of its figure."""
    new = {place for place, row in enumerate(figure.rows) if row.is_new}
    points = (
        replace(one, is_new=True, tooltip=f"{NEWEST}\n{one.tooltip}") if one.place in new else one
        for one in roofline.points
    )
    return replace(roofline, points=tuple(points))


def newest_words(row: Row) -> str:
    """What a row that stands out is."""
    return NEWEST if row.recording is None else NEWEST_RECORDING


def _with_advice(figure: Figure, newest: Sequence[RunResult | TraceRun]) -> Figure:
    mine = {id(one) for one in newest if isinstance(one, RunResult) and one.timing.stopped_by is StopReason.TIME_LIMIT}
    if not any(id(row.run) in mine for row in figure.rows):
        return figure
    return replace(figure, notes=tuple(RUN_AGAIN if note == TIME_RAN_OUT else note for note in figure.notes))


def _made_of(row: Row) -> RunResult | TraceRun | None:
    return row.run if row.run is not None else row.recording


def _marked(row: Row) -> Row:
    return replace(row, is_new=True, tooltip=f"{newest_words(row)}\n{row.tooltip}")
