"""The totals of two recordings beside each other: the names of their columns, their rows, what sets them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.domain import figures
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.spec import format_params
from gemmviz.explain.forms.comparison import figures_of_all
from gemmviz.explain.forms.rows import PairRow, pair_rows, ratio_words
from gemmviz.explain.runs.recorded_extent import blocks_words
from gemmviz.explain.source.recorded_lines import moved_bytes
from gemmviz.explain.source.recording_titles import distinct_titles

SIDES = "left", "right"


@dataclass(frozen=True, slots=True)
class TotalsPair:
    """The totals of two recordings. `names` tell them apart; `note` says why they are not of the same work, "" where
    they are.
    """

    names: tuple[str, str]
    rows: tuple[PairRow, ...]
    note: str


def names_beside(left: TraceRun, right: TraceRun) -> tuple[str, str]:
    """A name for each of two recordings: kernel and parameters where that tells them apart, else all that does."""
    first, second = (f"{each.spec.kernel} {format_params(each.spec.params)}".rstrip() for each in (left, right))
    if first != second:
        return first, second
    first, second = distinct_titles((left, right))
    return first, second


def totals_beside(left: TraceRun, right: TraceRun) -> TotalsPair:
    """The totals of two recordings, whatever they are of."""
    rows = pair_rows(figures_of_all(left), figures_of_all(right))
    return TotalsPair(names_beside(left, right), (*rows, *_moved(left, right)), _note(left, right))


def _moved(left: TraceRun, right: TraceRun) -> Sequence[PairRow]:
    """Bytes that move without a request."""
    return [
        PairRow(f"{name}, bytes", figures.count(one), figures.count(other), ratio_words(one, other))
        for (name, one), (_, other) in zip(moved_bytes(left), moved_bytes(right), strict=True)
        if one or other
    ]


def _note(left: TraceRun, right: TraceRun) -> str:
    one, other = left.spec.shape, right.spec.shape
    if one != other:
        return f"The sizes differ: {one.words} at the left, {other.words} at the right. Compare no totals."
    if left.blocks_recorded * right.blocks_in_grid == right.blocks_recorded * left.blocks_in_grid:
        return ""
    return (
        f"Recorded: {blocks_words(left)} at the left, {blocks_words(right)} at the right. "
        "The totals count parts of the product that differ in size."
    )
