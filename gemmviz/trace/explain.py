"""Figures of a stored recording: the same sums for a live one and for one opened from a file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from gemmviz.catalogue.odd_sizes import odd_size_of, why_no_odd_size
from gemmviz.domain import figures
from gemmviz.domain.kernels.inlined_code import HELPER, helper_line
from gemmviz.domain.recordings.access import AccessKind, Space
from gemmviz.domain.recordings.multiply_adds import is_complete
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.trace.counts.columns import (
    ACCESSES,
    BYTES_ASKED,
    FIGURES,
    IDEAL_WAVEFRONTS,
    LINES,
    REQUESTS,
    SECTORS,
    SENT,
    WAVEFRONTS,
    SiteColumns,
)
from gemmviz.trace.counts.totals import LineCounts, Totals, by_line, total


def columns_of(run: TraceRun) -> SiteColumns:
    """The counts per site, columns of shape (sites,)."""
    counts = np.zeros((len(run.sites), len(FIGURES)), np.int64)
    kept = run.counts
    for place, column in (
        (REQUESTS, kept.requests),
        (ACCESSES, kept.accesses),
        (SECTORS, kept.sectors),
        (LINES, kept.lines),
        (BYTES_ASKED, kept.bytes_asked),
        (WAVEFRONTS, kept.wavefronts),
        (IDEAL_WAVEFRONTS, kept.ideal_wavefronts),
        (SENT, kept.sectors_sent),
    ):
        counts[:, place] = column
    return SiteColumns(counts)


def totals_of(run: TraceRun) -> Totals:
    """All sites together; with no ideal where only some blocks were recorded, as the ideal is that of all."""
    found = total(run.sites, columns_of(run), run.spec.shape, run.bytes_ideal)
    return found if is_complete(run) else replace(found, bytes_ideal=None)


def lines_of(run: TraceRun) -> tuple[LineCounts, ...]:
    """Per source line."""
    return by_line(run.sites, columns_of(run))


@dataclass(frozen=True, slots=True)
class HelperLine:
    """A line of a function whose accesses are shown at the lines that call it, the `callers`; `counts` is their sum."""

    line: int
    callers: tuple[int, ...]
    counts: LineCounts


def helper_lines(run: TraceRun) -> tuple[HelperLine, ...]:
    """The lines of the kernel's file whose accesses are shown at the lines that call them, ascending."""
    called = [helper_line(site.header) for site in run.sites]
    sites = tuple(replace(site, line=line) for site, line in zip(run.sites, called, strict=True))
    return tuple(
        HelperLine(
            counts.line,
            tuple(sorted({site.line for site, line in zip(run.sites, called, strict=True) if line == counts.line})),
            counts,
        )
        for counts in by_line(sites, columns_of(run))
        if counts.line
    )


def accesses_in_calls(run: TraceRun) -> dict[int, tuple[str, ...]]:
    """What code accesses that lines of the kernel's file call, in words by the line: "code of an included file:
    tile.cuh:4 reads A", "the helper in line 8, which reads A". Line 0: code that several lines call.
    """
    in_headers: dict[int, dict[str, None]] = {}
    in_helpers: dict[int, dict[str, None]] = {}
    for site in run.sites:
        if site.header and int(run.counts.accesses[site.index]):
            what = f"{site.verb} {site.array or f'{site.space.value} memory'}"
            if site.header.startswith(HELPER):
                in_helpers.setdefault(site.line, {})[f"the {site.header}, which {what}"] = None
            else:
                in_headers.setdefault(site.line, {})[f"{site.header} {what}"] = None
    return {
        line: (
            *in_helpers.get(line, ()),
            *(f"code of an included file: {'; '.join(words)}" for words in [in_headers.get(line)] if words),
        )
        for line in sorted({*in_headers, *in_helpers})
    }


def what_the_size_hides(run: TraceRun) -> str:
    """What to record as well where edges that are not guarded, or a loop that ran once, may not show, else ""."""
    shape = run.spec.shape
    edges = ""
    if not any(size > 1 and size % 2 for size in (shape.m, shape.n, shape.k)):
        odd = odd_size_of(run)
        edges = f"That holds at {shape.words}. " + (
            f"An odd size, {odd.words} for instance, shows whether the edges are guarded."
            if odd is not None
            else f"The kernel needs {why_no_odd_size(run)}, so no size with unguarded edges can be recorded."
        )
    return " ".join(filter(None, (edges, what_one_pass_hides(run))))


def what_one_pass_hides(run: TraceRun) -> str:
    """What to record instead where each store to shared memory ran at most once per warp, so that a barrier missing at
    the end of a loop cannot show; "" where one ran more often, there is none, or the TMA fills shared memory.
    """
    stores = [site for site in run.sites if site.space is Space.SHARED and site.kind is AccessKind.STORE]
    requests = Counter[tuple[int, int, str]]()
    for site in stores:
        requests[site.line, site.column, site.array] += int(run.counts.requests[site.index])
    is_once = 0 < max(requests.values(), default=0) <= run.warps_recorded
    if not is_once or not all(site.path.is_requested for site in stores):
        return ""
    return (
        "Each store to shared memory ran once per warp at most, so a race between two passes of a loop over tiles "
        "cannot show here. Record a larger K, or a smaller tile."
    )


def what_is_left_out(run: TraceRun) -> str:
    """A sentence each if some places, or requests of loops that wait, are not in the figures, or racing accesses not
    marked in frames; "" where all are.
    """
    count = len({(skipped.line, skipped.text) for skipped in run.skipped})
    places = "one place is" if count == 1 else f"{count} places are"
    listed = f"Not all accesses are in these figures: {places} listed at the end." if count else ""
    return " ".join(filter(None, (listed, _what_waits_repeat(run), _what_is_not_marked(run))))


def _what_waits_repeat(run: TraceRun) -> str:
    """How many requests loops that wait repeated, and in which lines; "" where none did."""
    count = sum(one.requests for one in run.repeated_waits)
    if not count:
        return ""
    lines = sorted({one.line for one in run.repeated_waits if one.line})
    where = f" in {'line' if len(lines) == 1 else 'lines'} {', '.join(map(str, lines))}" if lines else ""
    requests = figures.counted(count, "request")
    return f"Loops that wait{where} repeated {requests} that read the same values again: these are not in the figures."


def _what_is_not_marked(run: TraceRun) -> str:
    """In which lines more accesses race than frames mark; "" where all are marked."""
    kept = [pair for block in run.blocks if block.racing is not None for pair in block.racing.pairs]
    cut = [pair for pair in kept if pair.is_cut]
    if not cut:
        return ""
    lines = sorted({run.sites[site].line for pair in cut for site in pair.sites})
    where = f"{'line' if len(lines) == 1 else 'lines'} {', '.join(map(str, lines))}"
    accesses = figures.count(sum(pair.accesses for pair in cut))
    return f"So many accesses race in {where} ({accesses}) that frames mark only those of the first requests."
