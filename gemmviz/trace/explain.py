"""Figures of a stored recording: the same sums for a live one and for one opened from a file."""

from __future__ import annotations

import numpy as np

from gemmviz.domain.trace_run import TraceRun
from gemmviz.trace.columns import (
    ACCESSES,
    BYTES_ASKED,
    FIGURES,
    IDEAL_WAVEFRONTS,
    LINES,
    REQUESTS,
    SECTORS,
    WAVEFRONTS,
    SiteColumns,
)
from gemmviz.trace.totals import LineCounts, Totals, by_line, total


def columns_of(run: TraceRun) -> SiteColumns:
    """The counts per site, columns of shape (sites,)."""
    counts = np.zeros((len(run.sites), len(FIGURES)), np.int64)
    kept = run.counts
    for place, column in (
        (REQUESTS, kept.requests), (ACCESSES, kept.accesses), (SECTORS, kept.sectors), (LINES, kept.lines),
        (BYTES_ASKED, kept.bytes_asked), (WAVEFRONTS, kept.wavefronts), (IDEAL_WAVEFRONTS, kept.ideal_wavefronts),
    ):  # fmt: skip
        counts[:, place] = column
    return SiteColumns(counts)


def totals_of(run: TraceRun) -> Totals:
    """All sites together."""
    return total(run.sites, columns_of(run), run.spec.shape)


def lines_of(run: TraceRun) -> tuple[LineCounts, ...]:
    """Per source line."""
    return by_line(run.sites, columns_of(run))
